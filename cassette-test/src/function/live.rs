//! Functions that run bare: beside cassette tests, and within one where it says so.
//!
//! A replay in which something runs is told of, since nobody else would see it; a strict one has no such thing.

use std::sync::Arc;

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::report::{Report, Wiring};

use crate::ambient;
use crate::guard::Guard;
use crate::inside::{self, Inside};
use crate::scope::Scope;
use crate::watching;

/// Runs a future in which annotated functions are what they are without their attribute: for a plain test in a program that has
/// cassette tests too.
///
/// ```no_run
/// # async fn search(_: &str) -> Vec<String> { Vec::new() }
/// # async fn of() {
/// let hits = cassette_test::live(search("Bergen")).await;
/// # let _ = hits;
/// # }
/// ```
///
/// In a test with a cassette nothing of it is recorded, so that it runs in a replay too. The summary of the replay names each function
/// that did, and under `guard = "strict"` the test fails instead.
pub async fn live<F: Future>(future: F) -> F::Output {
    inside::poll(Inside::Live, future).await
}

/// Runs a closure in which annotated functions are what they are without their attribute, as [`live`] does.
pub fn live_blocking<T>(function: impl FnOnce() -> T) -> T {
    inside::run(&Inside::Live, function)
}

/// Returns whether a function that is called here runs bare within a test that replays, which its cassette is to know.
pub(super) fn is_noted() -> bool {
    inside::is_live() && ambient::here().is_some_and(|scope| scope.settled.mode == Mode::Replay)
}

/// Notes that a function runs bare within a replay. What is told of a run's steps is no part of it.
///
/// # Errors
///
/// Fails where the guard is strict.
pub(super) fn noted(scope: &Scope, call: &Call) -> Result<(), Arc<Report>> {
    if !inside::is_live() || scope.settled.mode != Mode::Replay || watching::is_telling() {
        return Ok(());
    }
    // Before the session's name is known, and after its end, there is none to tell.
    let Ok(session) = scope.session() else { return Ok(()) };
    if scope.settled.guard == Guard::Plain {
        session.note_live(call);
        return Ok(());
    }
    let title = session.title(call);
    let what = format!("{title} is to run live, by `cassette_test::live(..)`, in a replay whose guard is strict");
    let help = format!(
        "take `live(..)` away and record the call: {}; or ask for `guard = \"plain\"`, under which it is noted",
        session.command(Mode::Record)
    );
    Err(session.fail(Report::Wiring(Wiring::new(what, help))))
}
