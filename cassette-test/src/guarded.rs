//! The network guard round one test: what it denies while the test replays, and notes while it records.

use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::report::{Blocked, Report};

use crate::guard::{self, Attempt, GuardMode, GuardPolicy, GuardScope};
use crate::options::Surroundings;
use crate::scope::Scope;

/// The guard of a test. When it falls, what was reached round a recording is noted in the session.
#[must_use = "the guard stands only as long as this value lives"]
#[derive(Debug)]
pub(crate) struct Guarded {
    scope: Arc<Scope>,
    guard: GuardScope,
}

/// Puts the guard round this thread and those that it creates, as the mode has it: none where nothing is recorded or
/// replayed.
pub(crate) fn enter(scope: &Arc<Scope>) -> Option<Guarded> {
    let mode = match scope.settled.mode {
        Mode::Replay => GuardMode::Deny,
        Mode::Record | Mode::Refresh => GuardMode::Watch,
        Mode::Off => return None,
    };
    let hosts = [&scope.settled.options.allow_hosts, &Surroundings::of_process().allow_hosts];
    let allow_hosts = hosts.into_iter().flatten().cloned().collect();
    let denied = Arc::clone(scope);
    let on_attempt = (mode == GuardMode::Deny).then(|| {
        let fail = move |attempt: &Attempt| {
            let report = Blocked::new(&denied.label, &attempt.place(), &attempt.thread);
            denied.fail(Report::Blocked(report));
        };
        Arc::new(fail) as guard::OnAttempt
    });
    let guard = guard::enter(GuardPolicy { allow_hosts, on_attempt, ..GuardPolicy::new(mode) });
    scope.note_guard(guard.id());
    Some(Guarded { scope: Arc::clone(scope), guard })
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if let (true, Some(session)) = (self.scope.settled.mode.records(), self.scope.opened()) {
            // What a recorded function reaches is its own business: on replay it does not run.
            let attempts = self.guard.attempts().into_iter().filter(|attempt| !session.ran_function_at(attempt.at));
            attempts.for_each(|attempt| session.note_bypass(&attempt.host()));
        }
    }
}
