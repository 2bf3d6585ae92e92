//! The start of a function's call, the same in every form.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use cassette_core::busy::Busy;
use cassette_core::call::Kind;
use cassette_core::function::{Codec, FunctionCall, Misread, Receiver, Unwritable};
use cassette_core::mode::Mode;
use cassette_core::reply::{Outcome, Reply};
use cassette_core::report::{Report, Wiring};
use cassette_core::session::{Served, Step, Ticket};

use super::live;
use super::withheld;
use crate::abandon::{abandon, is_tearing_down};
use crate::ambient;
use crate::cassette::Cassette;
use crate::inside::{self, Inside};
use crate::options::OnMiss;
use crate::scope::Scope;
use crate::sites::{self, Given, Givers};
use crate::tell::tell_now;
use crate::watching;

/// What becomes of a function's call.
pub(super) enum Start {
    /// It runs as if there were no cassette: it is a part of another function that is recorded.
    Bare,
    /// It was recorded.
    Serve(Served),
    /// It runs, and what it gives is recorded.
    Live(Running),
    /// The cassette has failed.
    Fail(Arc<Report>),
}

/// A function that runs. One that is dropped unfinished panicked, or the program gave it up.
pub(super) struct Running {
    scope: Arc<Scope>,
    ticket: Option<Ticket>,
    asked: FunctionCall,
    start: Instant,
    /// When the program last asked whether it had ended.
    polled: Instant,
}

thread_local! {
    /// The task that was given an answer last on this thread, and when.
    static ANSWERED: Cell<Option<(Option<tokio::task::Id>, Instant)>> = const { Cell::new(None) };
}

/// Notes that whoever is polled here is given the answer of a function.
pub(super) fn note_answer() {
    let _ = ANSWERED.try_with(|answered| answered.set(Some((tokio::task::try_id(), Instant::now()))));
}

/// Returns whether the task that is polled here has been given an answer since this moment: what it gives up now lost a race against
/// that. A task of its own that is aborted did not.
fn answered_since(moment: Instant) -> bool {
    let answered = ANSWERED.try_with(Cell::get).ok().flatten();
    answered.is_some_and(|(task, at)| task == tokio::task::try_id() && at >= moment)
}

/// Starts a call.
pub(super) fn start(cassette: &Cassette, asked: &FunctionCall) -> Start {
    let scope = cassette.as_scope();
    if inside::of(scope) {
        return live::noted(scope, asked.call()).map_or_else(Start::Fail, |()| Start::Bare);
    }
    let session = match scope.session() {
        Ok(session) => session,
        Err(report) => {
            // A handle may outlive its test, and whichever has it now may take the error for an answer.
            if scope.has_ended() {
                ambient::fail(|_| Report::clone(&report));
            }
            return Start::Fail(report);
        }
    };
    if watching::is_telling() {
        let what = format!("{} was called by what is told of the run's steps", session.title(asked.call()));
        let help = "let it take down what it is told, or run the function bare: `cassette_test::live_blocking(..)`";
        return Start::Fail(session.fail(Report::Wiring(Wiring::new(what, help))));
    }
    if let (Some(loss), true) = (asked.loss(), scope.settled.mode != Mode::Off) {
        return Start::Fail(session.lossy(asked.call(), loss));
    }
    match session.begin(asked.call().clone()) {
        Step::Serve(served) => Start::Serve(served),
        Step::Fail(report) => match is_tearing_down().then(|| session.recall(asked.call())).flatten() {
            Some(served) => Start::Serve(served),
            None => Start::Fail(report),
        },
        Step::Live(ticket) => Start::Live(Running {
            scope: Arc::clone(scope),
            ticket: Some(ticket),
            asked: asked.clone(),
            start: Instant::now(),
            polled: Instant::now(),
        }),
    }
}

/// Reads what was recorded of a call.
pub(super) fn serve<R>(cassette: &Cassette, served: &Served, codec: &impl Codec<R>) -> Result<R, Arc<Report>> {
    serve_with(cassette, served, |reply| codec.decode(reply))
}

/// Reads what was recorded of a call so.
pub(super) fn serve_with<R>(
    cassette: &Cassette,
    served: &Served,
    read: impl FnOnce(&Reply) -> Result<R, Misread>,
) -> Result<R, Arc<Report>> {
    let session = cassette.as_scope().session()?;
    match &*served.outcome {
        Outcome::Reply(reply) => {
            let given = told_of_panics(cassette, served, || read(reply));
            given.map_err(|error| session.unreadable(served, &error))
        }
        Outcome::Error(error) if error.is_given_up() => Err(withheld::refuse(cassette, served)),
        Outcome::Error(error) => {
            let what = format!("`{}` was recorded with an error of the transport: {}", served.name, error.message);
            Err(session.fail(Report::Wiring(Wiring::new(what, "record it anew"))))
        }
    }
}

/// Reads what was recorded by the user's own types. Whoever calls the function may catch a panic of theirs; the test fails.
pub(super) fn told_of_panics<T>(cassette: &Cassette, served: &Served, read: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let what = format!("what was recorded of {} made its type panic as it was read", served.name);
        let help = "let whatever rebuilds it, `Deserialize` or `From<ReplayedError>`, return an error instead, or record it anew";
        cassette.as_scope().fail(Report::Wiring(Wiring::new(what, help)));
        resume_unwind(panic)
    })
}

