//! Paths, in the notation that reports print and attributes take.

pub(super) use crate::path::member;

/// What is counted by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// The elements of a list.
    Elements,
    /// The parts of a multipart body of one name: the first goes by the name alone.
    Parts,
}

/// Returns the path of an element.
pub(super) fn element(path: &str, index: usize, counted: Counted) -> String {
    match counted {
        Counted::Parts if index == 0 => path.to_owned(),
        _ => format!("{path}[{index}]"),
    }
}

/// Returns the path of what stands in a part of a multipart body.
pub(super) fn in_part(path: &str, step: &str) -> String {
    format!("{path}{step}")
}
