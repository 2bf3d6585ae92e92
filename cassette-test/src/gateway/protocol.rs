//! Which HTTP is spoken.

use hyper::Version;

/// Which HTTP a client speaks to the gateway. The upstream is spoken to in the same, where it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// HTTP/1.0 or HTTP/1.1.
    Http1,
    /// HTTP/2, without TLS and without asking first ("prior knowledge", RFC 9113 section 3.3).
    Http2,
}

impl Protocol {
    /// Returns the protocol of a request of this version.
    pub(super) fn of(version: Version) -> Protocol {
        if version == Version::HTTP_2 { Protocol::Http2 } else { Protocol::Http1 }
    }
}