impl Running {
    /// Returns what runs, for what it calls to know.
    pub(super) fn inside(&self) -> Inside {
        Inside::Function(Arc::clone(&self.scope))
    }

    /// Returns whether what it gives is recorded.
    pub(super) fn records(&self) -> bool {
        self.scope.settled.mode.records()
    }

    /// Returns whether what it cost is counted, recorded or not: of a model, whose cost is unknown and not nothing.
    fn is_counted(&self) -> bool {
        self.asked.call().kind == Kind::Llm && self.scope.session().is_ok_and(|session| session.counts_cost())
    }

    /// Returns whether somebody is told of each step of the run, recorded or not.
    fn is_watched(&self) -> bool {
        self.scope.session().is_ok_and(|session| session.is_watched())
    }

    /// Notes that the program has just asked whether it had ended.
    pub(super) fn polled(&mut self) {
        self.polled = Instant::now();
    }

    /// Returns when it began.
    pub(super) fn start(&self) -> Instant {
        self.start
    }

    /// Returns how long it has been running.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Records what the function gave. A failure to is latched; the program gets its value all the same.
    pub(super) fn finish<R>(self, given: &R, codec: &impl Codec<R>) {
        note_answer();
        if !self.records() && !self.is_watched() && !self.is_counted() {
            return self.forget();
        }
        match codec.encode(given, self.elapsed()) {
            Ok(reply) => self.file(reply, Busy::default(), |reply| codec.decode(reply).map(drop)),
            Err(loss) => {
                if self.records() {
                    self.lossy(&loss);
                } else if self.is_counted() {
                    // What cannot be written was paid for all the same.
                    let unwritten = Reply::value(b"null".to_vec(), self.elapsed());
                    return self.file(unwritten, Busy::default(), |_| Ok(()));
                }
                self.forget();
            }
        }
    }

    /// Records this of a function that was at work so, provided that what a replay will serve `reads`.
    pub(super) fn file(mut self, reply: Reply, busy: Busy, reads: impl FnOnce(&Reply) -> Result<(), Misread>) {
        if let (Some(receiver), true) = (self.asked.receiver(), self.records()) {
            self.note_receiver(receiver, &reply);
        }
        if let Some(ticket) = self.ticket.take().filter(|_| self.records() || self.is_watched() || self.is_counted()) {
            let _ = ticket.finish_busy(Outcome::Reply(reply), busy, reads);
        }
    }

    /// Notes what this object gave, in case another one gives something else.
    fn note_receiver(&self, receiver: Receiver, reply: &Reply) {
        let given = Given::new(receiver, self.start, reply);
        let waited = |time| self.scope.session().is_ok_and(|session| session.may_have_waited(&time));
        match sites::note_given(&self.scope.sites, self.asked.call(), given, waited) {
            Ok(Givers::One) => {}
            Ok(Givers::Several) => {
                if let Ok(session) = self.scope.session() {
                    session.note_several(self.asked.call());
                }
            }
            Err(report) => drop(self.scope.fail(report)),
        }
    }

    /// Latches that what it gave cannot be recorded.
    pub(super) fn lossy(&self, loss: &Unwritable) {
        if let Ok(session) = self.scope.session() {
            session.lossy(self.asked.call(), loss);
        }
    }

    /// Latches that its stream grew beyond this many bytes.
    pub(super) fn too_long(&self, limit: usize) {
        let title = self.scope.session().map(|session| session.title(self.asked.call()));
        let title = title.unwrap_or_default();
        let what = format!("the stream of {title} is longer than {limit} bytes");
        self.scope.fail(Report::Wiring(Wiring::new(what, "a stream of this size cannot be recorded; ask for less")));
    }

    /// Notes that it panicked, though whoever called it may have caught that.
    pub(super) fn panicked(mut self) {
        if let Some(ticket) = self.ticket.take() {
            ticket.panicked();
        }
    }

    /// Records nothing: nothing is recorded in this mode, or the cassette has failed.
    pub(super) fn forget(mut self) {
        self.ticket = None;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        match self.ticket.take() {
            Some(ticket) if thread::panicking() => ticket.panicked(),
            // It goes with a body that has failed, or outlived it: nobody gave it up, and it is under way when the test ends.
            Some(_) if is_tearing_down() || self.scope.blame.has_returned() => {}
            Some(ticket) if answered_since(self.polled) => ticket.outrun(),
            Some(ticket) => ticket.given_up(),
            None => {}
        }
    }
}

/// Returns what a function gives where its cassette has failed; where its type has nothing for it, the test ends here.
pub(super) fn missed<R>(cassette: &Cassette, report: &Report, codec: &impl Codec<R>, form: Form) -> R {
    let scope = cassette.as_scope();
    let tearing = is_tearing_down();
    if tearing {
        // What has no error to give ends the process here, and nobody would read the report that is kept.
        tell_now(&report.to_string());
    }
    let sees_errors = form == Form::Async || scope.settled.options.on_miss == OnMiss::Error || tearing;
    if let Some(given) = codec.missed(report).filter(|_| sees_errors) {
        return given;
    }
    match scope.site {
        Some(_) => abandon(),
        None => panic!("{report}"),
    }
}

/// Whether a function is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Async,
    Blocking,
}
