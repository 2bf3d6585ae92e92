//! Something that wanted to leave the machine.

use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Instant;

/// Ports that are asked by datagrams: names, addresses, time, and who is near (IANA, Service Name and Port Number Registry).
const DATAGRAMS: [u16; 8] = [53, 67, 123, 137, 161, 1900, 5353, 5355];

/// One call that led outside. Under [`GuardMode::Deny`](super::GuardMode) it failed.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// The host name, if the scope has looked one up that leads to this address.
    pub(crate) host: Option<String>,
    /// Where it wanted to go; nothing when a name was to be looked up.
    pub(crate) addr: Option<SocketAddr>,
    /// The name of the thread, or its id if it has none.
    pub(crate) thread: String,
    /// The process, where it is another one: its number and its program.
    pub(crate) process: Option<String>,
    /// When it happened.
    pub(crate) at: Instant,
    /// The function of libc, or the system call.
    pub(crate) call: &'static str,
    /// Whether the scope had ended already.
    pub(crate) late: bool,
    /// The test whose scope it is.
    pub(crate) test: Arc<str>,
}

impl Attempt {
    /// Returns the host: by name where it is known, else by address. On this machine the port says which server it is.
    pub(crate) fn host(&self) -> String {
        match (&self.host, self.addr) {
            (_, Some(addr)) if addr.ip().to_canonical().is_loopback() => self.place(),
            (Some(host), _) if host.is_empty() => "a host without a name".to_owned(),
            (Some(host), _) => host.clone(),
            (None, Some(addr)) => addr.ip().to_string(),
            (None, None) => "an unknown host".to_owned(),
        }
    }

    /// Whether this was, most likely, a datagram: it was sent without a connection, or is for a service that is asked so.
    pub(crate) fn is_datagram(&self) -> bool {
        let Some(port) = self.addr.map(|addr| addr.port()) else { return false };
        // A datagram to a port of the web is HTTP/3, or TCP that is opened fast.
        DATAGRAMS.contains(&port) || self.call.starts_with("send") && ![80, 443].contains(&port)
    }

    /// Returns the host, with the port where it is known.
    pub(crate) fn place(&self) -> String {
        match (&self.host, self.addr) {
            (Some(host), Some(addr)) => format!("{host}:{}", addr.port()),
            (None, Some(addr)) => addr.to_string(),
            (_, None) => self.host(),
        }
    }
}

static TOLD_LATE: OnceLock<fn(&Attempt)> = OnceLock::new();

/// Has this told of each attempt that is denied in a scope which has ended: nobody of it is there any more.
pub(crate) fn tell_late(told: fn(&Attempt)) {
    let _ = TOLD_LATE.set(told);
}

/// Tells of an attempt in a scope which has ended.
pub(super) fn late(attempt: &Attempt) {
    if let Some(told) = TOLD_LATE.get() {
        let _ = catch_unwind(AssertUnwindSafe(|| told(attempt)));
    }
}

/// Who attempted something.
#[derive(Clone, Debug)]
pub(super) struct By {
    /// The thread.
    pub(super) thread: String,
    /// The process, where it is another one.
    pub(super) process: Option<String>,
}

impl By {
    /// Returns this thread.
    pub(super) fn this_thread() -> By {
        By { thread: thread_name(), process: None }
    }
}

/// Returns what to call this thread in a report.
fn thread_name() -> String {
    // In the last destructors of a thread the standard library panics instead of answering.
    catch_unwind(thread::current).map_or_else(
        |_| "a thread that is ending".to_owned(),
        |thread| thread.name().map_or_else(|| format!("{:?}", thread.id()), str::to_owned),
    )
}
