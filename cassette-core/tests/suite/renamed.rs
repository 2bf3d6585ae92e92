//! A test that was renamed, and whose cassette has its old name; a function and a server that were.

use cassette_core::call::{Call, Kind};
use cassette_core::mode::Mode;
use cassette_core::session::{BodyEnd, Cassettes, Home, Plan, Session};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{ask, codes, counting, gone, plan, run, value};

/// Returns the plan of an annotated test without a name of its own, among these of its program.
fn unnamed(store: &MemoryStore, test: &str, all: &[&str], mode: Mode) -> Plan {
    let known_tests = all.iter().map(|test| (*test).to_owned()).collect();
    Plan { name: test.replace("::", "/"), test: test.to_owned(), known_tests, ..plan(store, mode) }
}

#[test]
fn the_cassette_of_a_test_that_is_no_more_is_named_where_another_is_missing() {
    let store = MemoryStore::default();
    let before = ["suite::fares::adult", "suite::fares::child", "suite::trains::to_oslo", "other::fares::adults"];
    for test in before {
        run(unnamed(&store, test, &before, Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Passed);
    }
    let now = ["suite::fares::adults", "suite::fares::child", "suite::prices::adults", "suite::trains::oslo"];
    let missing = |test: &str| {
        let report = Session::open(unnamed(&store, test, &now, Mode::Replay)).unwrap_err();
        report.to_string()
    };
    let record = "CASSETTE_MODE=record cargo test -p timetable --test suite ask -- --exact";
    let (old, new) = ("memory:suite/fares/adult.json", "memory:suite/fares/adults.json");
    assert_eq!(
        missing("suite::fares::adults"),
        format!(
            "cassette missing: `suite/fares/adults` has not been recorded: there is no {new}\n  \
             {old} was recorded by suite::fares::adult, which is no test with a cassette any more\n\
             help: if it was renamed, mv {old} {new}; else record it: {record}"
        )
    );
    let (old, new) = ("memory:suite/fares/adult.json", "memory:suite/prices/adults.json");
    let moved = format!("if it was renamed, mkdir -p memory:suite/prices && mv {old} {new}; else");
    assert!(missing("suite::prices::adults").contains(&moved), "into a directory that is made");
    assert!(
        missing("suite::trains::oslo").contains("mv memory:suite/trains/to_oslo.json memory:suite/trains/oslo.json;")
    );

    // It is typed where the person stands, and not where the files are named from.
    let plan = unnamed(&store, "suite::fares::adults", &now, Mode::Replay);
    let told = Session::open(Plan { from_here: "crates/a b".into(), ..plan }).unwrap_err().to_string();
    let (old, new) = ("memory:suite/fares/adult.json", "memory:suite/fares/adults.json");
    assert!(told.contains(&format!("there is no {new}\n")), "{told}");
    assert!(told.contains(&format!("mv 'crates/a b/{old}' 'crates/a b/{new}'; else")), "{told}");

    // What was moved replays, and is the new test's once it is recorded.
    let text = cassette_core::store::Store::load(&store, "suite/fares/adult").unwrap().unwrap();
    store.put("suite/fares/adults", &text);
    let (_, verdict) =
        run(unnamed(&store, "suite::fares::adults", &now, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn no_other_tests_cassette_is_named() {
    let store = MemoryStore::default();
    let all = ["suite::fares", "suite::trains"];
    run(unnamed(&store, "suite::fares", &all, Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Passed);
    // One of a builder, which no list of tests has.
    run(Plan { name: "built".into(), ..plan(&store, Mode::Record) }, &[ask("Bergen")], counting(), BodyEnd::Passed);
    let told = Session::open(unnamed(&store, "suite::trains", &all, Mode::Replay)).unwrap_err().to_string();
    let record = "CASSETTE_MODE=record cargo test -p timetable --test suite ask -- --exact";
    let what = "`suite/trains` has not been recorded: there is no memory:suite/trains.json";
    assert_eq!(told, format!("cassette missing: {what}\nhelp: record it: {record}"));
}

#[test]
fn what_the_test_recorded_under_another_name_comes_first() {
    let store = MemoryStore::default();
    let before = ["suite::clock", "suite::clocks", "suite::groups"];
    for test in before {
        run(unnamed(&store, test, &before, Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Passed);
    }
    let missing = |cassettes: Cassettes| {
        let now = ["suite::clock"];
        let plan =
            Plan { name: "office/clock".into(), cassettes, ..unnamed(&store, "suite::clock", &now, Mode::Replay) };
        Session::open(plan).unwrap_err().to_string()
    };
    let record = "CASSETTE_MODE=record cargo test -p timetable --test suite ask -- --exact";
    let (what, new) =
        ("cassette missing: `office/clock` has not been recorded: there is no", "memory:office/clock.json");
    let moved = |old: &str| {
        format!(
            "help: if it was renamed, mkdir -p memory:office && mv {old} {new}; else {record_it}",
            record_it = format_args!("record it: {record}")
        )
    };
    assert_eq!(
        missing(Cassettes::One),
        format!(
            "{what} {new}\n  memory:suite/clock.json was recorded by this very test\n{}",
            moved("memory:suite/clock.json")
        )
    );
    // One that has cases may have recorded it for another case; and what is called otherwise is never named.
    let other = "memory:suite/clocks.json was recorded by suite::clocks, which is no test with a cassette any more";
    assert_eq!(missing(Cassettes::Several), format!("{what} {new}\n  {other}\n{}", moved("memory:suite/clocks.json")));
    store.put("suite/clocks", b"{}");
    assert_eq!(missing(Cassettes::Several), format!("{what} {new}\nhelp: record it: {record}"));
}

#[test]
fn a_test_of_another_package_is_another_test() {
    let store = MemoryStore::default();
    let of = |package: &str, home, mode| {
        let test = "suite::trains";
        Plan { package: Some(package.to_owned()), home, ..unnamed(&store, test, &[test], mode) }
    };
    run(of("alpha", Home::Shared, Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Passed);
    let (_, verdict) = run(of("beta", Home::Shared, Mode::Record), &[ask("Oslo")], counting(), BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    let (_, verdict) = run(of("beta", Home::Shared, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0], "it may replay it");
    assert_eq!(verdict.summary.of_another.as_deref(), Some("suite::trains of the package alpha"), "and is told");
    let (_, verdict) = run(of("alpha", Home::Shared, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(verdict.summary.of_another, None);
    let (_, verdict) = run(of("beta", Home::Own, Mode::Record), &[ask("Oslo")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["refused"], "though it lies in its own directory");
    // It may have lain elsewhere.
    let (_, verdict) = run(of("alpha", Home::Own, Mode::Record), &[ask("Voss")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (_, verdict) = run(of("beta", Home::Shared, Mode::Record), &[ask("Oslo")], counting(), BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn what_keeps_a_recording_is_told_where_the_name_stands() {
    let told = |kind: Kind, recorded: &str, incoming: &str| {
        let store = MemoryStore::default();
        let call = |name: &str| Call::function(kind, name, b"[\"Bergen\"]".to_vec());
        let (_, verdict) = run(plan(&store, Mode::Record), &[call(recorded)], |_| value("7"), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        let (_, verdict) = run(plan(&store, Mode::Replay), &[call(incoming)], gone, BodyEnd::Passed);
        verdict.reports[0].to_string().lines().last().unwrap().to_owned()
    };
    let record = "CASSETTE_MODE=record cargo test -p timetable --test suite ask -- --exact";
    let another = format!("; if another is meant, {record}");
    assert_eq!(
        told(Kind::Value, "now", "today"),
        format!("help: where it was renamed, `cassette.value(\"now\", ..)` keeps the recording{another}")
    );
    assert_eq!(
        told(Kind::Mcp, "day initialize", "night initialize"),
        format!(
            "help: where the server was renamed, `.named(\"day\")`, for the shim `--name day`, keeps the recording{another}"
        )
    );
    assert_eq!(
        told(Kind::Llm, "<day as Provider>::answer", "<night as Provider>::answer"),
        format!(
            "help: where what is wrapped was moved or renamed, `cassette.wrap(..).named(\"day\")` keeps the recording{another}"
        )
    );
    assert_eq!(
        told(Kind::Tool, "day tools/call search", "day tools/call find"),
        format!("help: if the change is meant, {record}")
    );
}
