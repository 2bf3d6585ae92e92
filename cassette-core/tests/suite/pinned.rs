//! A mode that stands in the test's source: the command that a report prints works all the same.

use cassette_core::mode::Mode;
use cassette_core::report::Report;
use cassette_core::session::{BodyEnd, Pinned, Plan, Session};
use cassette_core::store::MemoryStore;
use cassette_core::tape::Stamp;

use crate::bench_of_calls::{ask, codes, counting, gone, plan, record, run};

fn pinned(store: &MemoryStore) -> Plan {
    let (by, plain) = ("mode = \"replay\"".into(), "#[cassette(\"trains\")]".into());
    Plan { pinned: Some(Pinned { by, plain, owner: None }), ..plan(store, Mode::Replay) }
}

/// Returns the last line of a report.
fn help(report: &Report) -> String {
    report.to_string().lines().last().unwrap().to_owned()
}

#[test]
fn what_is_pinned_is_taken_out_before_the_command_is_run() {
    let commands = "take `mode = \"replay\"` and any fault out of the test, then CASSETTE_MODE=record cargo test -p timetable --test suite ask -- --exact";
    let store = MemoryStore::default();
    let missing = Session::open(pinned(&store)).unwrap_err();
    assert_eq!(
        help(&missing),
        format!(
            "help: record it with a test that makes the same calls without faults, such as one with a plain `#[cassette(\"trains\")]`, \
             run with CASSETTE_MODE=record; or {commands}"
        )
    );
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let told = |calls: &[&str]| {
        let calls: Vec<_> = calls.iter().map(|prompt| ask(prompt)).collect();
        let (_, verdict) = run(pinned(&store), &calls, gone, BodyEnd::Passed);
        (codes(&verdict)[0], help(&verdict.reports[0]))
    };
    assert_eq!(told(&["Voss"]), ("mismatch", format!("help: if the change is meant, {commands}")));
    assert_eq!(told(&["Oslo"]), ("unused", format!("help: if fewer calls are meant, {commands}")));
    assert_eq!(told(&["Oslo", "Oslo"]), ("exhausted", format!("help: if the repeated call is meant, {commands}")));
    let stamp = Stamp { version: Some("2".into()), ..Stamp::default() };
    let stale = Session::open(Plan { stamp, ..pinned(&store) }).unwrap_err();
    let refresh = commands.replace("=record", "=refresh");
    assert_eq!(help(&stale), format!("help: record it with what the test names: {refresh}"));
}

#[test]
fn what_belongs_to_another_test_is_recorded_by_that_test() {
    let store = MemoryStore::default();
    let owner = |test: &str| Plan { test: test.into(), ..plan(&store, Mode::Refresh) };
    let told = || help(&run(pinned(&store), &[ask("Voss")], gone, BodyEnd::Passed).1.reports[0]);
    run(owner("suite::departures::asks"), &[ask("Bergen")], counting(), BodyEnd::Passed);
    assert_eq!(
        told(),
        "help: if the change is meant, run its owner, suite::departures::asks: \
         CASSETTE_MODE=record cargo test -p timetable --test suite departures::asks -- --exact"
    );
}

#[test]
fn what_another_test_records_is_recorded_by_that_test() {
    let store = MemoryStore::default();
    let owner = Some("suite::departures::asks".to_owned());
    let mut pinned = pinned(&store);
    pinned.pinned.iter_mut().for_each(|pinned| pinned.owner.clone_from(&owner));
    let missing = Session::open(pinned.clone()).unwrap_err();
    assert_eq!(
        help(&missing),
        "help: record it: run its owner, suite::departures::asks: \
         CASSETTE_MODE=record cargo test -p timetable --test suite departures::asks -- --exact"
    );
    // One that runs only where it is asked for is asked for.
    let ignored = Plan { ignored_tests: vec!["suite::departures::asks".into()], ..pinned.clone() };
    let missing = help(&Session::open(ignored).unwrap_err());
    assert!(missing.ends_with("--test suite departures::asks -- --exact --ignored"), "{missing}");
    // Once there is one, its head says whose it is.
    record(&store, &[ask("Bergen")]);
    let told = help(&run(pinned, &[ask("Voss")], gone, BodyEnd::Passed).1.reports[0]);
    assert!(
        told.starts_with("help: if the change is meant, take `mode = \"replay\"` and any fault out of the test"),
        "{told}"
    );
}
