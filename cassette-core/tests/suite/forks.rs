//! Runs that begin as another one did and go on live: what is served, what goes live, and what the file then holds.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cassette_core::call::{Call, Kind};
use cassette_core::disk;
use cassette_core::matching::Matching;
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Repeat, Requests, Unused};
use cassette_core::redact::Rules;
use cassette_core::reply::{Chunk, Outcome, Reply, Truncation};
use cassette_core::report::Report;
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Verdict};
use cassette_core::store::{MemoryStore, Store as _};
use cassette_core::tape::{Origin, Tape};
use insta::assert_snapshot;

use crate::bench_of_calls::{
    Got, NAME, ask, codes, counting, gone, live, make, plan, refused, reply, run, tool, value,
};

/// The cassette that is forked.
const RUN: &str = "run";

/// Records these calls as the run that is forked.
fn origin(store: &MemoryStore, calls: &[Call]) -> Vec<u8> {
    origin_answered(store, calls, counting())
}

fn origin_answered(store: &MemoryStore, calls: &[Call], upstream: impl FnMut(&Call) -> Outcome) -> Vec<u8> {
    let plan =
        Plan { name: RUN.into(), test: "suite::run".into(), outages: Outages::Allow, ..plan(store, Mode::Record) };
    let (_, verdict) = run(plan, calls, upstream, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    store.load(RUN).unwrap().unwrap()
}

fn forked(store: &MemoryStore, mode: Mode, at: usize) -> Plan {
    Plan { fork: Some(Origin { cassette: RUN.into(), at }), ..plan(store, mode) }
}

fn asks(prompts: &[&str]) -> Vec<Call> {
    prompts.iter().map(|prompt| ask(prompt)).collect()
}

/// Answers with the number of live calls so far, as a fork's upstream.
fn anew() -> impl FnMut(&Call) -> Outcome {
    let mut count = 0;
    move |_| {
        count += 1;
        reply(200, &format!("anew {count}"))
    }
}

fn answers(texts: &[&str]) -> Vec<Got> {
    texts.iter().map(|text| Ok(reply(200, text))).collect()
}

/// Makes these calls in a fork, and returns what they got and how it ended.
fn fork(plan: Plan, prompts: &[&str]) -> (Vec<Got>, Verdict) {
    run(plan, &asks(prompts), anew(), BodyEnd::Passed)
}

fn tape(store: &MemoryStore, name: &str) -> Tape {
    disk::read(&store.load(name).unwrap().unwrap()).unwrap()
}

fn text(store: &MemoryStore) -> String {
    String::from_utf8(store.load(NAME).unwrap().unwrap()).unwrap()
}

/// Forgets the run that was forked.
fn without_origin(store: &MemoryStore) -> MemoryStore {
    let own = MemoryStore::default();
    own.put(NAME, text(store).as_bytes());
    own
}

#[track_caller]
fn replays(store: &MemoryStore, at: usize, calls: &[Call], expected: &[Got]) {
    let (got, verdict) = run(forked(&without_origin(store), Mode::Replay, at), calls, gone, BodyEnd::Passed);
    assert_eq!((got, codes(&verdict)), (expected.to_vec(), vec![]));
}

#[test]
fn a_fork_serves_the_beginning_goes_live_behind_it_and_replays_alone() {
    for mode in [Mode::Record, Mode::Refresh] {
        let store = MemoryStore::default();
        let before = origin(&store, &asks(&["Bergen", "Oslo", "Voss"]));
        let (got, verdict) = fork(forked(&store, mode, 2), &["Bergen", "Oslo", "Voss and back", "Flåm"]);
        let expected = answers(&["answer 1", "answer 2", "anew 1", "anew 2"]);
        assert_eq!((&got, codes(&verdict)), (&expected, vec![]));
        assert_eq!((verdict.summary.served, verdict.summary.recorded), (2, 2));
        replays(&store, 2, &asks(&["Bergen", "Oslo", "Voss and back", "Flåm"]), &expected);
        assert_eq!(store.load(RUN).unwrap().unwrap(), before, "the run stays what it is");
        if mode == Mode::Record {
            assert_snapshot!("forked_summary", verdict.summary.to_string());
            let today = cassette_core::clock::today();
            assert_snapshot!("forked_file", text(&store).replace(&today, "2026-11-29"));
        }
    }
}

#[test]
fn the_beginning_keeps_its_bytes() {
    let store = MemoryStore::default();
    let run = String::from_utf8(origin(&store, &asks(&["Bergen", "Oslo", "Voss"]))).unwrap();
    fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Flåm"]);
    let first = |text: &str| text.split("\n    {\n").skip(1).take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(first(&text(&store)), first(&run));
}

#[test]
fn each_recording_before_the_fork_is_served_once_and_in_any_order() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Bergen", "Oslo"]));
    let (got, verdict) = fork(forked(&store, Mode::Record, 3), &["Oslo", "Bergen", "Bergen", "Bergen"]);
    let expected = answers(&["answer 3", "answer 1", "answer 2", "anew 1"]);
    assert_eq!((&got, codes(&verdict)), (&expected, vec![]));
    let recorded = tape(&store, RUN).interactions;
    assert_eq!(tape(&store, NAME).interactions[..3], recorded, "it begins as the run does, whoever was asked first");
    replays(&store, 3, &asks(&["Oslo", "Bergen", "Bergen", "Bergen"]), &expected);
}

