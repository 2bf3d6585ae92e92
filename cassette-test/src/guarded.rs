//! The network guard round one test: what it denies while the test replays, and notes while it records.

use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::report::{Blocked, Report, Wiring};

use crate::ambient;
use crate::guard::{self, Attempt, Guard, GuardMode, GuardPolicy, GuardScope, Strict, Visit};
use crate::options::Surroundings;
use crate::outliving;
use crate::proxies::{Proxy, proxies, proxy_at};
use crate::scope::{SHIM, Scope};
use crate::tell::tell;

/// The guard of a test. When it falls, what was reached round a recording is noted in the session, and the programs that a
/// replay started are told.
#[must_use = "the guard stands only as long as this value lives"]
#[derive(Debug)]
pub(crate) struct Guarded {
    scope: Arc<Scope>,
    /// Let go of before the scope ends.
    strict: Option<Strict>,
    guard: GuardScope,
}

/// Puts the guard round this thread and those that it creates, as the mode has it: none where nothing is recorded or
/// replayed.
///
/// # Errors
///
/// Fails where a replay is to be guarded strictly and cannot be.
pub(crate) fn enter(scope: &Arc<Scope>) -> Result<Option<Guarded>, Report> {
    guard::release();
    guard::tell_late(late);
    guard::tell_visits(visited);
    let mode = match scope.settled.mode {
        Mode::Replay => GuardMode::Deny,
        Mode::Record | Mode::Refresh => GuardMode::Watch,
        Mode::Off => return Ok(None),
    };
    // While recording, the threads that fetch for the cassette stand under the filter too, and would be taken for others.
    let strictness = if mode == GuardMode::Deny { scope.settled.guard } else { Guard::Plain };
    let hosts = [&scope.settled.options.allow_hosts, &Surroundings::of_process().allow_hosts];
    let allow_hosts = hosts.into_iter().flatten().cloned().collect();
    let mut policy = GuardPolicy {
        allow_hosts,
        guard: strictness,
        test: Arc::from(scope.settled.place.rerun.test.as_str()),
        ..GuardPolicy::new(mode)
    };
    // A proxy on this machine leads wherever it is asked to.
    policy.proxy_at = Some(proxy_at);
    let denied = Arc::clone(scope);
    policy.on_attempt = (mode == GuardMode::Deny).then(|| {
        let fail = move |attempt: &Attempt| {
            denied.fail(Report::Blocked(blocked(&denied.label, attempt, &proxies())));
        };
        Arc::new(fail) as guard::OnAttempt
    });
    let guard = guard::enter(policy);
    scope.note_guard(guard.id());
    let strict = match strictness {
        Guard::Plain => None,
        _ => Some(Strict::stand(guard.id()).map_err(unavailable)?),
    };
    Ok(Some(Guarded { scope: Arc::clone(scope), strict, guard }))
}

/// Tells of what a thread attempted whose test has ended: it works for one of the tests that are open, or for nobody, and neither is
/// known.
fn late(attempt: &Attempt) {
    let report = |cassette: &str| Report::Blocked(blocked(cassette, attempt, &proxies()).late(&attempt.test));
    let told = ambient::fail(|scope| report(&scope.label));
    if told == 0 {
        outliving::note_late(report("its cassette").to_string());
    }
}

/// Tells of a connection to the gateway of a test that has ended: it is of the test that makes it, or of any that is open.
fn visited(visit: &Visit) {
    let Visit { address, test, thread, scope } = visit;
    let what = format!(
        "thread `{thread}` connects to {address}, the address that the test `{test}` was given for a server: with that test it has ended"
    );
    let help = "let each test ask its own cassette, `cassette.base_url(..)`, and make its client of that: what stands in a `static` \
                keeps the address of the first";
    let report = || Report::Wiring(Wiring::new(what.clone(), help));
    match scope.and_then(ambient::guarded_by) {
        Some(scope) => drop(scope.fail(report())),
        None => drop(ambient::fail(|_| report())),
    }
}

fn blocked(cassette: &str, attempt: &Attempt, proxies: &[Proxy]) -> Blocked {
    let report = Blocked::new(cassette, &attempt.place(), &attempt.thread);
    let report = if attempt.is_datagram() { report.datagram() } else { report };
    let report = match &attempt.process {
        Some(process) => report.by(process),
        None => report,
    };
    let port = attempt.addr.filter(|addr| addr.ip().to_canonical().is_loopback()).map(|addr| addr.port());
    match proxies.iter().find(|proxy| Some(proxy.port) == port) {
        Some(proxy) => report.through(proxy.variable),
        None => report,
    }
}

fn unavailable(why: String) -> Report {
    let what = format!("the network guard cannot be strict here: {why}");
    Report::Wiring(Wiring::new(
        what,
        "run this test where it can be, or ask for `guard = \"plain\"`, which sees libc's calls",
    ))
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.guard.hear_children();
        let (shims, programs): (Vec<_>, Vec<_>) =
            self.guard.programs().into_iter().partition(|program| self.scope.is_a_shim(program));
        if !shims.is_empty() && !self.scope.was_called_by_a_shim() {
            tell(&missed(&self.scope.label));
        }
        match (self.scope.settled.mode, &self.strict) {
            (Mode::Replay, None) if !programs.is_empty() => tell(&started(&self.scope.label, &programs)),
            (Mode::Record | Mode::Refresh, _) => {
                let Some(session) = self.scope.opened() else { return };
                // What a recorded function reaches is its own business: on replay it does not run.
                let attempts = self.guard.attempts().into_iter().filter(|attempt| !session.ran_function_at(attempt.at));
                attempts.for_each(|attempt| session.note_bypass(&attempt.host()));
            }
            _ => {}
        }
    }
}

/// Returns that no shim has called: it is the harness's own, and starts nothing in a replay.
fn missed(cassette: &str) -> String {
    format!(
        "note: `{SHIM}`, which takes the place of the MCP servers of `{cassette}`, was started and has not called\n\
         help: it has to be installed where the test runs, in a replay too: cargo install {SHIM}"
    )
}

fn started(cassette: &str, programs: &[String]) -> String {
    let programs = programs.iter().map(|program| format!("`{program}`")).collect::<Vec<_>>().join(", ");
    format!(
        "note: {programs} ran while `{cassette}` replayed, and what a child process reaches is not seen\n\
         help: `guard = \"strict\"` sees it, on Linux"
    )
}
