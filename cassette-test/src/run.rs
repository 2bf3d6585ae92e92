//! Runs an annotated test: the session stands before the body does, and the verdict falls after it is gone.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{ExitCode, Termination};

use crate::abandon::Abandoned;
use crate::ambient;
use crate::blame;
use crate::builder::{Builder, Test};
use crate::clocks;
use crate::guarded;
use crate::tell::{tell, tell_now};
use crate::verdict::{End, Judgement, Then, judge};

/// Runs a test's body inside its session. `failed` tells an error from a value.
///
/// # Panics
///
/// Panics where the cassette cannot be opened, and where it failed its test.
#[track_caller]
pub fn run<T: Termination>(test: &'static Test, body: impl FnOnce() -> T, failed: impl FnOnce(&T) -> bool) -> T {
    match conduct(test, body, failed) {
        Ok(value) => value,
        Err(payload) => resume_unwind(payload),
    }
}

/// Runs a test's body inside its session where only `Termination` can say how it ended, and returns what that says.
///
/// # Panics
///
/// Panics where the cassette cannot be opened, and where it failed its test.
#[track_caller]
pub fn run_to_code<T: Termination>(test: &'static Test, body: impl FnOnce() -> T) -> ExitCode {
    run(test, || body().report(), |code| *code != ExitCode::SUCCESS)
}

/// Runs the body of a test that should panic inside its session.
///
/// # Panics
///
/// Panics where the body did not, or not with what was expected, and where the cassette failed its test.
#[track_caller]
pub fn run_to_panic(test: &'static Test, body: impl FnOnce()) {
    // What is left over is the panic that was asked for.
    let _ = conduct(test, body, |()| false);
}

/// Returns how the body ended, once the verdict has nothing against it.
#[track_caller]
fn conduct<T: Termination>(
    test: &'static Test,
    body: impl FnOnce() -> T,
    failed: impl FnOnce(&T) -> bool,
) -> std::thread::Result<T> {
    let mut session = match Builder::of_test(test).open() {
        Ok(session) => session,
        Err(report) => panic!("{report}"),
    };
    let scope = session.cassette().as_scope().clone();
    let ended = {
        let _entered = ambient::enter(&scope);
        match guarded::enter(&scope) {
            Ok(_guarded) => {
                let _watching = blame::watch(&scope.blame);
                catch_unwind(AssertUnwindSafe(body))
            }
            // The body would run unguarded.
            Err(report) => {
                scope.fail(report);
                Err(Box::new(Abandoned) as Box<dyn Any + Send>)
            }
        }
    };
    let end = match &ended {
        Ok(value) if failed(value) => End::Failed,
        Ok(_) => End::Passed,
        Err(payload) if payload.is::<Abandoned>() => End::Abandoned,
        Err(payload) => End::Panicked(message(payload.as_ref())),
    };
    let first = scope.blame.first();
    let end = end.read(test.panics);
    let verdict = session.end(end.for_session());
    let Judgement { aside, then } = judge(&end, &verdict.reports, first);
    let summary = (!verdict.summary.is_quiet()).then(|| verdict.summary.to_string());
    let went_wrong = end != End::Passed || !verdict.reports.is_empty();
    let jumped = scope.jumped().filter(|_| went_wrong).map(clocks::note);
    let tell_summary = if verdict.summary.explored() { tell_now } else { tell };
    aside.iter().for_each(|text| tell(text));
    summary.iter().for_each(|text| tell_summary(text));
    jumped.iter().for_each(|text| tell(text));
    let Then::Panic(text) = then else { return ended };
    if let (Ok(value), End::Failed) = (ended, end) {
        value.report();
    }
    panic!("{text}");
}

pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "something that is no text".to_owned())
}