#[test]
fn a_call_that_is_none_of_those_before_the_fork_fails_and_does_not_go_live() {
    for mode in [Mode::Record, Mode::Refresh] {
        let store = MemoryStore::default();
        origin(&store, &asks(&["Bergen", "Oslo", "Voss"]));
        let calls = asks(&["Bergen", "Flåm", "Oslo"]);
        let (got, verdict) = run(forked(&store, mode, 2), &calls, gone, BodyEnd::Passed);
        assert_eq!(got, [Ok(reply(200, "answer 1")), Err("unreached"), Err("unreached")]);
        assert_eq!((codes(&verdict), store.load(NAME).unwrap()), (vec!["unreached"], None));
        assert_snapshot!("unreached", verdict.reports[0].to_string());
    }
}

#[test]
fn what_stands_behind_the_fork_is_not_served_before_it_by_a_refresh() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo", "Voss"]));
    fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Flåm"]);
    let calls = asks(&["Flåm", "Bergen", "Oslo"]);
    let (got, _) = run(forked(&store, Mode::Refresh, 2), &calls, gone, BodyEnd::Passed);
    assert_eq!(got[0], Err("unreached"));
    // Where the file goes on being recorded, it serves as it does in a replay.
    let (got, verdict) = run(forked(&store, Mode::Record, 2), &calls, gone, BodyEnd::Passed);
    assert_eq!((got, codes(&verdict)), (answers(&["anew 1", "answer 1", "answer 2"]), vec![]));
}

#[test]
fn what_stands_behind_the_fork_is_no_nearest_recording_before_it_and_repeats_for_nobody() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Flåm by sea"]);
    for repeat in [Repeat::Never, Repeat::Last] {
        for prompt in ["Flåm by sea", "Flåm by sea, please"] {
            let plan = Plan { repeat, ..forked(&store, Mode::Refresh, 2) };
            let (got, verdict) = run(plan, &asks(&["Bergen", prompt]), gone, BodyEnd::Passed);
            assert_eq!(got[1], Err("unreached"), "{repeat:?} {prompt}");
            let Report::Unreached(report) = &*verdict.reports[0] else { panic!("it is unreached") };
            assert!(report.nearest.as_ref().unwrap().interaction <= 2, "{}", verdict.reports[0]);
        }
    }
}

