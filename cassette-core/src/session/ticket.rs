//! A live call under way.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::Shared;
use super::state::{Fate, Recorded};
use super::volatile::volatile;
use crate::call::Call;
use crate::canonical::Canonical;
use crate::journal;
use crate::redact::{self, Depth};
use crate::reply::Outcome;
use crate::report::Report;
use crate::tape::{Asked, Interaction};

/// A live call under way. It is filed by when it started, however long it takes.
///
/// A ticket that is dropped unfinished fails a recording test at its end.
#[must_use = "a live call that is not finished is not recorded"]
pub struct Ticket {
    shared: Arc<Shared>,
    slot: usize,
    call: Arc<Call>,
}

impl Ticket {
    pub(super) fn new(shared: Arc<Shared>, slot: usize, call: Arc<Call>) -> Ticket {
        Ticket { shared, slot, call }
    }

    /// Returns the call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Records how the call ended.
    ///
    /// # Errors
    ///
    /// Fails, and latches the failure, where it cannot be written to the journal.
    pub fn finish(self, outcome: Outcome) -> Result<(), Arc<Report>> {
        let plan = &self.shared.plan;
        if !plan.mode.records() {
            return Ok(());
        }
        let end = Instant::now();
        // A function that the user gave as `redact(..)` may panic; that fails the test, and nothing else.
        let redacted = catch_unwind(AssertUnwindSafe(|| {
            let recorded = self.redacted(outcome, end);
            let line = journal::line(&self.shared.at_rest(recorded.interaction.clone()));
            (recorded, line)
        }));
        let (recorded, line) = redacted.map_err(|_| self.shared.fail(plan.redactor_panicked()))?;
        let mut state = self.shared.state();
        if let Fate::Live(_, fate) = &mut state.slots[self.slot].fate {
            *fate = Some(Box::new(recorded));
        }
        let appended = state.journal.as_mut().map_or(Ok(()), |journal| journal.append(&line));
        drop(state);
        appended.map_err(|error| self.shared.fail(plan.storage(error)))
    }

    fn redacted(&self, outcome: Outcome, end: Instant) -> Recorded {
        let plan = &self.shared.plan;
        let mut secrets = self.shared.secrets();
        let call = redact::redact_call(&self.call, &plan.rules, Depth::Known, &mut secrets);
        let (outcome, volatile) = match outcome {
            Outcome::Reply(reply) => {
                let redacted = redact::redact_reply(&reply, &self.call, &plan.rules, &mut secrets);
                let volatile = volatile(&reply, &redacted);
                (Outcome::Reply((*redacted).clone()), volatile)
            }
            Outcome::Error(error) => {
                let redacted = redact::redact_error(&error, &plan.rules, &mut secrets);
                (Outcome::Error((*redacted).clone()), Vec::new())
            }
        };
        drop(secrets);
        let canonical = Canonical::of(&call, &plan.matching);
        let interaction = Interaction {
            key: canonical.key(),
            asked: Asked::Whole((*call).clone()),
            within: None,
            overlaps: false,
            outcome,
        };
        Recorded { end, interaction, canonical, volatile }
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("slot", &self.slot).finish_non_exhaustive()
    }
}
