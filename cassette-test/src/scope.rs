//! What the handle, the seams and the verdict of one test share.

mod ending;

mod jumps;

mod naming;

mod plan;
mod shims;

pub(crate) use naming::{Secretive, refuse_secrets};
pub(crate) use plan::misnamed;
pub(crate) use shims::SHIM;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Wake, Waker};

use cassette_core::mode::Mode;
use cassette_core::name::Name;
use cassette_core::purse::Purse;
use cassette_core::report::{Report, Wiring};
use cassette_core::session::{Plan, Session};
use once_cell::sync::OnceCell;

use crate::blame::Blame;
use crate::breakpoint::Breakpoints;
use crate::gateway::{self, Gateways};
use crate::guard::{self, Guard, ScopeId};
use crate::mcp::{Connections, Host};
use crate::options::{Options, Surroundings};
use crate::order::Serving;
use crate::reminders::Reminders;
use crate::site::Site;
use crate::sites::Sites;
use crate::sys::stem::{self, Stem};
use crate::unending::Unending;
use crate::watching;
use crate::whereabouts::Whereabouts;
use crate::wire::Held;

/// What a test asked for and the environment settled.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) mode: Mode,
    pub(crate) serving: Serving,
    pub(crate) guard: Guard,
    pub(crate) options: Options,
    /// What it may spend live, and where it is counted.
    pub(crate) purse: Option<Purse>,
    pub(crate) directory: PathBuf,
    pub(crate) place: Whereabouts,
    /// The annotated tests of this process.
    pub(crate) tests: Vec<String>,
    /// Those of them that are `#[ignore]`d.
    pub(crate) ignored: Vec<String>,
    /// Another one of these that records this cassette, if there is one.
    pub(crate) recorder: Option<String>,
    /// One of these that records the cassette from which this one is forked, if there is one.
    pub(crate) fork_recorder: Option<String>,
}

/// One test's session, from before its name is known to its verdict.
pub(crate) struct Scope {
    /// The cassette's name, or its pattern.
    pub(crate) label: String,
    pub(crate) settled: Settled,
    /// Where the annotated test stands, if it is one.
    pub(crate) site: Option<&'static Site>,
    /// The test on whose thread it was opened, or on one that it made.
    pub(crate) stem: Option<Stem>,
    /// The network guard's scope in which it was opened, where a test within a test opened it.
    pub(crate) within: Option<ScopeId>,
    gateways: Gateways,
    /// Who waits for more than an adapter or a function's stream has, or for a live reply through an adapter.
    held: Arc<Held>,
    /// The connections to MCP servers, as far as they are still held.
    connections: Arc<Connections>,
    /// Where programs call that stand in for MCP servers.
    shims: OnceCell<Host>,
    /// The network guard's scope, where it stands round the test.
    guarded: OnceLock<ScopeId>,
    /// Missing until the name is known: a pattern needs the test's arguments.
    session: OnceLock<Arc<Session>>,
    /// What failed before there was a session to keep it.
    early: OnceLock<Arc<Report>>,
    /// Who failed first.
    pub(crate) blame: Arc<Blame>,
    /// The functions that were called.
    pub(crate) sites: Sites,
    /// By how many milliseconds tokio's clock has jumped.
    jumped: AtomicU64,
    /// The calls at which the run stops.
    pub(crate) breakpoints: Breakpoints,
    /// Who tells of it where the program goes on after a failure.
    unending: OnceLock<Arc<Unending>>,
    /// What is said where something takes too long.
    pub(crate) reminders: Arc<Reminders>,
    /// Whether the verdict has fallen: handles may outlive it.
    ended: AtomicBool,
}

impl Scope {
    /// Returns a scope without a session.
    pub(crate) fn new(label: String, settled: Settled, site: Option<&'static Site>) -> Scope {
        let gateways = Gateways::new(settled.options.pace).starting_at(settled.options.port.clone());
        Scope {
            label,
            settled,
            site,
            stem: stem::current(),
            within: guard::current(),
            gateways,
            held: Arc::default(),
            connections: Arc::default(),
            shims: OnceCell::new(),
            guarded: OnceLock::new(),
            session: OnceLock::new(),
            early: OnceLock::new(),
            blame: Arc::default(),
            sites: Sites::default(),
            jumped: AtomicU64::new(0),
            breakpoints: Breakpoints::default(),
            unending: OnceLock::new(),
            reminders: Arc::default(),
            ended: AtomicBool::new(false),
        }
    }

    /// Opens the cassette of this name, which the test's arguments have completed; a second time, nothing happens.
    pub(crate) fn open(&self, name: &Name, arguments: &[(&str, &dyn fmt::Display)]) -> Result<(), Arc<Report>> {
        if self.session.get().is_none() {
            self.refuse_secrets(name, arguments)?;
            let session = Session::open(Plan {
                matching: self.settled.options.compared.matching()?,
                fork: self.origin(arguments)?,
                ..self.plan(name.as_str())
            })?;
            if let Some(report) = self.early.get() {
                session.fail(Report::clone(report));
            }
            self.keep(session);
        }
        Ok(())
    }

    /// Opens nothing: every call fails with this report.
    pub(crate) fn block(&self, report: Arc<Report>) {
        self.keep(Session::blocked(self.plan(&self.label), report));
    }