#[test]
fn a_call_that_was_served_before_is_none_of_those_still_to_come() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    let (got, verdict) = run(forked(&store, Mode::Record, 2), &asks(&["Bergen", "Bergen"]), gone, BodyEnd::Passed);
    assert_eq!(got[1], Err("unreached"));
    assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn with_repeat_the_last_recording_before_the_fork_serves_again() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    let plan = || Plan { repeat: Repeat::Last, ..forked(&store, Mode::Record, 2) };
    let (got, verdict) = run(plan(), &asks(&["Bergen", "Bergen", "Oslo"]), gone, BodyEnd::Passed);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "answer 1", "answer 2"]), vec![]));
}

#[test]
fn a_run_that_ends_before_its_fork_fails_and_writes_nothing() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo", "Voss"]));
    let (_, verdict) = run(forked(&store, Mode::Record, 3), &asks(&["Bergen"]), gone, BodyEnd::Passed);
    assert_eq!((codes(&verdict), store.load(NAME).unwrap()), (vec!["unreached"], None));
    assert_snapshot!(verdict.reports[0].to_string());
    let (_, verdict) = run(forked(&store, Mode::Record, 3), &asks(&["Bergen"]), gone, BodyEnd::Panicked);
    assert_eq!(codes(&verdict), [""; 0], "what the test itself says comes first");
}

#[test]
fn the_end_of_a_run_is_where_it_is_extended_and_beyond_it_there_is_nothing() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    let (got, verdict) = fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Bergen"]);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "answer 2", "anew 1"]), vec![]));
    let error = Session::open(forked(&without_fork(&store), Mode::Record, 3)).unwrap_err();
    assert_snapshot!(error.to_string());
    // A fork that asks nothing more is the run.
    let store = without_fork(&store);
    let (_, verdict) = run(forked(&store, Mode::Record, 2), &asks(&["Bergen", "Oslo"]), gone, BodyEnd::Passed);
    assert_eq!((codes(&verdict), verdict.summary.is_quiet()), (vec![], false));
    assert_eq!(tape(&store, NAME).interactions, tape(&store, RUN).interactions);
}

fn without_fork(store: &MemoryStore) -> MemoryStore {
    let own = MemoryStore::default();
    own.put(RUN, &store.load(RUN).unwrap().unwrap());
    own
}

#[test]
fn a_fork_at_the_very_beginning_is_all_live() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen"]));
    let (got, verdict) = fork(forked(&store, Mode::Record, 0), &["Bergen", "Oslo"]);
    assert_eq!((got, codes(&verdict)), (answers(&["anew 1", "anew 2"]), vec![]));
    assert_eq!(tape(&store, NAME).head.origin, Some(Origin { cassette: RUN.into(), at: 0 }));
    replays(&store, 0, &asks(&["Bergen", "Oslo"]), &answers(&["anew 1", "anew 2"]));
}

#[test]
fn what_cannot_be_forked_is_refused_before_anything_is_asked() {
    let refusal = |store: &MemoryStore, plan: Plan| Session::open(plan).map(|_| store).unwrap_err().to_string();
    let store = MemoryStore::default();
    let mut told =
        vec![refusal(&store, forked(&store, Mode::Record, 1)), refusal(&store, forked(&store, Mode::Refresh, 1))];
    store.put(RUN, b"{");
    told.push(refusal(&store, forked(&store, Mode::Record, 1)));
    store.put(RUN, b"{\"cassette\": 2}");
    told.push(refusal(&store, forked(&store, Mode::Record, 1)));
    let itself = Plan { fork: Some(Origin { cassette: NAME.into(), at: 1 }), ..plan(&store, Mode::Record) };
    told.push(refusal(&store, itself));
    assert_snapshot!(told.join("\n\n"));
}

