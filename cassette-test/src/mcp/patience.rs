//! Clients that wait for an answer that was never recorded.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use cassette_core::mcp::{Connection, Say};
use cassette_core::report::{Place, Report};
use cassette_core::session::Session;

use crate::wire::truncated;

/// The watches over the requests of one connection that are answered no more. They end with it.
#[derive(Debug)]
pub(super) struct Patience {
    limit: Duration,
    watches: Mutex<BTreeMap<u64, Sender<()>>>,
}

/// A request that is answered no more, on its connection.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) session: Weak<Session>,
    pub(super) connection: Weak<Mutex<Connection>>,
    pub(super) number: u64,
}

impl Patience {
    /// Returns the patience with clients that may wait so long.
    pub(super) fn new(limit: Duration) -> Patience {
        Patience { limit, watches: Mutex::default() }
    }

    /// Watches a request, on a thread of its own; a second time, nothing happens.
    pub(super) fn watch<F: Fn(Vec<Say>) + Clone + Send + 'static>(&self, watched: Watched, tell: &F) {
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        if watches.contains_key(&watched.number) {
            return;
        }
        let (stop, stopped) = mpsc::channel();
        watches.insert(watched.number, stop);
        let (limit, tell) = (self.limit, tell.clone());
        let watch = thread::Builder::new().name("cassette-alarm".to_owned());
        // Where the machine has no thread to give the client waits on, as it would without a cassette.
        let _ = watch.spawn(move || wait(&watched, (limit, &stopped), tell));
    }
}

/// Waits until the client has waited too long, or does so no more.
///
/// A client need not say that it has given up, and a program that goes on has. So what counts is the time in which the test asks
/// nothing else.
fn wait(watched: &Watched, (limit, stopped): (Duration, &Receiver<()>), tell: impl Fn(Vec<Say>)) {
    let calls = || watched.session.upgrade().map(|session| session.call_count());
    let mut before = calls();
    while stopped.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
        let now = calls();
        if now == before {
            return tell(overdue(watched));
        }
        before = now;
    }
}

/// Fails the test of a client that still waits, and returns what it is told.
fn overdue(Watched { session, connection, number }: &Watched) -> Vec<Say> {
    let (Some(open), Some(connection)) = (session.upgrade(), connection.upgrade()) else { return Vec::new() };
    let mut connection = super::connections::lock(&connection);
    let Some(withheld) = connection.withheld().find(|withheld| withheld.number == *number).cloned() else {
        return Vec::new();
    };
    let place = Place { interaction: withheld.index + 1, name: withheld.name, asks: None };
    let report: Arc<Report> = open.fail(truncated(session, place, withheld.events));
    connection.overdue(*number, &report)
}
