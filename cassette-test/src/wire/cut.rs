//! Bodies that end too early.

use std::convert::Infallible;
use std::sync::Arc;

use cassette_core::report::Report;

/// Why a body ends before it is complete; `E` is what the upstream's connection says itself.
#[derive(Debug)]
pub(crate) enum Cut<E = Infallible> {
    /// The connection to the upstream broke.
    #[cfg_attr(not(feature = "_live"), expect(dead_code, reason = "only a live body breaks so"))]
    Live(E),
    /// It broke when it was recorded.
    Recorded,
    /// It cannot go on, and the test has failed.
    #[cfg_attr(
        not(feature = "_adapters"),
        expect(dead_code, reason = "a connection says nothing more than that it ends")
    )]
    Failed(Arc<Report>),
}