#[test]
fn the_file_is_of_one_fork_and_another_is_refused_until_a_refresh() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo", "Voss"]));
    fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Flåm"]);
    let mut told = Vec::new();
    for mode in [Mode::Replay, Mode::Record] {
        told.push(Session::open(forked(&store, mode, 1)).unwrap_err().to_string());
    }
    let plain = MemoryStore::default();
    run(plan(&plain, Mode::Record), &asks(&["Bergen"]), counting(), BodyEnd::Passed);
    told.push(Session::open(forked(&plain, Mode::Replay, 1)).unwrap_err().to_string());
    assert_snapshot!(told.join("\n\n"));
    // The beginning alone is another file too.
    let other = MemoryStore::default();
    [NAME, RUN].into_iter().for_each(|name| other.put(name, &store.load(name).unwrap().unwrap()));
    let (_, verdict) = run(forked(&other, Mode::Refresh, 1), &asks(&["Bergen"]), gone, BodyEnd::Passed);
    assert_eq!((codes(&verdict), tape(&other, NAME).interactions.len()), (vec![], 1));
    replays(&other, 1, &asks(&["Bergen"]), &answers(&["answer 1"]));
    let (got, verdict) = fork(forked(&store, Mode::Refresh, 1), &["Bergen", "Voss"]);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "anew 1"]), vec![]));
    replays(&store, 1, &asks(&["Bergen", "Voss"]), &answers(&["answer 1", "anew 1"]));
}

#[test]
fn a_record_goes_on_from_the_file_and_a_changed_run_does_not_touch_it() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Flåm", "Voss"]);
    let before = text(&store);
    for change in ["{", "{\"cassette\": 2}"] {
        store.put(RUN, change.as_bytes());
        let (_, verdict) =
            run(forked(&store, Mode::Record, 2), &asks(&["Bergen", "Oslo", "Flåm", "Voss"]), gone, BodyEnd::Passed);
        assert_eq!((codes(&verdict), text(&store)), (vec![], before.clone()));
    }
    // One call is another and live, and the way to the fork is still kept to.
    let (got, verdict) = fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Flåm", "Hamar"]);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "answer 2", "anew 1", "anew 1"]), vec![]));
    assert_eq!((verdict.summary.dropped.len(), verdict.summary.replaced.len()), (0, 1));
    let (got, verdict) = run(forked(&store, Mode::Record, 2), &asks(&["Hamar", "Voss"]), gone, BodyEnd::Passed);
    assert_eq!((&got[1], codes(&verdict)), (&Err("unreached"), vec!["unreached"]));
}

#[test]
fn a_refresh_serves_the_beginning_again_and_leaves_an_unchanged_file_alone() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    let prompts = ["Bergen", "Oslo", "Flåm", "Voss"];
    fork(forked(&store, Mode::Record, 2), &prompts);
    let before = text(&store);
    let (got, verdict) = fork(forked(&store, Mode::Refresh, 2), &prompts);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "answer 2", "anew 1", "anew 2"]), vec![]));
    assert_eq!((text(&store), verdict.summary.unchanged, verdict.summary.kept), (before, true, 2));
    // Without the run, the file's own beginning serves.
    let alone = without_origin(&store);
    let upstream = |_: &Call| reply(200, "other");
    let (got, verdict) = run(forked(&alone, Mode::Refresh, 2), &asks(&prompts), upstream, BodyEnd::Passed);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "answer 2", "other", "other"]), vec![]));
    assert_eq!(tape(&alone, NAME).interactions[..2], tape(&store, NAME).interactions[..2]);
}

#[test]
fn a_refresh_takes_the_run_as_it_is_now() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    fork(forked(&store, Mode::Record, 1), &["Bergen", "Flåm"]);
    let mut number = 6;
    let counting = |_: &Call| {
        number += 1;
        reply(200, &format!("answer {number}"))
    };
    let refreshed = Plan { name: RUN.into(), test: "suite::run".into(), ..plan(&store, Mode::Refresh) };
    assert_eq!(codes(&run(refreshed, &asks(&["Bergen", "Oslo"]), counting, BodyEnd::Passed).1), [""; 0]);
    let (got, verdict) = fork(forked(&store, Mode::Refresh, 1), &["Bergen", "Flåm"]);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 7", "anew 1"]), vec![]));
    replays(&store, 1, &asks(&["Bergen", "Flåm"]), &answers(&["answer 7", "anew 1"]));
}

