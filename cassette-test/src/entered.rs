//! The first thing that an annotated body does: it looks for the session that should stand round it.

use std::fmt::Display;
use std::sync::Arc;

use cassette_core::name::{self, Name};
use cassette_core::report::{Report, Wiring};

use crate::abandon::abandon;
use crate::ambient;
use crate::cassette::Cassette;
use crate::scope::{Scope, misnamed};

/// The function whose body this is, as the first expansion saw it.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub function: &'static str,
    /// Its file.
    pub file: &'static str,
    /// The attributes that were to pass the hidden one on.
    pub attributes: &'static str,
}

/// Returns the cassette of the test whose body begins here; where its name is a pattern, the arguments complete it.
///
/// # Panics
///
/// Panics where no session stands round the body: an attribute between has dropped the hidden one, and the test would
/// pass without a verdict.
#[track_caller]
#[must_use]
pub fn entered(entry: &Entry, arguments: &[(&str, &dyn Display)]) -> Cassette {
    let Some(scope) = ambient::of_function(entry.function, entry.file) else {
        panic!("{}", Report::Wiring(unreached(entry)));
    };
    if let Err(report) = complete(&scope, arguments) {
        scope.fail(Report::clone(&report));
        abandon();
    }
    Cassette::of(scope)
}

/// Returns the handle that stands for the test's argument.
#[must_use]
pub fn handle(cassette: &Cassette) -> Cassette {
    cassette.clone()
}

fn complete(scope: &Scope, arguments: &[(&str, &dyn Display)]) -> Result<(), Arc<Report>> {
    if !name::is_pattern(&scope.label) {
        return Ok(());
    }
    let name = Name::of_pattern(&scope.label, arguments).map_err(|error| misnamed(&scope.label, error))?;
    scope.open(&name, arguments)
}

fn unreached(entry: &Entry) -> Wiring {
    let Entry { function, attributes, .. } = entry;
    let by = if attributes.is_empty() { "the attributes of the test" } else { attributes };
    let what = format!("no session stands round `{function}`: {by} did not pass on what `#[cassette]` left behind it");
    Wiring::new(
        what,
        "put `#[cassette]` directly above the attribute that makes the test, or use `Cassette::builder(..)`",
    )
}
