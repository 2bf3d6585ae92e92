//! Why a file is not written.

use std::fmt;

use crate::audit::Finding;
use crate::disk::ReadError;
use crate::pending::{Reason, Since};
use crate::store::StoreError;

/// Why a file is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It cannot be read.
    Unreadable(ReadError),
    /// Somebody has changed it since it was recorded, and nobody has vouched for that; nothing else is wrong with it.
    Edited(ReadError),
    /// Something secret was taken out of it, at these places, as far as they can be told: it could not be replayed.
    Masked(Vec<String>),
    /// The test that recorded it found that it does not replay, for this reason, and nobody else can tell that it does.
    Unfit(Reason, Vec<String>),
    /// The file that it was recorded over is not there any more: somebody has recorded, or changed it, since.
    Meanwhile(Since),
    /// It is not what was looked at: somebody has recorded since.
    Moved,
    /// Nothing would be left in it.
    Empty,
    /// Recordings that stay take ids from the reply of one that would go: a line each.
    Needed(Vec<String>),
    /// The audit finds something.
    Leak(Vec<Finding>),
    /// It would not replay: what was found.
    Broken(String),
    /// The list of findings that somebody vouches for is damaged.
    AllowList(String),
    /// The place where it is kept fails.
    Storage(StoreError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines =
            |f: &mut fmt::Formatter<'_>, lines: &[String]| lines.iter().try_for_each(|line| write!(f, "\n  {line}"));
        match self {
            Refusal::Unreadable(error) | Refusal::Edited(error) => match error {
                ReadError::Damaged(Some(line), what) => write!(f, "line {line}: {what}"),
                ReadError::Damaged(None, what) => f.write_str(what),
                ReadError::Newer(needs, known) => write!(f, "it needs {needs}, and this reader knows {known}"),
            },
            Refusal::Masked(places) => {
                f.write_str("something secret was taken out of it, so that it could not be replayed")?;
                lines(f, places)
            }
            Refusal::Unfit(reason, found) => {
                f.write_str(reason.words())?;
                lines(f, found)
            }
            Refusal::Meanwhile(Since::Appeared) => f.write_str("a file has appeared since where there was none"),
            Refusal::Meanwhile(since) => write!(f, "the file that it was recorded over {} since", since.words()),
            Refusal::Moved => f.write_str("it has been recorded again since it was looked at"),
            Refusal::Empty => f.write_str("nothing would be left in it"),
            Refusal::Needed(what) => {
                f.write_str("recordings that stay take ids from one that would go")?;
                lines(f, what)
            }
            Refusal::Leak(findings) => {
                f.write_str("it holds what looks like a secret")?;
                lines(f, &findings.iter().map(ToString::to_string).collect::<Vec<_>>())
            }
            Refusal::Broken(what) => write!(f, "it would not replay: {what}"),
            Refusal::AllowList(what) => write!(f, "allow.json is no allow list: {what}"),
            Refusal::Storage(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Storage(error)
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Refusal {
        Refusal::Unreadable(error)
    }
}
