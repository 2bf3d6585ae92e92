//! One test's dealings with one cassette.
//!
//! A [`Session`] is opened with a [`Plan`], asked about each call ([`Session::begin`]), told how live calls ended
//! ([`Ticket::finish`]), and ended with the test ([`Session::finish`]). The first failure latches: from then on every
//! call fails with it, so that code which swallows or retries an error cannot turn the test green. The lock is held to
//! decide and to append, never while a call is live or a matcher or a similarity of the user's runs.

mod ahead;
mod aside;
mod at_rest;
mod begin;
mod echo;
mod failed;
mod faults;
mod finish;
mod fork;
mod function;
mod gateways;
mod hidden;
mod hide_again;
mod journalling;
mod later;
mod left;
mod likely;
mod listening;
mod numbered;
mod open;
mod orphan;
mod plan;
mod recall;
mod refusals;
mod rehearse;
mod renamed;
mod replaced;
mod reports;
mod run;
mod said;
mod save;
mod sent_on;
mod spending;
mod stale;
mod state;
mod summary;
mod take_over;
mod ticket;
mod transcript;
mod unread;
mod unrun;
mod volatile;
mod watch;

pub use begin::{Served, Step};
pub use finish::{BodyEnd, Verdict};
pub(crate) use later::places as later_places;
pub use plan::{Cassettes, Home, Outages, Owner, Pinned, Plan, Source};
pub(crate) use rehearse::replays;
pub use summary::Summary;
pub(crate) use summary::UNMATCHED;
pub use take_over::RENEWED_AFTER;
pub use ticket::Ticket;

use std::collections::HashSet;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Instant, SystemTime};

use crate::audit::Allowed;
use crate::call::Call;
use crate::digested::Digests;
use crate::json::Json;
use crate::mode::Mode;
use crate::pending::Over;
use crate::policy::Policy;
use crate::redact::{self, Depth, Secrets};
use crate::report::Report;
use crate::tape::{Head, Tape};
use fork::Pool;
use orphan::unnamed_package;
use refusals::Refusals;
use state::{Fate, State};
use watch::Watchers;

/// One test's dealings with one cassette, from opening to verdict.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
}

struct Shared {
    plan: Plan,
    policy: Policy,
    tape: Tape,
    /// What of it is before the fork, where the run records one.
    pool: Pool,
    /// How digests are made of the requests that this run writes down; `None` where it writes requests.
    digests: Option<Digests>,
    /// The file as it was opened, where the run may replace it: to notice whether somebody else does meanwhile.
    opened: Over,
    /// Where the damaged file lies that a refresh replaces.
    damaged: Option<String>,
    /// The placeholders in the tape: what a served program may come back with.
    placeholders: HashSet<String>,
    allowed: Vec<Allowed>,
    /// Locked after the state, where both are, and never before it.
    secrets: Mutex<Secrets>,
    state: Mutex<State>,
    /// Locked while no other is.
    watchers: Watchers,
    refusals: Refusals,
}

impl Session {
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

    /// Returns what the recording at this position, from 0, asks, in a few words; `None` where that is not known.
    pub fn asks(&self, index: usize) -> Option<String> {
        self.shared.tape.interactions.get(index).and_then(|interaction| interaction.asked.gist())
    }

    /// Returns the plan that the session was opened with.
    pub fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// Returns the start of the day on which the cassette was recorded, in UTC; `None` where nothing has been.
    pub fn recorded_at(&self) -> Option<SystemTime> {
        crate::clock::day(self.shared.tape.head.recorded.as_deref()?)
    }

    /// Returns the URLs of the HTTP calls that are recorded, one for each of them.
    pub fn recorded_urls(&self) -> impl Iterator<Item = &str> {
        let titles = self.shared.tape.interactions.iter().map(|interaction| interaction.asked().name());
        titles.filter_map(|name| name.split_once(' ')).map(|(_, url)| url).filter(|url| url.contains("://"))
    }

    /// Returns the calls of this run so far, in order, redacted. Never the file's.
    pub fn calls(&self) -> Vec<Call> {
        let calls = self.shared.state().calls.clone();
        calls.iter().map(|call| self.shared.shown(call)).collect()
    }

    /// Returns how many calls this run has made so far.
    pub fn call_count(&self) -> usize {
        self.shared.state().calls.len()
    }

    /// Returns how many calls of this run went live.
    pub fn live_calls(&self) -> usize {
        self.shared.state().slots.iter().filter(|slot| matches!(slot.fate, Fate::Live(..))).count()
    }

    /// Returns how many recordings have not been served yet.
    pub fn remaining(&self) -> usize {
        self.shared.state().unasked().len()
    }

    /// Returns what stands under a secret's name: its value where calls may go live, and a stand-in in replay.
    ///
    /// Either is hidden wherever it stands, so that the one matches the other. Where there is no value the stand-in serves
    /// too, as long as nothing goes live: a call that would go live then fails, naming the secret.
    pub fn secret(&self, name: &str, value: Option<String>) -> String {
        let stand_in = format!("stand-in-for-{}", name.to_ascii_lowercase().replace('_', "-"));
        let value = match (self.mode(), value) {
            (Mode::Replay, _) => stand_in,
            (_, Some(value)) => value,
            (_, None) => {
                self.shared.state().lacking.push(name.to_owned());
                stand_in
            }
        };
        self.shared.state().declared.push(value.trim().to_owned());
        let declared = self.shared.secrets().declare(&value);
        if declared.is_err() {
            self.fail(self.shared.plan.secret_is_too_short(name));
        }
        value
    }

    /// Adds a fact to the head of what is recorded.
    pub fn set_meta(&self, name: &str, value: Json) {
        self.shared.state().meta.push((name.to_owned(), value));
    }

    /// Notes that this address stands for a server, `https://api.example.com`: its port is another in every run, and where a request
    /// or an argument speaks of it, it speaks of the server.
    pub fn note_gateway(&self, address: SocketAddr, server: &str) {
        let mut state = self.shared.state();
        let stands = (address.port(), server.to_owned());
        if !state.gateways.contains(&stands) {
            state.gateways.push(stands);
        }
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
    fn secrets(&self) -> MutexGuard<'_, Secrets> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Returns the test that owns the cassette, if it is another one that is still there, or may be.
    ///
    /// An annotated test of this very program that no longer exists was renamed: whoever uses its cassette now adopts it.
    fn another_owner(&self) -> Option<String> {
        let Head { test, package, registered, .. } = &self.tape.head;
        let owner = test.as_deref()?;
        match (package, &self.plan.package, self.plan.home) {
            (Some(package), Some(own), _) if package != own => {
                return Some(format!("{owner} of the package {package}"));
            }
            // Whoever keeps it in the package's own directory does not say which that is.
            (None, Some(_), Home::Shared) => return Some(unnamed_package(owner)),
            _ => {}
        }
        let program = |test: &str| test.split("::").next().map(str::to_owned);
        let is_here = program(owner) == program(&self.plan.test);
        let gone = *registered && is_here && !self.plan.known_tests.iter().any(|test| test == owner);
        let renamed = gone && self.plan.is_registered();
        (owner != self.plan.test && !renamed).then(|| owner.to_owned())
    }

    /// Returns a call as a report or the test itself may see it.
    fn shown(&self, call: &Call) -> Call {
        (*redact::redact_call(call, &self.plan.rules, Depth::Known, &mut self.secrets())).clone()
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("plan", &self.plan).finish_non_exhaustive()
    }
}
