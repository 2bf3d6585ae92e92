//! A failure of the transport, where no error of the client's own can stand for it.

use std::error::Error;
use std::fmt;

use cassette_core::reply::{TransportClass, TransportError};

use super::stream::BoxError;

/// A failure of the transport, live or recorded; live, the client's own error is its source.
#[derive(Debug)]
pub struct Failed {
    class: TransportClass,
    message: String,
    source: Option<BoxError>,
}

impl Failed {
    /// Returns a recorded failure.
    pub(super) fn recorded(error: TransportError) -> Failed {
        Failed { class: error.class, message: error.message, source: None }
    }

    /// Returns a live one.
    #[cfg(feature = "tower")]
    pub(super) fn live(class: TransportClass, message: String, source: BoxError) -> Failed {
        Failed { class, message, source: Some(source) }
    }

    /// Returns the kind of failure: `connect`, `tls`, `dns`, `timeout`, `reset` or `closed`.
    #[must_use]
    pub fn class(&self) -> &'static str {
        self.class.as_str()
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
