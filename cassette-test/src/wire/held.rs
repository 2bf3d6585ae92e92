//! Clients that have not had all of their answer: the recording has no more to say, or the upstream still speaks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cassette_core::report::{Place, Report, Wiring};
use cassette_core::session::Served;

use super::desk::{Desk, truncated};
use super::limits::Limits;

/// How long a client that has had what it wanted may take to close its connection.
const MOMENT: Duration = Duration::from_millis(500);

/// The clients that wait.
#[derive(Debug, Default)]
pub(crate) struct Held {
    waiting: Mutex<BTreeMap<usize, Option<Wanting>>>,
    ended: AtomicBool,
}

/// A client that wants more than it is given.
#[derive(Clone, Debug)]
pub(crate) struct Wanting {
    /// What it is served.
    pub(crate) place: Place,
    /// Why there is no more.
    pub(crate) silence: Silence,
}

/// Why a client is given no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// So many events were recorded.
    Recorded {
        /// How many, or how many chunks where there are no events.
        events: usize,
    },
    /// A fault that the test planned.
    Planned,
    /// It listens, and its server has nothing to say: it may do so until it likes no longer.
    Listening,
}

impl Silence {
    /// Returns why there is nothing at all for a client of this call.
    pub(crate) fn before_all(served: &Served) -> Silence {
        if served.stalls { Silence::Planned } else { Silence::Recorded { events: 0 } }
    }
}

/// One client that waits.
#[derive(Debug)]
pub(crate) struct Hold {
    held: Arc<Held>,
    number: usize,
}

impl Held {
    /// Counts one more client; `wanting` is what it waits for beyond the recording, if that is why it waits.
    pub(crate) fn enter(self: &Arc<Held>, wanting: Option<Wanting>) -> Hold {
        let mut waiting = self.waiting();
        let number = waiting.last_key_value().map_or(0, |(last, _)| last + 1);
        waiting.insert(number, wanting);
        Hold { held: Arc::clone(self), number }
    }

    /// Waits until every client has gone, for a moment at most; those left then are waiting in earnest.
    ///
    /// A client that was dropped just before the test ended may close its connection from a thread of its own, a little
    /// later: it did not wait for more, and must not fail the test.
    pub(crate) async fn settle(&self) {
        let start = tokio::time::Instant::now();
        while !self.waiting().is_empty() && start.elapsed() < MOMENT {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Waits until every client has gone, for a moment at most, on a thread that is not the gateway's.
    pub(crate) fn rest(&self) {
        let start = Instant::now();
        while !self.waiting().is_empty() && start.elapsed() < MOMENT {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends the test: whoever still waits for more than was recorded fails it, and a live call that is still under way is not
    /// filed any more.
    pub(crate) fn end(&self, desk: &dyn Desk) {
        self.ended.store(true, Ordering::SeqCst);
        let waiting = self.waiting();
        // A client that a fault holds may have been left alone: the fault has done what it was for.
        let wanting = waiting.values().flatten().filter(|wanting| matches!(wanting.silence, Silence::Recorded { .. }));
        let first = wanting.min_by_key(|wanting| wanting.place.interaction).cloned();
        drop(waiting);
        if let Some(wanting) = first {
            fail(desk, wanting);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<usize, Option<Wanting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hold {
    /// Returns whether the test ended while this client was waiting.
    #[cfg_attr(not(feature = "_live"), expect(dead_code, reason = "only a live call asks"))]
    pub(crate) fn outlasted(&self) -> bool {
        self.held.ended.load(Ordering::SeqCst)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.held.waiting().remove(&self.number);
    }
}

/// Latches the failure of a client that waits for more than was recorded; returns the one that came first.
pub(crate) fn fail(desk: &dyn Desk, wanting: Wanting) -> Arc<Report> {
    let Wanting { place, silence } = wanting;
    desk.fail(match silence {
        Silence::Recorded { events } => truncated(desk, place, events),
        Silence::Planned | Silence::Listening => Report::Wiring(stalled(&place)),
    })
}

/// Returns the report of a client that waits for ever where a fault keeps silent.
fn stalled(place: &Place) -> Wiring {
    let what = format!(
        "a client still waited, after {} seconds, for {}, which a fault stalls",
        Limits::default().hold.as_secs(),
        place.name
    );
    Wiring::new(what, "give the client a shorter time-out: a program that waits for ever does not survive a stall")
}
