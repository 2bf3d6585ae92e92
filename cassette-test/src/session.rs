//! A session, owned by the test that opened it.

use std::ops::Deref;
use std::sync::Arc;

use cassette_core::name::Name;
use cassette_core::report::Report;
use cassette_core::session::{BodyEnd, Summary, Verdict};

use crate::ambient;
use crate::book;
use crate::cassette::Cassette;
use crate::scope::Scope;
use crate::tell::{tell, tell_now};
use crate::turns::Turn;

/// One test's dealings with one cassette, from opening to [`finish`](Session::finish).
///
/// It is a [`Cassette`] as well, whose clones may go anywhere; what they do after the end fails.
///
/// A test that may return early with an error hands its outcome over, so that nothing is saved then and the error is shown:
///
/// ```no_run
/// use std::error::Error;
///
/// use cassette_test::Cassette;
///
/// fn ask(cassette: &Cassette) -> Result<(), Box<dyn Error>> {
///     let base = cassette.base_url("https://api.openai.com/v1");
///     // .. the test, with all its `?` ..
///     # let _ = base;
///     Ok(())
/// }
///
/// # fn main() -> Result<(), Box<dyn Error>> {
/// let session = Cassette::builder("trains").open()?;
/// let outcome = ask(&session);
/// session.finish_with(outcome)
/// # }
/// ```
#[must_use = "a session that is not finished fails its test"]
#[derive(Debug)]
pub struct Session {
    cassette: Cassette,
    /// Held while recording, and given back after the verdict.
    turn: Option<Turn>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Open,
    Ended,
}

impl Session {
    /// Makes a scope known and owns it.
    pub(crate) fn new(scope: Arc<Scope>, turn: Option<Turn>) -> Session {
        ambient::open(&scope);
        book::begin(&scope);
        Session { cassette: Cassette::of(scope), turn, state: State::Open }
    }

    /// Returns the handle to the session.
    pub fn cassette(&self) -> &Cassette {
        &self.cassette
    }

    /// Ends the session: what was recorded is saved, what was not asked for is found. What an order that explores served though
    /// it is not of the request is printed.
    ///
    /// # Errors
    ///
    /// Fails with the first thing that went wrong; what else did is printed.
    pub fn finish(mut self) -> Result<Summary, Arc<Report>> {
        let Verdict { reports, summary, .. } = self.end(BodyEnd::Passed);
        if summary.explored() {
            tell_now(&summary.to_string());
        }
        let mut reports = reports.into_iter();
        let Some(headline) = reports.next() else { return Ok(summary) };
        reports.for_each(|report| tell(&format!("note: {report}")));
        Err(headline)
    }

    /// Ends the session as the test ended: with an error nothing is saved, and what the cassette found is printed beside it.
    ///
    /// # Errors
    ///
    /// Fails with the test's own error; where it has none, as [`finish`](Session::finish) does.
    pub fn finish_with<T, E: From<Arc<Report>>>(mut self, outcome: Result<T, E>) -> Result<T, E> {
        if outcome.is_ok() {
            self.finish()?;
            return outcome;
        }
        let verdict = self.end(BodyEnd::Failed);
        lines(&verdict).iter().for_each(|line| tell(&format!("note: {line}")));
        outcome
    }

    /// Opens the cassette of this name.
    pub(crate) fn open(&self, name: &Name) -> Result<(), Arc<Report>> {
        self.cassette.as_scope().open(name, &[])
    }

    /// Lets every call fail with this report.
    pub(crate) fn block(&self, report: Arc<Report>) {
        self.cassette.as_scope().block(report);
    }

    /// Forgets a session that never came to be, and gives back why.
    pub(crate) fn discard(mut self, report: Arc<Report>) -> Arc<Report> {
        book::refuse(self.cassette.as_scope());
        self.state = State::Ended;
        ambient::close(self.cassette.as_scope());
        report
    }

    /// Ends the session with the body that ended so.
    pub(crate) fn end(&mut self, end: BodyEnd) -> Verdict {
        let verdict = self.cassette.as_scope().finish(end);
        book::end(self.cassette.as_scope(), end, &verdict);
        self.state = State::Ended;
        ambient::close(self.cassette.as_scope());
        self.turn = None;
        verdict
    }
}

impl Deref for Session {
    type Target = Cassette;

    fn deref(&self) -> &Cassette {
        &self.cassette
    }
}

impl Drop for Session {
    /// Notices that nobody finished.
    fn drop(&mut self) {
        if self.state == State::Ended {
            return;
        }
        let panicking = std::thread::panicking();
        let verdict = self.end(if panicking { BodyEnd::Panicked } else { BodyEnd::Failed });
        let mut lines = lines(&verdict);
        if panicking {
            lines.iter().for_each(|line| tell(&format!("note: {line}")));
            return;
        }
        let unfinished = format!(
            "the session of `{}` was dropped before `finish`, so nothing was saved and nothing was checked\n\
             help: the test probably returned early with an error, which is not seen here: end it with \
             `session.finish_with(outcome)`",
            self.cassette.name()
        );
        lines.push(unfinished);
        panic!("{}", lines.join("\nnote: "));
    }
}

fn lines(verdict: &Verdict) -> Vec<String> {
    let summary = (!verdict.summary.is_quiet()).then(|| verdict.summary.to_string());
    verdict.reports.iter().map(ToString::to_string).chain(summary).collect()
}
