//! Stories of the gateway over real sockets: a hand-written upstream and a hand-written client, so that every frame and every
//! broken connection is exact. Nothing sleeps: whoever has to wait waits for the other side.

#[cfg(feature = "record")]
mod alone;
#[cfg(feature = "record")]
mod authority;
mod client;
mod notebook;
mod stage;
#[cfg(feature = "record")]
mod story;
#[cfg(feature = "record")]
mod upstream;

#[cfg(feature = "record")]
mod bodies;
#[cfg(feature = "record")]
mod connections;
#[cfg(feature = "record")]
mod departures;
#[cfg(feature = "record")]
mod failures;
#[cfg(feature = "record")]
mod headers;
#[cfg(all(feature = "http2", feature = "record"))]
mod http2;
#[cfg(feature = "record")]
mod limits;
#[cfg(feature = "record")]
mod proxies;
#[cfg(feature = "record")]
mod recordings;
#[cfg(feature = "record")]
mod redirects;
#[cfg(feature = "record")]
mod streams;
#[cfg(feature = "record")]
mod tls;
#[cfg(feature = "record")]
mod trailers;

mod endings;
mod refusals;
mod sessions;

#[cfg(not(feature = "record"))]
mod unrecorded;

use std::time::Duration;

/// How long a test waits for what is certain to come, before it fails rather than hangs.
const PATIENCE: Duration = Duration::from_secs(30);
