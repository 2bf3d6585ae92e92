//! What does not fit between cassettes and the tests that own them.

mod cases;
mod orphans;
mod programs;
mod sources;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use cassette_core::name::is_pattern;

use crate::inspection::{Finding, Rule, finding};
use crate::registry::{Claim, Owned, Registry, Run};
use crate::renaming::renamed;
use crate::shelf::{Shelf, Spot, Way, holds_other};
use crate::typed::typed;
use crate::workspace::{real, shown};
pub use cases::Cases;
pub use orphans::{Orphans, orphans};
use programs::{Asked, Programs};
pub use sources::may_have;

/// Returns what does not fit between the cassettes and the tests that own them.
///
/// `orphans` are those of these directories, `shelves`. A cassette whose head does not say that its test is annotated is known by that
/// head alone, and never nobody's.
pub fn findings(orphans: &Orphans<'_>, shelves: &[Shelf], registry: &Registry) -> Vec<Finding> {
    let mut findings = Vec::new();
    let renamed = renamed(&orphans.certain, missing(registry));
    for (_, spot) in &orphans.certain {
        let delete = format!("remove it: cargo cassette delete {}", spot.typed());
        let help = match renamed.iter().find(|it| it.old == spot) {
            Some(it) => format!("if its test is {} now, {}; else {delete}", it.test.test, it.moving()),
            None => delete,
        };
        findings.push(finding(&spot.shown, Rule::Orphan, "no test owns this cassette any more", &help));
    }
    let mut claims: HashMap<(PathBuf, &str), &Owned> = HashMap::new();
    let claiming = |owned: &&Owned| matches!(owned.claim, Claim::Records | Claim::Shares);
    for owned in registry.owned.iter().filter(claiming).filter(|owned| !is_pattern(&owned.cassette)) {
        let first = *claims.entry((real(&owned.dir), &owned.cassette)).or_insert(owned);
        let share = (first.claim, owned.claim) == (Claim::Shares, Claim::Shares);
        if !share && (&first.test, &first.package) != (&owned.test, &owned.package) {
            let called = |one: &Owned| match first.test == owned.test {
                true => format!("`{}` of the package {}", one.test, one.package),
                false => format!("`{}`", one.test),
            };
            let what = format!("{} and {} both own `{}`", called(first), called(owned), owned.cassette);
            let help = "give each test a cassette of its own, or let both say `unused = \"allow\"`";
            findings.push(at_test(owned, Rule::Owners, what, help.to_owned()));
        }
    }
    findings.extend(registry.owned.iter().filter_map(|owned| elsewhere(owned, shelves, registry)));
    findings.extend(registry.owned.iter().filter_map(occupied));
    for owned in missing(registry) {
        let what = format!("nothing is recorded for `{}`, cassette `{}`", owned.test, owned.cassette);
        let record = recording(owned, registry);
        let help = match renamed.iter().find(|it| it.test == owned) {
            Some(it) => format!("if it was renamed, {}; else {record}", it.moving()),
            None => record,
        };
        findings.push(at_test(owned, Rule::Missing, what, help));
    }
    findings
}

/// Returns the finding of a test in the place of whose cassette another document lies.
fn occupied(owned: &Owned) -> Option<Finding> {
    let file = owned.dir.join(format!("{}.json", owned.cassette));
    let is_it = owned.claim != Claim::Nothing && !is_pattern(&owned.cassette) && holds_other(&file);
    let what = || format!("what lies under `{}`, the cassette of `{}`, is not a cassette", owned.cassette, owned.test);
    let help = "give the test's cassette another name, or keep the other file elsewhere";
    is_it.then(|| at_test(owned, Rule::Unreadable, what(), help.to_owned()))
}

/// Returns the finding of a test whose cassette another one has recorded that does not own it, or a command: it is replayed, and cannot be recorded
/// over. What an annotated test recorded that is no more is adopted by whichever test of its program has it.
fn elsewhere(owned: &Owned, shelves: &[Shelf], registry: &Registry) -> Option<Finding> {
    if owned.claim != Claim::Records || is_pattern(&owned.cassette) {
        return None;
    }
    let shelf = shelves.iter().find(|shelf| real(&shelf.dir) == real(&owned.dir)).cloned();
    let spot = shelf.unwrap_or_else(|| Shelf::new(&owned.dir, "")).spot(&owned.cassette);
    let head = spot.open().ok()?.head;
    let programs = Programs::of(registry);
    let by = head.test.clone().filter(|_| !programs.is_recorder(owned, &owned.dir, &head))?;
    let program = |test: &str| test.split("::").next().map(str::to_owned);
    let owner = registry.owned.iter().find(|other| programs.is_recorder(other, &owned.dir, &head));
    let is_told = match owner {
        Some(other) => (&other.dir, &other.cassette) != (&owned.dir, &owned.cassette),
        // What says nothing of its cassettes is adopted by none, there or not.
        None if !head.registered => true,
        None => {
            let is_gone = matches!(programs.asked(&owned.dir, &head), Asked::Answered);
            is_gone && program(&by) != program(&owned.test)
        }
    };
    if !is_told {
        return None;
    }
    let why = match owner {
        Some(other) => format!("has `{}`; nobody can record over it", other.cassette),
        None if head.registered => "is no test any more; nobody can record over it".to_owned(),
        None if by.starts_with("cargo-cassette::") => "is a command; the test cannot record over it".to_owned(),
        None => "does not say that it has it; this one cannot record over it".to_owned(),
    };
    let what = format!(
        "what lies under `{}`, the cassette of `{}`, was recorded by `{by}`, which {why}",
        owned.cassette, owned.test
    );
    // Several packages may have a program of this name, and the head's stays where nothing else is said.
    let package = match head.package.is_some_and(|package| package != owned.package) {
        true => format!(" --package {}", typed(&owned.package)),
        false => String::new(),
    };
    let help = format!(
        "if it is this test's, hand it over: cargo cassette seal {} --owner {}{package}",
        spot.words(),
        typed(&owned.test)
    );
    Some(at_test(owned, Rule::Owners, what, help))
}

