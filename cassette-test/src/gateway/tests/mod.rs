//! Stories of the gateway over real sockets: a hand-written upstream and a hand-written client, so that every frame and every
//! broken connection is exact. Nothing sleeps: whoever has to wait waits for the other side.

mod alone;
mod authority;
mod client;
mod notebook;
mod story;
mod upstream;

mod bodies;
mod connections;
mod endings;
mod failures;
mod headers;
mod proxies;
mod redirects;
mod refusals;
mod sessions;
mod streams;
mod tls;

use std::time::Duration;

/// How long a test waits for what is certain to come, before it fails rather than hangs.
const PATIENCE: Duration = Duration::from_secs(30);
