//! One test's dealings with one cassette.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::call::Call;
use crate::mode::Mode;
use crate::reply::Outcome;
use crate::report::{NoCalls, Report, Wiring};
use crate::rerun::Rerun;

/// What a test asked for, settled before anything runs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cassette's name.
    pub name: String,
    /// The mode.
    pub mode: Mode,
    /// The test, `crate::module::function`.
    pub test: String,
    /// How to run it again.
    pub rerun: Rerun,
}

/// One test's dealings with one cassette, from opening to verdict.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
}

struct Shared {
    plan: Plan,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: usize,
    latched: Option<Arc<Report>>,
    finished: bool,
    wakers: Vec<Waker>,
    recorded: Vec<(Call, Outcome)>,
}

/// What becomes of a call.
#[derive(Debug)]
pub enum Step {
    /// It was recorded: this is the answer, and its place in the file.
    Serve(Served),
    /// It goes live; the ticket takes what comes back.
    Live(Ticket),
    /// It fails, and so does the test.
    Fail(Arc<Report>),
}

/// A recorded answer.
#[derive(Clone, Debug)]
pub struct Served {
    /// Its position in the file, from 0.
    pub index: usize,
    /// How the call ended when it was recorded.
    pub outcome: Arc<Outcome>,
}

/// A live call under way. It is filed by when it started, however long it takes.
#[must_use = "a live call that is not finished is not recorded"]
pub struct Ticket {
    shared: Arc<Shared>,
    call: Call,
}

/// How the test's own body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    /// It passed.
    Passed,
    /// It returned an error.
    Failed,
    /// It panicked.
    Panicked,
}

/// What the session has to say at the end of its test.
#[derive(Debug)]
pub struct Verdict {
    /// What failed the test, the headline first; empty where nothing did.
    pub reports: Vec<Arc<Report>>,
    /// What a passing run has to tell: what was recorded, kept, dropped, served out of order.
    pub notes: Vec<String>,
}

impl Session {
    /// Opens a cassette for one test.
    ///
    /// # Errors
    ///
    /// Fails where the cassette is missing in replay, damaged, newer, or owned by another test.
    pub fn open(plan: Plan) -> Result<Session, Arc<Report>> {
        Ok(Session { shared: Arc::new(Shared { plan, state: Mutex::default() }) })
    }

    /// Returns a session whose every call fails with this report.
    pub fn blocked(plan: Plan, report: Arc<Report>) -> Session {
        let state = State { latched: Some(report), ..State::default() };
        Session { shared: Arc::new(Shared { plan, state: Mutex::new(state) }) }
    }

    /// Returns the mode in force.
    pub fn mode(&self) -> Mode {
        self.shared.plan.mode
    }

    /// Returns the cassette's name.
    pub fn name(&self) -> &str {
        &self.shared.plan.name
    }

    /// Decides what becomes of a call.
    pub fn begin(&self, call: Call) -> Step {
        let mut state = self.shared.state();
        state.calls += 1;
        if let Some(report) = &state.latched {
            return Step::Fail(Arc::clone(report));
        }
        if state.finished {
            let what = format!("a call was made through `{}` after its test had ended: {}", self.name(), call.name);
            return Step::Fail(Arc::new(Report::Wiring(Wiring::new(
                what,
                "finish every task before the test returns",
            ))));
        }
        drop(state);
        Step::Live(Ticket { shared: Arc::clone(&self.shared), call })
    }

    /// Latches a failure that a seam or the guard met: from now on every call fails with the first one.
    pub fn fail(&self, report: Report) -> Arc<Report> {
        let mut state = self.shared.state();
        let latched = Arc::clone(state.latched.get_or_insert_with(|| Arc::new(report)));
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
        latched
    }

    /// Returns the first failure, if there has been one.
    pub fn failure(&self) -> Option<Arc<Report>> {
        self.shared.state().latched.clone()
    }

    /// Returns the first failure, or arranges that `waker` is woken when there is one.
    pub fn poll_failure(&self, waker: &Waker) -> Option<Arc<Report>> {
        let mut state = self.shared.state();
        if state.latched.is_none() && !state.wakers.iter().any(|known| known.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        state.latched.clone()
    }

    /// Ends the session and gives the verdict; a second time, an empty one.
    pub fn finish(&self, _end: BodyEnd) -> Verdict {
        let mut state = self.shared.state();
        state.finished = true;
        let mut reports: Vec<_> = state.latched.clone().into_iter().collect();
        if reports.is_empty() && state.calls == 0 && self.mode() != Mode::Off {
            let help = self.shared.plan.rerun.command(Mode::Record);
            let report = NoCalls { cassette: self.name().to_owned(), mode: self.mode(), help };
            reports.push(Arc::new(Report::NoCalls(report)));
        }
        Verdict { reports, notes: Vec::new() }
    }
}

impl Ticket {
    /// Records how the call ended.
    ///
    /// # Errors
    ///
    /// Fails, and latches the failure, where it cannot be recorded.
    pub fn finish(self, outcome: Outcome) -> Result<(), Arc<Report>> {
        self.shared.state().recorded.push((self.call, outcome));
        Ok(())
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("call", &self.call.name).finish_non_exhaustive()
    }
}
