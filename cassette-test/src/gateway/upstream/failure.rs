//! Why a live call has no reply.

use std::error::Error;
use std::io;

use cassette_core::reply::{TransportClass, TransportError};
use cassette_core::report::Refused;
use hyper_util::client::legacy;

/// Why a live call has no reply.
#[derive(Debug)]
pub(in crate::gateway) enum Failure {
    /// The transport failed: an outcome like any other, and recorded as one.
    Transport(TransportError),
    /// This machine or build cannot make the call.
    Refused(Refused),
}

impl Failure {
    /// Returns the failure of a peer that did not answer as HTTP demands.
    pub(in crate::gateway) fn closed(message: String) -> Failure {
        Failure::Transport(TransportError { class: TransportClass::Closed, message })
    }
}

/// Returns how a call that was refused before it was sent is filed.
pub(in crate::gateway) fn unsent() -> TransportError {
    TransportError { class: TransportClass::Connect, message: "the call was not sent".to_owned() }
}

/// Returns what kind of failure this is, with everything that was said about it.
pub(super) fn classify(err: &legacy::Error) -> TransportError {
    let class = if err.is_connect() { connect_class(err) } else { exchange_class(err) };
    let mut said: Vec<String> = chain(err).skip(1).map(ToString::to_string).collect();
    // An error that only wraps another repeats its text.
    said.dedup();
    TransportError { class, message: said.join(": ") }
}

fn connect_class(err: &legacy::Error) -> TransportClass {
    if chain(err).any(<dyn Error>::is::<rustls::Error>) {
        TransportClass::Tls
    } else if chain(err).any(|err| err.to_string() == "dns error") {
        // The connector keeps this error's type to itself; its text is all there is.
        TransportClass::Dns
    } else {
        TransportClass::Connect
    }
}

fn exchange_class(err: &legacy::Error) -> TransportClass {
    let is_reset = |err: &(dyn Error + 'static)| {
        err.downcast_ref::<io::Error>()
            .is_some_and(|err| matches!(err.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe))
    };
    if chain(err).any(is_reset) { TransportClass::Reset } else { TransportClass::Closed }
}

/// Returns an error and those behind it, the ones that an [`io::Error`] holds included: its `source` leaves them out.
fn chain<'a>(err: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(err), |err: &&'a (dyn Error + 'static)| {
        let held = err.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        held.map_or_else(|| (*err).source(), |held| Some(held))
    })
}
