//! Why a live call has no reply.

use cassette_core::reply::{TransportClass, TransportError};
use cassette_core::report::Refused;
use hyper_util::client::legacy;

use super::http2;
use crate::wire::failure;

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
    let class = match err.is_connect() {
        true => failure::connect_class(err, |err| err.is::<rustls::Error>()),
        false if failure::chain(err).any(http2::is_reset) => TransportClass::Reset,
        false => failure::exchange_class(err),
    };
    TransportError { class, message: failure::said(failure::chain(err).skip(1)) }
}
