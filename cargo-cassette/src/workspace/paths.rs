//! Paths as they are shown.

use std::path::{Component, Path, PathBuf};

use crate::shelf::path_text;

/// Returns the path without `.` and `..`.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// How many steps up from the current directory a path is shown by.
const UP: usize = 4;

/// Returns the path as it is shown: relative to the current directory, unless that is far away.
#[must_use]
pub fn shown(here: &Path, path: &Path) -> String {
    let (here, path) = (plain(here), plain(path));
    let common = here.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = here.components().count() - common;
    let down: PathBuf = path.components().skip(common).collect();
    let relative: PathBuf = std::iter::repeat_n(Path::new(".."), up).chain([down.as_path()]).collect();
    let is_near = common > 1 && up <= UP && relative != Path::new("");
    path_text(if is_near { &relative } else { &path })
}
