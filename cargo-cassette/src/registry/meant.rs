//! Which of the tests are meant where one directory is named.

use std::path::Path;

use super::{Owned, Run};
use crate::workspace::real;

/// Sorts tests. One test is one, whichever binaries it is built into.
pub(super) fn sorted(mut owned: Vec<Owned>) -> Vec<Owned> {
    owned.sort();
    owned.dedup_by_key(|owned| {
        let Owned { dir, cassette, package, test, line, .. } = owned;
        (dir.clone(), cassette.clone(), package.clone(), test.clone(), *line)
    });
    owned
}

/// Returns which tests are meant where one directory is named, and all of them. Meant are those that keep their cassettes in it; where no
/// test does, neither there nor around it, the directory is one for which they are run with `CASSETTE_DIR`.
pub(super) fn meant(dir: &Path, owned: Vec<Owned>, moved: Vec<Owned>) -> (Vec<Owned>, Run, Vec<Owned>) {
    let dir = real(dir);
    let is_within = |owned: &&Owned| real(&owned.dir).join(&owned.cassette).starts_with(&dir);
    let within: Vec<_> = owned.iter().filter(is_within).cloned().collect();
    let is_kept = !within.is_empty() || owned.iter().any(|owned| dir.starts_with(real(&owned.dir)));
    let (meant, run) = match is_kept {
        true => (within, Run::Plain),
        false => (moved.iter().filter(|owned| real(&owned.dir) == dir).cloned().collect(), Run::WithDirectory),
    };
    (meant, run, [owned, moved].concat())
}