#[test]
fn what_others_use_too_is_not_begun_anew() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    fork(forked(&store, Mode::Record, 1), &["Bergen", "Flåm"]);
    let allowing = Plan { unused: Unused::Allow, ..forked(&store, Mode::Refresh, 2) };
    assert_snapshot!(Session::open(allowing).unwrap_err().to_string());
    let other = Plan { test: "suite::other".into(), ..forked(&store, Mode::Refresh, 2) };
    assert_eq!(Session::open(other).unwrap_err().code(), "refused");
}

#[test]
fn a_strict_order_counts_before_the_fork_too() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    let strict = || Plan { order: Order::Strict, ..forked(&store, Mode::Record, 2) };
    let (got, verdict) = run(strict(), &asks(&["Oslo", "Bergen"]), gone, BodyEnd::Passed);
    assert_eq!((&got[0], codes(&verdict)), (&Err("unreached"), vec!["unreached"]));
    assert_snapshot!("before_its_turn", verdict.reports[0].to_string());
    let (got, verdict) = run(strict(), &asks(&["Bergen", "Oslo", "Flåm"]), anew(), BodyEnd::Passed);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "answer 2", "anew 1"]), vec![]));
    let replay = Plan { order: Order::Strict, ..forked(&store, Mode::Replay, 2) };
    assert_eq!(codes(&run(replay, &asks(&["Bergen", "Oslo", "Flåm"]), gone, BodyEnd::Passed).1), [""; 0]);
}

#[test]
fn calls_that_overlapped_are_not_parted() {
    let store = MemoryStore::default();
    let session = Session::open(Plan { name: RUN.into(), ..plan(&store, Mode::Record) }).unwrap();
    live(&session, ask("Bergen")).finish(reply(200, "1")).unwrap();
    let two = [live(&session, ask("Oslo")), live(&session, ask("Voss")), live(&session, ask("Hamar"))];
    two.into_iter().for_each(|ticket| ticket.finish(reply(200, "2")).unwrap());
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    for at in [2, 3] {
        let error = Session::open(forked(&store, Mode::Record, at)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "cassette refused: `trains` cannot be forked from `run` at {at}: interactions 2 to 4 overlapped in time, and \
                 either might be made first\nhelp: fork before them, at 1, or behind them, at 4"
            )
        );
    }
    assert!(Session::open(forked(&store, Mode::Record, 1)).is_ok());
    assert!(Session::open(forked(&store, Mode::Record, 4)).is_ok());
}

