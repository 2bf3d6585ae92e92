//! The connections of one session.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use cassette_core::mcp::{Connection, Say};
#[cfg(feature = "rmcp")]
use cassette_core::report::Report;
use cassette_core::report::Wiring;
use cassette_core::session::Session;

/// The connections of one session that somebody still holds.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    known: Mutex<Vec<Weak<Mutex<Connection>>>>,
}

/// One connection, as a seam holds it. The session is held weakly: a client may outlive its test.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    session: Weak<Session>,
    connection: Arc<Mutex<Connection>>,
}

impl Connections {
    /// Returns a new connection.
    pub(crate) fn open(&self, session: &Arc<Session>, connection: Connection) -> Line {
        let connection = Arc::new(Mutex::new(connection));
        let mut known = lock(&self.known);
        known.retain(|known| known.strong_count() > 0);
        known.push(Arc::downgrade(&connection));
        Line { session: Arc::downgrade(session), connection }
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
        Ok(self.connection().from_client(text, &session))
    }

    /// Returns the connection.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        lock(&self.connection)
    }

    /// Fails the test: the server cannot be reached as it has to be.
    #[cfg(feature = "rmcp")]
    pub(crate) fn fail(&self, what: String) {
        if let Some(session) = self.session.upgrade() {
            session.fail(Report::Wiring(Wiring::new(what, "see that the server can be started, and record again")));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
