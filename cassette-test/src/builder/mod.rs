//! A session that is put together, in code or by the attribute.

mod comparison;
mod fork;
mod listing;
mod order;
mod recorders;
mod redaction;
mod registry;
mod steps;
mod test;

pub use registry::Registered;
pub(crate) use registry::has_tests;
pub use test::Test;

use std::path::PathBuf;
use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::name::{self, Name, NameError};
use cassette_core::policy::{Requests, Unused};
use cassette_core::purse::Purse;
use cassette_core::report::{Refused, Report, Wiring};

use crate::ambient;
use crate::cassette::Cassette;
use crate::guard::{self, Guard, Protection};
use crate::options::{Allowed, OnMiss, Options, Pace, Surroundings};
use crate::order::Serving;
use crate::purse;
use crate::scope::{Scope, Secretive, Settled, misnamed, refuse_secrets};
use crate::session::Session;
use crate::settings;
use crate::turns::{self, Patience};
use crate::whereabouts::Whereabouts;

/// What a test asks of its cassette, before it is opened; each method is an option of the attribute.
///
/// ```no_run
/// # fn main() -> Result<(), std::sync::Arc<cassette_test::Report>> {
/// use cassette_test::Cassette;
///
/// let session = Cassette::builder("trains").match_header("x-tenant").open()?;
/// let base = session.base_url("https://api.openai.com/v1");
/// // .. the test ..
/// session.finish()?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing happens until it is opened"]
#[derive(Clone, Debug)]
pub struct Builder {
    label: String,
    /// The name, `None` while the test's arguments are not known.
    name: Result<Option<Name>, NameError>,
    place: Whereabouts,
    /// The test whose turn it is when this is recorded: of a session in code, that which its thread belongs to or came from.
    turn_of: String,
    test: Option<&'static Test>,
    options: Options,
}

/// What is settled before a cassette is opened.
#[derive(Default)]
struct Terms {
    mode: Mode,
    serving: Serving,
    guard: Guard,
    purse: Option<Purse>,
    options: Options,
}

impl Builder {
    /// Returns the builder of a cassette that the running test opens itself.
    pub(crate) fn of_name(name: &str) -> Builder {
        let place = ambient::here().map(|scope| scope.settled.place.clone());
        let place = place.unwrap_or_else(|| Whereabouts::of_thread(registry::tests().next().map(|test| &test.site)));
        let turn_of = place.test.clone();
        let parsed = Name::parse(name).map(Some);
        Builder { label: name.to_owned(), name: parsed, place, turn_of, test: None, options: Options::default() }
    }

    /// Returns the builder of a cassette that no test owns.
    pub(crate) fn of_program(name: &str, place: Whereabouts, configure: impl FnOnce(&mut Options)) -> Builder {
        let mut options = Options::default();
        configure(&mut options);
        let (parsed, turn_of) = (Name::parse(name).map(Some), place.test.clone());
        Builder { label: name.to_owned(), name: parsed, place, turn_of, test: None, options }
    }

    /// Returns the builder of an annotated test's cassette.
    pub(crate) fn of_test(test: &'static Test) -> Builder {
        let name = match test.name {
            None => Ok(Some(Name::of_path(&Whereabouts::of_site(&test.site).unique_path()))),
            Some(pattern) if name::is_pattern(pattern) => Ok(None),
            Some(name) if test.site.ident != test.site.function || registry::has_siblings(test) => {
                Name::parse(name).map(|name| Some(name.of_case(test.site.ident)))
            }
            Some(name) => Name::parse(name).map(Some),
        };
        let known = name.as_ref().ok().and_then(Option::as_ref);
        let label = known.map_or_else(|| test.name.unwrap_or_default().to_owned(), Name::to_string);
        let place = Whereabouts::of_running(&test.site);
        let turn_of = place.test.clone();
        (test.configure)(Builder { label, name, place, turn_of, test: Some(test), options: Options::default() })
    }

    /// Takes this mode, whatever `CASSETTE_MODE` says.
    pub fn mode(mut self, mode: Mode) -> Builder {
        self.options.mode = Some(mode);
        self
    }

    /// Says what becomes of recordings that were not asked for.
    pub fn unused(mut self, unused: Unused) -> Builder {
        self.options.unused = unused;
        self
    }

    /// Says what the file keeps of the requests: with [`Requests::Digest`] no text of them, but replies in full.
    pub fn requests(mut self, requests: Requests) -> Builder {
        self.options.requests = Some(requests);
        self
    }

    /// Says what an async body sees of a miss.
    pub fn on_miss(mut self, on_miss: OnMiss) -> Builder {
        self.options.on_miss = on_miss;
        self
    }

    /// Says how far the network guard reaches, whatever `CASSETTE_GUARD` says.
    ///
    /// A session in code has no guard of its own, so that a strict one opens only within a test that is guarded so.
    pub fn guard(mut self, guard: Guard) -> Builder {
        self.options.guard = Some(guard);
        self
    }

    /// Says in which rhythm recorded streams come back.
    pub fn pace(mut self, pace: Pace) -> Builder {
        self.options.pace = pace;
        self
    }

    /// Keeps the cassette below this directory, from the package's own.
    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Builder {
        self.options.dir = Some(dir.into());
        self
    }

    /// Goes live in CI too, where the mode says so.
    pub fn allow_ci(mut self) -> Builder {
        self.options.allow_ci = Allowed::Yes;
        self
    }

    /// Records replies such as 401 and 500 like any other.
    pub fn allow_errors(mut self) -> Builder {
        self.options.allow_errors = Allowed::Yes;
        self
    }

