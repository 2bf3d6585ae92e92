//! Why a live call has no reply.

use std::error::Error;
use std::io;

use cassette_core::reply::{TransportClass, TransportError};
use cassette_core::report::Refused;
use hyper_util::client::legacy;

/// Why a live call has no reply.
#[derive(Debug)]
pub(super) enum Failure {
    /// The transport failed: an outcome like any other, and recorded as one.
    Transport(TransportError),
    /// This machine or build cannot make the call.
    Refused(Refused),
}

impl Failure {
    /// Returns the failure of a peer that did not answer as HTTP demands.
    pub(super) fn closed(message: String) -> Failure {
        Failure::Transport(TransportError { class: TransportClass::Closed, message })
    }
}

/// Returns how a call that was refused before it was sent is filed.
pub(super) fn unsent() -> TransportError {
    TransportError { class: TransportClass::Connect, message: "the call was not sent".to_owned() }
}

/// Returns what kind of failure this is, with everything that was said about it.
pub(super) fn classify(err: &legacy::Error) -> TransportError {
    let class = if err.is_connect() { connect_class(err) } else { exchange_class(err) };
    TransportError { class, message: chain(err).skip(1).map(ToString::to_string).collect::<Vec<_>>().join(": ") }
}

fn connect_class(err: &legacy::Error) -> TransportClass {
    let is_tls = |io: &io::Error| io.get_ref().is_some_and(|inner| inner.is::<rustls::Error>());
    if ios(err).any(is_tls) {
        TransportClass::Tls
    } else if chain(err).any(|err| err.to_string() == "dns error") {
        // The connector keeps this error's type to itself; its text is all there is.
        TransportClass::Dns
    } else {
        TransportClass::Connect
    }
}

fn exchange_class(err: &legacy::Error) -> TransportClass {
    let is_reset = |io: &io::Error| matches!(io.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe);
    if ios(err).any(is_reset) { TransportClass::Reset } else { TransportClass::Closed }
}

fn chain<'a>(err: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(err), |err: &&(dyn Error + 'static)| (*err).source())
}

fn ios<'a>(err: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a io::Error> {
    chain(err).filter_map(|err| err.downcast_ref::<io::Error>())
}
