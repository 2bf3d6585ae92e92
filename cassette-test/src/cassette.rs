//! The handle that a test holds and hands on.

use std::fmt;
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use cassette_core::account::Tokens;
use cassette_core::call::Call;
use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::report::Report;
use cassette_core::run::Run;
use cassette_core::session::Session;

use crate::ambient;
use crate::envs;
use crate::scope::Scope;

/// The handle to a test's cassette: cheap to clone, and at home on every thread.
#[derive(Clone)]
pub struct Cassette {
    scope: Arc<Scope>,
}

impl Cassette {
    /// Returns the handle to this scope.
    pub(crate) fn of(scope: Arc<Scope>) -> Cassette {
        Cassette { scope }
    }

    /// Returns the scope.
    pub(crate) fn as_scope(&self) -> &Arc<Scope> {
        &self.scope
    }

    /// Returns the scope.
    pub(crate) fn into_scope(self) -> Arc<Scope> {
        self.scope
    }

    /// Returns the cassette that is current here: the one that this thread or future has entered, that of the test whose name
    /// the thread bears or that made the thread, or the only one open in the process, but for the threads that another test made, ended
    /// or without one.
    ///
    /// # Panics
    ///
    /// Panics where none is open, or several are and nothing says which.
    #[track_caller]
    #[must_use]
    pub fn current() -> Cassette {
        match Cassette::try_current() {
            Ok(cassette) => cassette,
            Err(report) => panic!("{report}"),
        }
    }

    /// Returns the cassette that is current here, as [`current`](Cassette::current) does.
    ///
    /// # Errors
    ///
    /// Fails where none is open, or several are and nothing says which.
    pub fn try_current() -> Result<Cassette, Arc<Report>> {
        ambient::current().map(Cassette::of)
    }

    /// Returns the base URL to give to a client instead of `url`; what it is asked there goes through the cassette.
    ///
    /// # Panics
    ///
    /// Panics for what is no absolute `http` or `https` URL.
    #[track_caller]
    #[must_use]
    pub fn base_url(&self, url: impl AsRef<str>) -> String {
        match self.try_base_url(url) {
            Ok(base) => base,
            Err(report) => panic!("{report}"),
        }
    }

    /// Returns the base URL to give to a client instead of `url`, as [`base_url`](Cassette::base_url) does.
    ///
    /// # Errors
    ///
    /// Fails for what is no absolute `http` or `https` URL.
    pub fn try_base_url(&self, url: impl AsRef<str>) -> Result<String, Arc<Report>> {
        self.scope.base_url(None, url.as_ref())
    }

    /// Returns the base URL to give to a client instead of `url`, as [`base_url`](Cassette::base_url) does, and records what
    /// is asked there as if `alias` were the host: for an upstream whose port changes from run to run, such as a container
    /// or a local model server.
    ///
    /// ```no_run
    /// # let (cassette, port) = (cassette_test::Cassette::current(), 49153);
    /// let base = cassette.upstream("models", format!("http://127.0.0.1:{port}/v1"));
    /// // Recorded as `POST http://models/v1/..`, and replayed whatever the port is then.
    /// ```
    ///
    /// The upstream itself sees its own address. In a test, each alias is one upstream's; two aliases of one upstream are two
    /// names in the recording.
    ///
    /// # Panics
    ///
    /// Panics for what is no absolute `http` or `https` URL, for an alias that is not written as a host is, and for one that
    /// stands for another upstream.
    #[track_caller]
    #[must_use]
    pub fn upstream(&self, alias: impl AsRef<str>, url: impl AsRef<str>) -> String {
        match self.try_upstream(alias, url) {
            Ok(base) => base,
            Err(report) => panic!("{report}"),
        }
    }

    /// Returns the base URL to give to a client instead of `url`, as [`upstream`](Cassette::upstream) does.
    ///
    /// # Errors
    ///
    /// Fails for what is no absolute `http` or `https` URL, for an alias that is not written as a host is, and for one that
    /// stands for another upstream.
    pub fn try_upstream(&self, alias: impl AsRef<str>, url: impl AsRef<str>) -> Result<String, Arc<Report>> {
        self.scope.base_url(Some(alias.as_ref()), url.as_ref())
    }

