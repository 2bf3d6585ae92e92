//! What a recording run may take over, and what it keeps pending.

use cassette_core::call::{Call, Kind};
use cassette_core::mode::Mode;
use cassette_core::policy::Unused;
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Store};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, gone, plan, record, refused, reply, run, value};

#[test]
fn an_outage_stays_pending_unless_the_call_succeeded_later_or_it_is_meant() {
    for outage in [reply(429, "slow down"), reply(503, "away"), reply(401, "who"), refused()] {
        let store = MemoryStore::default();
        let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Bergen")], |_| outage.clone(), BodyEnd::Passed);
        assert_eq!(codes(&verdict), ["pending"]);
        assert_eq!(file(&store), None);
        assert!(store.pending(NAME).unwrap().is_some());

        let mut answers = [outage.clone(), reply(200, "09:04")].into_iter();
        let retried = [ask("Bergen"), ask("Bergen")];
        let (_, verdict) = run(plan(&store, Mode::Record), &retried, |_| answers.next().unwrap(), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        assert!(store.pending(NAME).unwrap().is_none(), "what is taken over is no longer pending");
        let (got, _) = run(plan(&store, Mode::Replay), &retried, gone, BodyEnd::Passed);
        assert_eq!(got, [Ok(outage.clone()), Ok(reply(200, "09:04"))]);

        let store = MemoryStore::default();
        let meant = |mode| Plan { outages: Outages::Allow, ..plan(&store, mode) };
        let (_, verdict) = run(meant(Mode::Record), &[ask("Bergen")], |_| outage.clone(), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        let (got, _) = run(meant(Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
        assert_eq!(got, [Ok(outage)]);
    }
}

#[test]
fn a_document_as_deep_as_any_that_is_read_is_recorded_and_replayed() {
    for depth in [180, 199, 200, 201, 400] {
        let deep = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let json = ("content-type".to_owned(), "application/json".to_owned());
        let call = Call::http("POST", "https://api.example.com/deep", vec![json], deep.clone().into_bytes());
        let answer = reply(200, &deep);
        let store = MemoryStore::default();
        let (_, verdict) =
            run(plan(&store, Mode::Record), std::slice::from_ref(&call), |_| answer.clone(), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0], "{depth}");
        let (got, verdict) = run(plan(&store, Mode::Replay), &[call], gone, BodyEnd::Passed);
        assert_eq!((got, codes(&verdict)), (vec![Ok(answer)], vec![]), "{depth}");
    }
}

#[test]
fn the_report_of_an_outage_says_which_call_and_what_came_back() {
    let store = MemoryStore::default();
    let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Bergen")], |_| reply(429, "slow down"), BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn a_failed_test_leaves_the_file_and_keeps_what_it_paid_for() {
    let store = MemoryStore::default();
    let before = record(&store, &[ask("Bergen")]);
    let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Oslo")], counting(), BodyEnd::Panicked);
    assert_eq!(codes(&verdict), [""; 0], "the panic is the headline");
    assert_eq!(file(&store), Some(before));
    let pending = String::from_utf8(store.pending(NAME).unwrap().unwrap()).unwrap();
    assert!(pending.contains("Oslo") && pending.contains(r#""why": "failed""#), "{pending}");
    assert_eq!(verdict.summary.pending.as_deref(), Some("memory:.pending/trains.json"));
}

#[test]
fn a_failed_recording_says_which_upstream_was_out_of_order() {
    let store = MemoryStore::default();
    let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Bergen")], |_| refused(), BodyEnd::Panicked);
    assert_eq!(
        verdict.summary.to_string(),
        "cassette `trains`: 1 recorded, 0 served; not taken over, it is in memory:.pending/trains.json\n  \
         POST https://api.example.com/v1/chat/completions: connect error, connection refused"
    );
}

#[test]
fn every_finished_call_is_in_the_journal_at_once() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    for (i, prompt) in ["Bergen", "Oslo"].into_iter().enumerate() {
        let Step::Live(ticket) = session.begin(ask(prompt)) else { panic!("it goes live") };
        ticket.finish(reply(200, prompt)).unwrap();
        let journal = store.journal_text(NAME).unwrap();
        let (interactions, torn) = cassette_core::journal::recover(&journal).unwrap();
        assert_eq!((interactions.len(), torn), (i + 1, false));
        let (interactions, torn) = cassette_core::journal::recover(&journal[..journal.len() - 9]).unwrap();
        assert_eq!((interactions.len(), torn), (i, true), "a crash tears the last line alone");
    }
    session.finish(BodyEnd::Passed);
    assert_eq!(store.journal_text(NAME), None);
}

#[test]
fn two_recorders_of_one_file_are_refused_by_name() {
    let store = MemoryStore::default();
    let first = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Live(ticket) = first.begin(ask("Bergen")) else { panic!("it goes live") };
    let second = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Fail(report) = second.begin(ask("Bergen")) else { panic!("it is refused") };
    insta::assert_snapshot!(report.to_string());
    ticket.finish(reply(200, "09:04")).unwrap();
    assert_eq!(codes(&first.finish(BodyEnd::Passed)), [""; 0]);
    let (got, _) = run(plan(&store, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "09:04"))]);
}

#[test]
fn only_the_owner_records_over_and_drops() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let other = |mode, unused| Plan { test: "suite::other".into(), unused, ..plan(&store, mode) };
    let (got, verdict) = run(other(Mode::Record, Unused::Fail), &[ask("Oslo")], gone, BodyEnd::Passed);
    assert_eq!(got, [Err("refused")]);
    insta::assert_snapshot!(verdict.reports[0].to_string());

    let (_, verdict) = run(other(Mode::Record, Unused::Allow), &[ask("Oslo")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let both = [ask("Bergen"), ask("Oslo")];
    let (got, _) = run(plan(&store, Mode::Replay), &both, gone, BodyEnd::Passed);
    assert!(got.iter().all(Result::is_ok), "it appended and dropped nothing");
    assert_eq!(Session::open(other(Mode::Refresh, Unused::Fail)).unwrap_err().code(), "refused");
}

#[test]
fn what_a_command_recorded_is_handed_over_to_the_test_that_has_it() {
    let store = MemoryStore::default();
    run(
        Plan { test: "cargo-cassette::serve".into(), ..plan(&store, Mode::Record) },
        &[ask("Bergen")],
        counting(),
        BodyEnd::Passed,
    );
    let (got, verdict) = run(plan(&store, Mode::Record), &[ask("Oslo")], gone, BodyEnd::Passed);
    assert_eq!(got, [Err("refused")]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn a_renamed_test_adopts_its_cassette() {
    let store = MemoryStore::default();
    let annotated = Plan { known_tests: vec!["suite::ask".to_owned()], ..plan(&store, Mode::Record) };
    run(annotated, &[ask("Bergen")], counting(), BodyEnd::Passed);
    let known_tests = vec!["suite::renamed".to_owned()];
    let renamed = Plan { test: "suite::renamed".into(), known_tests, ..plan(&store, Mode::Record) };
    let (_, verdict) = run(renamed, &[ask("Oslo")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!((verdict.summary.dropped.len(), verdict.summary.replaced.len()), (0, 1));
    assert!(String::from_utf8(file(&store).unwrap()).unwrap().contains(r#""test": "suite::renamed""#));
}

#[test]
fn what_was_dropped_is_listed() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Oslo")], gone, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn what_is_recorded_anew_is_not_said_to_be_asked_for_no_more() {
    let store = MemoryStore::default();
    record(&store, &[ask("When is the next train to Bergen?"), ask("What does it cost?"), ask("Thank you.")]);
    let now = [ask("When is the next train to Oslo?"), ask("Thank you.")];
    let (_, verdict) = run(plan(&store, Mode::Record), &now, counting(), BodyEnd::Passed);
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn tests_that_may_share_a_cassette_are_told_to_take_turns() {
    let dir = tempfile::tempdir().unwrap();
    let store = std::sync::Arc::new(cassette_core::store::FileStore::new(dir.path(), "cassettes"));
    let shared = || Plan { store: store.clone(), unused: Unused::Allow, ..plan(&MemoryStore::default(), Mode::Record) };
    let first = Session::open(shared()).unwrap();
    let Step::Live(ticket) = first.begin(ask("Bergen")) else { panic!("it goes live") };
    let (_, verdict) = run(shared(), &[ask("Oslo")], gone, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    ticket.finish(reply(200, "09:04")).unwrap();
    assert_eq!(codes(&first.finish(BodyEnd::Passed)), [""; 0]);
    // What it says to do does it.
    let (_, verdict) = run(shared(), &[ask("Oslo")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn a_call_still_under_way_keeps_the_recording_pending() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Live(finished) = session.begin(ask("Oslo")) else { panic!("it goes live") };
    finished.finish(reply(200, "09:04")).unwrap();
    let Step::Live(_unfinished) = session.begin(ask("Bergen")) else { panic!("it goes live") };
    let verdict = session.finish(BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    assert_eq!(file(&store), None);
}

#[test]
fn a_call_after_the_end_says_so_and_changes_nothing() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    session.begin(ask("Bergen"));
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let Step::Fail(report) = session.begin(ask("Bergen")) else { panic!("the test has ended") };
    insta::assert_snapshot!(report.to_string());
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn what_was_recorded_drives_no_terminal() {
    let store = MemoryStore::default();
    let hostile = Call::function(Kind::Tool, "look\u{1b}]0;gone\u{7}\u{202e}", b"{}".to_vec());
    let answers = |call: &Call| if call.kind == Kind::Tool { value("1") } else { reply(200, "09:04") };
    let (got, verdict) = run(plan(&store, Mode::Record), &[ask("Bergen"), hostile.clone()], answers, BodyEnd::Passed);
    assert!(got.iter().all(Result::is_ok) && verdict.reports.is_empty(), "{verdict:?}");
    let is_inert = |text: &str| !text.contains(|c: char| c != '\n' && c.is_control() || c == '\u{202e}');

    let (_, verdict) = run(plan(&store, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    let told = verdict.reports[0].to_string();
    assert!(is_inert(&told) && told.contains(r"look\u{1b}]0;gone\u{7}\u{202e}"), "{told}");
    let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Bergen")], gone, BodyEnd::Passed);
    let told = verdict.summary.to_string();
    assert!(is_inert(&told) && told.contains(r"look\u{1b}]0;gone\u{7}\u{202e}"), "{told}");
}
