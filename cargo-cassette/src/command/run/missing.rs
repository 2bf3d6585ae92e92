//! `record --missing`: the tests without a cassette alone, as the test binaries tell them.

use std::collections::BTreeMap;
use std::ffi::OsString;

use cargo_cassette::ownership;
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::registry::{self, Build, Claim, Owned};
use cargo_cassette::renaming::renamed;
use cargo_cassette::shelf::Shelf;
use cargo_cassette::tenants::tenants;
use cassette_core::mode::Mode;
use cassette_core::name::is_pattern;

use super::book::{Book, Terms};
use super::words::{Meant, Words};
use super::{RunError, close};
use crate::command::Found;
use crate::command::around::Surroundings;
use crate::command::failure::Failure;
use crate::command::named::near;
use crate::output::{Ink, Line, Output, count, printed};

/// Runs the tests for which nothing is recorded, one binary after the other.
pub(super) fn run(words: &Words, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let terms = Terms::of(words, Mode::Record, around)?;
    let arguments: Vec<_> = words.to_build().iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let dir = around.standpoint.dir.as_ref().map(|dir| around.standpoint.here.join(dir));
    let build = Build { tenants: tenants(&around.standpoint)?, dir, arguments, ..Build::default() };
    let registry = registry::ask(&build).map_err(RunError::NoRegistry)?;
    for silent in &registry.silent {
        output.line(&Line::new().ink(Ink::Warn, "not asked: ").plain(silent))?;
    }
    let filter = words.filter();
    let mut binaries: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
    let mut ignored = Vec::new();
    let mut replayed = Vec::new();
    for owned in ownership::missing(&registry) {
        match filter.meant(name(owned), owned.ignored) {
            // What a test only replays, another one records.
            Meant::Yes if owned.claim == Claim::Replays => replayed.push(owned),
            Meant::Ignored if owned.claim == Claim::Replays => {}
            Meant::Yes => binaries.entry(&owned.selection).or_default().push(name(owned)),
            Meant::Ignored => ignored.push(owned),
            Meant::No => {}
        }
    }
    for owned in &ignored {
        let what = format!("{}, which is ignored without `-- --include-ignored`", owned.test);
        output.line(&Line::new().ink(Ink::Warn, "not recorded: ").plain(&what))?;
    }
    replayed.retain(|owned| ownership::recorder(owned, &registry).is_none());
    for owned in &replayed {
        let what = format!("{}, which says `mode = \"replay\"`, and no other test records its cassette", owned.test);
        output.line(&Line::new().ink(Ink::Warn, "not recorded: ").plain(&what))?;
    }
    let shelves = around.shelves().unwrap_or_default();
    let nobodys = ownership::orphans(&shelves, &registry).unwrap_or_default().certain;
    for it in renamed(&nobodys, ownership::missing(&registry)) {
        let old =
            Line::new().ink(Ink::Warn, "perhaps renamed: ").plain(&format!("{}, whose cassette may be ", it.test.test));
        output.line(&old.plain(&it.old.place()))?;
        output.help("  ", &it.moving())?;
    }
    let is_meant = |owned: &&Owned| filter.meant(name(owned), owned.ignored) != Meant::No;
    if !filter.names().is_empty() && !registry.owned.iter().any(|owned| is_meant(&owned)) {
        return unmatched(&filter.names(), &registry.owned, around, output);
    }
    if binaries.is_empty() && !replayed.is_empty() {
        return Ok(Found::Something);
    }
    if binaries.is_empty() {
        let tests = registry.owned.iter().filter(|owned| filter.meant(name(owned), owned.ignored) == Meant::Yes);
        let (cases, tests): (Vec<_>, Vec<_>) = tests.partition(|owned| is_pattern(&owned.cassette));
        let unreadable = tests.iter().filter(|owned| !is_readable(owned)).count();
        let tests = match unreadable {
            0 => format!("{} with a cassette, all recorded", count(tests.len(), "test")),
            n => format!("{} with a cassette, of which {n} cannot be read", count(tests.len(), "test")),
        };
        let line = match cases.len() {
            0 => format!("nothing is missing: {tests}"),
            n => format!(
                "nothing is known to be missing: {tests}; and {} whose cassettes are named as they run, which `record` without \
                 --missing records where they lack",
                count(n, "case")
            ),
        };
        output.line(&Line::of(&line))?;
        if unreadable > 0 {
            output.help("", "see what to do: cargo cassette lint")?;
        }
        return Ok(Found::something_if(unreadable > 0));
    }
    let mut book = Book::open(terms)?;
    let mut failed = None;
    let mut last = None;
    for (selection, names) in binaries {
        let options = words.without_selection().into_iter().chain(words.if_none_is_found());
        let cargo: Vec<_> = options.chain(selection.iter().map(OsString::from)).collect();
        let exact = ["--exact"].into_iter().chain(names).map(OsString::from);
        let tests: Vec<_> = exact.chain(words.tests_without_filter()).collect();
        let status = book.cargo(words, (&cargo, &tests), around)?;
        failed = failed.or((!status.success()).then_some(status));
        last = Some(status);
        if book.is_interrupted {
            break;
        }
    }
    match failed.or(last) {
        Some(status) => close(book, status, (words, around), output),
        None => Ok(Found::Nothing),
    }
}

/// Tells that no test with a cassette has a name that was typed.
fn unmatched(words: &[String], owned: &[Owned], around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let typed: Vec<_> = words.iter().map(|word| format!("`{}`", printed(&presentable_text(word)))).collect();
    let what = format!("no test with a cassette matches {}", typed.join(" or "));
    output.line(&Line::new().ink(Ink::Warn, &what).plain(&format!(", of {}", count(owned.len(), "test"))))?;
    let names: Vec<_> = owned.iter().map(|owned| name(owned).to_owned()).collect();
    if let Some(near) = words.iter().find_map(|word| around.guess(word, near(word, &names)?)) {
        output.help("", &near)?;
    }
    Ok(Found::Something)
}

/// Returns whether the cassette of a test is one, where it has any.
fn is_readable(owned: &Owned) -> bool {
    let shelf = Shelf::new(&owned.dir, "");
    owned.claim == Claim::Nothing || shelf.spot(&owned.cassette).open().is_ok()
}

/// Returns the test's name as its binary knows it.
fn name(owned: &Owned) -> &str {
    owned.test.split_once("::").map_or(&owned.test, |(_, name)| name)
}
