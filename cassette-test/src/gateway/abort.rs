//! Replies that end too early.

use std::error::Error;
use std::fmt;

use cassette_core::reply::TransportClass;

/// How a connection is ended before its reply is complete. Of HTTP/2 it is the call's own stream, reset in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abort {
    /// As a peer does that is gone: the client's next read is an error.
    Reset,
    /// As a peer does that closes: the client meets an early end.
    Close,
}

impl Abort {
    /// Returns how a failure of this class reaches a client of the gateway, recorded or live.
    pub(super) fn of(class: TransportClass) -> Abort {
        if class == TransportClass::Closed { Abort::Close } else { Abort::Reset }
    }
}

impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Abort::Reset => "the connection is reset",
            Abort::Close => "the connection is closed",
        })
    }
}

impl Error for Abort {}
