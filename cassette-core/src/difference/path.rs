//! Paths, in the notation that reports print and attributes take.

use crate::path;
pub(super) use crate::path::member;

/// Returns the path of an element.
pub(super) fn element(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// Returns the path of the JSON that a string holds.
pub(super) fn inside(path: &str) -> String {
    format!("{}~", whole(path))
}

/// Returns the path of a part of a multipart body: the `nth` of its name, from 0.
pub(super) fn part(name: &str, nth: usize) -> String {
    let again = if nth == 0 { String::new() } else { format!("[{nth}]") };
    format!("{}{again}", path::part(name))
}

/// Returns the path, or `body` for that of the whole body.
pub(super) fn whole(path: &str) -> &str {
    if path.is_empty() { "body" } else { path }
}
