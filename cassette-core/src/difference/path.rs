//! Paths, in the notation that reports print and attributes take.

pub(super) use crate::path::member;

/// Returns the path of an element.
pub(super) fn element(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}
