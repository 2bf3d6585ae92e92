//! What no seam for HTTP does.

use cassette_core::report::Wiring;

use super::desk::Desk;

/// Returns the report of a call whose request is longer than is kept.
pub(crate) fn too_long(desk: &dyn Desk, name: &str, limit: usize) -> Wiring {
    Wiring::new(
        format!("{} sends more than {limit} bytes", desk.shown(name)),
        "a request of this size cannot be recorded; send less, or call the upstream outside the cassette",
    )
}

/// Returns the report of a client that asked this URL to speak WebSocket.
pub(crate) fn websocket(url: &str) -> Wiring {
    Wiring::new(
        format!("a client asked to speak WebSocket to {url}"),
        "WebSocket is not supported yet; use the service's HTTP interface in this test",
    )
}
