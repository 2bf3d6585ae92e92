//! What is compared, where a test says so.

use cassette_core::call::Call;
use cassette_core::matching::{Matching, PartName, Selector};
use cassette_core::mode::Mode;
use cassette_core::session::{BodyEnd, Plan, Session};
use cassette_core::store::MemoryStore;
use cassette_core::tape::Stamp;

use crate::bench_of_calls::{ask, codes, counting, file, gone, plan, reply, run};

fn wired(prompt: &str, tool: &str) -> Call {
    let mut call = ask(prompt);
    let body = format!(
        r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"{prompt}"}}],"tools":[{{"type":"function","function":{{"name":"{tool}"}}}}]}}"#
    );
    call.body = body.into_bytes();
    call
}

fn matching(store: &MemoryStore, mode: Mode, matching: Matching) -> Plan {
    Plan { matching, ..plan(store, mode) }
}

fn on_tools() -> Matching {
    Matching { match_on: Some(vec![Selector::Part(PartName::Tools)]), ..Matching::default() }
}

#[test]
fn a_test_over_tool_wiring_survives_a_changed_prompt_and_fails_on_a_changed_tool() {
    let store = MemoryStore::default();
    let (_, verdict) =
        run(matching(&store, Mode::Record, on_tools()), &[wired("To Bergen?", "next")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let replay = |call: Call| run(matching(&store, Mode::Replay, on_tools()), &[call], gone, BodyEnd::Passed).0;
    assert_eq!(replay(wired("To Oslo?", "next")), [Ok(reply(200, "answer 1"))]);
    assert_eq!(replay(wired("To Bergen?", "last")), [Err("mismatch")]);
}

#[test]
fn of_several_recordings_of_one_request_the_likest_is_served() {
    let store = MemoryStore::default();
    let recorded = [wired("To Bergen?", "next"), wired("To Oslo?", "next")];
    run(matching(&store, Mode::Record, on_tools()), &recorded, counting(), BodyEnd::Passed);
    let mut spelled = wired("To Oslo?", "next");
    spelled.body.push(b' ');
    let calls = [spelled, wired("To Voss?", "next")];
    let (got, _) = run(matching(&store, Mode::Replay, on_tools()), &calls, gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 2")), Ok(reply(200, "answer 1"))]);
}

fn sampled(temperature: &str) -> Call {
    let mut call = ask("To Bergen?");
    let body = String::from_utf8(call.body).unwrap();
    call.body =
        body.replace("{\"model\"", &format!("{{\"temperature\":{temperature},\"seed\":1,\"model\"")).into_bytes();
    call
}

#[test]
fn sampling_does_not_decide_whether_a_call_is_served_and_its_change_is_told() {
    let store = MemoryStore::default();
    run(plan(&store, Mode::Record), &[sampled("0.2")], counting(), BodyEnd::Passed);
    let (got, verdict) = run(plan(&store, Mode::Replay), &[sampled("0.7")], gone, BodyEnd::Passed);
    assert_eq!((got, codes(&verdict)), (vec![Ok(reply(200, "answer 1"))], vec![]));
    assert!(!verdict.summary.is_quiet());
    insta::assert_snapshot!(verdict.summary.to_string());
    let (_, verdict) = run(plan(&store, Mode::Replay), &[sampled("2e-1")], gone, BodyEnd::Passed);
    assert!(verdict.summary.is_quiet());
}

#[test]
fn fan_out_calls_that_differ_in_sampling_alone_get_their_own_answers() {
    let store = MemoryStore::default();
    run(plan(&store, Mode::Record), &[sampled("0"), sampled("0.5"), sampled("1")], counting(), BodyEnd::Passed);
    let calls = [sampled("1.0"), sampled("0.50"), sampled("0")];
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(got, [3, 2, 1].map(|n| Ok(reply(200, &format!("answer {n}")))));
    assert_eq!(verdict.summary.drifted, []);
}

#[test]
fn of_two_recordings_with_one_body_the_one_with_the_call_s_headers_is_served() {
    let store = MemoryStore::default();
    let version = |version: &str| {
        let mut call = ask("To Bergen?");
        call.headers.push(("anthropic-version".into(), version.into()));
        call
    };
    run(plan(&store, Mode::Record), &[version("2023-06-01"), version("2026-01-01")], counting(), BodyEnd::Passed);
    let calls = [version("2026-01-01"), version("2026-01-01")];
    let (got, _) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 2")), Ok(reply(200, "answer 1"))]);
}

#[test]
fn what_is_ignored_does_not_decide() {
    let ignoring = || Matching { ignore: vec!["messages[*].content".parse().unwrap()], ..Matching::default() };
    let store = MemoryStore::default();
    run(matching(&store, Mode::Record, ignoring()), &[wired("To Bergen?", "next")], counting(), BodyEnd::Passed);
    let replay = |call: Call| run(matching(&store, Mode::Replay, ignoring()), &[call], gone, BodyEnd::Passed).0;
    assert_eq!(replay(wired("To Oslo?", "next")), [Ok(reply(200, "answer 1"))]);
    assert_eq!(replay(wired("To Oslo?", "last")), [Err("mismatch")]);
}

#[test]
fn a_comparison_that_is_none_is_refused() {
    let store = MemoryStore::default();
    for mode in [Mode::Replay, Mode::Record, Mode::Refresh, Mode::Off] {
        let nothing = Matching { match_on: Some(Vec::new()), ..Matching::default() };
        assert_eq!(Session::open(matching(&store, mode, nothing)).unwrap_err().code(), "refused");
    }
    let path = Matching { ignore: vec!["@path".parse().unwrap()], ..Matching::default() };
    let report = Session::open(matching(&store, Mode::Record, path)).unwrap_err();
    insta::assert_snapshot!(report.to_string());
}

fn text(store: &MemoryStore) -> String {
    String::from_utf8(file(store).unwrap()).unwrap()
}

fn stamped(store: &MemoryStore, mode: Mode, hooks: &[&str], version: Option<&str>) -> Plan {
    let hooks = hooks.iter().map(|hook| (*hook).to_owned()).collect();
    Plan { stamp: Stamp { hooks, provider: None, version: version.map(str::to_owned) }, ..plan(store, mode) }
}

#[test]
fn what_a_recording_was_made_with_is_checked() {
    let store = MemoryStore::default();
    let make = |mode, hooks: &[&str], version| {
        run(stamped(&store, mode, hooks, version), &[ask("To Bergen?")], counting(), BodyEnd::Passed)
    };
    make(Mode::Record, &["guardrail@1", "trim"], Some("7"));
    let head = "\"version\": \"7\",\n  \"hooks\": [\n    \"guardrail@1\",\n    \"trim\"\n  ],";
    assert!(text(&store).contains(head), "{}", text(&store));
    for (mode, hooks, version) in [
        (Mode::Replay, vec!["guardrail@2", "trim"], Some("7")),
        (Mode::Record, vec!["trim", "guardrail@1"], None),
        (Mode::Replay, vec![], Some("8")),
    ] {
        assert_eq!(Session::open(stamped(&store, mode, &hooks, version)).unwrap_err().code(), "stale");
    }
    let provider = Stamp { provider: Some("azure".into()), version: Some("8".into()), ..Stamp::default() };
    let report = Session::open(Plan { stamp: provider, ..plan(&store, Mode::Replay) }).unwrap_err();
    insta::assert_snapshot!(report.to_string());
    assert_eq!(make(Mode::Replay, &["guardrail@1", "trim"], Some("7")).0, [Ok(reply(200, "answer 1"))]);
    // A guardrail that was taken out of the test and the program.
    for (hooks, version) in [(vec![], Some("7")), (vec!["guardrail@1", "trim"], None)] {
        assert_eq!(Session::open(stamped(&store, Mode::Replay, &hooks, version)).unwrap_err().code(), "stale");
    }
    let report = Session::open(plan(&store, Mode::Replay)).unwrap_err();
    insta::assert_snapshot!("unnamed", report.to_string());
    // Whoever replays what another test recorded leaves that to it.
    let of_another = Plan { test: "suite::another".into(), ..plan(&store, Mode::Replay) };
    assert_eq!(run(of_another, &[ask("To Bergen?")], gone, BodyEnd::Passed).0, [Ok(reply(200, "answer 1"))]);
    make(Mode::Refresh, &["guardrail@2"], None);
    assert_eq!(codes(&make(Mode::Replay, &["guardrail@2"], None).1), [""; 0]);
    assert!(!text(&store).contains("version"));
}