    fn keep(&self, session: Session) {
        if let (Mode::Replay, Some(guarded)) = (self.settled.mode, self.guarded()) {
            session.recorded_urls().for_each(|url| self.close_the_way_round(guarded, url));
        }
        let session = self.session.get_or_init(|| Arc::new(session));
        let Settled { options, place, .. } = &self.settled;
        for watcher in options.watchers.iter().cloned() {
            let reminders = Arc::clone(&self.reminders);
            session.on_step(move |step| watching::tell(&reminders, &*watcher, step));
        }
        // What is no call's number was refused when the session was settled.
        for call in options.breakpoints(Surroundings::of_process()).unwrap_or_default() {
            self.breakpoints.set(session, call, place);
        }
        self.unending.get_or_init(|| Unending::watch(session, &self.reminders));
        if session.poll_failure(&Waker::from(Arc::clone(&self.blame))).is_some() {
            Arc::clone(&self.blame).wake();
        }
    }

    /// Returns whether it is opened by this guarded test, or within it.
    pub(crate) fn is_of(&self, guarded: ScopeId) -> bool {
        self.guarded() == Some(guarded) || self.within == Some(guarded)
    }

    /// Returns the session, if there is one already.
    pub(crate) fn opened(&self) -> Option<&Arc<Session>> {
        self.session.get()
    }

    /// Returns the session, if there is one already, once what it has recorded so far is filed.
    pub(crate) fn settled_session(&self) -> Option<&Arc<Session>> {
        if self.settled.mode.records() && !watching::is_telling() {
            self.gateways.rest();
        }
        self.session.get()
    }

    /// Returns whether the verdict has fallen.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// Returns the session, and fails the test where there is none yet; once it has ended, there is none any more.
    pub(crate) fn session(&self) -> Result<&Arc<Session>, Arc<Report>> {
        if self.has_ended() {
            let what = format!("`{}` was used after its test had ended", self.label);
            return Err(Arc::new(Report::Wiring(Wiring::new(
                what,
                "wait for every task and thread before the test returns",
            ))));
        }
        self.session.get().ok_or_else(|| {
            let what = format!("`{}` was used before the test was entered, when its name is not known yet", self.label);
            self.fail(Report::Wiring(Wiring::new(what, "use the cassette in the test itself, or give it a fixed name")))
        })
    }

    /// Returns the address that stands for this upstream, under its own name or an alias.
    pub(crate) fn base_url(&self, alias: Option<&str>, url: &str) -> Result<String, Arc<Report>> {
        let session = self.session()?;
        let base = match alias {
            Some(alias) => self.gateways.upstream(session, alias, url)?,
            None => self.gateways.base_url(session, url)?,
        };
        if let Some(origin) = gateway::name(alias, url) {
            gateway::loopback(&base).first().into_iter().for_each(|address| session.note_gateway(*address, &origin));
        }
        if let Some(guarded) = self.guarded() {
            gateway::loopback(&base).into_iter().for_each(|address| guard::note_gateway(guarded, address));
            self.close_the_way_round(guarded, url);
        }
        Ok(base)
    }

    /// Returns the upstream for which a gateway of this cassette stands at this URL.
    #[cfg(feature = "_adapters")]
    pub(crate) fn upstream_of(&self, url: &str) -> Option<String> {
        self.gateways.upstream_of(url)
    }

    /// Lets the network guard treat an upstream on this machine as it does any other host.
    fn close_the_way_round(&self, guarded: ScopeId, url: &str) {
        gateway::loopback(url).first().into_iter().for_each(|address| guard::note_upstream(guarded, address.port()));
    }

    /// Returns who waits within this process for more than was recorded.
    pub(crate) fn held(&self) -> &Arc<Held> {
        &self.held
    }

    /// Returns the connections to MCP servers.
    #[cfg(feature = "rmcp")]
    pub(crate) fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Notes the network guard's scope that stands round the test.
    pub(crate) fn note_guard(&self, guarded: ScopeId) {
        let _ = self.guarded.set(guarded);
        if let (Mode::Replay, Some(session)) = (self.settled.mode, self.session.get()) {
            session.recorded_urls().for_each(|url| self.close_the_way_round(guarded, url));
        }
    }

    /// Returns the network guard's scope that stands round the test.
    pub(crate) fn guarded(&self) -> Option<ScopeId> {
        self.guarded.get().copied()
    }

    /// Latches a failure.
    pub(crate) fn fail(&self, report: Report) -> Arc<Report> {
        match self.session.get() {
            Some(session) => session.fail(report),
            None => {
                Arc::clone(&self.blame).wake();
                Arc::clone(self.early.get_or_init(|| Arc::new(report)))
            }
        }
    }
}

impl fmt::Debug for Scope {
    /// Its session knows the environment, so it is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("label", &self.label).field("mode", &self.settled.mode).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cassette_core::report::{Report, Wiring};

    use crate::{Cassette, Mode};

    #[test]
    fn a_failure_while_the_session_was_opened_is_not_lost() {
        let session = Cassette::builder("trains").mode(Mode::Off).allow_ci().open().unwrap();
        let report = Report::Wiring(Wiring::new("a miss", "mend it"));
        session.cassette().as_scope().early.set(Arc::new(report)).unwrap();
        assert_eq!(session.finish().unwrap_err().to_string(), "cassette wiring: a miss\nhelp: mend it");
    }
}
