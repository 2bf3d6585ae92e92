//! The gateways of one session, as its test holds them.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use cassette_core::report::{Report, Wiring};
use cassette_core::session::Session;
use once_cell::sync::OnceCell;

use super::base;
use super::commons::Commons;
#[cfg(feature = "_adapters")]
use super::origin::Origin;
use super::thread;
use crate::options::{Pace, Port};
use crate::wire::{Desk, Limits};

/// The gateways of one session: an address on 127.0.0.1 for each upstream, and one thread that serves them all.
///
/// The thread starts with the first address, so that a session that makes no HTTP call pays nothing.
#[derive(Debug)]
pub(crate) struct Gateways {
    limits: Limits,
    pace: Pace,
    port: Option<Port>,
    running: OnceCell<Running>,
}

#[derive(Debug)]
struct Running {
    commons: Arc<Commons>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Gateways {
    /// Returns no gateways yet; those to come play recorded streams at this pace.
    pub(crate) fn new(pace: Pace) -> Gateways {
        Gateways { limits: Limits::default(), pace, port: None, running: OnceCell::new() }
    }

    /// Gives the first gateway this port, and those after it the next ones; without one, any that is free.
    pub(crate) fn starting_at(mut self, port: Option<Port>) -> Gateways {
        self.port = port;
        self
    }

    /// Returns gateways with other limits than the usual ones.
    #[cfg(test)]
    pub(super) fn limited(limits: Limits) -> Gateways {
        Gateways { limits, pace: Pace::Instant, port: None, running: OnceCell::new() }
    }

    /// Returns the address that stands for this base URL: `http://127.0.0.1:port` and the URL's path, its trailing slash as
    /// given. The same server has the same address however often it is named.
    ///
    /// # Errors
    ///
    /// Fails for a text that is no base URL, and where no listener can be had. The failure is not latched: it is the
    /// caller's to raise.
    pub(crate) fn base_url(&self, session: &Arc<Session>, url: &str) -> Result<String, Arc<Report>> {
        self.address(None, url, || Arc::new(Arc::downgrade(session)))
    }

    /// Returns the address that stands for this base URL, whose calls are recorded as if this alias were the server's name: for
    /// a server whose port differs from run to run.
    ///
    /// # Errors
    ///
    /// Fails as [`base_url`](Gateways::base_url) does, for an alias that is no host's name, and for one that stands for another
    /// server.
    pub(crate) fn upstream(&self, session: &Arc<Session>, alias: &str, url: &str) -> Result<String, Arc<Report>> {
        self.address(Some(alias), url, || Arc::new(Arc::downgrade(session)))
    }

    /// Returns the address that stands for this base URL; the calls made there are taken to this desk.
    pub(super) fn address(
        &self,
        alias: Option<&str>,
        url: &str,
        desk: impl FnOnce() -> Arc<dyn Desk>,
    ) -> Result<String, Arc<Report>> {
        let (upstream, path) = base::parse(url).map_err(wiring)?;
        let name = alias.map_or_else(|| Ok(upstream.clone()), |alias| base::alias(alias, &upstream)).map_err(wiring)?;
        let running = self.running.get_or_try_init(|| self.start(desk())).map_err(wiring)?;
        let listeners = &running.commons.listeners;
        if let Some(other) = listeners.upstream(&name).filter(|other| *other != upstream) {
            let what = format!("{name} stands for {other} in this test, and cannot stand for {upstream} too");
            return Err(wiring(Wiring::new(what, "give each upstream an alias of its own")));
        }
        let address = listeners.address(&name, &upstream).map_err(|err| {
            let otherwise = "ask for it while the test runs, and see that a socket on 127.0.0.1 can be bound";
            let instead = self.port.as_ref().map_or(otherwise, |port| &port.instead);
            wiring(Wiring::new(format!("the gateway has no address for {name}: {err}"), instead))
        })?;
        Ok(format!("http://{address}{path}"))
    }

    fn start(&self, desk: Arc<dyn Desk>) -> Result<Running, Wiring> {
        let running = Running::start(desk, self.limits, self.pace)?;
        running.commons.listeners.start_at(self.port.as_ref().map_or(0, |port| port.first));
        Ok(running)
    }

    /// Returns the upstream for which this URL's address, one of these, stands.
    #[cfg(feature = "_adapters")]
    pub(crate) fn upstream_of(&self, url: &str) -> Option<String> {
        let (origin, _) = Origin::split(url).ok()?;
        let (host, port) = origin.host_and_port();
        let name = self.running.get()?.commons.listeners.origin(&format!("{host}:{port}"))?;
        Some(name.to_string())
    }

    /// Returns whether an address has been given out.
    pub(crate) fn are_running(&self) -> bool {
        self.running.get().is_some()
    }

    /// Waits, for a moment at most, until no call is under way: a client that hangs up at the last event of a stream has its
    /// answer before the gateway knows that it has gone.
    pub(crate) fn rest(&self) {
        if let Some(running) = self.running.get() {
            running.commons.player.held.rest();
        }
    }

    /// Stops serving: drops every connection, and with it the upstream call behind it, and waits for the thread to end.
    ///
    /// After it every live call has been filed, save those that were still under way. A second time it does nothing.
    pub(crate) fn stop(&self) {
        let Some(running) = self.running.get() else { return };
        running.commons.listeners.stop();
        let thread = running.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A session whose last handle falls in the gateway's own thread stops the gateway from there.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // A panic of the thread has failed the session where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Gateways {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Running {
    fn start(desk: Arc<dyn Desk>, limits: Limits, pace: Pace) -> Result<Running, Wiring> {
        let (commons, thread) = thread::start(desk, limits, pace).map_err(|err| {
            Wiring::new(format!("the gateway did not start: {err}"), "see that the process may start a thread")
        })?;
        Ok(Running { commons, thread: Mutex::new(Some(thread)) })
    }
}

fn wiring(report: Wiring) -> Arc<Report> {
    Arc::new(Report::Wiring(report))
}
