//! One test's dealings with one cassette.
//!
//! A [`Session`] is opened with a [`Plan`], asked about each call ([`Session::begin`]), told how live calls ended
//! ([`Ticket::finish`]), and ended with the test ([`Session::finish`]). The first failure latches: from then on every
//! call fails with it, so that code which swallows or retries an error cannot turn the test green. The lock is held to
//! decide and to append, never while a call is live.

mod begin;
mod finish;
mod plan;
mod reports;
mod save;
mod state;
mod ticket;
mod volatile;

pub use begin::{Served, Step};
pub use finish::{BodyEnd, Summary, Verdict};
pub use plan::{Outages, Plan};
pub use ticket::Ticket;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Instant, SystemTime};

use crate::audit::Allowed;
use crate::call::Call;
use crate::disk::{self, ReadError};
use crate::json::Json;
use crate::lookup::Lookup;
use crate::mode::Mode;
use crate::policy::{Policy, Unused};
use crate::redact::{self, Depth, Secrets};
use crate::report::Report;
use crate::tape::Tape;
use state::{Fate, State};

/// One test's dealings with one cassette, from opening to verdict.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
}

struct Shared {
    plan: Plan,
    policy: Policy,
    tape: Tape,
    allowed: Vec<Allowed>,
    state: Mutex<State>,
}

impl Session {
    /// Opens a cassette for one test.
    ///
    /// # Errors
    ///
    /// Fails where the cassette is missing in replay, cannot be read, is damaged (unless it is refreshed), needs a newer
    /// reader, or belongs to another test and would be refreshed.
    pub fn open(mut plan: Plan) -> Result<Session, Arc<Report>> {
        plan.rules.keep_request_headers.extend(plan.match_headers.iter().cloned());
        let tape = load(&plan)?;
        let allowed = allowed(&plan)?;
        let shared = Shared::new(plan, tape, allowed);
        match (shared.plan.mode, shared.another_owner()) {
            (Mode::Refresh, Some(owner)) if shared.plan.unused == Unused::Fail => {
                Err(Arc::new(shared.plan.not_the_owner(owner)))
            }
            _ => Ok(Session { shared: Arc::new(shared) }),
        }
    }

    /// Returns a session whose every call fails with this report.
    pub fn blocked(plan: Plan, report: Arc<Report>) -> Session {
        let session = Session { shared: Arc::new(Shared::new(plan, Tape::default(), Vec::new())) };
        session.shared.latch(report);
        session
    }

    /// Returns the mode in force.
    pub fn mode(&self) -> Mode {
        self.shared.plan.mode
    }

    /// Returns the cassette's name.
    pub fn name(&self) -> &str {
        &self.shared.plan.name
    }

    /// Returns the command that runs the session's test again in this mode.
    pub fn command(&self, mode: Mode) -> String {
        self.shared.plan.command(mode)
    }

    /// Returns the plan that the session was opened with.
    pub fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// Returns the start of the day on which the cassette was recorded, in UTC; `None` where nothing has been.
    pub fn recorded_at(&self) -> Option<SystemTime> {
        crate::clock::day(self.shared.tape.head.recorded.as_deref()?)
    }

    /// Returns the calls of this run so far, in order, redacted. Never the file's.
    pub fn calls(&self) -> Vec<Call> {
        let mut state = self.shared.state();
        let calls = state.calls.clone();
        let redact = |call: &Arc<Call>| {
            (*redact::redact_call(call, &self.shared.plan.rules, Depth::Known, &mut state.secrets)).clone()
        };
        calls.iter().map(redact).collect()
    }

    /// Returns how many calls of this run went live.
    pub fn live_calls(&self) -> usize {
        self.shared.state().slots.iter().filter(|slot| matches!(slot.fate, Fate::Live(..))).count()
    }

    /// Returns how many recordings have not been served yet.
    pub fn remaining(&self) -> usize {
        self.shared.state().used.iter().filter(|used| !**used).count()
    }

    /// Returns what stands under a secret's name: its value where calls may go live, and a stand-in in replay.
    ///
    /// Either is hidden wherever it stands, so that the one matches the other. Where there is no value the stand-in serves
    /// too, as long as nothing goes live: a call that would go live then fails, naming the secret.
    pub fn secret(&self, name: &str, value: Option<String>) -> String {
        let mut state = self.shared.state();
        let stand_in = format!("stand-in-for-{}", name.to_ascii_lowercase().replace('_', "-"));
        let value = match (self.mode(), value) {
            (Mode::Replay, _) => stand_in,
            (_, Some(value)) => value,
            (_, None) => {
                state.lacking.push(name.to_owned());
                stand_in
            }
        };
        state.secrets.learn(&value);
        value
    }

