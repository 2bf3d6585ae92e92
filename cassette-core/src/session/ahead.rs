//! What has to be in order before a call goes live: nothing in it stands in for a real value, and there is a journal to keep it in.

use super::state::State;
use super::{Shared, Source};
use crate::call::Call;
use crate::journal;
use crate::mode::Mode;
use crate::pending::{Pending, Reason};
use crate::policy::Unused;
use crate::redact::{self, Secrets, headers};
use crate::report::Report;

impl Shared {
    /// Refuses to send a stand-in to the real service: it came from a recording, and means nothing there.
    pub(super) fn refuse_stand_ins(&self, call: &Call, number: usize) -> Result<(), Report> {
        let serves_some = self.plan.mode == Mode::Record || self.pool.size > 0;
        if matches!(self.plan.source, Source::Recording(_)) || !serves_some {
            return Ok(());
        }
        let body = String::from_utf8_lossy(&call.body);
        let values = call.headers.iter().map(|(_, value)| value.as_str());
        let texts = [call.name.as_str(), &*body].into_iter().chain(values.clone());
        let placeholder = texts
            .clone()
            .find_map(|text| redact::placeholders(text).find(|placeholder| self.placeholders.contains(*placeholder)))
            .or_else(|| self.encoded_stand_in(texts));
        let volatile = values.into_iter().find(|value| *value == headers::STAND_IN);
        match placeholder.or(volatile) {
            Some(stand_in) => Err(self.plan.sends_a_stand_in(number + 1, stand_in)),
            None => Ok(()),
        }
    }

    /// Returns the placeholder of a reply that stands in base64 in one of these texts, or escaped.
    fn encoded_stand_in<'a>(&self, mut texts: impl Iterator<Item = &'a str>) -> Option<&str> {
        let all: Vec<&str> = self.placeholders.iter().map(String::as_str).collect();
        if all.is_empty() {
            return None;
        }
        let known = known(&all);
        let text = texts.find(|text| holds(&known, text))?;
        all.into_iter().find(|placeholder| holds(&self::known(&[placeholder]), text))
    }

    /// Returns whether a call has a header that stands in for what a real service gave.
    pub(super) fn sends_a_stand_in(&self, call: &Call) -> bool {
        call.headers.iter().any(|(_, value)| value == headers::STAND_IN)
    }

    /// Opens the journal before the first call goes live, so that nothing is paid for that could not be kept.
    pub(super) fn prepare_recording(&self, state: &mut State) -> Result<(), Report> {
        if let Some(name) = state.lacking.first() {
            return Err(self.plan.lacks(name));
        }
        if !self.plan.mode.records() || state.journal.is_some() {
            return Ok(());
        }
        if let (Some(owner), Unused::Fail) = (self.another_owner(), self.plan.unused) {
            return Err(self.plan.not_the_owner(&owner));
        }
        self.lock(state)
    }

    /// Locks the cassette against other recordings, and makes sure that none came before.
    pub(super) fn lock(&self, state: &mut State) -> Result<(), Report> {
        let store = &self.plan.store;
        let opened = store.journal(&self.plan.name).map_err(|error| self.plan.storage(error))?;
        if let Err(error) = self.unmoved() {
            // Nothing was written into it: what matters is the report.
            let _ = opened.journal.close();
            return Err(self.plan.storage(error));
        }
        state.journal = Some(opened.journal);
        let mut head = self.head_at_rest(state);
        // Whoever gets it back after a crash has to know over what it was recorded.
        Pending { over: self.opened.clone(), ..Pending::new(Reason::CutShort, Vec::new()) }.put(&mut head);
        state.journal_head = Some(journal::head_line(&head, self.plan.mode));
        state.cut_short = opened.cut_short;
        Ok(())
    }
}

/// Returns what looks for these placeholders. One of them is no value to look for; what comes behind its first letter is.
fn known(placeholders: &[&str]) -> Secrets {
    let mut known = Secrets::default();
    for placeholder in placeholders {
        let _ = known.declare(&placeholder[1..]);
    }
    known
}

fn holds(known: &Secrets, text: &str) -> bool {
    let mut is_there = false;
    known.find(text, |_, _| is_there = true).is_ok() && is_there
}
