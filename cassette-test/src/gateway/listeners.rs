//! Which of the gateway's own addresses stands for which upstream, and under which name.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc::UnboundedSender;

use super::origin::Origin;

/// What the gateway's thread is told.
#[derive(Debug)]
pub(super) enum Errand {
    /// To serve this upstream here.
    Listen(Origin, TcpListener),
    /// To end.
    Stop,
}

/// The listeners of one session: one for each upstream, opened when it is first named.
#[derive(Debug)]
pub(super) struct Listeners {
    known: Mutex<Vec<Known>>,
    /// The port of the next listener; 0 for any that is free.
    next: AtomicU16,
    thread: UnboundedSender<Errand>,
}

#[derive(Debug)]
struct Known {
    /// Under which name calls are recorded: an alias, or the upstream's own.
    name: Origin,
    /// Where calls go.
    upstream: Origin,
    address: SocketAddr,
}

impl Listeners {
    /// Returns no listeners yet; those opened later are handed to the thread at the other end.
    pub(super) fn new(thread: UnboundedSender<Errand>) -> Listeners {
        Listeners { known: Mutex::default(), next: AtomicU16::new(0), thread }
    }

    /// Lets the first listener have this port, and each one after it the next.
    pub(super) fn start_at(&self, port: u16) {
        self.next.store(port, Ordering::SeqCst);
    }

    /// Returns the address that stands for the upstream of this name, opening a listener where there is none: calls go to
    /// `upstream`.
    ///
    /// The socket is bound here, by the caller, so that a client may connect before the thread has taken it over.
    ///
    /// # Errors
    ///
    /// Fails where no socket can be had, or the gateway was stopped.
    pub(super) fn address(&self, name: &Origin, upstream: &Origin) -> io::Result<SocketAddr> {
        if self.thread.is_closed() {
            return Err(io::Error::other("it was stopped"));
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.iter().find(|known| known.name == *name) {
            return Ok(known.address);
        }
        let port = self.next.load(Ordering::SeqCst);
        let taken = |error: io::Error| io::Error::new(error.kind(), format!("port {port}: {error}"));
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = if port > 0 { bound.map_err(taken)? } else { bound? };
        if port > 0 {
            self.next.store(port.wrapping_add(1), Ordering::SeqCst);
        }
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        self.thread.send(Errand::Listen(name.clone(), listener)).map_err(|_| io::Error::other("it was stopped"))?;
        known.push(Known { name: name.clone(), upstream: upstream.clone(), address });
        Ok(address)
    }

    /// Returns where the calls of this name go, if it stands for something.
    pub(super) fn upstream(&self, name: &Origin) -> Option<Origin> {
        self.find(|known| known.name == *name).map(|(_, upstream)| upstream)
    }

    /// Returns the alias under which this upstream is known to a reply from the upstream named `from`; its own alias goes over
    /// another's.
    pub(super) fn alias(&self, upstream: &Origin, from: &Origin) -> Option<Origin> {
        let has_alias = |known: &Known| known.upstream == *upstream && known.name != *upstream;
        if from == upstream {
            return None;
        }
        let own = self.find(|known| has_alias(known) && known.name == *from);
        own.or_else(|| self.find(has_alias)).map(|(name, _)| name)
    }

    /// Returns the name of the upstream for which this authority, `127.0.0.1:port` or `localhost:port`, stands.
    pub(super) fn origin(&self, authority: &str) -> Option<Origin> {
        let (host, port) = authority.rsplit_once(':')?;
        let port: u16 = port.parse().ok()?;
        if host != "127.0.0.1" && !host.eq_ignore_ascii_case("localhost") {
            return None;
        }
        self.find(|known| known.address.port() == port).map(|(name, _)| name)
    }

    /// Returns the name and the upstream of the first listener of which this holds.
    fn find(&self, holds: impl Fn(&Known) -> bool) -> Option<(Origin, Origin)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|known| holds(known))?;
        Some((found.name.clone(), found.upstream.clone()))
    }

    /// Tells the thread to end.
    pub(super) fn stop(&self) {
        // The thread may have ended already, and then there is nobody to be told.
        let _ = self.thread.send(Errand::Stop);
    }
}
