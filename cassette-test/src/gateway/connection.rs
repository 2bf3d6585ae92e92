//! One connection of a client, from accept to close.

use std::sync::Arc;

use tokio::net::TcpStream;

use super::commons::Commons;
use super::origin::Origin;
use super::watch::Watch;
use super::{http1, http2};

/// Serves a connection until either side ends it. Both kinds of HTTP share the port: the first bytes tell.
pub(super) async fn serve(commons: Arc<Commons>, origin: Origin, stream: TcpStream) {
    let watch = Watch::over(&commons);
    // Without it the second small chunk waits for the acknowledgement of the first; a socket that refuses works as well.
    let _ = stream.set_nodelay(true);
    if let Some(stream) = http2::serve(&commons, &origin, stream).await {
        http1::serve(&commons, &origin, stream).await;
    }
    drop(watch);
}
