//! Runs an annotated test: the session stands before the body does, and the verdict falls after it is gone.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::Termination;

use crate::abandon::Abandoned;
use crate::ambient;
use crate::blame;
use crate::builder::Builder;
use crate::test::Test;
use crate::verdict::{End, Judgement, Then, judge};

/// Runs a test's body inside its session. `failed` tells an error from a value.
///
/// # Panics
///
/// Panics where the cassette cannot be opened, and where it failed its test.
#[track_caller]
pub fn run<T: Termination>(test: &'static Test, body: impl FnOnce() -> T, failed: impl FnOnce(&T) -> bool) -> T {
    let mut session = Builder::of_test(test).open().unwrap_or_else(|report| panic!("{report}"));
    let scope = session.cassette().as_scope().clone();
    let ended = {
        let _entered = ambient::enter(&scope);
        let _watching = blame::watch(&scope);
        catch_unwind(AssertUnwindSafe(body))
    };
    let end = match &ended {
        Ok(value) if failed(value) => End::Failed,
        Ok(_) => End::Passed,
        Err(payload) if payload.is::<Abandoned>() => End::Abandoned,
        Err(payload) => End::Panicked(message(payload.as_ref())),
    };
    let first = scope.first();
    let end = end.read(test.panics);
    let verdict = session.end(end.for_session());
    let Judgement { aside, then } = judge(&end, &verdict.reports, first);
    aside.iter().chain(&verdict.notes).for_each(|text| tell(text));
    match (then, ended) {
        (Then::AsItDid, Ok(value)) => value,
        (Then::AsItDid, Err(payload)) => resume_unwind(payload),
        (Then::Panic(text), Ok(value)) => {
            if end == End::Failed {
                value.report();
            }
            panic!("{text}")
        }
        (Then::Panic(text), Err(_)) => panic!("{text}"),
    }
}

/// Prints a line or more for the person who runs the test.
#[expect(clippy::print_stderr, reason = "the one place where the harness prints")]
pub(crate) fn tell(text: &str) {
    eprintln!("{text}");
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "something that is no text".to_owned())
}
