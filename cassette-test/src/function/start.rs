//! The start of a function's call, the same in every form.

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use cassette_core::function::{Codec, FunctionCall};
use cassette_core::mode::Mode;
use cassette_core::reply::{Outcome, Reply};
use cassette_core::report::{Report, Wiring};
use cassette_core::session::{Served, Step, Ticket};

use super::inside::{self, Inside};
use crate::abandon::abandon;
use crate::cassette::Cassette;
use crate::options::OnMiss;
use crate::scope::Scope;

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

/// A function that runs. One that is dropped unfinished panicked, or was given up.
pub(super) struct Running {
    scope: Arc<Scope>,
    ticket: Option<Ticket>,
    asked: FunctionCall,
    start: Instant,
}

/// Starts a call.
pub(super) fn start(cassette: &Cassette, asked: &FunctionCall) -> Start {
    let scope = cassette.as_scope();
    if inside::of(scope) {
        return Start::Bare;
    }
    let session = match scope.session() {
        Ok(session) => session,
        Err(report) => return Start::Fail(report),
    };
    if let (Some(loss), true) = (asked.loss(), scope.settled.mode != Mode::Off) {
        return Start::Fail(session.lossy(asked.call(), loss));
    }
    match session.begin(asked.call().clone()) {
        Step::Serve(served) => Start::Serve(served),
        Step::Fail(report) => Start::Fail(report),
        Step::Live(ticket) => Start::Live(Running {
            scope: Arc::clone(scope),
            ticket: Some(ticket),
            asked: asked.clone(),
            start: Instant::now(),
        }),
    }
}

/// Reads what was recorded of a call.
pub(super) fn serve<R>(cassette: &Cassette, served: &Served, codec: &impl Codec<R>) -> Result<R, Arc<Report>> {
    let session = cassette.as_scope().session()?;
    match &*served.outcome {
        Outcome::Reply(reply) => codec.decode(reply).map_err(|error| session.unreadable(served, &error)),
        Outcome::Error(error) => {
            let what = format!("`{}` was recorded with an error of the transport: {}", served.name, error.message);
            Err(session.fail(Report::Wiring(Wiring::new(what, "record it anew"))))
        }
    }
}

impl Running {
    /// Returns what runs, for what it calls to know.
    pub(super) fn inside(&self) -> Inside {
        Inside::Function(Arc::clone(&self.scope))
    }

    /// Records what the function gave. A failure to is latched; the program gets its value all the same.
    pub(super) fn finish<R>(mut self, given: &R, codec: &impl Codec<R>) {
        let records = self.scope.settled.mode.records();
        let is_watched = || self.scope.session().is_ok_and(|session| session.is_watched());
        let Some(ticket) = self.ticket.take().filter(|_| records || is_watched()) else { return };
        match codec.encode(given, self.start.elapsed()) {
            Ok(reply) => {
                let reads = |reply: &Reply| codec.decode(reply).map(drop);
                let _ = ticket.finish_readable(Outcome::Reply(reply), reads);
            }
            Err(loss) => {
                if let (true, Ok(session)) = (records, self.scope.session()) {
                    session.lossy(self.asked.call(), &loss);
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        match self.ticket.take() {
            Some(ticket) if thread::panicking() => ticket.panicked(),
            Some(ticket) => ticket.given_up(),
            None => {}
        }
    }
}

/// Returns what a function gives where its cassette has failed; where its type has nothing for it, the test ends here.
pub(super) fn missed<R>(cassette: &Cassette, report: &Report, codec: &impl Codec<R>, form: Form) -> R {
    let scope = cassette.as_scope();
    let sees_errors = form == Form::Async || scope.settled.options.on_miss == OnMiss::Error;
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