    /// Lets the last recording of a request serve again.
    pub fn repeat(mut self) -> Builder {
        self.options.repeat = Allowed::Yes;
        self
    }

    /// Keeps this reply header, though its value changes.
    pub fn keep_header(mut self, name: impl Into<String>) -> Builder {
        self.options.keep_headers.push(name.into());
        self
    }

    /// Lets these hosts be reached round the cassette.
    pub fn allow_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Builder {
        self.options.allow_hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Returns the name, or the pattern of it.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// Opens the cassette. The session has to end within the test: a process that exits while one is open fails.
    ///
    /// # Errors
    ///
    /// Fails where the cassette is missing in replay, damaged or newer; where its name or the mode is refused.
    pub fn open(self) -> Result<Session, Arc<Report>> {
        match self.attempt() {
            (session, Ok(())) => Ok(session),
            (session, Err(report)) => Err(session.discard(report)),
        }
    }

    /// Opens the cassette; where that fails, so does every call, with the same text, and the session at its end.
    pub fn open_blocked(self) -> Session {
        let (session, opened) = self.attempt();
        if let Err(report) = opened {
            session.block(report);
        }
        session
    }

    /// Settles everything, and opens the cassette if its name does not wait for the test's arguments.
    fn attempt(self) -> (Session, Result<(), Arc<Report>>) {
        let (settled, Terms { mode, serving, guard, purse, options }) = match self.settle() {
            Ok(terms) => (Ok(()), terms),
            Err(report) => (Err(report), Terms { options: self.options.clone(), ..Terms::default() }),
        };
        // Where threads do not tell whose they are, replaying tests take turns too: they last milliseconds.
        let alone = mode.records() || guard::protection() != Protection::Full;
        let turn = alone.then(|| turns::take(&self.turn_of, self.patience())).transpose();
        let (turn, taken) = match turn {
            Ok(turn) => (turn, Ok(())),
            Err(report) => (None, Err(Arc::new(Report::Wiring(report)))),
        };
        let recorder = self.recorders().map(|test| test.site.path()).min();
        let fork_recorder = self.fork_recorder();
        let (directory, name) = (self.directory(), self.name.ok().flatten());
        let tests = registry::tests().map(|test| test.site.path()).collect();
        let place = self.place;
        let ignored = registry::tests().filter(|test| test.site.ignored).map(|test| test.site.path()).collect();
        let asked =
            Settled { mode, serving, guard, options, purse, directory, place, tests, ignored, recorder, fork_recorder };
        let known = name.as_ref().map(Name::as_str);
        let (label, settled) = match refuse_secrets(&asked, known, std::slice::from_ref(&self.label)) {
            Ok(()) => (self.label, settled),
            Err(Secretive { hidden, report }) => (hidden, Err(report)),
        };
        let session = Session::new(Arc::new(Scope::new(label, asked, self.test.map(|test| &test.site))), turn);
        let opened = settled.and(taken).and_then(|()| name.map_or(Ok(()), |name| session.open(&name)));
        (session, opened)
    }

    fn settle(&self) -> Result<Terms, Arc<Report>> {
        let surroundings = Surroundings::of_process();
        let settings = settings::of(&self.place.manifest_dir)?;
        let (mode, serving) = self.options.settle(surroundings, &settings)?;
        let guard = self.options.guard(surroundings, &settings)?;
        self.options.breakpoints(surroundings)?;
        let purse = purse::purse(surroundings, &settings, mode)?;
        self.refuse(mode)?;
        if self.test.is_none() && (mode, guard) == (Mode::Replay, Guard::Strict) && !guard::is_strict() {
            return Err(Arc::new(Report::Wiring(Wiring::new(
                format!("no strict network guard stands round `{}`, which is opened in code", self.label),
                "put `#[cassette(.., guard = \"strict\")]` on the test; only the attribute encloses a test",
            ))));
        }
        Ok(Terms { mode, serving, guard, purse, options: self.options.clone().under(&settings) })
    }

    /// Returns how long a turn is waited for: a test waits for its own, a thread may be a part of the test that has it.
    fn patience(&self) -> Patience {
        let is_a_test = self.test.is_some() || Whereabouts::is_a_tests_thread();
        if is_a_test { Patience::Endless } else { Patience::OF_A_THREAD }
    }

    /// Refuses a wrong name, and a file that another test of this binary records too.
    fn refuse(&self, mode: Mode) -> Result<(), Arc<Report>> {
        if let Err(error) = &self.name {
            return Err(misnamed(&self.label, *error));
        }
        let (Some(test), true) = (self.test, mode.records() && self.options.unused == Unused::Fail) else {
            return Ok(());
        };
        let Some(other) = self.recorders().map(|other| other.site.path()).next() else { return Ok(()) };
        let what = format!("`{}` and `{other}` both record `{}`", test.site.path(), self.label);
        let help = "give each its own cassette, or let both say `unused = \"allow\"`: the one that recorded it owns it";
        Err(Arc::new(Report::Refused(Refused::new(what, help))))
    }

    fn directory(&self) -> PathBuf {
        self.place.directory(self.options.dir.as_deref())
    }
}

impl Cassette {
    /// Returns a builder of this cassette's session, for a test that the attribute does not fit.
    ///
    /// The network guard does not stand round such a session: a call that goes round the gateway reaches its host even in
    /// replay, and is not noticed. Only the attribute encloses a test's threads from before the first of them is made. A
    /// session that is opened within an annotated test is under the guard of that test.
    pub fn builder(name: impl AsRef<str>) -> Builder {
        Builder::of_name(name.as_ref())
    }
}
