//! The reply a client is given.

use cassette_core::call::Header;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Response, StatusCode};

use super::abort::Abort;
use super::commons::Commons;
use super::headers;
use super::origin::Origin;
use super::protocol::Protocol;
use crate::wire;

/// A reply's body: whole, played back, or live.
pub(super) type Body = UnsyncBoxBody<Bytes, Abort>;

/// Returns a body that is sent in one piece, its length announced.
pub(super) fn whole(bytes: Bytes) -> Body {
    Full::new(bytes).map_err(|never| match never {}).boxed_unsync()
}

/// Returns the reply that a client is given: as it was recorded, but that a redirect leads to the gateway of its server.
pub(super) fn reply(commons: &Commons, origin: &Origin, head: (StatusCode, &[Header]), body: Body) -> Response<Body> {
    let (status, headers) = head;
    let mut map = wire::map(headers);
    for (_, value) in headers.iter().filter(|(name, _)| name == "location") {
        let mapped = headers::location(value, origin, &commons.listeners);
        if let Some(value) = mapped.as_deref().and_then(wire::value_of) {
            map.insert(hyper::header::LOCATION, value);
        }
    }
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = map;
    response
}

/// Says which headers come after the body: over HTTP/1.1 no other may, over HTTP/2 nobody asks.
pub(super) fn announce(response: &mut Response<Body>, protocol: Protocol, trailers: &str) {
    if let (Protocol::Http1, false, Some(names)) = (protocol, trailers.is_empty(), wire::value_of(trailers)) {
        response.headers_mut().insert(hyper::header::TRAILER, names);
    }
}
