//! A live call under way.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::gateways::Stands;
use super::state::{Fate, Recorded};
use super::volatile::volatile;
use super::{Shared, gateways};
use crate::busy::Busy;
use crate::call::{Call, Kind};
use crate::canonical::Canonical;
use crate::function::Misread;
use crate::redact::{self, Depth};
use crate::reply::{Outcome, Reply, TransportError};
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
        self.finish_readable(outcome, |_| Ok(()))
    }

    /// Records how the call ended, as if it had ended at this moment: what a server says later without being asked belongs to
    /// no call, and makes none longer.
    ///
    /// # Errors
    ///
    /// Fails, and latches the failure, where it cannot be written to the journal.
    pub fn finish_as_of(self, end: Instant, outcome: Outcome) -> Result<(), Arc<Report>> {
        self.file((end, Busy::default()), outcome, |_| Ok(()))
    }

    /// Records how a function ended, provided that what a replay will serve `reads` as its type: a number that is a secret is
    /// a text when it is hidden.
    ///
    /// # Errors
    ///
    /// Fails, and latches the failure, where it does not, and where it cannot be written to the journal.
    pub fn finish_readable(
        self,
        outcome: Outcome,
        reads: impl FnOnce(&Reply) -> Result<(), Misread>,
    ) -> Result<(), Arc<Report>> {
        self.finish_busy(outcome, Busy::default(), reads)
    }

    /// Records how a function ended that was at work so, as [`finish_readable`](Ticket::finish_readable) does.
    ///
    /// # Errors
    ///
    /// Fails, and latches the failure, as `finish_readable` does.
    pub fn finish_busy(
        self,
        outcome: Outcome,
        busy: Busy,
        reads: impl FnOnce(&Reply) -> Result<(), Misread>,
    ) -> Result<(), Arc<Report>> {
        self.file((Instant::now(), busy), outcome, reads)
    }

    fn file(
        self,
        time: (Instant, Busy),
        outcome: Outcome,
        reads: impl FnOnce(&Reply) -> Result<(), Misread>,
    ) -> Result<(), Arc<Report>> {
        let plan = &self.shared.plan;
        let paid =
            self.shared.pay(self.slot, (&self.call, &time.1), &outcome).map_err(|report| self.shared.fail(report));
        if !plan.mode.records() {
            self.shared.tell_live(self.slot, Some(&outcome));
            return paid;
        }
        let given = match &outcome {
            Outcome::Reply(reply) if self.call.kind != Kind::Http => Some(digest(reply)),
            _ => None,
        };
        // A function that the user gave as `redact(..)` may panic; that fails the test, and nothing else.
        let redacted = catch_unwind(AssertUnwindSafe(|| {
            let recorded = self.redacted(outcome, time);
            let line = self.shared.journal_line(recorded.interaction.clone());
            (recorded, line)
        }));
        let (recorded, line) = redacted.map_err(|_| self.shared.fail(plan.redactor_panicked()))?;
        if let Outcome::Reply(reply) = &recorded.interaction.outcome {
            let mut served = reply.clone();
            redact::unescape_reply(&mut served);
            reads(&served).map_err(|error| {
                let is_as_given = given == Some(digest(&served));
                let title = self.title();
                self.shared.fail(match is_as_given {
                    true => plan.comes_back_otherwise(&title, &error),
                    false => plan.hidden_otherwise(&title, (&String::from_utf8_lossy(&served.body()), &error)),
                })
            })?;
        }
        let told = self.named(&recorded);
        if let Some(stands) = told {
            return Err(self.shared.fail(plan.addressed(&self.title(), &stands)));
        }
        let mut state = self.shared.state();
        if let Fate::Live(_, fate) = &mut state.slots[self.slot].fate {
            *fate = Some(Box::new(recorded));
        }
        let head = state.journal_head.take();
        // Whatever a function of the user's panics at here it panics at again when the run ends, where that is told.
        let again = catch_unwind(AssertUnwindSafe(|| self.shared.journal_again(&mut state))).unwrap_or_default();
        let lines: Vec<String> = head.into_iter().chain([line]).chain(again).collect();
        state.journalled.push(self.slot);
        let appended = state.journal.as_mut().map_or(Ok(()), |journal| journal.append(&lines.join("\n")));
        drop(state);
        self.shared.tell_live(self.slot, None);
        appended.map_err(|error| self.shared.fail(plan.storage(error))).and(paid)
    }

    /// Returns the gateway of this run that a function's value names.
    fn named(&self, recorded: &Recorded) -> Option<Stands> {
        let text = match &recorded.interaction.outcome {
            Outcome::Reply(reply) if self.call.kind != Kind::Http => reply.body(),
            _ => return None,
        };
        gateways::named(&text, &self.shared.state().gateways).cloned()
    }

    /// Notes that the function panicked: what was recorded stays pending, since a panic cannot be replayed.
    pub fn panicked(self) {
        // What it had asked until then may have been paid for.
        let given_up = Outcome::Error(TransportError::given_up());
        let _ = self.shared.pay(self.slot, (&self.call, &Busy::default()), &given_up);
        let what = format!("{}: it panicked", self.title());
        self.shared.state().broken.push(what);
    }

    /// Records that the program gave the function up before it had ended, as a time-out of its own does: a replay lets it do so
    /// again. A failure to is latched.
    pub fn given_up(self) {
        let _ = self.finish(Outcome::Error(TransportError::given_up()));
    }

    /// Records that the program gave the function up as soon as another one had answered. A failure to is latched.
    pub fn outrun(self) {
        let _ = self.finish(Outcome::Error(TransportError::outrun()));
    }

    /// Returns the call as a report may show it.
    fn title(&self) -> String {
        self.shared.said(&self.call.title())
    }

    fn redacted(&self, outcome: Outcome, (end, busy): (Instant, Busy)) -> Recorded {
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
        Recorded { end, busy, interaction, canonical, volatile }
    }
}

/// Returns a digest of what a reply says.
fn digest(reply: &Reply) -> u64 {
    let mut hasher = DefaultHasher::new();
    reply.chunks.iter().for_each(|chunk| chunk.bytes.hash(&mut hasher));
    hasher.finish()
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("slot", &self.slot).finish_non_exhaustive()
    }
}
