//! Why a test failed: data first, then one text.
//!
//! Each report is a struct with public fields and a renderer ([`Display`](fmt::Display)). The text is lowercase, names the file, and ends
//! with a `help:` line that says what to type. Whatever a report holds was redacted before it came here.

mod address;
mod budget;
mod calls;
mod diverged;
mod doubles;
mod faults;
mod files;
mod fork;
mod likely;
mod nearest;
mod recording;
mod settings;
mod values;
mod wiring;

pub use budget::{Budget, Short};
pub use calls::{Change, Drift, Exhausted, Mismatch, Misplaced, NoCalls, Place, Unread, Unused};
pub use diverged::Diverged;
pub use doubles::{Double, Misuse};
pub use faults::{Fired, Perished, Swept, Unfired};
pub use files::{Damaged, Missing, Stale, Storage, Version};
pub use fork::Unreached;
pub use likely::{Apart, Approximate, Grounds, Tried};
pub use nearest::{Difference, Doubt, Edit, Nature, Nearest, Shown};
pub use recording::{HiddenBy, Late, Leak, Pending, Refused, Why};
pub use settings::Settings;
pub use values::{Lossy, Unreadable};
pub(crate) use wiring::is_loopback;
pub use wiring::{Blocked, Truncated, Wiring};

use std::fmt;

use crate::typed::visible;

/// Why a cassette failed its test.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Report {
    /// The call was never recorded.
    Mismatch(Box<Mismatch>),
    /// Under `order = "strict"`, another call was next.
    Misplaced(Misplaced),
    /// The call was asked more often than it was recorded.
    Exhausted(Exhausted),
    /// The run did not come to the place where it was to fork.
    Unreached(Box<Unreached>),
    /// Recordings were left over.
    Unused(Unused),
    /// The test made no call at all.
    NoCalls(NoCalls),
    /// There is no cassette.
    Missing(Missing),
    /// The cassette cannot be read, or says other than what was written.
    Damaged(Damaged),
    /// The cassette needs a newer reader.
    Version(Version),
    /// The cassette was recorded with something else than the test names.
    Stale(Stale),
    /// A file could not be read or written.
    Storage(Storage),
    /// A secret would have been saved.
    Leak(Leak),
    /// What was recorded was not taken over.
    Pending(Pending),
    /// What was asked for is not allowed here.
    Refused(Refused),
    /// The program waits for more of a stream than was recorded.
    Truncated(Truncated),
    /// A recorded value no longer fits its type.
    Unreadable(Unreadable),
    /// A value would not come back from the cassette as it was.
    Lossy(Lossy),
    /// The harness is put together wrongly.
    Wiring(Wiring),
    /// A connection went round every seam.
    Blocked(Blocked),
    /// A call would have gone live beyond the budget.
    Budget(Budget),
    /// A file of settings says what it cannot.
    Settings(Settings),
    /// A fault that the test planned never fired.
    Unfired(Unfired),
    /// A sweep of a fault went otherwise than the test declares.
    Swept(Swept),
    /// A test double was used otherwise than the test says.
    Double(Double),
}

impl Report {
    /// Returns a short, fixed name for this kind of report, as error bodies carry it.
    pub fn code(&self) -> &'static str {
        match self {
            Report::Mismatch(_) => "mismatch",
            Report::Misplaced(_) => "misplaced",
            Report::Exhausted(_) => "exhausted",
            Report::Unreached(_) => "unreached",
            Report::Unused(_) => "unused",
            Report::NoCalls(_) => "no-calls",
            Report::Missing(_) => "missing",
            Report::Damaged(_) => "damaged",
            Report::Version(_) => "version",
            Report::Stale(_) => "stale",
            Report::Storage(_) => "storage",
            Report::Leak(_) => "leak",
            Report::Pending(_) => "pending",
            Report::Refused(_) => "refused",
            Report::Truncated(_) => "truncated",
            Report::Unreadable(_) => "unreadable",
            Report::Lossy(_) => "lossy",
            Report::Wiring(_) => "wiring",
            Report::Blocked(_) => "blocked",
            Report::Budget(_) => "budget",
            Report::Settings(_) => "settings",
            Report::Unfired(_) => "unfired",
            Report::Swept(_) => "swept",
            Report::Double(_) => "double",
        }
    }
}

impl fmt::Display for Report {
    /// Writes the text. What was recorded came from outside: no control character of it reaches a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&address::cut(&format!("cassette {}: {}", self.code(), Told(self)))))
    }
}

/// What a report says, its addresses whole.
struct Told<'a>(&'a Report);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Report::Mismatch(report) => report.fmt(f),
            Report::Misplaced(report) => report.fmt(f),
            Report::Exhausted(report) => report.fmt(f),
            Report::Unreached(report) => report.fmt(f),
            Report::Unused(report) => report.fmt(f),
            Report::NoCalls(report) => report.fmt(f),
            Report::Missing(report) => report.fmt(f),
            Report::Damaged(report) => report.fmt(f),
            Report::Version(report) => report.fmt(f),
            Report::Stale(report) => report.fmt(f),
            Report::Storage(report) => report.fmt(f),
            Report::Leak(report) => report.fmt(f),
            Report::Pending(report) => report.fmt(f),
            Report::Refused(report) => report.fmt(f),
            Report::Truncated(report) => report.fmt(f),
            Report::Unreadable(report) => report.fmt(f),
            Report::Lossy(report) => report.fmt(f),
            Report::Wiring(report) => report.fmt(f),
            Report::Blocked(report) => report.fmt(f),
            Report::Budget(report) => report.fmt(f),
            Report::Settings(report) => report.fmt(f),
            Report::Unfired(report) => report.fmt(f),
            Report::Swept(report) => report.fmt(f),
            Report::Double(report) => report.fmt(f),
        }
    }
}

impl fmt::Debug for Report {
    /// Writes the text: it is what `unwrap` shows, and a test that returns an error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Report {}

/// Writes what a call asks, where that is known.
fn asked(f: &mut fmt::Formatter<'_>, asks: &Option<String>) -> fmt::Result {
    asks.iter().try_for_each(|asks| write!(f, "\n  asked: {asks}"))
}

/// Writes the last line of a report.
fn help(f: &mut fmt::Formatter<'_>, help: &str) -> fmt::Result {
    write!(f, "\nhelp: {help}")
}

/// Returns `1 recording` or `3 recordings`.
fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
