//! A test's own notion of which recording is of which call.

use std::sync::{Arc, Mutex};

use cassette_core::call::{Call, Kind};
use cassette_core::matcher::Matcher;
use cassette_core::matching::Matching;
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Unused};
use cassette_core::session::{BodyEnd, Plan, Verdict};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{Got, ask, codes, counting, file, gone, plan, record, reply, run};

fn matched(store: &MemoryStore, mode: Mode, matcher: impl Matcher + 'static) -> Plan {
    let matching = Matching { matcher: Some(Arc::new(matcher)), ..Matching::default() };
    Plan { matching, ..plan(store, mode) }
}

/// Takes two questions for one where they differ in their figures alone.
fn but_for_figures(recorded: &Call, incoming: &Call) -> bool {
    let plain = |call: &Call| call.body.iter().filter(|byte| !byte.is_ascii_digit()).copied().collect::<Vec<_>>();
    plain(recorded) == plain(incoming)
}

fn at(time: &str) -> Call {
    ask(&format!("It is {time}. When does the next train leave?"))
}

fn answers(numbers: &[usize]) -> Vec<Got> {
    numbers.iter().map(|n| Ok(reply(200, &format!("answer {n}")))).collect()
}

fn replay(plan: Plan, calls: &[Call]) -> (Vec<Got>, Verdict) {
    run(plan, calls, gone, BodyEnd::Passed)
}

#[test]
fn what_a_matcher_takes_is_served_and_told() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04"), ask("What does it cost?")]);
    let calls = [at("17:30"), ask("What does it cost?")];
    assert_eq!(replay(plan(&store, Mode::Replay), &calls).0, [Err("mismatch"), Err("mismatch")]);
    let (got, verdict) = replay(matched(&store, Mode::Replay, but_for_figures), &calls);
    assert_eq!((got, codes(&verdict)), (answers(&[1, 2]), vec![]));
    assert!(!verdict.summary.is_quiet() && !verdict.summary.explored());
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn what_a_matcher_takes_exactly_is_not_told() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04"), at("17:30")]);
    let mut spelled = at("09:04");
    spelled.body.push(b' ');
    let always = |_: &Call, _: &Call| true;
    let (got, verdict) = replay(matched(&store, Mode::Replay, always), &[at("17:30"), spelled]);
    assert_eq!(got, answers(&[2, 1]));
    assert_eq!(verdict.summary.approximate, []);
}

#[test]
fn each_recording_is_served_once_and_then_the_call_was_made_too_often() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04"), at("09:04")]);
    let calls = [at("10:00"), at("11:00"), at("12:00")];
    let (got, verdict) = replay(matched(&store, Mode::Replay, but_for_figures), &calls);
    assert_eq!(got, [answers(&[1, 2]), vec![Err("exhausted")]].concat());
    assert!(verdict.reports[0].to_string().contains("was recorded 2 times and is now asked for once more"));
}

#[test]
fn a_matcher_that_takes_everything_takes_nothing_from_elsewhere() {
    let post = |method: &str, url: &str, body: &str| Call::http(method, url, Vec::new(), body.into());
    let url = "https://api.example.com/v1/ask";
    let tool = |name: &str| Call { kind: Kind::Tool, name: name.into(), headers: Vec::new(), body: b"{}".to_vec() };
    let store = MemoryStore::default();
    record(&store, &[post("POST", url, "{}"), tool("ask")]);
    let always = || matched(&store, Mode::Replay, |_: &Call, _: &Call| true);
    assert_eq!(replay(always(), &[post("POST", &format!("{url}?v=2"), "{\"a\":1}"), tool("ask")]).0, answers(&[1, 2]));
    for call in [
        post("PUT", url, "{}"),
        post("POST", "https://api.example.com/v1/asks", "{}"),
        post("POST", "https://api.example.org/v1/ask", "{}"),
        post("POST", url, "{\"stream\":true}"),
        tool("tell"),
    ] {
        let (got, verdict) = replay(always(), &[call]);
        assert_eq!(got, [Err("mismatch")]);
        let told = verdict.reports[0].to_string();
        assert!(told.contains("\n  nothing that is recorded goes where this call goes: "), "{told}");
    }
}

