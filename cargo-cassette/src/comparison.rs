//! A cassette before and after.

use cassette_core::alignment::{Alignment, diff};
use cassette_core::tape::Tape;

use crate::presentable::presentable;
use crate::seen;
use crate::shelf::Unreadable;

/// A cassette before and after.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Its name; of two cassettes, both.
    pub name: String,
    /// What became of it.
    pub fate: Fate,
    /// The numbers of the interactions that somebody changed by hand, from 1: what it was, and what it is.
    pub by_hand: [Vec<usize>; 2],
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
    /// Returns that a file differs which cannot be told apart by its name, for that is no UTF-8.
    #[must_use]
    pub fn nameless(file: &str) -> Comparison {
        let fate = Fate::Unreadable(None, Some(Unreadable::Nameless));
        Comparison { name: file.to_owned(), fate, by_hand: [Vec::new(), Vec::new()] }
    }

    /// Returns whether there is nothing for a reader to look at: what was changed by hand is something.
    pub fn is_same(&self) -> bool {
        matches!(&self.fate, Fate::Kept(kept) if kept.2.is_same()) && self.by_hand.iter().all(Vec::is_empty)
    }
}

/// Compares two states of a cassette, each where it was there, as it may be shown and as somebody may have changed it by hand; `None`
/// where it was in neither.
pub fn compare(name: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Comparison> {
    let mut by_hand = [Vec::new(), Vec::new()];
    let mut read = |(side, bytes): (usize, &[u8])| {
        let seen = seen::read(bytes)?;
        by_hand[side] = seen.by_hand;
        Ok(presentable(seen.tape, None))
    };
    let [before, after] = [(0, before), (1, after)].map(|(side, bytes)| bytes.map(|bytes| read((side, bytes))));
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
    Some(Comparison { name: name.to_owned(), fate, by_hand })
}
