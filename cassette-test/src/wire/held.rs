//! Clients that have not had all of their answer: the recording has no more to say, or the upstream still speaks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cassette_core::report::{Place, Report};

use super::desk::{Desk, truncated};

/// How long a client that has had what it wanted may take to close its connection.
const MOMENT: Duration = Duration::from_millis(500);

/// The clients that wait.
#[derive(Debug, Default)]
pub(crate) struct Held {
    waiting: Mutex<BTreeMap<usize, Option<Wanting>>>,
    ended: AtomicBool,
}

/// A client that wants more than was recorded.
#[derive(Clone, Debug)]
pub(crate) struct Wanting {
    /// What it is served.
    pub(crate) place: Place,
    /// How many events were recorded.
    pub(crate) events: usize,
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
        let first = waiting.values().flatten().min_by_key(|wanting| wanting.place.interaction).cloned();
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
    desk.fail(truncated(desk, wanting.place, wanting.events))
}
