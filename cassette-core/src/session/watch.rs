//! Who watches the run is told of each call as it is served or has ended live, while no lock is held.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use super::state::Fate;
use super::{Plan, Session, Shared};
use crate::call::Call;
use crate::redact::{redact_error, redact_reply};
use crate::reply::Outcome;
use crate::report::{Report, Wiring};
use crate::step::{Source, Step};

/// What is told of each call.
type Watcher = Arc<dyn Fn(&Step) + Send + Sync>;

/// Those who watch.
#[derive(Default)]
pub(super) struct Watchers(Mutex<Vec<Watcher>>);

impl Session {
    /// Tells this of each call from now on: of one that is served before the program is given the answer, of a live one once
    /// it has ended and is recorded. It is told on the thread that made or answered the call, and must not call through the
    /// session. Where it panics, the test fails.
    pub fn on_step(&self, watcher: impl Fn(&Step) + Send + Sync + 'static) {
        let mut watchers = self.shared.watchers.0.lock().unwrap_or_else(PoisonError::into_inner);
        watchers.push(Arc::new(watcher));
    }

    /// Returns whether anybody is told: where nothing is recorded, what a call gave is of interest to them alone.
    pub fn is_watched(&self) -> bool {
        !self.shared.watchers.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl Shared {
    /// Tells of a call that is served this recording.
    pub(super) fn tell_served(&self, call: &Arc<Call>, index: usize) {
        self.tell(|| {
            let state = self.state();
            let number = state.calls.iter().rposition(|known| Arc::ptr_eq(known, call))?;
            let met = state.faults.met_by(number).map(|met| met.shown.clone());
            drop(state);
            let outcome = met.unwrap_or_else(|| self.tape.interactions[index].outcome.clone());
            Some(Step { number: number + 1, call: self.shown(call), outcome, source: Source::Recorded(index + 1) })
        });
    }

    /// Tells of a call that has ended live: so, where nothing is recorded of it.
    pub(super) fn tell_live(&self, slot: usize, unrecorded: Option<&Outcome>) {
        self.tell(|| {
            let state = self.state();
            let slot = state.slots.get(slot)?;
            let (number, call) = (slot.call, Arc::clone(&state.calls[slot.call]));
            let recorded = match &slot.fate {
                Fate::Live(_, Some(recorded)) => Some(recorded.interaction.outcome.clone()),
                _ => None,
            };
            drop(state);
            let outcome = recorded.or_else(|| Some(self.hidden(&call, unrecorded?)))?;
            Some(Step { number: number + 1, call: self.shown(&call), outcome, source: Source::Live })
        });
    }

    /// Returns an outcome as a person may see it.
    pub(super) fn hidden(&self, call: &Call, outcome: &Outcome) -> Outcome {
        let (rules, mut secrets) = (&self.plan.rules, self.secrets());
        match outcome {
            Outcome::Reply(reply) => Outcome::Reply((*redact_reply(reply, call, rules, &mut secrets)).clone()),
            Outcome::Error(error) => Outcome::Error((*redact_error(error, rules, &mut secrets)).clone()),
        }
    }

    fn tell(&self, step: impl FnOnce() -> Option<Step>) {
        let watchers = self.watchers.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if watchers.is_empty() {
            return;
        }
        let Some(step) = step() else { return };
        for watcher in watchers {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| watcher(&step))) {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text =
                    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("something that is no text");
                let text = self.said(text);
                self.fail(self.plan.watcher_panicked(step.number, &text));
            }
        }
    }
}

impl Plan {
    fn watcher_panicked(&self, number: usize, text: &str) -> Report {
        let what =
            format!("the function that `{}` was given as `on_step` panicked at call {number}: {text}", self.name);
        Report::Wiring(Wiring::new(what, "if it asserts something, that is what does not hold; else let it return"))
    }
}

impl fmt::Debug for Watchers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watchers")
    }
}
