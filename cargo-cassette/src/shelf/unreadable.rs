//! How a cassette's file is read, and why it cannot be.

use std::fmt;
use std::path::Path;

use cassette_core::disk::{self, OpenError, ReadError};
use cassette_core::tape::Tape;

use super::{holds_other, is_other};
use crate::hushed::presentable_text;

/// What to do about a file of a newer format.
pub const NEWER: &str = "get the newest version: cargo install cargo-cassette";

/// Why a file is no cassette that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreadable {
    /// The system refused.
    Io(String),
    /// It is damaged: the line, from 1, where it is known, and what is wrong.
    Damaged(Option<usize>, String),
    /// It needs a newer reader: what it needs, and what this one knows.
    Newer(String, String),
    /// It is compressed, which this version does not read.
    Compressed,
    /// Its name is no UTF-8, so that nothing can ask for it.
    Nameless,
    /// Its name begins with a dot, so that no test can have it.
    Hidden,
    /// It never was one: another document lies among the cassettes.
    Other,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(error) => write!(f, "could not be read: {error}"),
            Unreadable::Damaged(Some(line), what) => write!(f, "line {line}: {}", presentable_text(what)),
            Unreadable::Damaged(None, what) => f.write_str(&presentable_text(what)),
            Unreadable::Newer(needs, known) => {
                write!(f, "it needs {}, and this reader knows {known}", presentable_text(needs))
            }
            Unreadable::Compressed => f.write_str("it is compressed, which this version does not read"),
            Unreadable::Nameless => f.write_str("its name is no UTF-8, and no test can have it"),
            Unreadable::Hidden => f.write_str("its name begins with a dot, and no test can have it"),
            Unreadable::Other => f.write_str("it is not a cassette"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<OpenError> for Unreadable {
    fn from(error: OpenError) -> Unreadable {
        match error {
            OpenError::Io(error) => Unreadable::Io(error),
            OpenError::Compressed => Unreadable::Compressed,
            OpenError::Read(ReadError::Damaged(line, what)) => Unreadable::Damaged(line, what),
            OpenError::Read(ReadError::Newer(needs, known)) => Unreadable::Newer(needs, known),
            other => Unreadable::Io(other.to_string()),
        }
    }
}

/// Reads a cassette.
///
/// # Errors
///
/// Fails where the file cannot be read or is no sound cassette.
pub fn open(path: &Path) -> Result<Tape, Unreadable> {
    Tape::open(path).map_err(|error| match Unreadable::from(error) {
        Unreadable::Damaged(..) if holds_other(path) => Unreadable::Other,
        error => error,
    })
}

/// Reads a cassette from its bytes.
///
/// # Errors
///
/// Fails where they are no sound cassette.
pub fn read(bytes: &[u8]) -> Result<Tape, Unreadable> {
    disk::read(bytes).map_err(|error| match OpenError::Read(error).into() {
        Unreadable::Damaged(..) if is_other(bytes) => Unreadable::Other,
        error => error,
    })
}
