//! The connections of one session.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use cassette_core::mcp::{Connection, Say};
use cassette_core::report::{Report, Wiring};
use cassette_core::session::Session;

use super::patience::{Patience, Watched};
use super::turns::{Speaker, Turns};
use crate::wire::Limits;

/// The connections of one session that somebody still holds.
#[derive(Debug)]
pub(crate) struct Connections {
    known: Mutex<Vec<Weak<Mutex<Connection>>>>,
    turns: Arc<Turns>,
    /// How long a client may wait for an answer that was never recorded.
    hold: Duration,
}

impl Default for Connections {
    fn default() -> Connections {
        Connections::holding(Limits::default().hold)
    }
}

/// One connection, as a seam holds it. The session is held weakly: a client may outlive its test.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    session: Weak<Session>,
    connection: Arc<Mutex<Connection>>,
    speaker: Speaker,
    turns: Arc<Turns>,
    patience: Arc<Patience>,
}

impl Connections {
    /// Returns none, whose clients may wait so long for an answer that was never recorded.
    pub(super) fn holding(hold: Duration) -> Connections {
        Connections { known: Mutex::default(), turns: Arc::default(), hold }
    }

    /// Returns a new connection.
    pub(crate) fn open(&self, session: &Arc<Session>, connection: Connection) -> Line {
        let connection = Arc::new(Mutex::new(connection));
        let mut known = lock(&self.known);
        known.retain(|known| known.strong_count() > 0);
        known.push(Arc::downgrade(&connection));
        let (speaker, turns) = (self.turns.another(), Arc::clone(&self.turns));
        let patience = Arc::new(Patience::new(self.hold));
        Line { session: Arc::downgrade(session), connection, speaker, turns, patience }
    }

    /// Ends them all: what servers have said by now is recorded.
    pub(crate) fn end(&self) {
        let known = std::mem::take(&mut *lock(&self.known));
        known.iter().filter_map(Weak::upgrade).for_each(|connection| lock(&connection).close());
    }
}

impl Line {
    /// Takes a message of the client's.
    ///
    /// # Errors
    ///
    /// Fails where the session has ended.
    pub(crate) fn hear_client(&self, text: &str) -> Result<Vec<Say>, Wiring> {
        let session = self.session.upgrade().ok_or_else(|| {
            let what = "an MCP client was used after its test had ended";
            Wiring::new(what, "finish every task before the test returns")
        })?;
        let mut connection = self.connection();
        if let Err(report) = self.turns.speaks(self.speaker, connection.server()) {
            session.fail(Report::Wiring(report));
        }
        Ok(connection.from_client(text, &session))
    }

    /// Takes a message of the server's.
    pub(crate) fn hear_server(&self, text: &str) -> Vec<Say> {
        match self.session.upgrade() {
            Some(session) => self.connection().from_server(text, &session),
            None => Vec::new(),
        }
    }

    /// Watches the requests that are answered no more: a client that waits for one is told so, by this, once it has waited for
    /// long, and its test fails.
    pub(crate) fn attend<F: Fn(Vec<Say>) + Clone + Send + 'static>(&self, tell: &F) {
        let numbers: Vec<u64> = self.connection().withheld().map(|withheld| withheld.number).collect();
        for number in numbers {
            let watched =
                Watched { session: self.session.clone(), connection: Arc::downgrade(&self.connection), number };
            self.patience.watch(watched, tell);
        }
    }

    /// Returns the connection.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        lock(&self.connection)
    }

    /// Fails the test: somebody, a client or a server, says what is no text.
    pub(crate) fn refuse_bytes(&self, whose: &str, text: &str) {
        if let Some(session) = self.session.upgrade() {
            let what = format!("an MCP {whose} sent a line that is no UTF-8, and cannot be recorded: {text}");
            session.fail(Report::Wiring(Wiring::new(what, "let it send one message of JSON-RPC 2.0 a line, in UTF-8")));
        }
    }

    /// Fails the test: the server cannot be reached as it has to be.
    #[cfg(feature = "rmcp")]
    pub(crate) fn fail(&self, what: String) {
        if let Some(session) = self.session.upgrade() {
            session.fail(Report::Wiring(Wiring::new(what, "see that the server can be started, and record again")));
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