/// Returns the test that records the cassette of one that only replays it.
pub fn recorder<'a>(replaying: &Owned, registry: &'a Registry) -> Option<&'a Owned> {
    let records = |other: &&Owned| {
        let is_its = other.dir == replaying.dir && fits(&other.cassette, &replaying.cassette);
        is_its && matches!(other.claim, Claim::Records | Claim::Shares)
    };
    registry.owned.iter().find(records)
}

/// Returns what to type so that something is recorded for a test.
fn recording(owned: &Owned, registry: &Registry) -> String {
    let by = recorder(owned, registry).filter(|_| owned.claim == Claim::Replays);
    let first = match (owned.claim, by) {
        (Claim::Replays, None) => "take `mode = \"replay\"` and any fault out of the test, then ",
        _ => "record it: ",
    };
    let Owned { test, selection, ignored, .. } = by.unwrap_or(owned);
    let name = test.split_once("::").map_or(test.as_str(), |(_, name)| name);
    let run = match registry.run {
        Run::Plain => "CASSETTE_MODE=record cargo test",
        Run::WithDirectory => "cargo cassette record",
    };
    let ignored = if *ignored { " --ignored" } else { "" };
    format!("{first}{run} {} {name} -- --exact{ignored}", selection.join(" "))
}

/// Returns these directories, and those beside them in which tests say that they keep their cassettes, `dir = "tests/tapes"`.
#[must_use]
pub fn with_tests_own(mut shelves: Vec<Shelf>, registry: &Registry, here: &Path) -> Vec<Shelf> {
    let dirs: BTreeSet<_> = registry.owned.iter().map(|owned| &owned.dir).filter(|dir| dir.is_dir()).collect();
    for dir in dirs {
        let is_within = |shelf: &Shelf| real(dir).starts_with(real(&shelf.dir));
        if registry.dir.is_none() && !shelves.iter().any(is_within) {
            shelves.push(Shelf { dir: dir.clone(), shown: shown(here, dir), way: Way::Aside });
        }
    }
    shelves
}

/// Returns of how many cases which cassettes are known only when they run, by the pattern of their names, in order: each has the one that its
/// arguments name, and no list of tests has these.
#[must_use]
pub fn named_as_they_run(registry: &Registry) -> BTreeMap<&str, usize> {
    let mut cases = BTreeMap::new();
    let is_one = |owned: &&Owned| is_pattern(&owned.cassette) && owned.claim != Claim::Nothing;
    for owned in registry.owned.iter().filter(is_one) {
        *cases.entry(&*owned.cassette).or_default() += 1;
    }
    cases
}

/// Returns the tests for which nothing is recorded, though they need a recording.
pub fn missing(registry: &Registry) -> impl Iterator<Item = &Owned> {
    let tests: BTreeSet<_> = registry.owned.iter().map(|owned| (&*owned.package, &*owned.test)).collect();
    registry.owned.iter().filter(move |owned| owned.claim != Claim::Nothing && !is_recorded(owned, &tests))
}

/// Returns whether anything is recorded under the name, or by this test under one that its pattern makes. What its pattern may
/// have made and none of these tests recorded may be its own: it may have been renamed.
fn is_recorded(owned: &Owned, tests: &BTreeSet<(&str, &str)>) -> bool {
    let file = owned.dir.join(format!("{}.json", owned.cassette));
    if !is_pattern(&owned.cassette) {
        // Where it cannot be told, the directory is what is bad.
        let is_there = |file: &Path| file.try_exists().unwrap_or(true);
        return is_there(&file) || is_there(&file.with_extension("json.zst"));
    }
    let shelf = Shelf::new(&owned.dir, "");
    let spots = if owned.dir.is_dir() { shelf.cassettes().unwrap_or_default() } else { Vec::new() };
    let is_its = |spot: &Spot| match spot.open().map(|tape| (tape.head.package, tape.head.test)) {
        Ok((package, Some(test))) if owned.claim == Claim::Records => {
            // A package has a test of this name whichever others have one too.
            let by = (package.as_deref().unwrap_or(&owned.package), &*test);
            by == (&owned.package, &owned.test) || !tests.contains(&by)
        }
        _ => true,
    };
    spots.iter().any(|spot| spot.is_directory() || fits(&owned.cassette, &spot.name) && is_its(spot))
}

/// Returns whether a name is this one, or may be made from this pattern: an argument holds no `/`.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, rest)) = pattern.split_once('{') else { return pattern == name };
    let (Some(name), Some((_, after))) = (name.strip_prefix(before), rest.split_once('}')) else { return false };
    let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    ends.take_while(|at| !name[..*at].contains('/')).any(|at| fits(after, &name[at..]))
}

fn at_test(owned: &Owned, rule: Rule, what: String, help: String) -> Finding {
    Finding { file: owned.file.clone(), line: Some(owned.line), rule, what, help }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_fits_the_names_that_its_arguments_make() {
        assert!(fits("trains", "trains") && !fits("trains", "trains2"));
        assert!(fits("trains/{model}", "trains/gpt-4o") && !fits("trains/{model}", "trains/a/b"));
        assert!(fits("{a}-{b}/x", "m-n-o/x") && !fits("{a}-{b}/x", "m/x"));
    }
}
