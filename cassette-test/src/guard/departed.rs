//! The gateways of tests that have ended: nobody is there any more, and whoever connects there keeps the address of another test.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::attempt::By;
use super::{ScopeId, book};

static DEPARTED: Mutex<Option<HashMap<SocketAddr, Owner>>> = Mutex::new(None);

static TOLD: OnceLock<fn(&Visit)> = OnceLock::new();

#[derive(Clone)]
struct Owner {
    scope: ScopeId,
    test: Arc<str>,
}

/// A connection to a gateway that has ended.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// The gateway's address.
    pub(crate) address: SocketAddr,
    /// The test that had it.
    pub(crate) test: Arc<str>,
    /// Who connects.
    pub(crate) thread: String,
    /// The scope of the thread, where its test has not ended.
    pub(crate) scope: Option<ScopeId>,
}

/// Has this told of each connection to a gateway that has ended.
pub(crate) fn tell(told: fn(&Visit)) {
    let _ = TOLD.set(told);
}

/// Notes that these gateways have ended with their test.
pub(super) fn note(scope: ScopeId, test: &Arc<str>, gateways: &HashSet<SocketAddr>) {
    let mut departed = all();
    let departed = departed.get_or_insert_default();
    gateways.iter().for_each(|address| drop(departed.insert(*address, Owner { scope, test: Arc::clone(test) })));
}

/// Notes that a gateway listens here again: the system gives out a port that is free.
pub(super) fn forget(address: SocketAddr) {
    if let Some(departed) = all().as_mut() {
        departed.remove(&address);
    }
}

/// Tells of a connection of this thread, which is of this scope, if it leads to a gateway that has ended. The address must be canonical.
pub(super) fn visit(scope: ScopeId, address: SocketAddr) {
    let Some(Owner { scope: owner, test }) = all().as_ref().and_then(|departed| departed.get(&address).cloned()) else {
        return;
    };
    // What a test leaves behind may go on asking its own, which answers nobody; and the port may be somebody else's by now.
    if scope == owner {
        return;
    }
    if !is_free(address.port()) {
        return forget(address);
    }
    let is_open = book::find(scope).is_some_and(|entry| entry.is_open());
    let thread = By::this_thread().thread;
    let visit = Visit { address, test, thread, scope: is_open.then_some(scope) };
    if let Some(told) = TOLD.get() {
        let _ = catch_unwind(AssertUnwindSafe(|| told(&visit)));
    }
}

/// Returns whether nobody listens at this port, as far as the system says so.
fn is_free(port: u16) -> bool {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(fs::read_to_string);
    let listens = |table: &str| {
        table.lines().any(|line| {
            // The number, the local address, the remote one and the state, `0A` where it listens (proc_pid_net(5)).
            let mut fields = line.split_whitespace().skip(1);
            let local = fields.next().and_then(|local| local.rsplit_once(':'));
            let is_it = local.is_some_and(|(_, hex)| u16::from_str_radix(hex, 16) == Ok(port));
            is_it && fields.nth(1) == Some("0A")
        })
    };
    tables[0].is_ok() && !tables.iter().flatten().any(|table| listens(table))
}

fn all() -> MutexGuard<'static, Option<HashMap<SocketAddr, Owner>>> {
    DEPARTED.lock().unwrap_or_else(PoisonError::into_inner)
}