#[test]
fn functions_before_the_fork_do_not_run_and_need_not_ask_what_they_asked() {
    let store = MemoryStore::default();
    let session = Session::open(Plan { name: RUN.into(), ..plan(&store, Mode::Record) }).unwrap();
    let function = live(&session, tool("search", "{\"to\":\"Bergen\"}"));
    live(&session, ask("Bergen")).finish(reply(200, "within")).unwrap();
    function.finish(value("[\"09:04\"]")).unwrap();
    live(&session, ask("Oslo")).finish(reply(200, "Oslo")).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    // At 1, what the function asked is behind the fork, and nobody has to ask it.
    for at in [1, 2] {
        let store = without_fork(&store);
        let upstream = |call: &Call| if call.kind == Kind::Tool { value("[]") } else { reply(200, "anew") };
        let calls = [tool("search", "{\"to\":\"Bergen\"}"), ask("Flåm"), tool("search", "{\"to\":\"Flåm\"}")];
        let (got, verdict) = run(forked(&store, Mode::Record, at), &calls, upstream, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        assert_eq!(got.len(), 3);
        assert!(matches!(&got[0], Ok(Outcome::Reply(reply)) if reply.body() == b"[\"09:04\"]"));
        let file = tape(&store, NAME);
        let within: Vec<_> = file.interactions.iter().map(|interaction| interaction.within()).collect();
        assert_eq!(within, if at == 2 { vec![None, Some(0), None, None] } else { vec![None; 3] });
        let replayed = run(forked(&without_origin(&store), Mode::Replay, at), &calls, gone, BodyEnd::Passed);
        assert_eq!((&replayed.0[1..], codes(&replayed.1)), (&got[1..], vec![]));
    }
}

#[test]
fn what_a_served_function_asked_stays_with_it_and_is_not_recorded_over() {
    let store = MemoryStore::default();
    let session = Session::open(Plan { name: RUN.into(), ..plan(&store, Mode::Record) }).unwrap();
    let function = live(&session, tool("search", "{}"));
    live(&session, ask("Bergen")).finish(reply(200, "within")).unwrap();
    function.finish(value("1")).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let (got, verdict) =
        run(forked(&store, Mode::Refresh, 2), &[tool("search", "{}"), ask("Bergen")], anew(), BodyEnd::Passed);
    assert_eq!((&got[1], codes(&verdict)), (&Ok(reply(200, "anew 1")), vec![]));
    let file = tape(&store, NAME).interactions;
    assert_eq!(file[..2], tape(&store, RUN).interactions);
    assert_eq!(file.len(), 3);
}

#[test]
fn errors_and_truncations_before_the_fork_are_what_they_were_live() {
    let torn = || {
        Outcome::Reply(Reply {
            status: 200,
            headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
            chunks: vec![
                Chunk { bytes: b"data: {\"a\":1}\n\n".to_vec(), at: Some(Duration::from_millis(20)) },
                Chunk { bytes: b"data: {\"a\":2".to_vec(), at: Some(Duration::from_millis(40)) },
            ],
            trailers: Vec::new(),
            truncated: Some(Truncation::Upstream),
        })
    };
    let outcomes = [reply(429, "slow down"), torn(), refused(), reply(503, "gone")];
    let calls = asks(&["Bergen", "Oslo", "Voss", "Hamar"]);
    let store = MemoryStore::default();
    let mut given = outcomes.clone().into_iter();
    origin_answered(&store, &calls, |_| given.next().unwrap());
    // Outages that were allowed there are no outages of this run.
    let (got, verdict) = fork(forked(&store, Mode::Record, 4), &["Bergen", "Oslo", "Voss", "Hamar", "Flåm"]);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!(got[..4], outcomes.map(Ok));
    assert_eq!(got[4], Ok(reply(200, "anew 1")));
    replays(&store, 4, &asks(&["Bergen", "Oslo", "Voss", "Hamar", "Flåm"]), &got);
}

#[test]
fn secrets_before_the_fork_stay_hidden_and_their_stand_ins_are_sent_to_nobody() {
    let store = MemoryStore::default();
    let token = ["token", "of", "a", "whole", "run"].join("-");
    let given = format!("{{\"access_token\":\"{token}\"}}");
    let upstream = |_: &Call| value(&given);
    let handed = |_: &Call| reply(200, "fine");
    let session_of = |body: &str| {
        Call::http("POST", "https://api.example.com/v1/x", vec![("authorization".into(), body.into())], b"{}".to_vec())
    };
    let login = Call::function(Kind::Llm, "login", b"{}".to_vec());
    let plan_of_run = Plan { name: RUN.into(), ..plan(&store, Mode::Record) };
    assert_eq!(codes(&run(plan_of_run, std::slice::from_ref(&login), upstream, BodyEnd::Passed).1), [""; 0]);
    for mode in [Mode::Record, Mode::Refresh] {
        let session = Session::open(forked(&store, mode, 1)).unwrap();
        let served = make(&session, std::slice::from_ref(&login), gone);
        let Ok(Outcome::Reply(served)) = &served[0] else { panic!("it is served") };
        let body = String::from_utf8(served.body()).unwrap();
        let stand_in = body.split('"').nth(3).unwrap();
        assert!(stand_in.starts_with("REDACTED."), "{stand_in}");
        let got = make(&session, &[session_of(&format!("Bearer {stand_in}"))], handed);
        assert_eq!(got, [Err("refused")]);
        assert_snapshot!("stand_in", session.finish(BodyEnd::Passed).reports[0].to_string());
    }
}

#[test]
fn a_run_of_digests_is_forked_into_one() {
    let store = MemoryStore::default();
    let digests = Plan { name: RUN.into(), requests: Requests::Digest, ..plan(&store, Mode::Record) };
    assert_eq!(codes(&run(digests, &asks(&["Bergen", "Oslo"]), counting(), BodyEnd::Passed).1), [""; 0]);
    let (got, verdict) = fork(forked(&store, Mode::Record, 1), &["Bergen", "A very secret question"]);
    assert_eq!((&got, codes(&verdict)), (&answers(&["answer 1", "anew 1"]), vec![]));
    assert!(!text(&store).contains("secret question"));
    assert_eq!(tape(&store, NAME).interactions[..1], tape(&store, RUN).interactions[..1]);
    replays(&store, 1, &asks(&["Bergen", "A very secret question"]), &got);
    let (got, verdict) = run(forked(&without_fork(&store), Mode::Record, 1), &asks(&["Voss"]), gone, BodyEnd::Passed);
    assert_eq!(got, [Err("unreached")]);
    assert_snapshot!("unreached_digests", verdict.reports[0].to_string());
}

#[test]
fn a_fork_that_names_other_hooks_than_its_run_is_refused() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen"]));
    let stamp = cassette_core::tape::Stamp { hooks: vec!["guardrail@2".into()], ..Default::default() };
    for mode in [Mode::Record, Mode::Refresh] {
        let error = Session::open(Plan { stamp: stamp.clone(), ..forked(&store, mode, 1) }).unwrap_err();
        assert_snapshot!("other_hooks", error.to_string());
    }
}