    /// Adds a fact to the head of what is recorded.
    pub fn set_meta(&self, name: &str, value: Json) {
        self.shared.state().meta.push((name.to_owned(), value));
    }

    /// Notes that a host was reached round every seam while recording: what is recorded then stays pending.
    pub fn note_bypass(&self, host: &str) {
        let mut state = self.shared.state();
        if !state.bypassed.iter().any(|known| known == host) {
            state.bypassed.push(host.to_owned());
        }
    }

    /// Latches a failure that a seam or the guard met: from now on every call fails with the first one, which is returned.
    pub fn fail(&self, report: Report) -> Arc<Report> {
        self.shared.fail(report)
    }

    /// Returns the first failure, if there has been one.
    pub fn failure(&self) -> Option<Arc<Report>> {
        self.shared.state().failure.as_ref().map(|(report, _)| Arc::clone(report))
    }

    /// Returns the first failure, or arranges that `waker` is woken when there is one.
    pub fn poll_failure(&self, waker: &Waker) -> Option<Arc<Report>> {
        let mut state = self.shared.state();
        if state.failure.is_none() && !state.wakers.iter().any(|known| known.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        state.failure.as_ref().map(|(report, _)| Arc::clone(report))
    }
}

impl Shared {
    fn new(plan: Plan, tape: Tape, allowed: Vec<Allowed>) -> Shared {
        let mut secrets = Secrets::new(&plan.environment);
        for call in tape.interactions.iter().map(|interaction| &interaction.call) {
            let body = String::from_utf8_lossy(&call.body);
            [&call.name, &*body].into_iter().for_each(|text| secrets.start_after(redact::placeholders(text)));
        }
        let state = State {
            calls: Vec::new(),
            slots: Vec::new(),
            went_live: false,
            used: vec![false; tape.interactions.len()],
            lookup: Lookup::new(&tape, &plan.match_headers),
            secrets,
            bound: HashMap::new(),
            meta: Vec::new(),
            journal: None,
            cut_short: None,
            failure: None,
            wakers: Vec::new(),
            bypassed: Vec::new(),
            lacking: Vec::new(),
            finished: false,
        };
        let policy = Policy::of(plan.mode, plan.order, plan.repeat);
        Shared { plan, policy, tape, allowed, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, report: Report) -> Arc<Report> {
        self.latch(Arc::new(report))
    }

    fn latch(&self, report: Arc<Report>) -> Arc<Report> {
        let mut state = self.state();
        let (latched, _) = state.failure.get_or_insert_with(|| (report, Instant::now()));
        let latched = Arc::clone(latched);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
        latched
    }

    /// Returns the test that owns the cassette, if it is another one that is still there.
    ///
    /// A test of this very program that no longer exists was renamed: whoever uses its cassette now adopts it.
    fn another_owner(&self) -> Option<&str> {
        let owner = self.tape.head.test.as_deref()?;
        let program = |test: &str| test.split("::").next().map(str::to_owned);
        let gone =
            program(owner) == program(&self.plan.test) && !self.plan.known_tests.iter().any(|test| test == owner);
        let renamed = gone && !self.plan.known_tests.is_empty();
        (owner != self.plan.test && !renamed).then_some(owner)
    }
}

fn load(plan: &Plan) -> Result<Tape, Arc<Report>> {
    if plan.mode == Mode::Off {
        return Ok(Tape::default());
    }
    let bytes = plan.store.load(&plan.name).map_err(|error| plan.storage(error))?;
    match bytes.as_deref().map(disk::read) {
        Some(Ok(tape)) => Ok(tape),
        Some(Err(ReadError::Damaged(..))) if plan.mode == Mode::Refresh => Ok(Tape::default()),
        Some(Err(error)) => Err(Arc::new(plan.unreadable(error))),
        None if plan.mode == Mode::Replay => Err(Arc::new(plan.missing())),
        None => Ok(Tape::default()),
    }
}

/// Reads the findings that the user vouches for.
fn allowed(plan: &Plan) -> Result<Vec<Allowed>, Arc<Report>> {
    let bytes = plan.store.allow_list().map_err(|error| plan.storage(error))?;
    let Some(bytes) = bytes else { return Ok(Vec::new()) };
    crate::audit::read_allow_list(&bytes, &plan.name).map_err(|what| Arc::new(plan.allow_list_is_damaged(what)))
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("plan", &self.plan).finish_non_exhaustive()
    }
}
