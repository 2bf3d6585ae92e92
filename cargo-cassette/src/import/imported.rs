//! What an import gives, and why it gives nothing.

use std::fmt;

use cassette_core::call::Call;
use cassette_core::reply::Outcome;

use super::Format;

/// A recording of another tool, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The format it was in.
    pub format: Format,
    /// Its exchanges, in its order.
    pub exchanges: Vec<Exchange>,
    /// What in it is no exchange of HTTP, and what nobody answered.
    pub left_out: Vec<LeftOut>,
    /// The placeholders in it, where it is a cassette that was exported; `None` for what another tool recorded.
    pub placeholders: Option<Vec<String>>,
}

/// One exchange of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// What was asked.
    pub call: Call,
    /// What was answered.
    pub reply: Outcome,
    /// The line, from 1, on which it begins.
    pub line: Option<usize>,
    /// What a reader should know about it: what stands in the call that was not in the source.
    pub note: Option<String>,
}

/// An entry of a recording that is left out: nobody could ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its number, from 1.
    pub number: usize,
    /// The line, from 1, on which it begins.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// Why a recording is not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The format, where it was recognised.
    pub format: Option<Format>,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(format) = self.format {
            write!(f, "{format}: ")?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Refusal {}

/// What a reader met that it may not pass over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The line, from 1, where it is known.
    pub(super) line: Option<usize>,
    /// What is wrong.
    pub(super) reason: String,
}

impl Fault {
    pub(super) fn at(line: usize, reason: impl Into<String>) -> Fault {
        Fault { line: Some(line), reason: reason.into() }
    }
}
