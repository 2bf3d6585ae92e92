//! What the handle, the seams and the verdict of one test share.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Wake, Waker};
use std::time::Duration;

use cassette_core::mode::Mode;
use cassette_core::name::Name;
use cassette_core::policy::Repeat;
use cassette_core::report::{Report, Wiring};
use cassette_core::session::{BodyEnd, Outages, Pinned, Plan, Session, Verdict};
use cassette_core::store::FileStore;

use crate::blame::Blame;
use crate::gateway::{self, Gateways};
use crate::guard::{self, Guard, ScopeId};
use crate::options::{Allowed, Options};
use crate::order::Serving;
use crate::site::Site;
use crate::whereabouts::Whereabouts;
use crate::wire::Held;

/// What a test asked for and the environment settled.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) mode: Mode,
    pub(crate) serving: Serving,
    pub(crate) guard: Guard,
    pub(crate) options: Options,
    pub(crate) directory: PathBuf,
    pub(crate) place: Whereabouts,
    /// The annotated tests of this process.
    pub(crate) tests: Vec<String>,
}

/// One test's session, from before its name is known to its verdict.
pub(crate) struct Scope {
    /// The cassette's name, or its pattern.
    pub(crate) label: String,
    pub(crate) settled: Settled,
    /// Where the annotated test stands, if it is one.
    pub(crate) site: Option<&'static Site>,
    gateways: Gateways,
    /// The clients that wait for more than an adapter has, or for a live reply through one.
    held: Arc<Held>,
    /// The network guard's scope, where it stands round the test.
    guarded: OnceLock<ScopeId>,
    /// Missing until the name is known: a pattern needs the test's arguments.
    session: OnceLock<Arc<Session>>,
    /// What failed before there was a session to keep it.
    early: OnceLock<Arc<Report>>,
    /// Who failed first.
    pub(crate) blame: Arc<Blame>,
    /// Where the functions stand that were called, by name.
    functions: Mutex<HashMap<String, (&'static str, u32)>>,
    /// By how many milliseconds tokio's clock has jumped.
    jumped: AtomicU64,
    /// Whether the verdict has fallen: handles may outlive it.
    ended: AtomicBool,
}

impl Scope {
    /// Returns a scope without a session.
    pub(crate) fn new(label: String, settled: Settled, site: Option<&'static Site>) -> Scope {
        let gateways = Gateways::new(settled.options.pace);
        Scope {
            label,
            settled,
            site,
            gateways,
            held: Arc::default(),
            guarded: OnceLock::new(),
            session: OnceLock::new(),
            early: OnceLock::new(),
            blame: Arc::default(),
            functions: Mutex::default(),
            jumped: AtomicU64::new(0),
            ended: AtomicBool::new(false),
        }
    }

    /// Opens the cassette of this name; a second time, nothing happens.
    pub(crate) fn open(&self, name: &Name) -> Result<(), Arc<Report>> {
        if self.session.get().is_none() {
            let session = Session::open(Plan {
                matching: self.settled.options.compared.matching()?,
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
        let session = self.session.get_or_init(|| Arc::new(session));
        if session.poll_failure(&Waker::from(Arc::clone(&self.blame))).is_some() {
            Arc::clone(&self.blame).wake();
        }
    }

    fn plan(&self, name: &str) -> Plan {
        let Settled { mode, serving, options, directory, place, tests, .. } = &self.settled;
        let shown = directory.strip_prefix(&place.manifest_dir).unwrap_or(directory).display().to_string();
        let store = Arc::new(FileStore::new(directory, shown));
        Plan {
            order: serving.order,
            fuzziness: serving.fuzziness.clone(),
            repeat: if options.repeat == Allowed::Yes { Repeat::Last } else { Repeat::Never },
            unused: options.unused,
            requests: options.requests,
            outages: if options.allow_errors == Allowed::Yes { Outages::Allow } else { Outages::Refuse },
            stamp: options.stamp.clone(),
            rules: options.rules(),
            environment: cassette_core::env::vars(),
            known_tests: tests.clone(),
            pinned: options.mode.map(|mode| Pinned { by: format!("mode = \"{mode}\""), owner: None }),
            by: concat!("cassette-test ", env!("CARGO_PKG_VERSION")).to_owned(),
            ..Plan::new(name, store, *mode, place.test.clone(), place.rerun.clone())
        }
    }

    /// Returns the session, if there is one already.
    pub(crate) fn opened(&self) -> Option<&Arc<Session>> {
        self.session.get()
    }

    /// Returns the session, if there is one already, once what it has recorded so far is filed.
    pub(crate) fn settled_session(&self) -> Option<&Arc<Session>> {
        if self.settled.mode.records() {
            self.gateways.rest();
        }
        self.session.get()
    }

    /// Returns the session, and fails the test where there is none yet; once it has ended, there is none any more.
    pub(crate) fn session(&self) -> Result<&Arc<Session>, Arc<Report>> {
        if self.ended.load(Ordering::SeqCst) {
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
        if let (Mode::Replay, Some(guarded)) = (self.settled.mode, self.guarded.get()) {
            let own = gateway::loopback(&base);
            gateway::loopback(url).into_iter().filter(|address| !own.contains(address)).for_each(|address| {
                guard::deny(*guarded, address);
            });
        }
        Ok(base)
    }

    /// Returns the clients that wait within this process.
    #[cfg(feature = "_adapters")]
    pub(crate) fn held(&self) -> &Arc<Held> {
        &self.held
    }

    /// Notes the network guard's scope that stands round the test.
    pub(crate) fn note_guard(&self, guarded: ScopeId) {
        let _ = self.guarded.set(guarded);
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

    /// Notes where the function of this name stands; returns where the first one of it does.
    pub(crate) fn note_function(&self, name: &str, place: (&'static str, u32)) -> (&'static str, u32) {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        match functions.get(name) {
            Some(known) => *known,
            None => *functions.entry(name.to_owned()).or_insert(place),
        }
    }

    /// Notes that tokio's clock ran ahead of the real one.
    pub(crate) fn note_jump(&self, jump: Duration) {
        self.jumped.fetch_add(u64::try_from(jump.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }

    /// Returns by how much tokio's clock ran ahead while clients had gateways to talk to, if it did.
    pub(crate) fn jumped(&self) -> Option<Duration> {
        let jumped = Duration::from_millis(self.jumped.load(Ordering::SeqCst));
        (!jumped.is_zero() && self.gateways.are_running()).then_some(jumped)
    }

    /// Ends the session, the gateways first.
    pub(crate) fn finish(&self, end: BodyEnd) -> Verdict {
        self.gateways.stop();
        if let Some(session) = self.session.get() {
            self.held.end(&Arc::downgrade(session));
        }
        let verdict = match self.session.get() {
            Some(session) => {
                // What failed between the opening of the session and its keeping has been handed to nobody yet.
                if let Some(report) = self.early.get() {
                    session.fail(Report::clone(report));
                }
                session.finish(end)
            }
            None => Verdict { reports: self.unopened(end).into_iter().collect(), ..Verdict::default() },
        };
        self.ended.store(true, Ordering::SeqCst);
        verdict
    }

    fn unopened(&self, end: BodyEnd) -> Option<Arc<Report>> {
        let early = self.early.get().cloned();
        early.or_else(|| (end == BodyEnd::Passed).then(|| self.session().err()).flatten())
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
