//! `record --missing`: the tests without a cassette alone, as the test binaries tell them.

use std::collections::BTreeMap;
use std::ffi::OsString;

use cargo_cassette::ownership;
use cargo_cassette::registry::{self, Build, Claim};
use cargo_cassette::tenants::tenants;
use cassette_core::mode::Mode;

use super::words::Words;
use super::{Book, RunError, close};
use crate::command::Found;
use crate::command::around::Surroundings;
use crate::command::failure::Failure;
use crate::output::{Ink, Line, Output, count};

/// Runs the tests for which nothing is recorded, one binary after the other.
pub(super) fn run(words: &Words, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let book = Book::open(words, Mode::Record)?;
    let arguments: Vec<_> = words.cargo.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let build = Build { tenants: tenants(&around.standpoint)?, arguments, ..Build::default() };
    let registry = registry::ask(&build).map_err(RunError::NoRegistry)?;
    for silent in &registry.silent {
        output.line(&Line::new().ink(Ink::Warn, "not asked: ").plain(silent))?;
    }
    let mut binaries: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
    // What a test only replays, another one records.
    for owned in ownership::missing(&registry).filter(|owned| owned.claim != Claim::Replays) {
        let name = owned.test.split_once("::").map_or(owned.test.as_str(), |(_, name)| name);
        binaries.entry(&owned.selection).or_default().push(name);
    }
    if binaries.is_empty() {
        let tests = count(registry.owned.len(), "test");
        output.line(&Line::of(&format!("nothing is missing: {tests} with a cassette, all recorded")))?;
        return Ok(Found::Nothing);
    }
    let mut failed = None;
    let mut last = None;
    for (selection, names) in binaries {
        let cargo: Vec<_> = words.without_selection().into_iter().chain(selection.iter().map(OsString::from)).collect();
        let exact = ["--exact"].into_iter().chain(names).map(OsString::from);
        let tests: Vec<_> = exact.chain(words.tests.iter().cloned()).collect();
        let status = book.cargo(words, (&cargo, &tests), around)?;
        failed = failed.or((!status.success()).then_some(status));
        last = Some(status);
    }
    match failed.or(last) {
        Some(status) => close(book, status, output),
        None => Ok(Found::Nothing),
    }
}
