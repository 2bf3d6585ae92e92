//! The report of a run that does not come to its fork.

use std::fmt;

use super::{Nearest, Place, Tried, asked, count, help};

/// A fork was not reached: a call is none of those before it, or the test ended before all of them were made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unreached {
    /// The cassette's name.
    pub cassette: String,
    /// The cassette that it is forked from.
    pub origin: String,
    /// How many recordings are before the fork.
    pub at: usize,
    /// Which call of the run it was, from 1, and its name; `None` where the test ended.
    pub call: Option<(usize, String)>,
    /// What it asks, in a few words.
    pub asks: Option<String>,
    /// How often the call was recorded before the fork: as often it was asked.
    pub recorded: usize,
    /// Where the call stands, and what is next, where order counts and it came before its turn.
    pub early: Option<(Place, Place)>,
    /// The recording before the fork that is most like it, if there is one of its kind.
    pub nearest: Option<Nearest>,
    /// What was tried instead, where the test asks for that.
    pub tried: Vec<Tried>,
    /// How many recordings before the fork have been served.
    pub served: usize,
    /// Those that have still to be asked for.
    pub due: Vec<Place>,
    /// The path of the cassette that they are in.
    pub file: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Unreached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreached { cassette, origin, at, recorded, served, file, .. } = self;
        match &self.call {
            None => {
                let left = count(self.due.len(), "call");
                write!(f, "the test of `{cassette}` ended {left} before its fork from `{origin}` at {at}")?;
            }
            Some((call, name)) if self.early.is_some() => {
                write!(
                    f,
                    "`{cassette}` forks from `{origin}` at {at}, and call {call}, {name}, comes before its turn"
                )?;
            }
            Some((call, name)) => {
                write!(
                    f,
                    "`{cassette}` forks from `{origin}` at {at}, and call {call}, {name}, is none of those before that"
                )?;
            }
        }
        asked(f, &self.asks)?;
        if *recorded > 0 {
            let times = if *recorded == 1 { "once".to_owned() } else { format!("{recorded} times") };
            write!(f, "\n  it was recorded {times} before the fork, and is asked for once more")?;
        }
        if let Some((recorded, expected)) = &self.early {
            write!(f, "\n  it was recorded as {recorded}\n  next is {expected}")?;
        }
        self.nearest.iter().try_for_each(|nearest| nearest.fmt(f))?;
        self.tried.iter().try_for_each(|tried| tried.fmt(f))?;
        self.due.iter().try_for_each(|place| write!(f, "\n  still to come: {place}"))?;
        write!(f, "\n  served so far: {served} of {at}, from {file}")?;
        help(f, &self.help)
    }
}
