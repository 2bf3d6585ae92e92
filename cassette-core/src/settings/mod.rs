//! What a package says of all its tests, or a workspace of all its packages: `cassette.toml`.
//!
//! ```text
//! text -> read -> Settings, or every Mistake in it
//! a package's directory -> files: the workspace's, the package's -> load: read, the package's over the workspace's
//! ```
//!
//! Reading is pure; [`files`] and [`load`] alone look at a disk. The invariant: nothing in a file is passed over. A key that
//! is not known, a value of another type, a file that cannot be read are mistakes, and who finds one runs no test.

mod file;
mod keys;
mod mistake;
mod read;

pub use file::{FILE, files, load, place_of};
pub use keys::KEYS;
pub use mistake::Mistake;
pub use read::{days, dollars, is_field_name, read};

use std::fmt;
use std::path::PathBuf;

use crate::account::Money;
use crate::policy::{Order, Requests, Strictness};

/// What `cassette.toml` says; what it leaves out is `None`, or empty.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The directory of the cassettes, from the package's own.
    pub dir: Option<PathBuf>,
    /// By which rule recordings are served: an exact one.
    pub order: Option<Order>,
    /// How far the network guard reaches.
    pub guard: Option<Strictness>,
    /// What is kept of the requests.
    pub requests: Option<Requests>,
    /// Whether personal data is hidden too; what either file says counts.
    pub pii: bool,
    /// Hosts that may be reached round a cassette.
    pub allow_hosts: Vec<String>,
    /// Fields whose values are hidden.
    pub redact_field: Vec<String>,
    /// Headers whose values are hidden.
    pub redact_header: Vec<String>,
    /// Values that are hidden.
    pub redact_value: Vec<String>,
    /// Reply headers that are kept though they change.
    pub keep_header: Vec<String>,
    /// Paths that are not compared.
    pub ignore: Vec<String>,
    /// Request headers that are compared.
    pub match_header: Vec<String>,
    /// How much may be spent live.
    pub budget: Option<Money>,
    /// A table of prices that come before those that come along.
    pub prices_file: Option<PathBuf>,
    /// How many days old a recording may be for `lint`.
    pub max_age: Option<u64>,
}

impl Settings {
    /// Returns these settings over others: what is one value is this one's, what is a list is both.
    #[must_use]
    pub fn over(self, under: Settings) -> Settings {
        let both = |under: Vec<String>, over: Vec<String>| [under, over].concat();
        Settings {
            dir: self.dir.or(under.dir),
            order: self.order.or(under.order),
            guard: self.guard.or(under.guard),
            requests: self.requests.or(under.requests),
            pii: self.pii || under.pii,
            allow_hosts: both(under.allow_hosts, self.allow_hosts),
            redact_field: both(under.redact_field, self.redact_field),
            redact_header: both(under.redact_header, self.redact_header),
            redact_value: both(under.redact_value, self.redact_value),
            keep_header: both(under.keep_header, self.keep_header),
            ignore: both(under.ignore, self.ignore),
            match_header: both(under.match_header, self.match_header),
            budget: self.budget.or(under.budget),
            prices_file: self.prices_file.or(under.prices_file),
            max_age: self.max_age.or(under.max_age),
        }
    }
}

impl fmt::Debug for Settings {
    /// Of the values to be hidden only the number is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { dir, order, guard, requests, budget, redact_value, .. } = self;
        let mut settings = f.debug_struct("Settings");
        settings.field("dir", dir).field("order", order).field("guard", guard).field("requests", requests);
        settings.field("budget", budget).field("redact_value", &redact_value.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
