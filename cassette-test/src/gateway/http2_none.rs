//! HTTP/2 in a build without the feature `http2`: refused, by the feature's name.

use std::sync::Arc;

use cassette_core::report::Wiring;
use tokio::net::TcpStream;

use super::commons::Commons;
use super::origin::Origin;

/// Gives every connection back.
#[expect(clippy::unused_async, reason = "the build that speaks it has to wait here")]
pub(super) async fn serve(_: &Arc<Commons>, _: &Origin, stream: TcpStream) -> Option<TcpStream> {
    Some(stream)
}

/// Returns the report of a client that speaks HTTP/2.
pub(super) fn unheard(origin: &Origin) -> Wiring {
    Wiring::new(
        format!(
            "a client of {origin} speaks HTTP/2 to the gateway, and cassette-test was built without the feature `http2`"
        ),
        "cassette-test = { version = \"..\", features = [\"http2\"] }",
    )
}
