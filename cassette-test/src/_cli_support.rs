//! What `cargo cassette serve` and `cargo cassette mcp` are built on: a session that no test owns. Not for users; it changes with the command.

use std::path::PathBuf;
use std::sync::Arc;

use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::report::Report;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Verdict};

use crate::builder::Builder;
pub use crate::envs::{KEYS, KNOWN};
use crate::options::Port;
use crate::session::Session;
pub use crate::variables::{Variable, variables};
use crate::whereabouts::Whereabouts;

/// What is served.
#[derive(Clone, Debug)]
pub struct Serving {
    /// The cassette's name.
    pub name: String,
    /// The directory of the cassettes.
    pub directory: PathBuf,
    /// The directory as it is shown to a person.
    pub shown: String,
    /// The package whose settings hold.
    pub package: PathBuf,
    /// The mode, over `CASSETTE_MODE`.
    pub mode: Option<Mode>,
    /// The port of the first address; 0 for any that is free.
    pub port: u16,
    /// What to do where that port, or one after it, cannot be had.
    pub instead: String,
    /// What serves it again.
    pub again: Again,
}

/// The words that serve a cassette again, behind the command's verb.
#[derive(Clone, Debug)]
pub enum Again {
    /// Behind `cargo cassette serve`.
    Serve(String),
    /// Behind `cargo cassette mcp`.
    Mcp(String),
}

/// A cassette that is being served.
#[must_use = "it is to be ended"]
#[derive(Debug)]
pub struct Served(Session);

/// Opens a cassette.
///
/// # Errors
///
/// Fails as [`Builder::open`] does.
pub fn open(serving: Serving) -> Result<Served, Arc<Report>> {
    let Serving { name, directory, shown, package, mode, port, instead, again } = serving;
    let (target, verb) = match again {
        Again::Serve(words) => (Target::Served(words), "serve"),
        Again::Mcp(words) => (Target::StoodInFor(words), "mcp"),
    };
    let rerun = Rerun { package: "cargo-cassette".to_owned(), target, test: verb.to_owned(), ignored: false };
    let place = Whereabouts { test: format!("cargo-cassette::{verb}"), rerun, manifest_dir: package };
    Builder::of_program(&name, place, |options| {
        options.mode = mode;
        options.dir = Some(directory);
        options.shown = Some(shown);
        options.port = (port > 0).then(|| Port { first: port, instead: instead.clone() });
    })
    .open()
    .map(Served)
}

impl Served {
    /// Returns the mode in force.
    pub fn mode(&self) -> Mode {
        self.0.mode()
    }

    /// Returns the address that stands for an upstream, which is recorded under the alias if there is one.
    ///
    /// # Errors
    ///
    /// Fails for what is no URL, and where no address can be had.
    pub fn base_url(&self, alias: Option<&str>, url: &str) -> Result<String, Arc<Report>> {
        match alias {
            Some(alias) => self.0.try_upstream(alias, url),
            None => self.0.try_base_url(url),
        }
    }

    /// Returns the address at which the shims of MCP servers call.
    ///
    /// # Errors
    ///
    /// Fails where no socket can be had.
    pub fn mcp_address(&self) -> Result<String, Arc<Report>> {
        self.0.try_mcp_address()
    }

    /// Adds a fact to the head of what is recorded.
    pub fn meta(&self, name: &str, value: Json) {
        self.0.meta(name, value);
    }

    /// Ends it as the program ended that it was served to.
    pub fn end(mut self, end: BodyEnd) -> Verdict {
        self.0.end(end)
    }
}
