//! Reports about values that a recording cannot hold, or no longer gives.

use std::fmt;

use super::{asked, help};

/// A recorded value no longer fits its type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unreadable {
    /// The cassette's name.
    pub cassette: String,
    /// The recording's position in the file, from 1.
    pub interaction: usize,
    /// Its name.
    pub name: String,
    /// What it asks, in a few words.
    pub asks: Option<String>,
    /// The place in the value and what the reader said there.
    pub error: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreadable { cassette, interaction, name, error, .. } = self;
        write!(f, "interaction {interaction} of `{cassette}`, {name}, no longer reads as its type\n  {error}")?;
        asked(f, &self.asks)?;
        help(f, &self.help)
    }
}

/// A value would not come back from the cassette as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lossy {
    /// The cassette's name.
    pub cassette: String,
    /// The call's name.
    pub name: String,
    /// The place in the value and what would be lost there.
    pub loss: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Lossy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lossy { cassette, name, loss, .. } = self;
        write!(f, "{name} cannot be a call of `{cassette}`: a value of it would not come back as it was\n  {loss}")?;
        help(f, &self.help)
    }
}
