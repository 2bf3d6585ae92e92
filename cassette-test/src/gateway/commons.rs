//! What all connections of a session share.

use std::sync::Arc;
use std::time::Duration;

use super::desk::Desk;
use super::held::Held;
use super::listeners::Listeners;
use super::upstream::Upstream;
use crate::options::Pace;

/// What all connections of a session share.
#[derive(Debug)]
pub(super) struct Commons {
    /// Where calls are taken.
    pub(super) desk: Arc<dyn Desk>,
    /// The addresses.
    pub(super) listeners: Listeners,
    /// The clients that wait, for more than was recorded or for a live reply.
    pub(super) held: Arc<Held>,
    /// How much is kept in memory, and how long is waited.
    pub(super) limits: Limits,
    /// How fast a recorded stream is played.
    pub(super) pace: Pace,
    /// How upstreams are called.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays calls none"))]
    pub(super) upstream: Upstream,
}

/// How much is kept in memory, and how long is waited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The greatest request body, in bytes.
    pub(super) request: usize,
    /// The greatest reply body while recording, in bytes.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays keeps none"))]
    pub(super) reply: usize,
    /// How long a client may wait for more than was recorded.
    pub(super) hold: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { request: 64 << 20, reply: 256 << 20, hold: Duration::from_secs(10) }
    }
}
