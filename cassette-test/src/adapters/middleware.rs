//! The middleware that a test gives to its client.

use std::sync::Arc;

use cassette_core::report::Report;

use super::seam::Seam;
use crate::cassette::Cassette;

/// A middleware that takes a client's calls to a cassette, for each client that has a feature here.
#[derive(Clone, Debug)]
pub struct Middleware {
    pub(super) seam: Seam,
}

impl Cassette {
    /// Returns the middleware to give to a client, after every other one: what the client asks goes through the cassette.
    ///
    /// With reqwest-middleware 0.5 (feature `reqwest-middleware`) or 0.4 (`reqwest-middleware-04`):
    ///
    #[cfg_attr(feature = "reqwest-middleware", doc = "```no_run")]
    #[cfg_attr(not(feature = "reqwest-middleware"), doc = "```ignore")]
    /// # let cassette = cassette_test::Cassette::current();
    /// let client = reqwest_middleware::ClientBuilder::new(reqwest::Client::new())
    ///     .with(cassette.middleware())
    ///     .build();
    /// ```
    ///
    /// With ureq 3 (feature `ureq`), whose agents it leads to the gateway, whatever the URL:
    ///
    #[cfg_attr(feature = "ureq", doc = "```no_run")]
    #[cfg_attr(not(feature = "ureq"), doc = "```ignore")]
    /// # let cassette = cassette_test::Cassette::current();
    /// let agent: ureq::Agent = ureq::Agent::config_builder().middleware(cassette.middleware()).build().into();
    /// ```
    ///
    /// A layer that retries stands before it, and meets an error that it does not retry where the cassette fails.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    #[must_use]
    pub fn middleware(&self) -> Middleware {
        match self.try_middleware() {
            Ok(middleware) => middleware,
            Err(report) => panic!("{report}"),
        }
    }

    /// Returns the middleware to give to a client, as [`middleware`](Cassette::middleware) does.
    ///
    /// # Errors
    ///
    /// Fails where the test's name hangs on its arguments, and the test has not begun.
    pub fn try_middleware(&self) -> Result<Middleware, Arc<Report>> {
        Ok(Middleware { seam: Seam::of(self.as_scope())? })
    }
}
