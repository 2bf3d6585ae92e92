//! A client that waits for more than was recorded.

use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use cassette_core::report::{Place, Report};

use super::desk::Desk;
use super::held::{Held, Hold, Silence, Wanting, fail};
use super::reads::Reads;
use super::rhythm::{Clock, Pause, Rhythm};

/// What a recorded answer is played with.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    /// Who is told where a client waits for more than there is.
    pub(crate) desk: Arc<dyn Desk>,
    /// The clients that wait.
    pub(crate) held: Arc<Held>,
    /// How fast a stream is played.
    pub(crate) rhythm: Rhythm,
    /// Who reads it.
    pub(crate) reads: Reads,
    /// How long a client may wait for more than was recorded, and by which clock.
    pub(crate) hold: (Duration, Clock),
}

/// A client that waits for more than was recorded: a failure if it goes on for long, none if it leaves.
#[derive(Debug)]
pub(crate) struct Waiting {
    desk: Arc<dyn Desk>,
    wanting: Wanting,
    limit: Pause,
    _hold: Hold,
}

impl Waiting {
    /// Returns the waiting of a client that is served no more for this reason, and starts now.
    pub(crate) fn new(player: &Player, place: Place, silence: Silence) -> Waiting {
        let wanting = Wanting { place, silence };
        let (limit, clock) = player.hold;
        let hold = player.held.enter(Some(wanting.clone()));
        Waiting { desk: Arc::clone(&player.desk), wanting, limit: clock.pause(limit), _hold: hold }
    }

    /// Returns the failure of a client that has waited too long.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Arc<Report>> {
        if self.wanting.silence == Silence::Listening {
            return Poll::Pending;
        }
        ready!(self.limit.poll(cx));
        Poll::Ready(fail(&*self.desk, self.wanting.clone()))
    }
}
