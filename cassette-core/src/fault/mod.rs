//! Faults on demand: what becomes of a call of the run instead of its recorded answer.
//!
//! A [`Fault`] says what goes wrong and at which call. `Faults` is what a test has planned and what of it has fired;
//! `enact` makes a faulty outcome of a recorded one, `positions` says where in a run a sweep puts a fault. All of it is
//! pure: the seams play the outcome as they play any other.
//!
//! The invariant: a fault stands in for the answer and never for the request. A call that was not recorded fails with a fault
//! as without one.

mod damage;
mod enact;
mod error;
mod plan;
mod positions;

pub(crate) use enact::{Enacted, enact};
pub(crate) use plan::{Faults, Met};
pub(crate) use positions::positions;

use std::fmt;

use crate::call::Header;

/// A fault, and the call that it is for: unless something else is said, the first.
///
/// Calls are counted from 1, as they are made, and over HTTP alone. Chunks are the pieces in which a body was recorded, counted
/// from 1 too; a body that came whole is one.
#[must_use = "a fault does nothing until it is planned"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(crate) what: What,
    pub(crate) at: At,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// This is answered; without a body of the test's own, with one in the provider's shape.
    Status { status: u16, headers: Vec<Header>, body: Option<Vec<u8>> },
    /// The connection is reset instead of an answer.
    Reset,
    /// There is no answer, and the connection stays.
    Stall,
    /// After so many chunks nothing more comes, and the connection stays.
    StallAfter(usize),
    /// After so many chunks the connection breaks.
    CutAfter(usize),
    /// This chunk is no text.
    Garbage(usize),
    /// Each byte is a chunk of its own.
    ByteByByte,
    /// The body comes in two chunks, the first of so many bytes.
    SplitAt(usize),
    /// In a sweep: the body is split at each place in turn.
    EverySplit,
    /// In a sweep: the body is cut after each chunk in turn.
    EveryCut,
    /// Something else was given a header or a body, which is told where it is planned.
    Misused,
}

/// At which call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Call(usize),
    Each,
    /// The first that is to be served this recording, counted from 0: calls that are made at the same time have no order of their own.
    Recording(usize),
}

impl Fault {
    /// Returns a fault that answers with this status, and with an error as the provider words it.
    pub fn status(status: u16) -> Fault {
        Fault::of(What::Status { status, headers: Vec::new(), body: None })
    }

    /// Returns a fault that resets the connection instead of answering.
    pub fn reset() -> Fault {
        Fault::of(What::Reset)
    }

    /// Returns a fault that never answers: the program has to give up.
    pub fn stall() -> Fault {
        Fault::of(What::Stall)
    }

    /// Returns a fault that falls silent after so many chunks of the body: the program has to give up.
    pub fn stall_after(chunks: usize) -> Fault {
        Fault::of(What::StallAfter(chunks))
    }

    /// Returns a fault that closes the connection after so many chunks of the body, before its end.
    pub fn cut_after(chunks: usize) -> Fault {
        Fault::of(What::CutAfter(chunks))
    }

    /// Returns a fault that puts as many bytes 0xFF, which stand in no UTF-8 text, in the place of this chunk.
    pub fn garbage(chunk: usize) -> Fault {
        Fault::of(What::Garbage(chunk))
    }

    /// Returns a fault that sends each byte of the body in a chunk of its own. Nothing is lost.
    pub fn byte_by_byte() -> Fault {
        Fault::of(What::ByteByByte)
    }

    /// Returns a fault that sends the body in two chunks, the first of so many bytes. Nothing is lost.
    pub fn split_at(bytes: usize) -> Fault {
        Fault::of(What::SplitAt(bytes))
    }

    /// Returns the faults that split a body at one place, for a sweep: it runs once for each place.
    pub fn every_split() -> Fault {
        Fault::of(What::EverySplit)
    }

    /// Returns the faults that cut a body after one chunk, for a sweep: it runs once for each chunk, and once for none.
    pub fn every_cut() -> Fault {
        Fault::of(What::EveryCut)
    }

    fn of(what: What) -> Fault {
        Fault { what, at: At::Call(1) }
    }

    /// Answers with this header too; of a status.
    pub fn header(mut self, name: &str, value: &str) -> Fault {
        match &mut self.what {
            What::Status { headers, .. } => headers.push((name.to_ascii_lowercase(), value.to_owned())),
            what => *what = What::Misused,
        }
        self
    }

    /// Says after how many seconds to try again; of a status.
    pub fn retry_after(self, seconds: u64) -> Fault {
        self.header("retry-after", &seconds.to_string())
    }

    /// Answers with this body instead of the provider's error; of a status.
    pub fn body(mut self, bytes: impl Into<Vec<u8>>) -> Fault {
        match &mut self.what {
            What::Status { body, .. } => *body = Some(bytes.into()),
            what => *what = What::Misused,
        }
        self
    }

    /// Puts the fault at this call.
    pub fn at(mut self, call: usize) -> Fault {
        self.at = At::Call(call);
        self
    }

    /// Puts the fault at each call for which there is no other.
    pub fn at_each(mut self) -> Fault {
        self.at = At::Each;
        self
    }

    /// Returns whether all of the recorded answer reaches the program, only in other pieces.
    pub(crate) fn is_harmless(&self) -> bool {
        matches!(self.what, What::ByteByByte | What::SplitAt(_))
    }

    /// Returns what is wrong with the fault itself, if anything is.
    pub(crate) fn mistake(&self) -> Option<String> {
        match (&self.what, self.at) {
            (_, At::Call(0)) => Some("calls are counted from 1, and this fault is at call 0".to_owned()),
            (What::Misused, _) => Some("only the fault of a status has headers and a body of its own".to_owned()),
            (What::Status { status, .. }, _) if !(200..=599).contains(status) => {
                Some(format!("a reply has no status {status}, but one from 200 to 599"))
            }
            (What::Status { headers, .. }, _) => headers.iter().find_map(wrong),
            (What::Garbage(0), _) => Some("chunks are counted from 1, and this fault is at chunk 0".to_owned()),
            (What::EverySplit | What::EveryCut, _) => {
                Some(format!("`{self}` are many faults, which a sweep runs one by one"))
            }
            _ => None,
        }
    }
}

/// Returns what is wrong with this header, if anything is (RFC 9110, sections 5.1 and 5.5).
fn wrong((name, value): &Header) -> Option<String> {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(is_token) {
        return Some(format!("`{name}` is no header's name"));
    }
    let is_fine = value.chars().all(|c| c == '\t' || (!c.is_control() && u32::from(c) < 0x100));
    (!is_fine).then(|| format!("the value of `{name}` holds what no header may"))
}

impl fmt::Display for Fault {
    /// Writes what goes wrong, without where.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Status { status, .. } => write!(f, "status {status}"),
            What::Reset => f.write_str("reset"),
            What::Stall => f.write_str("stall"),
            What::StallAfter(chunks) => write!(f, "stall after chunk {chunks}"),
            What::CutAfter(chunks) => write!(f, "cut after chunk {chunks}"),
            What::Garbage(chunk) => write!(f, "garbage in chunk {chunk}"),
            What::ByteByByte => f.write_str("byte by byte"),
            What::SplitAt(bytes) => write!(f, "split at byte {bytes}"),
            What::EverySplit => f.write_str("every split"),
            What::EveryCut => f.write_str("every cut"),
            What::Misused => f.write_str("none"),
        }
    }
}

#[cfg(test)]
mod tests;
