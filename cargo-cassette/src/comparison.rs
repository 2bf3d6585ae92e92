//! A cassette before and after.

use cassette_core::alignment::{Alignment, diff};
use cassette_core::tape::Tape;

use crate::presentable::presentable;
use crate::shelf::{self, Unreadable};

/// A cassette before and after.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Its name; of two cassettes, both.
    pub name: String,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a cassette.
#[derive(Clone, Debug)]
pub enum Fate {
    /// It was not there.
    Added(Tape),
    /// It is not there any more.
    Removed(Tape),
    /// It is in both: what it was, what it is, and how they differ.
    Kept(Box<(Tape, Tape, Alignment)>),
    /// One of the two cannot be read: why not the first, why not the second.
    Unreadable(Option<Unreadable>, Option<Unreadable>),
}

impl Comparison {
    /// Returns whether there is nothing for a reader to look at.
    pub fn is_same(&self) -> bool {
        matches!(&self.fate, Fate::Kept(kept) if kept.2.is_same())
    }
}

/// Compares two states of a cassette, each where it was there and as it may be shown; `None` where it was in neither.
pub fn compare(name: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Comparison> {
    let read = |bytes: &[u8]| shelf::read(bytes).map(|tape| presentable(tape, None));
    let [before, after] = [before, after].map(|bytes| bytes.map(read));
    let fate = match (before, after) {
        (None, None) => return None,
        (Some(Ok(a)), Some(Ok(b))) => {
            let alignment = diff(&a, &b);
            Fate::Kept(Box::new((a, b, alignment)))
        }
        (Some(Ok(a)), None) => Fate::Removed(a),
        (None, Some(Ok(b))) => Fate::Added(b),
        (a, b) => Fate::Unreadable(a.and_then(Result::err), b.and_then(Result::err)),
    };
    Some(Comparison { name: name.to_owned(), fate })
}
