//! How much is kept in memory, and how long is waited.

use std::time::Duration;

/// How much is kept in memory, and how long is waited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The greatest request body, in bytes.
    pub(crate) request: usize,
    /// The greatest reply body while recording, in bytes.
    #[cfg_attr(not(feature = "_live"), expect(dead_code, reason = "a build that only replays keeps none"))]
    pub(crate) reply: usize,
    /// How long a client may wait for more than was recorded.
    pub(crate) hold: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { request: 64 << 20, reply: 256 << 20, hold: Duration::from_secs(10) }
    }
}