#[test]
fn a_matcher_is_offered_what_is_before_the_fork_in_the_order_of_the_file() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["At 1 to Bergen", "At 2 to Bergen", "Oslo"]));
    let offered = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&offered);
    let but_for_figures = move |recorded: &Call, incoming: &Call| {
        seen.lock().unwrap().push(String::from_utf8_lossy(&recorded.body).into_owned());
        let plain = |call: &Call| call.body.iter().filter(|byte| !byte.is_ascii_digit()).copied().collect::<Vec<_>>();
        plain(recorded) == plain(incoming)
    };
    let matching = Matching { matcher: Some(Arc::new(but_for_figures)), ..Matching::default() };
    let matched = |at| Plan { matching: matching.clone(), ..forked(&store, Mode::Record, at) };
    let session = Session::open(matched(2)).unwrap();
    let got = make(&session, &asks(&["At 8 to Bergen"]), gone);
    let asked = |prompts: &[&str]| {
        asks(prompts).into_iter().map(|call| String::from_utf8(call.body).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(*offered.lock().unwrap(), asked(&["At 1 to Bergen", "At 2 to Bergen"]));
    assert_eq!(got, answers(&["answer 1"]));
    // What it takes none of is no call of the way to the fork.
    assert_eq!(make(&session, &asks(&["Oslo"]), gone), [Err("unreached")]);
    assert_snapshot!("unreached_by_matcher", session.finish(BodyEnd::Passed).reports[0].to_string());
    let (got, verdict) = fork(matched(2), &["At 8 to Bergen", "At 9 to Bergen", "At 3 to Bergen"]);
    assert_eq!((got, codes(&verdict)), (answers(&["answer 1", "answer 2", "anew 1"]), vec![]));
    assert_eq!(verdict.summary.approximate.len(), 2);
    // A call that took another's recording before the fork may not be recorded word for word behind it: it would take that one.
    let store = without_fork(&store);
    let (_, verdict) = run(
        Plan { matching: matching.clone(), ..forked(&store, Mode::Record, 1) },
        &asks(&["At 8 to Bergen", "At 8 to Bergen"]),
        anew(),
        BodyEnd::Passed,
    );
    assert_eq!((codes(&verdict), store.load(NAME).unwrap()), (vec!["pending"], None));
}

#[test]
fn a_test_without_the_option_goes_on_from_a_fork_and_the_head_says_so_as_long_as_it_is_true() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    fork(forked(&store, Mode::Record, 2), &["Bergen", "Oslo", "Flåm"]);
    let go_on = |mode, prompts: &[&str]| {
        let (_, verdict) = run(plan(&store, mode), &asks(prompts), anew(), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        tape(&store, NAME).head.origin
    };
    assert_eq!(go_on(Mode::Record, &["Bergen", "Oslo", "Voss"]), Some(Origin { cassette: RUN.into(), at: 2 }));
    assert_eq!(go_on(Mode::Record, &["Bergen", "Voss"]), None);
}

#[test]
fn a_failed_fork_is_kept_pending_whole() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen", "Oslo"]));
    let (_, verdict) = run(forked(&store, Mode::Record, 1), &asks(&["Bergen", "Flåm"]), anew(), BodyEnd::Panicked);
    assert_eq!((codes(&verdict), store.load(NAME).unwrap()), (vec![], None));
    let pending = disk::read(&store.pending(NAME).unwrap().unwrap()).unwrap();
    assert_eq!((pending.interactions.len(), pending.head.origin.map(|origin| origin.at)), (2, Some(1)));
}

