//! What a crash left of a recording, as a recording that may be accepted.

use super::Refusal;
use crate::audit;
use crate::clock;
use crate::disk::{self, ReadError};
use crate::journal;
use crate::mode::Mode;
use crate::pending::{Over, Pending, Reason};
use crate::redact::{Rules, Secrets};
use crate::tape::{Head, Tape};

/// What a crash left of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The document to keep pending: nothing in it is secret.
    pub document: String,
    /// How many exchanges the journal had.
    pub calls: usize,
    /// How many of the committed file stand before them: the run that died was to add to it.
    pub kept: usize,
    /// How many bytes of a torn last line are lost.
    pub torn: usize,
}

/// Returns what a journal holds, as a recording that was not taken over; `old` is the committed file, if there is one.
///
/// A run that records adds to what is there, and what it was served is not in its journal: so all of the old file stays before
/// what it recorded. Of a refresh, what it recorded is all.
///
/// # Errors
///
/// Fails where the journal is damaged anywhere but in its last line, where it holds no exchange, and where the old file would
/// have to stay and cannot be read.
pub fn recovered(journal: &str, old: Option<&[u8]>) -> Result<Recovered, Refusal> {
    let read = journal::read(journal).map_err(|(line, what)| ReadError::Damaged(Some(line), what))?;
    if read.interactions.is_empty() {
        return Err(Refusal::Empty);
    }
    let kept = match (old, read.mode) {
        (None, _) | (_, Some(Mode::Refresh)) => Tape::default(),
        (Some(bytes), _) => disk::read(bytes)?,
    };
    let calls = read.interactions.len();
    // Of a journal that does not say so, it is the file that is there.
    let told = read.head.as_ref().and_then(Pending::of).map(|pending| pending.over);
    let over = told.filter(|over| *over != Over::Unknown).unwrap_or_else(|| Over::of(old));
    let head = read.head.unwrap_or_else(|| Head { recorded: Some(clock::today()), ..kept.head.clone() });
    let what = vec![format!("{calls} {} had ended", if calls == 1 { "call" } else { "calls" })];
    let mut tape = Tape { head, interactions: kept.interactions.clone() };
    tape.interactions.extend(read.interactions);
    Pending { over, masked: read.masked, ..Pending::new(Reason::CutShort, what) }.put(&mut tape.head);
    let document = disk::write(&tape);
    disk::read(document.as_bytes())?;
    let masked = audit::mask(&document, &Rules::default(), &Secrets::default());
    Ok(Recovered { document: masked, calls, kept: kept.interactions.len(), torn: read.torn })
}
