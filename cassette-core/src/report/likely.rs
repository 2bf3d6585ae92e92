//! What is said of recordings that are only like a call: those that were served, and those that were not.

use std::fmt;

use super::nearest::list;
use super::{Difference, Place, count};
use crate::score::Score;

/// A recording that was served though it is not of exactly the request that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Approximate {
    /// Which call of the run it was served to, from 1.
    pub call: usize,
    /// The call's name.
    pub name: String,
    /// The recording.
    pub place: Place,
    /// Why it was served.
    pub grounds: Grounds,
    /// Where the two differ, in the order of the request.
    pub differences: Vec<Difference>,
}

/// Why a recording was served to a call that it is not of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grounds {
    /// Under `ordered`, it was next. Where the call itself is recorded, and not served yet.
    Next(Option<usize>),
    /// Under `fuzzy`, it was the likest: its score, and the unused recordings before it that were passed over, from 1.
    Likest(Score, Vec<usize>),
    /// The test's own matcher takes it for one of this call.
    Matcher,
}

impl fmt::Display for Approximate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Approximate { call, name, place, .. } = self;
        let grounds = match &self.grounds {
            Grounds::Next(_) => "what is next".to_owned(),
            Grounds::Likest(score, _) => format!("the likest, score {score}"),
            Grounds::Matcher => "what the test's matcher takes for it".to_owned(),
        };
        write!(f, "call {call}, {name}, was served {grounds}: {place}")?;
        match &self.grounds {
            Grounds::Next(Some(own)) => write!(f, "\n    this very request is recorded as interaction {own}")?,
            Grounds::Likest(_, passed) if !passed.is_empty() => {
                let passed: Vec<_> = passed.iter().map(usize::to_string).collect();
                let noun = if passed.len() == 1 { "interaction" } else { "interactions" };
                write!(f, "\n    passed over, and not served yet: {noun} {}", passed.join(", "))?;
            }
            _ => {}
        }
        list(f, &self.differences)
    }
}

/// What was tried for a call that no recording is of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tried {
    /// Under `ordered`, the recording that is next, and why it cannot be served.
    Next(Place, Apart),
    /// Under `fuzzy`, the likest recording within the window, if any goes where the call goes.
    Likest {
        /// The recording with its score, which is below the threshold.
        best: Option<(Place, Score)>,
        /// What it would have had to score.
        threshold: Score,
        /// How many unused recordings were looked at.
        window: usize,
    },
    /// The test's own matcher, which took none of so many recordings that go where the call goes.
    Matcher(usize),
}

/// Why a recording cannot be served to a call under any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Apart {
    /// It goes elsewhere, or there with another secret than the call's.
    Elsewhere,
    /// It streams its reply, and the call does not ask for that.
    Streams,
    /// It does not stream its reply, and the call asks for that.
    Whole,
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Apart::Elsewhere => "which goes elsewhere or with another secret",
            Apart::Streams => "which streams its reply, and this call does not ask for a stream",
            Apart::Whole => "which does not stream its reply, and this call asks for a stream",
        })
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tried::Next(place, apart) => write!(f, "\n  next in the recording: {place}, {apart}"),
            Tried::Likest { best: Some((Place { interaction, .. }, score)), threshold, .. } => {
                write!(
                    f,
                    "\n  the likest that is unused, interaction {interaction}, scores {score}; the threshold is {threshold}"
                )
            }
            Tried::Likest { best: None, window, .. } => {
                write!(f, "\n  none of the next {window} unused recordings goes where this call goes, with its secrets")
            }
            Tried::Matcher(0) => {
                f.write_str("\n  nothing that is recorded goes where this call goes: the test's matcher was not asked")
            }
            Tried::Matcher(n) => {
                write!(
                    f,
                    "\n  the test's matcher was asked about {}, and takes none for this call's",
                    count(*n, "recording")
                )
            }
        }
    }
}
