//! What the Model Context Protocol does over HTTP beside its calls: a client listens to its server, and ends its session.

use cassette_core::call::Call;
use cassette_core::mcp::pong;
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};

use super::response::{self, Body};

/// What a request does, as far as it is no ordinary call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is an ordinary call.
    Asks,
    /// It opens a stream for what the server says unasked.
    Listens,
    /// It ends a session.
    Parts,
    /// It asks whether the server is there.
    Pings,
}

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// Returns what a request does (MCP 2025-06-18, "Streamable HTTP").
pub(super) fn role(call: &Call) -> Role {
    let method = call.name.split(' ').next().unwrap_or_default();
    let speaks = call.header(SESSION).is_some() || call.header("mcp-protocol-version").is_some();
    let listens = call.header("accept").is_some_and(|accepted| accepted.contains("text/event-stream"));
    match method {
        "GET" if speaks && listens => Role::Listens,
        "POST" if speaks && pong(&call.body).is_some() => Role::Pings,
        "DELETE" if call.header(SESSION).is_some() => Role::Parts,
        _ => Role::Asks,
    }
}

/// Returns whether the session is one that a recording opened: no server knows it.
pub(super) fn is_recorded_session(call: &Call) -> bool {
    let session = call.header(SESSION).unwrap_or_default();
    cassette_core::redact::headers::stand_in(SESSION, session).is_some_and(|stand_in| stand_in == session)
}

/// Returns the reply to a request that is not recorded: an end, or a ping.
pub(super) fn unrecorded(call: &Call) -> Response<Body> {
    let Some(pong) = pong(&call.body) else { return empty(StatusCode::OK) };
    let mut response = Response::new(response::whole(Bytes::from(pong)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Returns a reply of this status that says nothing else.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(response::whole(Bytes::new()));
    *response.status_mut() = status;
    response
}
