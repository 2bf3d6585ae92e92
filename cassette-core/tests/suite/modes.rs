//! Mode by state of the file by end of the body: what is served, what fails, and the file's bytes before and after.

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::policy::Requests;
use cassette_core::reply::Outcome;
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::{MemoryStore, Store};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, gone, plan, record, reply, run};

/// What stands in the file before the run, whose program asks for Bergen and Oslo.
const FILES: [(&str, &[&str]); 5] = [
    ("no file", &[]),
    ("complete", &["Bergen", "Oslo"]),
    ("partial", &["Bergen"]),
    ("drifted", &["Bergen", "Trondheim"]),
    ("surplus", &["Bergen", "Oslo", "Voss"]),
];

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Passes,
    Panics,
    /// It passes, and what came back cannot be looked into.
    Leaks,
}

/// What the run did: how many calls went live, what failed it, and what became of the file.
fn outcome(requests: Requests, mode: Mode, recorded: &[&str], end: End) -> String {
    let plan = |store: &MemoryStore, mode| Plan { requests, ..plan(store, mode) };
    let store = MemoryStore::default();
    let calls: Vec<_> = recorded.iter().map(|prompt| ask(prompt)).collect();
    let before = (!calls.is_empty()).then(|| {
        run(plan(&store, Mode::Record), &calls, counting(), BodyEnd::Passed);
        file(&store).expect("the file was written")
    });
    let session = match cassette_core::session::Session::open(plan(&store, mode)) {
        Ok(session) => session,
        Err(report) => return format!("opening fails: {}", report.code()),
    };
    let mut live = 0;
    let mut upstream = counting();
    let program = [ask("Bergen"), ask("Oslo")];
    crate::bench_of_calls::make(&session, &program, |call| {
        live += 1;
        if end == End::Leaks { opaque() } else { upstream(call) }
    });
    let verdict = session.finish(if end == End::Panics { BodyEnd::Panicked } else { BodyEnd::Passed });
    let after = file(&store);
    let changed = match (&before, &after) {
        (before, after) if before == after => "file as it was",
        (_, None) => "file gone",
        _ => "file written",
    };
    let pending = store.pending(NAME).unwrap().map_or("", |bytes| {
        let tape = disk::read(&bytes).expect("what is pending can be read");
        assert!(tape.head.other.iter().any(|(name, _)| name.is("pending")), "it says why it is pending");
        ", pending"
    });
    let failed = codes(&verdict).join(" ");
    if verdict.reports.is_empty() && end != End::Panics && mode.records() {
        let (got, verdict) = run(plan(&store, Mode::Replay), &program, gone, BodyEnd::Passed);
        assert!(got.iter().all(Result::is_ok) && verdict.reports.is_empty(), "what passed in {mode} replays");
    }
    let failed = if failed.is_empty() { "passes".to_owned() } else { format!("fails: {failed}") };
    format!("{live} live, {failed}, {changed}{pending}")
}

/// A reply into which nobody can look.
fn opaque() -> Outcome {
    let Outcome::Reply(mut answer) = reply(200, "") else { panic!("it is a reply") };
    answer.headers = vec![("content-type".to_owned(), "application/octet-stream".to_owned())];
    answer.chunks[0].bytes = vec![0xff, 0xfe, 0, 1];
    Outcome::Reply(answer)
}

/// Returns the table of a cassette that keeps this of its requests.
fn table(requests: Requests) -> String {
    let mut table = String::new();
    for mode in [Mode::Replay, Mode::Record, Mode::Refresh, Mode::Off] {
        for (name, recorded) in FILES {
            for end in [End::Passes, End::Panics, End::Leaks] {
                table.push_str(&format!(
                    "{mode:8} {name:9} {:9} {}\n",
                    format!("{end:?}"),
                    outcome(requests, mode, recorded, end)
                ));
            }
        }
    }
    table
}

#[test]
fn each_mode_does_what_its_row_says() {
    insta::assert_snapshot!(table(Requests::Full));
}

#[test]
fn each_mode_does_the_same_with_digests() {
    assert_eq!(table(Requests::Digest), table(Requests::Full));
}

#[test]
fn a_run_without_calls_asserts_nothing() {
    for (mode, expected) in [(Mode::Replay, vec!["no-calls"]), (Mode::Record, vec!["no-calls"]), (Mode::Off, vec![])] {
        let store = MemoryStore::default();
        let before = record(&store, &[ask("Bergen")]);
        let (_, verdict) = run(plan(&store, mode), &[], gone, BodyEnd::Passed);
        assert_eq!(codes(&verdict), expected, "{mode}");
        assert_eq!(file(&store), Some(before));
    }
}

#[test]
fn a_recording_run_never_serves_what_it_recorded_itself() {
    let store = MemoryStore::default();
    let twice = [ask("Bergen"), ask("Bergen")];
    record(&store, &twice);
    let (got, verdict) = run(plan(&store, Mode::Replay), &twice, gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 1")), Ok(reply(200, "answer 2"))]);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn a_run_that_finds_the_file_as_it_is_takes_the_place_of_what_is_pending() {
    let store = MemoryStore::default();
    let calls = [ask("Bergen"), ask("Oslo")];
    let before = record(&store, &calls);
    run(plan(&store, Mode::Refresh), &calls, |_| reply(503, "down"), BodyEnd::Panicked);
    assert!(store.pending(NAME).unwrap().is_some());
    // What goes nowhere has nothing to say of it.
    run(plan(&store, Mode::Record), &calls, gone, BodyEnd::Passed);
    assert!(store.pending(NAME).unwrap().is_some());
    let (_, verdict) = run(plan(&store, Mode::Refresh), &calls, counting(), BodyEnd::Passed);
    assert!(verdict.summary.unchanged && codes(&verdict).is_empty(), "{:?}", verdict.reports);
    assert_eq!((file(&store), store.pending(NAME).unwrap()), (Some(before), None));
}

#[test]
fn a_refresh_of_an_unchanged_service_leaves_the_file_untouched() {
    let store = MemoryStore::default();
    let calls = [ask("Bergen"), ask("Oslo")];
    let before = record(&store, &calls);
    let (_, verdict) = run(plan(&store, Mode::Refresh), &calls, counting(), BodyEnd::Passed);
    assert!(verdict.summary.unchanged);
    assert_eq!(file(&store), Some(before));
}