    /// Points the base-URL variables that clients of model providers read at the cassette, for a child process.
    ///
    /// What the command sets one of them to is its upstream; where it sets none, the provider's own address is.
    ///
    /// # Panics
    ///
    /// Panics where the command sets one of them to what is no URL.
    #[track_caller]
    pub fn envs(&self, command: &mut Command) {
        if let Err(report) = self.try_envs(command) {
            panic!("{report}");
        }
    }

    /// Points the base-URL variables of a child process at the cassette, as [`envs`](Cassette::envs) does.
    ///
    /// # Errors
    ///
    /// Fails where the command sets one of them to what is no URL.
    pub fn try_envs(&self, command: &mut Command) -> Result<(), Arc<Report>> {
        for (name, upstream) in envs::upstreams(command) {
            command.env(name, self.try_base_url(upstream)?);
        }
        Ok(())
    }

    /// Returns the mode in force.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.scope.settled.mode
    }

    /// Returns whether what was recorded is all there is.
    #[must_use]
    pub fn is_replaying(&self) -> bool {
        self.mode() == Mode::Replay
    }

    /// Returns the cassette's name; while the test's arguments are not known, the pattern of it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.scope.opened().map_or(&self.scope.label, |session| session.name())
    }

    /// Returns the secret that the environment holds under this name; in replay a stand-in, so that no key is needed.
    ///
    /// Either is hidden wherever it stands in what is recorded. Where the variable is not set, the stand-in serves as long as
    /// everything was recorded; a call that would go live then fails, naming the variable.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    #[must_use]
    pub fn secret(&self, name: &str) -> String {
        let value = cassette_core::env::var(name).filter(|value| !value.is_empty());
        self.session().secret(name, value)
    }

    /// Adds a fact to the head of what is recorded.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    pub fn meta(&self, name: &str, value: impl Into<Json>) {
        self.session().set_meta(name, value.into());
    }

    /// Returns what this run has asked so far, in order: the requests as the program sent them, secrets hidden. Never the
    /// file's.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.scope.opened().map(|session| session.calls()).unwrap_or_default()
    }

    /// Returns how many calls of this run went live.
    #[must_use]
    pub fn live_calls(&self) -> usize {
        self.scope.opened().map_or(0, |session| session.live_calls())
    }

    /// Returns how many recordings have not been asked for yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.scope.opened().map_or(0, |session| session.remaining())
    }

    /// Returns the tokens that the replies of this run count, served ones included: of each kind the sum over those replies
    /// that say it, and `None` where none does. They are in one shape whatever a provider counts within what: `input` without what was
    /// read from a cache or written to one, `output` with what was thought. While recording it waits a moment for replies that are not
    /// filed yet.
    #[must_use]
    pub fn usage(&self) -> Tokens {
        self.scope.settled_session().map(|session| session.usage()).unwrap_or_default()
    }

    /// Returns the run so far as a text, what was asked and what was answered, which can be kept as a snapshot: it holds no
    /// secret, no time, and nothing that hangs on how a body is spelled. While recording it waits a moment for replies that are
    /// not filed yet.
    #[must_use]
    pub fn transcript(&self) -> String {
        self.scope.settled_session().map(|session| session.transcript()).unwrap_or_default()
    }

    /// Returns the run so far, to be compared with another by [`assert_same_run`](crate::assert_same_run): its calls with how
    /// they ended, secrets hidden.
    #[must_use]
    pub fn run(&self) -> Run {
        self.scope.opened().map(|session| session.run()).unwrap_or_default()
    }

    /// Returns the start of the day, in UTC, on which the cassette was recorded; `None` where nothing has been.
    #[must_use]
    pub fn recorded_at(&self) -> Option<SystemTime> {
        self.scope.opened()?.recorded_at()
    }

    #[track_caller]
    fn session(&self) -> &Arc<Session> {
        match self.scope.session() {
            Ok(session) => session,
            Err(report) => panic!("{report}"),
        }
    }
}

impl fmt::Debug for Cassette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cassette").field("name", &self.scope.label).field("mode", &self.mode()).finish_non_exhaustive()
    }
}
