//! Where cassettes were kept in another revision: its packages may have been others, or have kept theirs elsewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cassette_core::settings;

use crate::git::{GitError, Revision};
use crate::shelf::Shelf;
use crate::temporary::Room;
use crate::workspace::{NoShelf, Reach, Standpoint, manifest, own_dirs, packages, place, real, root_of, shown};

/// The directories of a revision.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// The directories, which need not be there any more.
    pub shelves: Vec<Shelf>,
    /// What of it could not be looked at, a line each.
    pub unseen: Vec<String>,
}

/// Returns the directories in which the packages that are meant kept their cassettes at a revision: those that stood where one stands
/// now, and those that were called as one is; of a whole workspace, all that it had. It is looked for in a directory for temporary files.
///
/// # Errors
///
/// Fails where git does.
pub fn earlier(standpoint: &Standpoint, revision: &Revision, temporary: &Path) -> Result<Earlier, GitError> {
    // One directory alone is meant, which is the same then as now.
    if standpoint.dir.is_some() {
        return Ok(Earlier::default());
    }
    let failed = |error: std::io::Error| GitError::Refused("cat-file --batch".to_owned(), error.to_string());
    let room = Room::make(temporary).map_err(failed)?;
    let tree = room.file("tree");
    std::fs::create_dir(&tree).map_err(failed)?;
    let tree = real(&tree);
    revision.write_said(&tree)?;
    let mut earlier = Earlier::default();
    let root = real(revision.root());
    let there = |path: &Path| real(path).strip_prefix(&root).map(|inside| tree.join(inside)).ok();
    let Some(around) = there(&root_of(&standpoint.here)) else { return Ok(earlier) };
    let all = match members(&around, &tree) {
        Ok(all) => all,
        Err(error) => {
            let told = error.to_string().replace(&format!("{}/", tree.display()), "");
            let why = told.lines().next().unwrap_or_default().to_owned();
            earlier.unseen.push(format!("where packages kept their cassettes then: {why}"));
            return Ok(earlier);
        }
    };
    let now = packages(standpoint).unwrap_or_default();
    let is_whole = manifest(&standpoint.here).is_ok_and(|manifest| manifest.contains_key("workspace"));
    let meant = match standpoint.reach {
        Reach::Nearest if !is_whole => all.iter().filter(|dir| stands_for(&now, dir, &there)).cloned().collect(),
        _ => all,
    };
    let moved = standpoint.variable.as_deref().filter(|dir| !dir.is_empty()).map(Path::new);
    let mut dirs = BTreeSet::new();
    for package in meant {
        if let Err(mistakes) = settings::load(&package) {
            let file = package.strip_prefix(&tree).unwrap_or(&package).join(settings::FILE);
            let what = mistakes.first().map(|mistake| mistake.what.clone()).unwrap_or_default();
            earlier.unseen.push(format!("what {} said then: {what}", file.display()));
        }
        dirs.extend([place(&package, moved)].into_iter().chain(own_dirs(&package)));
    }
    for dir in dirs.iter().filter_map(|dir| dir.strip_prefix(&tree).ok()) {
        let dir = root.join(dir);
        earlier.shelves.push(Shelf::new(&*dir, shown(&real(&standpoint.here), &dir)));
    }
    Ok(earlier)
}

/// Returns the members of the workspace that a revision had here, none where it had no manifest.
fn members(around: &Path, tree: &Path) -> Result<BTreeSet<PathBuf>, NoShelf> {
    let has_any =
        around.ancestors().take_while(|dir| dir.starts_with(tree)).any(|dir| dir.join("Cargo.toml").is_file());
    if !has_any {
        return Ok(BTreeSet::new());
    }
    let here = around.ancestors().find(|dir| dir.is_dir()).unwrap_or(tree).to_owned();
    packages(&Standpoint { here, reach: Reach::Workspace, ..Standpoint::default() })
}

/// Returns whether a package of a revision is one of these: it stood where one stands, or was called so.
fn stands_for(now: &BTreeSet<PathBuf>, then: &Path, there: &dyn Fn(&Path) -> Option<PathBuf>) -> bool {
    let name =
        |dir: &Path| manifest(dir).ok().and_then(|it| Some(it.get("package")?.get("name")?.as_str()?.to_owned()));
    let called = name(then);
    now.iter().any(|dir| there(dir).as_deref() == Some(then) || called.is_some() && name(dir) == called)
}
