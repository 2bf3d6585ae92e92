//! What a test asked for, settled before anything runs.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::matching::Matching;
use crate::mode::Mode;
use crate::policy::{Order, Repeat, Requests, Unused};
use crate::purse::Purse;
use crate::redact::Rules;
use crate::rerun::Rerun;
use crate::similarity::Fuzziness;
use crate::store::Store;
use crate::tape::{Origin, Stamp};
use crate::typed::quoted;

/// Whether a failing upstream may be recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outages {
    /// 401, 403, 429, 5xx, transport errors and broken replies keep the recording pending, unless the same call
    /// succeeded later in the run.
    #[default]
    Refuse,
    /// They are what the test is about.
    Allow,
}

/// Whose the cassette becomes that a run writes where there was none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Owner {
    /// The run's own test's.
    #[default]
    Test,
    /// Nobody's: the first test that records with it adopts it.
    Nobody,
}

/// How many cassettes the run's own test has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cassettes {
    /// This one, whatever it is called.
    One,
    /// Perhaps others beside it, as a test with cases has.
    #[default]
    Several,
}

/// Where the answers come from that a run records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// From the services that are asked.
    #[default]
    Services,
    /// From a recording in which these placeholders stand for what was hidden before. Nothing is sent anywhere.
    Recording(Vec<String>),
}

/// Whose a directory of cassettes is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Home {
    /// The package's own: it lies within it.
    #[default]
    Own,
    /// That of several packages, which may have tests of one name.
    Shared,
}

/// A mode that stands in the test's source: no variable changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pinned {
    /// What stands there, such as `mode = "replay"`.
    pub by: String,
    /// The attribute of a test that would record the cassette, such as `#[cassette("trains")]`.
    pub plain: String,
    /// Another test that the cassette belongs to: as long as there is none, one that records it. Its head names it once the session
    /// opens.
    pub owner: Option<String>,
}

/// What a test asked for, settled before anything runs. `Debug` tells nothing of the environment and of the rules.
#[derive(Clone)]
pub struct Plan {
    /// The cassette's name.
    pub name: String,
    /// Where it is kept.
    pub store: Arc<dyn Store>,
    /// The mode.
    pub mode: Mode,
    /// The order in which recordings are served.
    pub order: Order,
    /// How like a call a recording must be where the order is [`Order::Fuzzy`].
    pub fuzziness: Fuzziness,
    /// Whether a recording may be served more than once.
    pub repeat: Repeat,
    /// What recordings that nothing asked for mean.
    pub unused: Unused,
    /// Whether a failing upstream may be recorded.
    pub outages: Outages,
    /// Where the answers come from that are recorded.
    pub source: Source,
    /// What is kept of the requests.
    pub requests: Requests,
    /// What counts when a call is compared with a recording.
    pub matching: Matching,
    /// Where it is forked from another cassette, if it is.
    pub fork: Option<Origin>,
    /// The test of this process that records that other cassette, where one is known.
    pub fork_recorder: Option<String>,
    /// What the test says that a recording is made with; what it does not name is not checked where others record it too.
    pub stamp: Stamp,
    /// The user's own redaction rules.
    pub rules: Rules,
    /// What may be spent live, and where it is counted; `None` where nobody counts it.
    pub purse: Option<Purse>,
    /// The environment, for the secrets in it.
    pub environment: Vec<(String, String)>,
    /// The test, `crate::module::function`.
    pub test: String,
    /// The test's package, where it is one of cargo's.
    pub package: Option<String>,
    /// Whose the directory is.
    pub home: Home,
    /// Whose the cassette becomes where there was none.
    pub owner: Owner,
    /// How many cassettes the test has, for telling a renamed one from another.
    pub cassettes: Cassettes,
    /// The tests of this process that have a cassette, for telling a renamed owner from another test.
    pub known_tests: Vec<String>,
    /// Those of them that run only where they are asked for.
    pub ignored_tests: Vec<String>,
    /// What in the test's source settles the mode; `None` where the environment does.
    pub pinned: Option<Pinned>,
    /// How to run the test again.
    pub rerun: Rerun,
    /// What `CASSETTE_DIR` is to be in a command that is typed, where no variable of whoever types it says so.
    pub given_dir: Option<String>,
    /// The way from where commands are typed to the directory from which files are named; empty where they are typed there.
    pub from_here: PathBuf,
    /// The program that writes the file, with its version.
    pub by: String,
}