#[test]
fn a_matcher_that_takes_nothing_serves_nothing_and_the_report_says_so() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04"), at("17:30")]);
    let (got, verdict) = replay(matched(&store, Mode::Replay, |_: &Call, _: &Call| false), &[at("09:04")]);
    assert_eq!(got, [Err("mismatch")]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn a_recording_that_its_matcher_denies_is_not_saved() {
    let store = MemoryStore::default();
    let before = record(&store, &[at("09:04")]);
    let in_the_morning = |recorded: &Call, _: &Call| String::from_utf8_lossy(&recorded.body).contains("It is 0");
    let calls = [at("09:04"), at("17:30"), at("18:30")];
    let (_, verdict) = run(matched(&store, Mode::Refresh, in_the_morning), &calls, counting(), BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    assert_eq!(file(&store), Some(before));
    let (_, verdict) = run(
        matched(&store, Mode::Refresh, |_: &Call, _: &Call| panic!("no")),
        &[ask("Hi")],
        counting(),
        BodyEnd::Passed,
    );
    assert_eq!(codes(&verdict), ["wiring"]);
}

#[test]
fn what_is_recorded_with_a_matcher_replays_with_it() {
    for mode in [Mode::Record, Mode::Refresh] {
        let store = MemoryStore::default();
        record(&store, &[at("09:04"), ask("What does it cost?"), at("10:00")]);
        let calls = [at("17:30"), at("10:00"), at("18:30"), ask("Where?")];
        let (_, verdict) = run(matched(&store, mode, but_for_figures), &calls, counting(), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        let (_, verdict) = replay(matched(&store, Mode::Replay, but_for_figures), &calls);
        assert_eq!((codes(&verdict), verdict.summary.served), (vec![], 4));
    }
}

#[test]
fn a_recording_run_says_what_a_matcher_took() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04")]);
    let before = file(&store);
    let (got, verdict) = run(matched(&store, Mode::Record, but_for_figures), &[at("17:30")], gone, BodyEnd::Passed);
    assert_eq!((got, verdict.summary.approximate.len()), (answers(&[1]), 1));
    assert_eq!(file(&store), before, "what was served is kept as it was");
}

#[test]
fn a_refresh_records_over_what_a_matcher_takes() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04"), ask("What does it cost?")]);
    let sharing = |mode| Plan { unused: Unused::Allow, ..matched(&store, mode, but_for_figures) };
    let (_, verdict) = run(sharing(Mode::Refresh), &[at("17:30")], |_| reply(200, "fresh"), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (got, verdict) = replay(plan(&store, Mode::Replay), &[at("17:30"), ask("What does it cost?")]);
    assert_eq!((got[0].clone(), codes(&verdict)), (Ok(reply(200, "fresh")), vec![]));
}

#[test]
fn a_matcher_that_panics_fails_the_test() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04")]);
    let (got, verdict) = replay(matched(&store, Mode::Replay, |_: &Call, _: &Call| panic!("no idea")), &[at("09:04")]);
    assert_eq!(got, [Err("wiring")]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn a_matcher_sees_no_secret_and_each_request_has_numbers_of_its_own() {
    let secret = |letters: &str| format!("sk-proj-{}", letters.repeat(8));
    let with = |secrets: &[String]| ask(&format!("Which of these is mine? {}", secrets.join(" ")));
    let store = MemoryStore::default();
    record(&store, &[with(&[secret("Zq7Xw3")]), with(&[secret("Kp9Lm2"), secret("Zq7Xw3")])]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let matcher = move |recorded: &Call, incoming: &Call| {
        let texts = [recorded, incoming].map(|call| format!("{call:?}"));
        noted.lock().unwrap().push(format!("{texts:?}"));
        recorded == incoming
    };
    let calls = [with(&[secret("Kp9Lm2"), secret("Zq7Xw3")]), with(&[secret("Zq7Xw3")])];
    let (got, _) = replay(matched(&store, Mode::Replay, matcher), &calls);
    assert_eq!(got, answers(&[2, 1]));
    let seen = seen.lock().unwrap().join("\n");
    assert!(!["Zq7Xw3", "Kp9Lm2", "authorization"].iter().any(|hidden| seen.contains(hidden)), "{seen}");
}

#[test]
fn an_order_that_counts_counts_among_what_a_matcher_takes() {
    let store = MemoryStore::default();
    record(&store, &[at("09:04"), ask("What does it cost?")]);
    let ordered = |order| Plan { order, ..matched(&store, Mode::Replay, but_for_figures) };
    let calls = [ask("What does it cost?"), at("17:30")];
    assert_eq!(replay(ordered(Order::Strict), &calls).0, [Err("misplaced"), Err("misplaced")]);
    assert_eq!(replay(ordered(Order::Any), &calls).0, answers(&[2, 1]));
    assert_eq!(replay(ordered(Order::Ordered), &calls).0, answers(&[1, 2]));
    let (got, verdict) = replay(ordered(Order::Fuzzy), &[at("17:30"), ask("What does that cost?")]);
    assert_eq!((got, verdict.summary.approximate.len()), (answers(&[1, 2]), 2));
}

#[test]
fn a_matcher_that_panics_before_a_save_is_told_as_one_that_panics() {
    let store = MemoryStore::default();
    let panics = |_: &Call, _: &Call| -> bool { panic!("a matcher of its own mind") };
    let (_, verdict) = run(matched(&store, Mode::Record, panics), &[at("09:04")], counting(), BodyEnd::Passed);
    let told = verdict.reports[0].to_string();
    let expected = "  the test's matcher panicked when it was asked whether interaction 1, \
                    POST https://api.example.com/v1/chat/completions, \"It is 09:04. When does the next train leave?\" is its own \
                    request's";
    assert!(told.lines().any(|line| line == expected), "{told}");
    let help = "help: let the matcher return `true` or `false` for any two calls whatever, and the same whenever it is asked; then ";
    assert!(told.lines().last().unwrap().starts_with(help), "{told}");
    assert_eq!(file(&store), None);
}

#[test]
fn a_matcher_that_panics_for_two_calls_is_told_as_one_that_panics() {
    let store = MemoryStore::default();
    let panics = |recorded: &Call, incoming: &Call| -> bool { recorded == incoming || panic!("they differ") };
    let calls = [at("09:04"), at("10:04")];
    let (_, verdict) = run(matched(&store, Mode::Record, panics), &calls, counting(), BodyEnd::Passed);
    let told = verdict.reports[0].to_string();
    assert!(told.contains(": cassette wiring: the matcher that `trains` was given panicked for call "), "{told}");
    let help = "help: let the matcher return `true` or `false` for any two calls whatever, and the same whenever it is asked; then ";
    assert!(told.lines().last().unwrap().starts_with(help), "{told}");
    assert_eq!(file(&store), None);
}

#[test]
fn whose_function_panicked_is_told_by_what_the_test_gave() {
    fn breaks(_: &mut cassette_core::json::Json) {
        panic!("a function of its own mind")
    }
    fn hides(_: &str) -> Vec<String> {
        Vec::new()
    }
    let told = |custom: Vec<fn(&str) -> Vec<String>>| {
        let store = MemoryStore::default();
        let matching = Matching { normalize: vec![breaks], ..Matching::default() };
        let rules = cassette_core::redact::Rules { custom, ..cassette_core::redact::Rules::default() };
        let plan = Plan { matching, rules, ..plan(&store, Mode::Record) };
        let (_, verdict) = run(plan, &[at("09:04")], counting(), BodyEnd::Passed);
        verdict.reports[0].to_string()
    };
    assert_eq!(
        told(Vec::new()),
        "cassette wiring: a function that `trains` was given as `normalize(..)` panicked\n\
         help: let it take any JSON whatever, and leave what it does not know as it is"
    );
    assert!(told(vec![hides]).contains("was given as `redact(..)` or `normalize(..)` panicked"));
}
