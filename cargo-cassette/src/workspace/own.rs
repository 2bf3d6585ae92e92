//! The directories in which tests say that they keep their cassettes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Standpoint, packages, plain, real, shown};
use crate::shelf::Shelf;
use crate::written;

/// Returns the directories that tests name as their own and that are there: none within these, and none around a package, where whatever
/// is in it may be something else.
pub(super) fn own(standpoint: &Standpoint, known: &[Shelf]) -> Vec<Shelf> {
    let packages = if standpoint.dir.is_some() { Ok(BTreeSet::new()) } else { packages(standpoint) };
    let packages = packages.unwrap_or_default();
    let mut dirs: Vec<PathBuf> = packages.iter().flat_map(|it| own_dirs(it)).filter(|dir| dir.is_dir()).collect();
    dirs.sort();
    dirs.dedup();
    let mut found: Vec<Shelf> = Vec::new();
    for dir in dirs {
        let here = real(&dir);
        let holds = |inner: &PathBuf| real(inner).starts_with(&here);
        let mut shelves = known.iter().chain(&found);
        if !packages.iter().any(holds) && !shelves.any(|it| here.starts_with(real(&it.dir)) || holds(&it.dir)) {
            found.push(Shelf::new(&*dir, shown(&standpoint.here, &dir)));
        }
    }
    found
}

/// Returns the directories that tests of a package name as their own: none around the package, where whatever is in it may be something
/// else.
pub(crate) fn own_dirs(package: &Path) -> Vec<PathBuf> {
    let dirs = written::directories(package).into_iter().map(|dir| plain(&package.join(dir)));
    dirs.filter(|dir| !package.starts_with(dir)).collect()
}
