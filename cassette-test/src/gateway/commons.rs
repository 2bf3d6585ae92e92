//! What all connections of a session share.

use std::sync::Arc;
use std::time::Duration;

use super::listeners::Listeners;
use super::upstream::Upstream;
use crate::options::Pace;
use crate::wire::{Clock, Desk, Limits, Player, Reads, Rhythm};

/// The least pause between two chunks. Without it a client finds several in its socket at once and cuts them where its
/// read buffer ends; a timer of tokio's cannot pause for less.
pub(super) const LEAST: Duration = Duration::from_millis(1);

/// What all connections of a session share.
#[derive(Debug)]
pub(super) struct Commons {
    /// Where calls are taken, and what recorded answers are played with.
    pub(super) player: Player,
    /// The addresses.
    pub(super) listeners: Listeners,
    /// How much is kept in memory, and how long is waited.
    pub(super) limits: Limits,
    /// How upstreams are called.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays calls none"))]
    pub(super) upstream: Upstream,
}

impl Commons {
    /// Returns what connections share that take their calls to this desk.
    pub(super) fn new(desk: Arc<dyn Desk>, listeners: Listeners, limits: Limits, pace: Pace) -> Commons {
        let rhythm = Rhythm { pace, least: LEAST, clock: Clock::Runtime };
        let player =
            Player { desk, held: Arc::default(), rhythm, reads: Reads::Ahead, hold: (limits.hold, Clock::Runtime) };
        Commons { player, listeners, limits, upstream: Upstream::new() }
    }
}
