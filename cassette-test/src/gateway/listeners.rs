//! Which of the gateway's own addresses stands for which upstream.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc::UnboundedSender;

use super::origin::Origin;

/// What the gateway's thread is told.
#[derive(Debug)]
pub(super) enum Order {
    /// To serve this upstream here.
    Listen(Origin, TcpListener),
    /// To end.
    Stop,
}

/// The listeners of one session: one for each upstream, opened when it is first named.
#[derive(Debug)]
pub(super) struct Listeners {
    known: Mutex<Vec<(Origin, SocketAddr)>>,
    thread: UnboundedSender<Order>,
}

impl Listeners {
    /// Returns no listeners yet; those opened later are handed to the thread at the other end.
    pub(super) fn new(thread: UnboundedSender<Order>) -> Listeners {
        Listeners { known: Mutex::default(), thread }
    }

    /// Returns the address that stands for this upstream, opening a listener where there is none.
    ///
    /// The socket is bound here, by the caller, so that a client may connect before the thread has taken it over.
    ///
    /// # Errors
    ///
    /// Fails where no socket can be had, or the gateway was stopped.
    pub(super) fn address(&self, origin: &Origin) -> io::Result<SocketAddr> {
        if self.thread.is_closed() {
            return Err(io::Error::other("it was stopped"));
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, address)) = known.iter().find(|(other, _)| other == origin) {
            return Ok(*address);
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        self.thread.send(Order::Listen(origin.clone(), listener)).map_err(|_| io::Error::other("it was stopped"))?;
        known.push((origin.clone(), address));
        Ok(address)
    }

    /// Returns the upstream for which this authority, `127.0.0.1:port` or `localhost:port`, stands.
    pub(super) fn origin(&self, authority: &str) -> Option<Origin> {
        let (host, port) = authority.rsplit_once(':')?;
        let port: u16 = port.parse().ok()?;
        if host != "127.0.0.1" && !host.eq_ignore_ascii_case("localhost") {
            return None;
        }
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(_, address)| address.port() == port).map(|(origin, _)| origin.clone())
    }

    /// Tells the thread to end.
    pub(super) fn stop(&self) {
        // The thread may have ended already, and then there is nobody to be told.
        let _ = self.thread.send(Order::Stop);
    }
}
