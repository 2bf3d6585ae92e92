//! A build that only replays has no client.

/// How upstreams are called: not at all.
#[derive(Debug)]
pub(super) struct Upstream;

impl Upstream {
    /// Returns what stands for the client in a build that has none.
    pub(super) fn new() -> Upstream {
        Upstream
    }
}
