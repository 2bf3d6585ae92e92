//! Reports about what was asked and what was recorded.

use std::fmt;

use super::{Nearest, Tried, asked, count, help};
use crate::mode::Mode;

/// A setting that was one thing when it was recorded and is another now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path in the request, or its name.
    pub path: String,
    /// What was recorded; `None` where nothing was.
    pub recorded: Option<String>,
    /// What came in; `None` where nothing did.
    pub incoming: Option<String>,
}

/// A recording that was served although its sampling is not the call's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The recording.
    pub place: Place,
    /// Where the sampling differs, by path.
    pub differences: Vec<Change>,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)?;
        for (i, Change { path, recorded, incoming }) in self.differences.iter().enumerate() {
            let shown = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
            let comma = if i == 0 { ":" } else { "," };
            write!(f, "{comma} {path} recorded {}, incoming {}", shown(recorded), shown(incoming))?;
        }
        Ok(())
    }
}

/// A recording, as a report names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its position in the file, from 1.
    pub interaction: usize,
    /// Its name.
    pub name: String,
    /// What it asks, in a few words; `None` where that is not known.
    pub asks: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interaction {}, {}", self.interaction, self.name)?;
        self.asks.iter().try_for_each(|asks| write!(f, ", {asks}"))
    }
}

/// A recording that was served though a text of the call was compared with nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The recording.
    pub place: Place,
    /// Where in the call the texts stand that a rule of the test's own hides whole.
    pub texts: Vec<String>,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.texts.join(", "))
    }
}

/// The call was never recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The cassette's name.
    pub cassette: String,
    /// Which call of the run it was, from 1.
    pub call: usize,
    /// The call's name.
    pub name: String,
    /// What it asks, in a few words.
    pub asks: Option<String>,
    /// What `match_on` names, where nothing of it is in the request, so that all of it was compared.
    pub unnamed: Option<String>,
    /// The recording most like it, if there is one of its kind.
    pub nearest: Option<Nearest>,
    /// What was tried instead, where the test or the run asks for that.
    pub tried: Vec<Tried>,
    /// How many recordings have been served.
    pub served: usize,
    /// How many there are.
    pub total: usize,
    /// The cassette's path.
    pub file: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { cassette, call, name, served, total, file, .. } = self;
        write!(f, "`{cassette}` holds no recording of call {call}, {name}")?;
        asked(f, &self.asks)?;
        match &self.nearest {
            Some(nearest) => nearest.fmt(f)?,
            None if *total > 0 => f.write_str("\n  nothing recorded is a call of this kind")?,
            None => {}
        }
        if let Some(named) = &self.unnamed {
            write!(f, "\n  nothing that `match_on` names is in this request, so all of it was compared: {named}")?;
        }
        self.tried.iter().try_for_each(|tried| tried.fmt(f))?;
        match total {
            0 => write!(f, "\n  nothing is recorded, in {file}")?,
            1 if *served == 1 => write!(f, "\n  the only recording has been served, in {file}")?,
            _ if served == total => write!(f, "\n  all {total} recordings have been served, in {file}")?,
            _ => write!(f, "\n  served so far: {served} of {total}, in {file}")?,
        }
        help(f, &self.help)
    }
}

/// Under `order = "strict"`, another call was next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Misplaced {
    /// The cassette's name.
    pub cassette: String,
    /// Which call of the run it was, from 1.
    pub call: usize,
    /// The call's name.
    pub name: String,
    /// What it asks, in a few words.
    pub asks: Option<String>,
    /// The recording that was next.
    pub expected: Place,
    /// Where this call was recorded.
    pub recorded: Place,
    /// The cassette's path.
    pub file: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misplaced { cassette, call, name, expected, recorded, file, .. } = self;
        write!(f, "call {call} of `{cassette}`, {name}, came out of order")?;
        asked(f, &self.asks)?;
        write!(f, "\n  next in the recording: {expected}")?;
        write!(f, "\n  this call was recorded as interaction {}, in {file}", recorded.interaction)?;
        help(f, &self.help)
    }
}

/// The call was asked more often than it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exhausted {
    /// The cassette's name.
    pub cassette: String,
    /// Which call of the run it was, from 1.
    pub call: usize,
    /// The call's name.
    pub name: String,
    /// What it asks, in a few words.
    pub asks: Option<String>,
    /// How often it was recorded; it was asked once more.
    pub recorded: usize,
    /// What was tried instead, where the run asks for that.
    pub tried: Vec<Tried>,
    /// How many recordings have been served.
    pub served: usize,
    /// How many there are.
    pub total: usize,
    /// The cassette's path.
    pub file: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Exhausted { cassette, call, name, recorded, served, total, file, .. } = self;
        let times = if *recorded == 1 { "once".to_owned() } else { format!("{recorded} times") };
        write!(f, "call {call} of `{cassette}`, {name}, was recorded {times} and is now asked for once more")?;
        asked(f, &self.asks)?;
        self.tried.iter().try_for_each(|tried| tried.fmt(f))?;
        write!(f, "\n  served so far: {served} of {total}, in {file}")?;
        help(f, &self.help)
    }
}

/// Recordings were left over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unused {
    /// The cassette's name.
    pub cassette: String,
    /// The recordings that nothing asked for.
    pub unused: Vec<Place>,
    /// How many there are in all.
    pub total: usize,
    /// The cassette's path.
    pub file: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unused = self.unused.len();
        let were = if unused == 1 { "was" } else { "were" };
        write!(f, "{} of {} in `{}` {were} not asked for", unused, count(self.total, "recording"), self.cassette)?;
        self.unused.iter().try_for_each(|place| write!(f, "\n  {place}"))?;
        write!(f, "\n  in {}", self.file)?;
        help(f, &self.help)
    }
}

/// The test, or the program that was served, made no call at all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoCalls {
    /// The cassette's name.
    pub cassette: String,
    /// Who should have made one: the test, or a program that is none.
    pub caller: &'static str,
    /// The mode in which it happened.
    pub mode: Mode,
    /// What to do.
    pub help: String,
}

impl fmt::Display for NoCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoCalls { cassette, caller, mode, .. } = self;
        write!(f, "the {caller} made no call through `{cassette}`, so it asserts nothing about it (mode {mode})")?;
        help(f, &self.help)
    }
}
