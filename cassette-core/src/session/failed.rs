//! The reports of calls that are neither served nor sent.

use super::Shared;
use super::state::State;
use crate::call::Call;
use crate::canonical::Canonical;
use crate::decide::Decision;
use crate::dialect;
use crate::mode::Mode;
use crate::nearest::{nearest, nearest_digested};
use crate::report::{Exhausted, Mismatch, Misplaced, Nearest, Report, Tried};
use crate::view::gist;

/// A call that is neither served nor sent.
pub(super) struct Failed<'a> {
    pub(super) decision: Decision,
    /// Which call of the run it is, from 0.
    pub(super) number: usize,
    /// The call, redacted.
    pub(super) call: &'a Call,
    pub(super) tried: Vec<Tried>,
}

impl Shared {
    /// Returns the recording that is most like a call: before a fork, of those before it.
    pub(super) fn nearest(&self, call: &Call, state: &State) -> Option<Nearest> {
        let matching = &self.plan.matching;
        let all = self.tape.interactions.len();
        let offered = if self.due(state).is_empty() { all } else { self.pool.size };
        if self.tape.head.digests.is_none() {
            return nearest(call, &self.tape.interactions[..offered], &state.used, matching);
        }
        let found = nearest_digested(call, (&self.tape, offered), &state.used, matching)?;
        Some(Nearest { digests: Some(self.doubts()), ..found })
    }

    /// Returns what `match_on` names, where nothing of it is in this call.
    fn unnamed(&self, call: &Call) -> Option<String> {
        let matching = &self.plan.matching;
        let is_whole = Canonical::in_dialect(call, dialect::detect(call), matching).is_whole();
        is_whole.then(|| matching.named())
    }

    /// Returns the report of a call that is neither served nor sent.
    pub(super) fn failed(&self, failed: Failed<'_>, state: &State) -> Report {
        if let Decision::Unreached(_) = failed.decision {
            return self.off_the_way(&failed, state);
        }
        let Failed { decision, number, call, tried } = failed;
        let interactions = &self.tape.interactions;
        let cassette = self.plan.name.clone();
        let (call_number, name, file) = (number + 1, call.title(), self.plan.file());
        let served = state.used.iter().filter(|used| **used).count();
        let total = interactions.len();
        let place = |index: usize| crate::draft::place(index, &interactions[index]);
        let record = self.plan.command(Mode::Record);
        let asks = gist(call);
        match decision {
            Decision::Misplaced { expected, recorded } => Report::Misplaced(Misplaced {
                cassette,
                call: call_number,
                name,
                asks,
                expected: place(expected),
                recorded: place(recorded),
                file,
                help: format!("if the new order is meant, {}", self.plan.command(Mode::Refresh)),
            }),
            Decision::Exhausted(recorded) => Report::Exhausted(Exhausted {
                cassette,
                call: call_number,
                name,
                asks,
                recorded,
                tried,
                served,
                total,
                file,
                help: format!("if the repeated call is meant, {record}"),
            }),
            _ => Report::Mismatch(Box::new(Mismatch {
                cassette,
                call: call_number,
                name,
                asks,
                unnamed: self.unnamed(call),
                nearest: self.nearest(call, state),
                tried,
                served,
                total,
                file,
                help: format!("if the change is meant, {record}"),
            })),
        }
    }
}
