//! Calls that are made though the test has failed: a program may go on making them without end, and then no verdict ever falls.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Session, Shared};

/// Is told that so many calls have been refused.
type Told = Arc<dyn Fn() + Send + Sync>;

/// Who is told of refused calls.
#[derive(Default)]
pub(super) struct Refusals(Mutex<Option<(usize, Told)>>);

impl Session {
    /// Tells this once, when so many calls have been refused because the test had failed before. No lock is held meanwhile.
    pub fn on_refusals(&self, count: usize, tell: impl Fn() + Send + Sync + 'static) {
        *self.shared.refusals.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((count, Arc::new(tell)));
    }
}

impl Shared {
    /// Counts a call that was refused.
    pub(super) fn count_refusal(&self) {
        let refused = {
            let mut state = self.state();
            state.refused += usize::from(!state.finished);
            state.refused
        };
        let mut told = self.refusals.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = told.take_if(|(count, _)| refused >= *count);
        drop(told);
        if let Some((_, tell)) = due {
            let _ = catch_unwind(AssertUnwindSafe(|| tell()));
        }
    }
}

impl fmt::Debug for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Refusals")
    }
}
