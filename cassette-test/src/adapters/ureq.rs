//! The middleware for ureq 3.
//!
//! It leads each call to the gateway that stands for its server, and answers none itself: an agent turns a status into an
//! error, follows redirects and notes the address of a reply below its middleware, and a reply that did not come that way
//! lacks all three. An agent blocks, so that no paused clock stands against a socket.

use std::sync::Arc;

use cassette_core::report::Report;
use ureq::http::{Request, Response, Uri};
use ureq::middleware::MiddlewareNext;
use ureq::{Body, Error, SendBody};

use super::middleware::Middleware;

impl ureq::middleware::Middleware for Middleware {
    fn handle(&self, mut request: Request<SendBody>, next: MiddlewareNext) -> Result<Response<Body>, Error> {
        *request.uri_mut() = self.seam.gateway_of(&request).map_err(error)?;
        let reply = self.seam.run(|| next.handle(request));
        match self.seam.failure() {
            // The gateway has answered with it, and the agent may have kept no more of that than the status.
            Some(report) => Err(error(report)),
            None => reply,
        }
    }
}

fn error(report: Arc<Report>) -> Error {
    Error::Other(Box::new(report))
}

impl super::seam::Seam {
    /// Returns the URL at the gateway that stands for that of this request.
    fn gateway_of(&self, request: &Request<SendBody>) -> Result<Uri, Arc<Report>> {
        let uri = request.uri();
        let (scheme, authority) = (uri.scheme_str().unwrap_or_default(), uri.authority());
        let method = request.method().as_str();
        let base =
            self.base_url(method, &format!("{scheme}://{}", authority.map_or("", |authority| authority.as_str())))?;
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        Ok(format!("{base}{path}").parse().unwrap_or_else(|_| uri.clone()))
    }
}