#[test]
fn a_head_that_says_more_than_the_file_holds_is_damaged() {
    let store = MemoryStore::default();
    origin(&store, &asks(&["Bergen"]));
    fork(forked(&store, Mode::Record, 1), &["Bergen", "Oslo"]);
    for (from, to) in [("\"at\": 1", "\"at\": 9"), ("\"at\": 1", "\"at\": -1"), ("\"at\": 1", "\"to\": 1")] {
        let edited = text(&store).replace(from, to);
        assert!(disk::read(edited.as_bytes()).is_err(), "{to}");
    }
    assert!(matches!(Session::open(plan(&damaged(&store), Mode::Replay)).unwrap_err().as_ref(), Report::Damaged(_)));
}

fn damaged(store: &MemoryStore) -> MemoryStore {
    let own = MemoryStore::default();
    own.put(NAME, text(store).replace("\"at\": 1", "\"at\": 9").as_bytes());
    own
}

#[test]
fn what_the_run_hid_and_a_fork_does_not_is_told_with_the_rule_that_is_missing() {
    let store = MemoryStore::default();
    let rules = Rules { fields: vec!["q".into()], ..Rules::default() };
    let asked = |q: &str| tool("search", &format!("{{\"q\":\"{q}\"}}"));
    let recording = Plan { name: RUN.into(), rules, ..plan(&store, Mode::Record) };
    let (_, verdict) = run(recording, &[asked("alpha"), asked("beta")], |_| value("1"), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (_, verdict) = run(forked(&store, Mode::Record, 2), &[asked("alpha")], gone, BodyEnd::Passed);
    let told = verdict.reports[0].to_string();
    let help = "help: hide on this run too what was hidden, else a recording has it in plain: `redact_field = [\"q\"]` in \
                cassette.toml, or `redact_field(\"q\")` in the attribute; if it is no secret, fork where the run leaves that way";
    assert!(told.lines().last().is_some_and(|last| last.starts_with(help)), "{told}");
}
