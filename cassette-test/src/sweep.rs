//! A fault, swept over a run: the body runs once for each position, and says which it does not survive.

mod course;
mod failed;

use std::any::Any;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use cassette_core::fault::Fault;
use cassette_core::report::{Perished, Report};

use self::course::Course;
use self::failed::Stopped;
use crate::blame::{self, Blame};
use crate::builder::Builder;
use crate::cassette::Cassette;

/// A fault that is to be swept over the calls of a run.
///
/// The body runs once without any fault, which it has to pass, and then once for each position of that run, each time in a
/// replay of its own. It survives a position if it neither panics nor returns an error, and its cassette has nothing against
/// it. While recording it runs that first time only: what is recorded met no fault.
///
/// ```no_run
/// use cassette_test::{Cassette, Fault};
///
/// # fn book(_: String) -> Result<(), String> { Ok(()) }
/// Cassette::builder("trains")
///     .sweep(Fault::status(503))
///     .may_fail_at([3])
///     .run(|cassette| book(cassette.base_url("https://api.openai.com/v1")));
/// ```
#[must_use = "nothing is swept until it is run"]
#[derive(Debug)]
pub struct Sweep {
    builder: Builder,
    fault: Fault,
    declared: Vec<usize>,
}

/// How a sweep went that its test declares so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Survived {
    /// At how many positions the fault was tried; none while recording.
    pub positions: usize,
    /// Those that the body did not survive, as declared.
    pub perished: Vec<Perished>,
}

/// What a body of a sweep may return.
pub trait Ending {
    /// Returns the error, if it is one.
    fn failure(&self) -> Option<String>;
}

impl Ending for () {
    fn failure(&self) -> Option<String> {
        None
    }
}

impl<T, E: fmt::Display> Ending for Result<T, E> {
    fn failure(&self) -> Option<String> {
        self.as_ref().err().map(ToString::to_string)
    }
}

impl Builder {
    /// Sweeps this fault over the calls of a run, wherever the fault itself is put.
    pub fn sweep(self, fault: Fault) -> Sweep {
        Sweep { builder: self, fault, declared: Vec::new() }
    }
}

impl Sweep {
    /// Declares that the body does not survive the fault at these calls, and at no others.
    pub fn may_fail_at(mut self, calls: impl IntoIterator<Item = usize>) -> Sweep {
        self.declared.extend(calls);
        self
    }

    /// Runs the body at every position.
    ///
    /// # Panics
    ///
    /// Panics where the body fails without a fault, fails at a call that is not declared, survives one that is, or never comes
    /// by a position; and where the run has no position for this fault.
    #[track_caller]
    pub fn run<T: Ending>(self, body: impl FnMut(Cassette) -> T) -> Survived {
        match self.conduct(body) {
            Ok(survived) => survived,
            Err(stopped) => panic!("{stopped}"),
        }
    }

    /// Runs the body at every position, as [`run`](Sweep::run) does.
    ///
    /// # Errors
    ///
    /// Fails where `run` panics.
    pub fn try_run<T: Ending>(self, body: impl FnMut(Cassette) -> T) -> Result<Survived, Arc<Report>> {
        self.conduct(body).map_err(Stopped::told)
    }

    fn conduct<T: Ending>(self, mut body: impl FnMut(Cassette) -> T) -> Result<Survived, Stopped> {
        let mut course = Course::of(self);
        while let Some(session) = course.next()? {
            let cassette = session.cassette().clone();
            let ended = {
                let _entered = cassette.enter();
                watched(&cassette.as_scope().blame, || body(cassette.clone()).failure())
            };
            course.ended(session, ended)?;
        }
        course.end()
    }

    /// Runs an asynchronous body at every position, one after the other, on the runtime of the caller.
    ///
    /// # Panics
    ///
    /// Panics as [`run`](Sweep::run) does.
    pub async fn run_async<T: Ending, F: Future<Output = T>>(self, body: impl FnMut(Cassette) -> F) -> Survived {
        match self.conduct_async(body).await {
            Ok(survived) => survived,
            Err(stopped) => panic!("{stopped}"),
        }
    }

    /// Runs an asynchronous body at every position, as [`run_async`](Sweep::run_async) does.
    ///
    /// # Errors
    ///
    /// Fails where `run_async` panics.
    pub async fn try_run_async<T: Ending, F: Future<Output = T>>(
        self,
        body: impl FnMut(Cassette) -> F,
    ) -> Result<Survived, Arc<Report>> {
        self.conduct_async(body).await.map_err(Stopped::told)
    }

    async fn conduct_async<T: Ending, F: Future<Output = T>>(
        self,
        mut body: impl FnMut(Cassette) -> F,
    ) -> Result<Survived, Stopped> {
        let mut course = Course::of(self);
        while let Some(session) = course.next()? {
            let cassette = session.cassette().clone();
            let blame = Arc::clone(&cassette.as_scope().blame);
            let ended = match watched(&blame, || body(cassette.clone())) {
                Ok(future) => caught(&blame, cassette.scope(future)).await.map(|value| value.failure()),
                Err(payload) => Err(payload),
            };
            course.ended(session, ended)?;
        }
        course.end()
    }
}

/// Runs a future to its end or to its panic.
async fn caught<F: Future>(blame: &Arc<Blame>, future: F) -> Result<F::Output, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    poll_fn(|cx| match watched(blame, || future.as_mut().poll(cx)) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Err(payload) => Poll::Ready(Err(payload)),
    })
    .await
}

/// Runs a part of a body to its end or to its panic, which is the body's.
fn watched<T>(blame: &Arc<Blame>, part: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    let _watching = blame::watch(blame);
    catch_unwind(AssertUnwindSafe(part))
}
