//! A fault, swept over a run: the body runs once for each position, and says which it does not survive.

use std::any::Any;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use cassette_core::fault::Fault;
use cassette_core::mode::Mode;
use cassette_core::report::{Perished, Refused, Report, Swept};
use cassette_core::session::BodyEnd;

use crate::builder::Builder;
use crate::cassette::Cassette;
use crate::session::Session;
use crate::tell::{tell, tell_now};

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
        match self.try_run(body) {
            Ok(survived) => survived,
            Err(report) => panic!("{report}"),
        }
    }

    /// Runs the body at every position, as [`run`](Sweep::run) does.
    ///
    /// # Errors
    ///
    /// Fails where `run` panics.
    pub fn try_run<T: Ending>(self, mut body: impl FnMut(Cassette) -> T) -> Result<Survived, Arc<Report>> {
        let mut course = Course::of(self);
        while let Some(session) = course.next()? {
            let cassette = session.cassette().clone();
            let ended = {
                let _entered = cassette.enter();
                catch_unwind(AssertUnwindSafe(|| body(cassette.clone()).failure()))
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
        match self.try_run_async(body).await {
            Ok(survived) => survived,
            Err(report) => panic!("{report}"),
        }
    }

    /// Runs an asynchronous body at every position, as [`run_async`](Sweep::run_async) does.
    ///
    /// # Errors
    ///
    /// Fails where `run_async` panics.
    pub async fn try_run_async<T: Ending, F: Future<Output = T>>(
        self,
        mut body: impl FnMut(Cassette) -> F,
    ) -> Result<Survived, Arc<Report>> {
        let mut course = Course::of(self);
        while let Some(session) = course.next()? {
            let cassette = session.cassette().clone();
            let ended = match catch_unwind(AssertUnwindSafe(|| body(cassette.clone()))) {
                Ok(future) => caught(cassette.scope(future)).await.map(|value| value.failure()),
                Err(payload) => Err(payload),
            };
            course.ended(session, ended)?;
        }
        course.end()
    }
}

/// Runs a future to its end or to its panic.
async fn caught<F: Future>(future: F) -> Result<F::Output, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Err(payload) => Poll::Ready(Err(payload)),
    })
    .await
}

/// A sweep under way.
struct Course {
    sweep: Sweep,
    /// The positions, the next one last; `None` before the run without a fault.
    ahead: Option<Vec<(usize, Fault)>>,
    /// Where the run under way has its fault.
    now: Option<(usize, Fault)>,
    /// The call of each position.
    swept: Vec<usize>,
    survived: Survived,
}

/// How a body ended: with an error or without, or with a panic.
type Ended = Result<Option<String>, Box<dyn Any + Send>>;

impl Course {
    fn of(sweep: Sweep) -> Course {
        Course { sweep, ahead: None, now: None, swept: Vec::new(), survived: Survived::default() }
    }

    /// Opens the session of the next run, if there is one more.
    fn next(&mut self) -> Result<Option<Session>, Arc<Report>> {
        if let Some(ahead) = &mut self.ahead {
            let Some(now) = ahead.pop() else { return Ok(None) };
            self.now = Some(now);
        }
        let mut session = self.sweep.builder.clone().open()?;
        if let Some((_, fault)) = &self.now
            && let Err(report) = session.cassette().try_fault(fault.clone())
        {
            let _ = session.end(BodyEnd::Failed);
            return Err(report);
        }
        Ok(Some(session))
    }

    /// Ends a run.
    fn ended(&mut self, mut session: Session, ended: Ended) -> Result<(), Arc<Report>> {
        let end = match &ended {
            Ok(None) => BodyEnd::Passed,
            Ok(Some(_)) => BodyEnd::Failed,
            Err(_) => BodyEnd::Panicked,
        };
        let opened = session.cassette().as_scope().opened().cloned();
        let met = opened.as_ref().is_some_and(|opened| opened.met_a_fault());
        let positions = opened.map(|opened| opened.positions(&self.sweep.fault)).unwrap_or_default();
        let (mode, name) = (session.cassette().mode(), session.cassette().name().to_owned());
        let verdict = session.end(end);
        if self.now.is_none() && !verdict.summary.is_quiet() {
            let tell = if verdict.summary.explored() { tell_now } else { tell };
            tell(&verdict.summary.to_string());
        }
        let failed = match ended {
            Ok(None) => None,
            Ok(Some(error)) => Some(error),
            Err(payload) => Some(format!("panicked: {}", crate::run::message(payload.as_ref()))),
        };
        let why = failed.or_else(|| verdict.reports.first().map(ToString::to_string));
        match (&self.now, why) {
            (None, Some(why)) => {
                let what = format!(
                    "the body of a sweep of `{}` over `{name}` fails without any fault: {why}",
                    self.sweep.fault
                );
                Err(refused(what, "let it pass first"))
            }
            (None, None) if mode != Mode::Replay => {
                tell(&format!(
                    "the sweep of `{}` over `{name}` waits for a replay; this run met no fault",
                    self.sweep.fault
                ));
                self.ahead = Some(Vec::new());
                self.sweep.declared.clear();
                Ok(())
            }
            (None, None) if positions.is_empty() => {
                let what = format!("the run over `{name}` has no place for the fault `{}`", self.sweep.fault);
                Err(refused(what, "sweep a fault that fits a call of the run over HTTP: what functions give has none"))
            }
            (None, None) => {
                self.survived.positions = positions.len();
                self.swept = positions.iter().map(|(call, _)| *call).collect();
                self.ahead = Some(positions.into_iter().rev().collect());
                Ok(())
            }
            (Some((call, fault)), why) if !met => {
                let why = why.map_or(String::new(), |why| format!(": {why}"));
                let what = format!("a run of a sweep over `{name}` never met its fault, `{fault}` at call {call}{why}");
                Err(refused(what, "let the body make the same calls each time"))
            }
            (Some(_), None) => Ok(()),
            (Some((call, fault)), Some(why)) => {
                self.survived.perished.push(Perished::new(*call, fault.to_string(), why));
                Ok(())
            }
        }
    }

    fn end(self) -> Result<Survived, Arc<Report>> {
        let Course { sweep, survived, swept: calls, .. } = self;
        let swept = (sweep.builder.label(), sweep.fault.to_string());
        match Swept::of(swept, &calls, &survived.perished, &sweep.declared) {
            Some(swept) => Err(Arc::new(Report::Swept(swept))),
            None => Ok(survived),
        }
    }
}

fn refused(what: String, help: &str) -> Arc<Report> {
    Arc::new(Report::Refused(Refused::new(what, help)))
}
