//! What kind of failure an error of a client's is.

use std::error::Error;
use std::io;

use cassette_core::reply::TransportClass;

/// Returns an error and those behind it, the ones that an [`io::Error`] holds included: its `source` leaves them out.
pub(crate) fn chain<'a>(err: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(err), |err: &&'a (dyn Error + 'static)| {
        let held = err.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        held.map_or_else(|| (*err).source(), |held| Some(held))
    })
}

/// Returns everything that these errors say.
pub(crate) fn said<'a>(errors: impl Iterator<Item = &'a (dyn Error + 'static)>) -> String {
    let mut said: Vec<String> = errors.map(ToString::to_string).collect();
    // An error that only wraps another repeats its text.
    said.dedup();
    said.join(": ")
}

/// Returns the class of a failure to connect.
pub(crate) fn connect_class(
    err: &(dyn Error + 'static),
    is_tls: impl Fn(&(dyn Error + 'static)) -> bool,
) -> TransportClass {
    if chain(err).any(is_tls) {
        TransportClass::Tls
    } else if chain(err).any(|err| err.to_string() == "dns error") {
        // The connector keeps this error's type to itself; its text is all there is.
        TransportClass::Dns
    } else {
        TransportClass::Connect
    }
}

/// Returns the class of a failure on a connection that stood.
pub(crate) fn exchange_class(err: &(dyn Error + 'static)) -> TransportClass {
    let is_reset = |err: &(dyn Error + 'static)| {
        err.downcast_ref::<io::Error>()
            .is_some_and(|err| matches!(err.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe))
    };
    if chain(err).any(is_reset) { TransportClass::Reset } else { TransportClass::Closed }
}
