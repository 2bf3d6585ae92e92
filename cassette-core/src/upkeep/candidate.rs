//! A recording that was not taken over, on its way to be accepted.

use std::collections::BTreeSet;

use super::known::proven;
use super::without::without;
use super::{Known, Refusal};
use crate::audit;
use crate::disk;
use crate::pending::{Over, Pending, Reason};
use crate::prove::Proven;
use crate::renumber::renumber;
use crate::store::{self, Store};
use crate::tape::Tape;

/// A recording that was not taken over.
///
/// The whole of it is accepted or rejected: a part of a recording beside a part of an older one was never one run. What may be
/// done to it is to drop interactions, and what is left has to be proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    name: String,
    tape: Tape,
    pending: Pending,
    masked: Vec<String>,
    /// The document as it was looked at.
    document: Vec<u8>,
}

impl Candidate {
    /// Reads what is pending under a name; `None` where nothing is.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be read.
    pub fn read(store: &dyn Store, name: &str) -> Result<Option<Candidate>, Refusal> {
        let Some(document) = store.pending(name)? else { return Ok(None) };
        let tape = disk::read(&document)?;
        let pending = Pending::of(&tape.head);
        let pending = pending.unwrap_or_else(|| Pending::new(Reason::Other("no reason is given".into()), Vec::new()));
        let masked = audit::masked(&String::from_utf8_lossy(&document));
        Ok(Some(Candidate { name: name.to_owned(), tape, pending, masked, document }))
    }

    /// Returns the cassette's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the recording.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Returns why it was not taken over.
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// Returns it as if it had been recorded over whatever stands there by now: for a person who has seen both, and wants this one.
    #[must_use]
    pub fn over_anything(&self) -> Candidate {
        let mut candidate = self.clone();
        candidate.pending.over = Over::Unknown;
        candidate
    }

    /// Returns it without these interactions, by position, and without what was asked during them.
    ///
    /// # Errors
    ///
    /// Fails where nothing would be left, and where what is left takes an id from what would go.
    pub fn without(&self, positions: &BTreeSet<usize>) -> Result<Candidate, Refusal> {
        Ok(Candidate { tape: without(&self.tape, positions)?, ..self.clone() })
    }

    /// Proves what would be saved.
    ///
    /// # Errors
    ///
    /// Fails where something secret was taken out of it, where its own test has found that it does not replay, where the audit
    /// finds something, where it does not answer to its own requests, and where the file that it was recorded over has changed.
    pub fn prove(&self, store: &dyn Store, known: &Known) -> Result<Proven, Refusal> {
        self.proven(&Over::of(store.load(&self.name)?.as_deref()), known)
    }

    fn proven(&self, now: &Over, known: &Known) -> Result<Proven, Refusal> {
        if self.pending.masked || !self.masked.is_empty() {
            return Err(Refusal::Masked(self.masked.clone()));
        }
        if matches!(self.pending.reason, Reason::Denied | Reason::Unproven) {
            return Err(Refusal::Unfit(self.pending.reason.clone(), self.pending.found.clone()));
        }
        if self.tape.interactions.is_empty() {
            return Err(Refusal::Empty);
        }
        if let Some(since) = self.pending.over.since(now) {
            return Err(Refusal::Meanwhile(since));
        }
        let mut tape = self.tape.clone();
        Pending::forget(&mut tape.head);
        proven(&renumber(tape), known)
    }

    /// Takes it over: proves it, and puts it into its place as a session does what it saves.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be proven, where a recording of this name is under way, and where another one is pending by now.
    pub fn accept(&self, store: &dyn Store, known: &Known) -> Result<(), Refusal> {
        self.settled(store, || {
            let now = Over::of(store.load(&self.name)?.as_deref());
            let proven = self.proven(&now, known)?;
            Ok(store::promote(store, &self.name, &proven, &now)?)
        })
    }

    /// Removes it; the committed file stays as it is.
    ///
    /// # Errors
    ///
    /// Fails where a recording of this name is under way, and where another one is pending by now, which nobody has looked at.
    pub fn reject(&self, store: &dyn Store) -> Result<(), Refusal> {
        self.settled(store, || Ok(store.drop_pending(&self.name)?))
    }

    /// Settles it while nobody records, unless it is not what was looked at.
    fn settled(&self, store: &dyn Store, settle: impl FnOnce() -> Result<(), Refusal>) -> Result<(), Refusal> {
        let journal = store.journal(&self.name)?.journal;
        let settled = match store.pending(&self.name) {
            Ok(now) if now.as_deref() == Some(&self.document) => settle(),
            Ok(_) => Err(Refusal::Moved),
            Err(error) => Err(error.into()),
        };
        journal.close()?;
        settled
    }
}
