//! How much may go live: what holds, within a session, between sessions, between processes.

use std::sync::Arc;
use std::time::Duration;

use cassette_core::account::{Prices, account};
use cassette_core::call::{Call, Kind};
use cassette_core::disk;
use cassette_core::ledger::{self, Entry};
use cassette_core::mode::Mode;
use cassette_core::pricing;
use cassette_core::purse::{Purse, Spent};
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError};
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step};
use cassette_core::settings::dollars;
use cassette_core::store::{MemoryStore, Store as _};

use crate::bench_of_calls::{NAME, ask, asked, codes, file, plan, reply, run, tool, value};

fn prices() -> Arc<Prices> {
    Arc::new(pricing::own().unwrap().prices)
}

fn purse(limit: &str, spent: &Arc<Spent>) -> Purse {
    Purse { limit: Some(dollars(limit).unwrap()), prices: prices(), spent: Arc::clone(spent) }
}

fn budgeted(store: &MemoryStore, mode: Mode, purse: Purse) -> Plan {
    Plan { purse: Some(purse), ..plan(store, mode) }
}

/// Answers with a million tokens of a request, which is $0.15 of this model.
fn dear(_: &Call) -> Outcome {
    answer(r#"{"id":"c","choices":[],"usage":{"prompt_tokens":1000000,"completion_tokens":0}}"#)
}

fn answer(body: &str) -> Outcome {
    Outcome::Reply(Reply {
        status: 200,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        chunks: vec![Chunk { bytes: body.as_bytes().to_vec(), at: Some(Duration::from_millis(20)) }],
        trailers: Vec::new(),
        truncated: None,
    })
}

fn of_model(model: &str) -> Call {
    let mut call = ask("Bergen");
    call.body = String::from_utf8(call.body).unwrap().replace("gpt-4o-mini", model).into_bytes();
    call
}

const THREE: [&str; 3] = ["Bergen", "Oslo", "Voss"];

#[test]
fn nothing_goes_live_once_the_budget_is_spent_and_what_was_recorded_stays_pending() {
    let store = MemoryStore::default();
    let plan = budgeted(&store, Mode::Record, purse("0.30", &Arc::default()));
    let mut asked = 0;
    let upstream = |call: &Call| {
        asked += 1;
        dear(call)
    };
    let (got, verdict) = run(plan, &THREE.map(ask), upstream, BodyEnd::Passed);
    assert_eq!((asked, got[2].clone()), (2, Err("budget")));
    assert_eq!((codes(&verdict), file(&store)), (vec!["budget"], None));
    assert!(store.pending(NAME).unwrap().is_some());
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn what_is_recorded_costs_nothing() {
    let store = MemoryStore::default();
    let all = budgeted(&store, Mode::Record, purse("1", &Arc::default()));
    run(all, &THREE.map(ask), dear, BodyEnd::Passed);
    for mode in [Mode::Record, Mode::Replay] {
        let (got, verdict) =
            run(budgeted(&store, mode, purse("0", &Arc::default())), &THREE.map(ask), dear, BodyEnd::Passed);
        assert_eq!((got.iter().all(Result::is_ok), codes(&verdict)), (true, vec![]), "{mode}");
    }
    let over = budgeted(&store, Mode::Refresh, purse("0", &Arc::default()));
    assert_eq!(codes(&run(over, &THREE.map(ask), dear, BodyEnd::Passed).1), ["budget"]);
}

#[test]
fn a_call_whose_cost_nobody_knows_does_not_go_live() {
    let store = MemoryStore::default();
    let plan = || budgeted(&store, Mode::Record, purse("5", &Arc::default()));
    let never = |_: &Call| -> Outcome { panic!("it did go live") };
    let (_, verdict) = run(plan(), &[of_model("nobody-knows")], never, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    let mut tier = ask("Bergen");
    tier.body =
        String::from_utf8(tier.body).unwrap().replace("\"messages\"", "\"service_tier\":\"flex\",\"messages\"").into();
    assert_eq!(codes(&run(plan(), &[tier], never, BodyEnd::Passed).1), ["budget"]);
}

#[test]
fn an_answer_that_does_not_count_stops_the_next_model_call_and_no_other() {
    let store = MemoryStore::default();
    let plan = || budgeted(&store, Mode::Record, purse("5", &Arc::default()));
    let page = Call::http("GET", "https://timetable.example.com/next", Vec::new(), Vec::new());
    let (got, verdict) = run(plan(), &[ask("Bergen"), page, ask("Oslo")], |_| reply(200, "09:04"), BodyEnd::Passed);
    assert_eq!(got.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn a_failed_call_costs_nothing() {
    let store = MemoryStore::default();
    let plan = budgeted(&store, Mode::Record, purse("0.10", &Arc::default()));
    let mut answers = [reply(429, "slow down"), dear(&ask("Bergen"))].into_iter();
    let (_, verdict) = run(plan, &[ask("Bergen"), ask("Bergen")], |_| answers.next().unwrap(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn a_call_that_was_sent_and_got_no_reply_may_have_cost_something() {
    let failing = |class| Outcome::Error(TransportError { class, message: "no reply".to_owned() });
    let told = |class, second: Call| {
        let store = MemoryStore::default();
        let spent = Arc::new(Spent::alone());
        let plan = Plan { outages: Outages::Allow, ..budgeted(&store, Mode::Record, purse("0.50", &spent)) };
        let mut answers = [failing(class), dear(&second)].into_iter();
        let (_, verdict) = run(plan, &[ask("Bergen"), second], |_| answers.next().unwrap(), BodyEnd::Passed);
        verdict.reports.first().map(ToString::to_string)
    };
    insta::assert_snapshot!(told(TransportClass::Timeout, ask("Oslo")).unwrap());
    for class in [TransportClass::Reset, TransportClass::Closed] {
        assert!(told(class, ask("Oslo")).is_some(), "{class:?}");
    }
    for class in [TransportClass::Connect, TransportClass::Dns, TransportClass::Tls] {
        assert_eq!(told(class, ask("Oslo")), None, "{class:?}");
    }
    let page = Call::http("GET", "https://timetable.example.com/next", Vec::new(), Vec::new());
    assert_eq!(told(TransportClass::Timeout, page), None);
}

#[test]
fn sessions_of_a_process_share_a_purse_and_processes_a_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = || Arc::new(Spent::together(dir.path().join("ledger")));
    let one = Arc::new(Spent::alone());
    for (first, second) in [(Arc::clone(&one), one), (ledger(), ledger())] {
        let (a, b) = (MemoryStore::default(), MemoryStore::default());
        let (_, verdict) =
            run(budgeted(&a, Mode::Record, purse("0.15", &first)), &[ask("Bergen")], dear, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        let (_, verdict) = run(budgeted(&b, Mode::Off, purse("0.15", &second)), &[ask("Oslo")], dear, BodyEnd::Passed);
        assert_eq!(codes(&verdict), ["budget"]);
    }
}

#[test]
fn what_is_spent_with_the_mode_off_counts_too() {
    let spent = Arc::new(Spent::alone());
    let off = || budgeted(&MemoryStore::default(), Mode::Off, purse("0.15", &spent));
    assert_eq!(codes(&run(off(), &[ask("Bergen")], dear, BodyEnd::Passed).1), [""; 0]);
    assert_eq!(codes(&run(off(), &[ask("Bergen")], dear, BodyEnd::Passed).1), ["budget"]);
}

#[test]
fn a_ledger_that_cannot_be_read_lets_nothing_go_live() {
    let dir = tempfile::tempdir().unwrap();
    let spent = Arc::new(Spent::together(dir.path().to_owned()));
    let store = MemoryStore::default();
    let (_, verdict) = run(budgeted(&store, Mode::Record, purse("1", &spent)), &[ask("Bergen")], dear, BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["budget"]);
}

#[test]
fn an_answer_that_is_asked_for_until_it_is_there_is_counted_once() {
    let store = MemoryStore::default();
    let base = "https://api.openai.com/v1/responses";
    let headers = || vec![("content-type".to_owned(), "application/json".to_owned())];
    let body = br#"{"model":"gpt-4o-mini","input":"Bergen","background":true}"#.to_vec();
    let start = || Call::http("POST", base, headers(), body.clone());
    let poll = || Call::http("GET", &format!("{base}/resp_1"), Vec::new(), Vec::new());
    let waiting =
        r#"{"id":"resp_1","object":"response","status":"in_progress","model":"gpt-4o-mini","output":[],"usage":null}"#;
    let done = r#"{"id":"resp_1","object":"response","status":"completed","model":"gpt-4o-mini","output":[],"usage":{"input_tokens":1000000,"output_tokens":0}}"#;
    let mut answers = [waiting, waiting, done, waiting].into_iter().map(answer);
    let calls = [start(), poll(), poll(), start()];
    let spent = Arc::new(Spent::alone());
    let (got, verdict) = run(
        budgeted(&store, Mode::Record, purse("0.16", &spent)),
        &calls,
        |_| answers.next().unwrap(),
        BodyEnd::Passed,
    );
    assert_eq!((got.iter().all(Result::is_ok), codes(&verdict)), (true, vec![]));
}

#[test]
fn what_a_function_asked_is_saved_with_it() {
    let store = MemoryStore::default();
    let session = Session::open(budgeted(&store, Mode::Record, purse("5", &Arc::default()))).unwrap();
    let Step::Live(function) = session.begin(tool("plan", "{}")) else { panic!("it goes live") };
    asked(&session, ask("Bergen"), dear(&ask("Bergen"))).unwrap();
    let Outcome::Reply(given) = value("1") else { panic!("it is a reply") };
    function.finish(Outcome::Reply(given)).unwrap();
    asked(&session, ask("Oslo"), dear(&ask("Oslo"))).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);

    let session = Session::open(budgeted(&store, Mode::Replay, purse("5", &Arc::default()))).unwrap();
    asked(&session, tool("plan", "{}"), value("2")).unwrap();
    asked(&session, ask("Oslo"), dear(&ask("Oslo"))).unwrap();
    let saved = session.saved();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let tape = disk::read(&file(&store).unwrap()).unwrap();
    let whole = account(&tape, &prices());
    assert_eq!((saved.spent(), saved.live, saved.untimed), (whole.spent(), whole.live, whole.untimed));
    assert_eq!(tape.interactions[1].within(), Some(0));
}

#[test]
fn what_a_function_asked_of_a_model_is_told_as_unknown_and_stops_no_budget() {
    let store = MemoryStore::default();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ledger");
    let spent = Arc::new(Spent::together(file.clone()));
    let session = Session::open(budgeted(&store, Mode::Record, purse("5", &spent))).unwrap();
    let function = |name: &str| Call::function(Kind::Llm, name, b"{}".to_vec());
    let given = || value("\"At 09:04.\"");
    asked(&session, function("own"), given()).unwrap();
    assert_eq!((session.spent().calls, session.spent().unpriced, session.spent().cost), (1, 1, None));
    // What it asks over HTTP is counted by itself, unless that may as well be another function's.
    let Step::Live(one) = session.begin(function("seen")) else { panic!("it goes live") };
    asked(&session, ask("Bergen"), dear(&ask("Bergen"))).unwrap();
    one.finish(given()).unwrap();
    assert_eq!((session.spent().calls, session.spent().unpriced), (2, 1));
    let live = |name| match session.begin(function(name)) {
        Step::Live(ticket) => ticket,
        other => panic!("it did not go live: {other:?}"),
    };
    let (one, two) = (live("one"), live("two"));
    asked(&session, ask("Oslo"), dear(&ask("Oslo"))).unwrap();
    one.finish(given()).unwrap();
    two.given_up();
    assert_eq!((session.spent().calls, session.spent().unpriced), (4, 2));
    live("three").panicked();
    session.finish(BodyEnd::Passed);
    let spent: Vec<_> = ledger::read(&file)
        .unwrap()
        .into_iter()
        .map(|entry| match entry {
            Entry::Spent(spending) => (spending.own, spending.unknown, spending.unanswered),
            other => panic!("nothing else is told: {other:?}"),
        })
        .collect();
    assert_eq!(spent, [(1, 0, 0), (0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)]);
}