impl Plan {
    /// Returns the plan of a test that asks for nothing but this cassette.
    pub fn new(
        name: impl Into<String>,
        store: Arc<dyn Store>,
        mode: Mode,
        test: impl Into<String>,
        rerun: Rerun,
    ) -> Plan {
        Plan {
            name: name.into(),
            store,
            mode,
            order: Order::default(),
            fuzziness: Fuzziness::default(),
            repeat: Repeat::default(),
            unused: Unused::default(),
            outages: Outages::default(),
            source: Source::default(),
            requests: Requests::default(),
            matching: Matching::default(),
            fork: None,
            fork_recorder: None,
            stamp: Stamp::default(),
            rules: Rules::default(),
            purse: None,
            environment: Vec::new(),
            test: test.into(),
            package: None,
            home: Home::default(),
            owner: Owner::default(),
            cassettes: Cassettes::default(),
            known_tests: Vec::new(),
            ignored_tests: Vec::new(),
            pinned: None,
            rerun,
            given_dir: None,
            from_here: PathBuf::new(),
            by: concat!("cassette-core ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Returns the package that the cassette's head names.
    pub(super) fn told_package(&self) -> Option<String> {
        self.package.clone().filter(|_| self.home == Home::Shared)
    }

    /// Returns whether the test is an annotated one, which every run of its program knows of.
    pub(super) fn is_registered(&self) -> bool {
        self.known_tests.contains(&self.test)
    }

    /// Returns whether the run may replace a damaged file: a refresh of a cassette that no other test uses.
    pub(super) fn mends_damage(&self) -> bool {
        self.mode == Mode::Refresh && self.unused == Unused::Fail
    }

    /// Returns the command that runs this test alone in this mode; where its source settles another, what makes it obey, or
    /// the command for the test that the cassette belongs to.
    pub(super) fn command(&self, mode: Mode) -> String {
        let command = self.given() + &self.rerun.command(mode);
        match &self.pinned {
            Some(Pinned { owner: Some(owner), .. }) if mode != self.mode => {
                format!("run its owner, {owner}: {}", self.command_of(owner, mode))
            }
            // Nothing is recorded through a fault, and a replay alone may plan one.
            Some(Pinned { by, owner: None, .. }) if mode != self.mode && self.mode == Mode::Replay => {
                format!("take `{by}` and any fault out of the test, then {command}")
            }
            Some(Pinned { by, owner: None, .. }) if mode != self.mode => {
                format!("take `{by}` out of the test, then {command}")
            }
            _ => command,
        }
    }

    /// Returns the command that runs another test in this mode.
    pub(super) fn command_of(&self, other: &str, mode: Mode) -> String {
        let ignored = self.ignored_tests.iter().any(|test| test == other);
        self.given() + &Rerun { ignored, ..self.rerun.clone() }.command_of(other, &self.test, mode)
    }

    /// Returns what names the directory of the cassettes before a command, where nothing else does.
    fn given(&self) -> String {
        let given = self.given_dir.as_ref().filter(|_| self.rerun.target.is_cargos());
        given.map_or(String::new(), |dir| format!("CASSETTE_DIR={} ", quoted(dir)))
    }

    /// Returns a file that reports name so as it is typed.
    pub(super) fn here(&self, file: &str) -> String {
        self.from_here.join(file).display().to_string()
    }

    /// Returns the cassette's path, as reports name it.
    pub(super) fn file(&self) -> String {
        self.store.place(&self.name)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { name, mode, test, order, unused, .. } = self;
        let mut plan = f.debug_struct("Plan");
        plan.field("name", name).field("mode", mode).field("test", test).field("order", order).field("unused", unused);
        plan.finish_non_exhaustive()
    }
}
