//! Clients that have not had all of their answer: the recording has no more to say, or the upstream still speaks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a client that has had what it wanted may take to close its connection.
const MOMENT: Duration = Duration::from_millis(500);

/// Counts the clients that wait.
#[derive(Debug, Default)]
pub(super) struct Held {
    waiting: AtomicUsize,
    ended: AtomicBool,
}

/// One client that waits.
#[derive(Debug)]
pub(super) struct Hold {
    held: Arc<Held>,
}

impl Held {
    /// Counts one more client.
    pub(super) fn enter(self: &Arc<Held>) -> Hold {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        Hold { held: Arc::clone(self) }
    }

    /// Waits until every client has gone, for a moment at most; those left then are waiting in earnest.
    ///
    /// A client that was dropped just before the test ended may close its connection from a thread of its own, a little
    /// later: it did not wait for more, and must not fail the test.
    pub(super) async fn settle(&self) {
        let start = tokio::time::Instant::now();
        while self.waiting.load(Ordering::SeqCst) > 0 && start.elapsed() < MOMENT {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        self.ended.store(true, Ordering::SeqCst);
    }

    /// Waits until every client has gone, for a moment at most, on a thread that is not the gateway's.
    pub(super) fn rest(&self) {
        let start = Instant::now();
        while self.waiting.load(Ordering::SeqCst) > 0 && start.elapsed() < MOMENT {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Hold {
    /// Returns whether the test ended while this client was waiting.
    pub(super) fn outlasted(&self) -> bool {
        self.held.ended.load(Ordering::SeqCst)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.held.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
