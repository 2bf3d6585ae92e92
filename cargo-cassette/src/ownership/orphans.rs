//! The cassettes that no test owns, and those of which that is not decided.

use std::io;
use std::path::Path;

use cassette_core::name::is_pattern;
use cassette_core::tape::Head;

use super::cases::{ByTest, Cases};
use super::programs::{Asked, Programs};
use super::sources::Sources;
use super::{fits, missing};
use crate::registry::Registry;
use crate::renaming::{Renamed, renamed};
use crate::shelf::{Shelf, Spot, Unreadable, path_text};
use crate::workspace::real;

/// The cassettes that an annotated test recorded, and none of those that were asked owns any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Orphans<'a> {
    /// Those that are nobody's.
    pub certain: Vec<(&'a Shelf, Spot)>,
    /// Those whose test may be in a binary that was built and did not answer.
    pub unanswered: Vec<Spot>,
    /// Those whose test may stand behind features that are off, `package/feature`.
    pub behind: Vec<(Spot, Vec<String>)>,
    /// Those whose test may be in a package that was not built: they are nobody's business here.
    pub unbuilt: Vec<Spot>,
    /// Those in a directory that was named, and where no test that was asked keeps its cassettes: it may be a part of another one, or
    /// another package's.
    pub elsewhere: Vec<Spot>,
    /// Those of cases of which some are no more; what these recorded another case may name all the same when it runs.
    pub perhaps: Vec<Cases>,
    /// Those of a test that is there and has another cassette: it may have opened this one in code.
    pub opened: Vec<Spot>,
    /// Those of a test that no program told, whose name the sources have all the same: it may stand behind a `cfg`.
    pub unseen: Vec<Spot>,
    /// Those of packages that are none of the workspace, and those in a directory of several packages of whose test the head does not say
    /// which package's it is: the package, where it is said.
    pub foreign: Vec<(Spot, Option<String>)>,
    /// Those of which no test says that it owns them, and none ever did that could be asked: what a builder recorded or a program that was
    /// served, what was imported or forked. They are no orphans.
    pub unowned: Vec<Spot>,
    /// Those that cannot be read, so that nobody knows whose they are.
    pub unreadable: Vec<Spot>,
}

/// Returns the cassettes that none of the tests that were asked owns.
///
/// # Errors
///
/// Fails where a directory cannot be read.
pub fn orphans<'a>(shelves: &'a [Shelf], registry: &Registry) -> io::Result<Orphans<'a>> {
    let programs = Programs::of(registry);
    let mut sources = Sources::default();
    let mut opened = Vec::new();
    let mut cases = ByTest::default();
    let mut found = Orphans::default();
    for shelf in shelves {
        let here = real(&shelf.dir);
        let owned: Vec<_> = registry.owned.iter().chain(&registry.besides).map(|it| (it, real(&it.dir))).collect();
        let is_kept_here = registry.dir.is_none() || registry.owned.iter().any(|owned| real(&owned.dir) == here);
        for spot in shelf.cassettes()? {
            let claims = owned.iter().flat_map(|(owned, dir)| {
                let called = called(&spot.name, &here, dir);
                // A fork is recorded anew from the cassette that it begins as.
                let names = [Some(&owned.cassette), owned.origin.as_ref()].into_iter().flatten();
                names.filter(move |name| called.as_ref().is_some_and(|called| fits(name, called)))
            });
            let claims: Vec<&String> = claims.collect();
            if !claims.is_empty() {
                // Which names a pattern makes is known only when its tests run; who recorded the file is known now.
                if claims.iter().all(|name| is_pattern(name))
                    && let Some((head, is_gone)) = recorder(&spot, shelf, &programs)
                {
                    cases.add(claims[0], &head, spot, is_gone);
                }
                continue;
            }
            let tape = match spot.open() {
                Ok(tape) if tape.head.registered => tape,
                Ok(_) => {
                    found.unowned.push(spot);
                    continue;
                }
                Err(Unreadable::Other) => continue,
                Err(_) => {
                    found.unreadable.push(spot);
                    continue;
                }
            };
            match programs.asked(&shelf.dir, &tape.head) {
                Asked::Answered if !is_kept_here => found.elsewhere.push(spot),
                Asked::Answered if programs.have(&shelf.dir, &tape.head) => opened.push((shelf, spot)),
                Asked::Answered if sources.may_have(&tape.head, &shelf.dir, &programs) => found.unseen.push(spot),
                Asked::Answered => found.certain.push((shelf, spot)),
                Asked::Silent => found.unanswered.push(spot),
                Asked::Without(features) => found.behind.push((spot, features)),
                Asked::Not => found.unbuilt.push(spot),
                Asked::Foreign => found.foreign.push((spot, tape.head.package)),
            }
        }
    }
    // Where nothing lies under the name that a test has now, what it recorded under another one is most likely that.
    let own: Vec<_> =
        renamed(&opened, missing(registry)).into_iter().filter(is_its_own).map(|it| it.old.clone()).collect();
    let (own, opened): (Vec<_>, Vec<_>) = opened.into_iter().partition(|(_, spot)| own.contains(spot));
    found.certain.extend(own);
    found.opened = opened.into_iter().map(|(_, spot)| spot).collect();
    found.perhaps = cases.some_gone();
    Ok(found)
}

/// Returns the head of what an annotated test recorded, and whether it is none any more, as far as its program was asked.
fn recorder(spot: &Spot, shelf: &Shelf, programs: &Programs<'_>) -> Option<(Head, bool)> {
    let head = spot.open().ok()?.head;
    let is_told = head.registered && head.test.is_some();
    let is_gone = is_told && !programs.have(&shelf.dir, &head);
    let is_decided = !is_gone || matches!(programs.asked(&shelf.dir, &head), Asked::Answered);
    (is_told && is_decided).then_some((head, is_gone))
}

/// Returns whether the test without a recording is the very one that recorded the cassette.
fn is_its_own(it: &Renamed<'_>) -> bool {
    it.old.open().is_ok_and(|tape| tape.head.test.as_ref() == Some(&it.test.test))
}

/// Returns how a cassette that is called so in one directory is called in another one, within or around it.
fn called(name: &str, here: &Path, dir: &Path) -> Option<String> {
    let steps = |path: &Path| path_text(path) + if path == Path::new("") { "" } else { "/" };
    match (here.strip_prefix(dir), dir.strip_prefix(here)) {
        (Ok(below), _) => Some(steps(below) + name),
        (_, Ok(above)) => name.strip_prefix(&steps(above)).map(str::to_owned),
        _ => None,
    }
}
