//! A call that its client makes by itself.

use std::error::Error;
use std::future::poll_fn;
#[cfg(any(feature = "aws-smithy", feature = "tower"))]
use std::io;
use std::pin::pin;
use std::sync::{Arc, Weak};

use cassette_core::reply::{Outcome, TransportClass, TransportError};
use cassette_core::report::{Report, Wiring};
use hyper::body::{Body, Bytes};
use hyper::{HeaderMap, StatusCode};

use super::calling;
use super::stream::Stream;
use crate::guard::{Loan, exempt};
use crate::scope::Scope;
use crate::wire::{self, Filing, Keeper, Recorded, Tee, failure};

/// A live call under way. One that is dropped is filed as given up by the program.
pub(super) struct Live {
    keeper: Keeper,
    filing: Filing,
    loan: Option<Loan>,
    scope: Weak<Scope>,
}

impl Live {
    /// Returns a call of this scope's that starts now, for whose host the network guard has given this loan.
    pub(super) fn new(keeper: Keeper, filing: Filing, loan: Option<Loan>, scope: &Weak<Scope>) -> Live {
        Live { keeper, filing, loan, scope: Weak::clone(scope) }
    }

    /// Runs a client's own function; what it does is no call round the seam.
    pub(super) fn run<T>(&self, client: impl FnOnce() -> T) -> T {
        calling::run(&self.scope, || exempt(client))
    }

    /// Runs a client's own future, as [`run`](Live::run) does a function.
    pub(super) async fn wait<F: Future>(&self, client: F) -> F::Output {
        let mut client = pin!(client);
        poll_fn(|cx| self.run(|| client.as_mut().poll(cx))).await
    }

    /// Passes on the reply that came.
    ///
    /// # Errors
    ///
    /// Fails for what is no reply but a switch to another protocol.
    pub(super) fn reply<B>(
        mut self,
        (status, headers): (StatusCode, &HeaderMap),
        body: B,
    ) -> Result<(Recorded, Stream<B>), Arc<Report>>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        if status.is_informational() {
            let what = format!("the upstream of {} switched protocols with status {status}", self.shown());
            return Err(self.refuse(Wiring::new(what, "ask for a service that answers by HTTP alone")));
        }
        let arrived = wire::arrived(&self.keeper.name, status, headers);
        self.filing.head(status.as_u16(), arrived.headers.clone());
        let tee = Tee::new(self.keeper, self.filing, body, &arrived);
        Ok((Recorded { status, headers: arrived.headers }, Stream::live(tee, self.loan)))
    }

    /// Files the transport's failure.
    pub(super) fn error(self, class: TransportClass, err: &(dyn Error + 'static)) {
        self.filing.end(Outcome::Error(TransportError { class, message: failure::said(failure::chain(err)) }));
    }

    /// Fails the test, for what came back can be kept as no outcome.
    pub(super) fn refuse(self, report: Wiring) -> Arc<Report> {
        let report = self.keeper.desk.fail(Report::Wiring(report));
        let message = "what came back cannot be recorded".to_owned();
        self.filing.end(Outcome::Error(TransportError { class: TransportClass::Closed, message }));
        report
    }

    /// Returns the call's name as a report may show it.
    pub(super) fn shown(&self) -> String {
        self.keeper.desk.shown(&self.keeper.name)
    }
}

/// Returns the class of a failure, by what it says and the system's own errors behind it: the types are the client's own.
#[cfg(any(feature = "aws-smithy", feature = "tower"))]
pub(super) fn class(err: &(dyn Error + 'static)) -> TransportClass {
    const TIMEOUT: [&str; 3] = ["timed out", "deadline has elapsed", "timeout"];
    const CONNECT: [&str; 3] = ["connect error", "(connect)", "to connect"];
    let says = |words: &[&str]| {
        let mut said = failure::chain(err).map(|err| err.to_string().to_ascii_lowercase());
        said.any(|said| words.iter().any(|word| said.contains(word)))
    };
    let kinds = || failure::chain(err).filter_map(|err| Some(err.downcast_ref::<io::Error>()?.kind()));
    if kinds().any(|kind| kind == io::ErrorKind::TimedOut) || says(&TIMEOUT) {
        TransportClass::Timeout
    } else if kinds().any(|kind| kind == io::ErrorKind::ConnectionRefused) || says(&CONNECT) {
        connect_class(err)
    } else {
        failure::exchange_class(err)
    }
}

/// Returns the class of a failure to connect, by what it says: the types are the client's own.
pub(super) fn connect_class(err: &(dyn Error + 'static)) -> TransportClass {
    const WORDS: [&str; 5] = ["certificate", "tls", "ssl", "handshake", "fatal alert"];
    failure::connect_class(err, |err| {
        let said = err.to_string().to_ascii_lowercase();
        WORDS.iter().any(|word| said.contains(word))
    })
}
