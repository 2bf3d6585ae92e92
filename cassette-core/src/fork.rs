//! The beginning of a cassette, to go on from.

use std::fmt;

use crate::tape::{Head, Origin, Tape};

/// Why a cassette cannot be forked at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoFork {
    /// It holds no more than so many interactions.
    Short(usize),
    /// Calls that overlapped in time stand on both sides of it: nothing says which of them is made first. They begin after so
    /// many interactions, and end after so many.
    Overlapping(usize, usize),
}

impl fmt::Display for NoFork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFork::Short(1) => f.write_str("it holds 1 interaction"),
            NoFork::Short(holds) => write!(f, "it holds {holds} interactions"),
            NoFork::Overlapping(from, to) => {
                write!(f, "interactions {} to {to} overlapped in time, and either might be made first", from + 1)
            }
        }
    }
}

impl NoFork {
    /// Returns the positions that are meant instead, as a help names them: of a short cassette its end, which goes on from the
    /// finished run.
    pub fn instead(self) -> String {
        match self {
            NoFork::Short(holds) => format!("fork at {holds} or before; {holds} goes on from its end"),
            NoFork::Overlapping(from, to) => format!("fork before them, at {from}, or behind them, at {to}"),
        }
    }
}

/// Returns the cassette that begins as `tape` does and was forked from it there. It has no owner: the test that goes on from it
/// adopts it.
///
/// # Errors
///
/// Fails where it does not hold so many interactions, and where the position parts calls that overlapped.
pub fn prefix(tape: Tape, origin: &Origin) -> Result<Tape, NoFork> {
    let Tape { head, mut interactions } = tape;
    let at = origin.at;
    if at > interactions.len() {
        return Err(NoFork::Short(interactions.len()));
    }
    // What is within a function that is served need not be asked for, whichever side it is on.
    let parted = |index: usize| interactions.get(index).is_some_and(|next| next.overlaps && next.within.is_none());
    if parted(at) {
        let from = (0..at).rev().find(|i| !interactions[*i].overlaps).unwrap_or_default();
        let more = interactions[at..].iter().take_while(|next| next.overlaps).count();
        return Err(NoFork::Overlapping(from, at + more));
    }
    interactions.truncate(at);
    let Head { needs, digests, redaction, stamp, by, recorded, .. } = head;
    let origin = Some(origin.clone());
    let head = Head { needs, digests, redaction, stamp, by, recorded, origin, ..Head::default() };
    Ok(Tape { head, interactions })
}
