//! The orders that explore: what they serve, what they never serve, and what they say of it.

use std::sync::{Arc, Mutex, OnceLock};

use cassette_core::call::{Call, Kind};
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Repeat};
use cassette_core::session::{BodyEnd, Plan, Session, Step, Verdict};
use cassette_core::similarity::{Fuzziness, Similarity};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{Got, ask, codes, file, gone, make, plan, record, reply, run};

fn ordered(store: &MemoryStore) -> Plan {
    Plan { order: Order::Ordered, ..plan(store, Mode::Replay) }
}

fn fuzzy(store: &MemoryStore) -> Plan {
    Plan { order: Order::Fuzzy, ..plan(store, Mode::Replay) }
}

fn within(store: &MemoryStore, threshold: f64, window: usize) -> Plan {
    Plan { fuzziness: Fuzziness { threshold, window, ..Fuzziness::default() }, ..fuzzy(store) }
}

fn alike(store: &MemoryStore, similarity: impl Similarity + 'static) -> Plan {
    Plan { fuzziness: Fuzziness { similarity: Arc::new(similarity), ..Fuzziness::default() }, ..fuzzy(store) }
}

fn answers(numbers: &[usize]) -> Vec<Got> {
    numbers.iter().map(|n| Ok(reply(200, &format!("answer {n}")))).collect()
}

/// Returns a question about a train to this town.
fn to(town: &str) -> Call {
    ask(&format!("When does the next train to {town} leave?"))
}

/// Returns the same question in other words.
fn about(town: &str) -> Call {
    ask(&format!("When does the next fast train to {town} leave?"))
}

fn tool(name: &str, city: &str) -> Call {
    let body = format!(r#"{{"city":"{city}"}}"#).into_bytes();
    Call { kind: Kind::Tool, name: name.into(), headers: Vec::new(), body }
}

fn replay(plan: Plan, calls: &[Call]) -> (Vec<Got>, Verdict) {
    run(plan, calls, gone, BodyEnd::Passed)
}

#[test]
fn an_ordered_run_serves_what_is_next_and_says_what_drifted() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen"), tool("departures", "Oslo"), to("Voss")]);
    let (got, verdict) = replay(ordered(&store), &[to("Bergen"), tool("departures", "Voss"), ask("Where am I?")]);
    assert_eq!((got, codes(&verdict)), (answers(&[1, 2, 3]), vec![]));
    assert!(verdict.summary.explored() && !verdict.summary.is_quiet());
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn what_is_served_exactly_is_not_told() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen"), to("Oslo"), to("Bergen")]);
    let calls = [to("Bergen"), to("Oslo"), to("Bergen")];
    for plan in [ordered(&store), fuzzy(&store)] {
        let (got, verdict) = replay(plan, &calls);
        assert_eq!((got, codes(&verdict)), (answers(&[1, 2, 3]), vec![]));
        assert!(verdict.summary.is_quiet() && !verdict.summary.explored(), "{}", verdict.summary);
    }
}

#[test]
fn an_ordered_run_says_where_a_swapped_call_is_recorded() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen"), to("Oslo")]);
    let (got, verdict) = replay(ordered(&store), &[to("Oslo"), to("Bergen")]);
    assert_eq!((got, codes(&verdict)), (answers(&[1, 2]), vec![]));
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn an_ordered_run_answers_nothing_from_elsewhere() {
    let store = MemoryStore::default();
    record(&store, &[tool("departures", "Voss"), to("Bergen")]);
    let (got, verdict) = replay(ordered(&store), &[to("Oslo")]);
    assert_eq!(got, [Err("mismatch")]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    let (got, _) = replay(ordered(&store), &[to("Bergen")]);
    assert_eq!(got, [Err("misplaced")]);
    let (got, verdict) = replay(ordered(&store), &[tool("departures", "Voss"), tool("departures", "Voss")]);
    assert_eq!(got[1], Err("exhausted"));
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn an_ordered_run_says_which_of_the_two_streams() {
    let streamed = |town: &str| {
        let call = to(town);
        let body = String::from_utf8(call.body.clone()).unwrap().replacen('{', "{\"stream\":true,", 1);
        cassette_core::call::Call { body: body.into_bytes(), ..call }
    };
    let told = |recorded: cassette_core::call::Call, incoming: cassette_core::call::Call| {
        let store = MemoryStore::default();
        record(&store, &[recorded]);
        let report = replay(ordered(&store), &[incoming]).1.reports[0].to_string();
        let line = report.lines().find(|line| line.starts_with("  next in the recording")).unwrap();
        line.rsplit(", which ").next().unwrap().to_owned()
    };
    assert_eq!(told(to("Bergen"), streamed("Oslo")), "does not stream its reply, and this call asks for a stream");
    assert_eq!(told(streamed("Bergen"), to("Oslo")), "streams its reply, and this call does not ask for a stream");
}

#[test]
fn an_ordered_run_that_asks_more_than_was_recorded_fails() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen")]);
    let (got, verdict) = replay(ordered(&store), &[to("Oslo"), to("Voss")]);
    assert_eq!((got[1].clone(), codes(&verdict)), (Err("mismatch"), vec!["mismatch"]));
    let (_, verdict) = replay(ordered(&store), &[]);
    assert_eq!(codes(&verdict), ["no-calls"]);
    record(&store, &[to("Bergen"), to("Oslo")]);
    let (_, verdict) = replay(ordered(&store), &[to("Voss")]);
    assert_eq!(codes(&verdict), ["unused"]);
}

#[test]
fn of_calls_that_overlapped_an_ordered_run_serves_the_likest() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let tickets = ["Bergen", "Oslo", "Voss"].map(|town| match session.begin(to(town)) {
        Step::Live(ticket) => (ticket, town),
        other => panic!("{other:?}"),
    });
    tickets.into_iter().for_each(|(ticket, town)| ticket.finish(reply(200, town)).unwrap());
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let (got, verdict) = replay(ordered(&store), &[about("Voss"), to("Oslo"), about("Bergen")]);
    assert_eq!(got, ["Voss", "Oslo", "Bergen"].map(|town| Ok(reply(200, town))));
    assert_eq!(codes(&verdict), [""; 0]);
    let told: Vec<_> = verdict.summary.approximate.iter().map(|served| served.call).collect();
    assert_eq!(told, [1, 3]);
}

#[test]
fn a_fuzzy_run_serves_the_likest_and_says_how_like_it_is() {
    let store = MemoryStore::default();
    record(&store, &[ask("What does a ticket cost?"), to("Oslo"), to("Bergen")]);
    let calls = [about("Bergen"), ask("What does a ticket cost?"), about("Oslo")];
    let (got, verdict) = replay(fuzzy(&store), &calls);
    assert_eq!((got, codes(&verdict)), (answers(&[3, 1, 2]), vec![]));
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn a_fuzzy_run_serves_its_own_recording_before_any_other() {
    let store = MemoryStore::default();
    record(&store, &[about("Bergen"), to("Oslo"), to("Bergen")]);
    let (got, verdict) =
        replay(fuzzy(&store), &[to("Bergen"), to("Oslo"), ask("When does the next slow train to Bergen leave?")]);
    assert_eq!((got, codes(&verdict)), (answers(&[3, 2, 1]), vec![]));
    assert_eq!(verdict.summary.approximate.len(), 1);
}

#[test]
fn a_fuzzy_run_answers_no_other_question() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen"), ask("Where is platform 3?")]);
    let (got, verdict) = replay(fuzzy(&store), &[ask("Which platform has a kiosk?")]);
    assert_eq!(got, [Err("mismatch")]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    record(&store, &[ask("Bergen")]);
    assert_eq!(replay(fuzzy(&store), &[ask("Oslo")]).0, [Err("mismatch")]);
}

#[test]
fn a_fuzzy_run_never_answers_from_elsewhere() {
    let at = |method: &str, url: &str, body: &str| Call::http(method, url, Vec::new(), body.into());
    let url = "https://api.example.com/v1/ask";
    let recorded = at("POST", url, r#"{"question":"When does it leave?"}"#);
    let here = at("POST", &format!("{url}?v=2"), r#"{"question":"When does it leave?"}"#);
    let elsewhere = [
        at("PUT", url, r#"{"question":"When does it leave?"}"#),
        at("POST", "https://api.example.com/v1/asks", r#"{"question":"When does it leave?"}"#),
        at("POST", "https://api.example.org/v1/ask", r#"{"question":"When does it leave?"}"#),
        at("POST", "http://api.example.com/v1/ask", r#"{"question":"When does it leave?"}"#),
        at("POST", url, r#"{"question":"When does it leave?","stream":true}"#),
        tool("ask", "When does it leave?"),
    ];
    let store = MemoryStore::default();
    record(&store, &[recorded]);
    let certain = || Plan { order: Order::Fuzzy, ..alike(&store, |_: &str, _: &str| 1.0) };
    assert_eq!(replay(certain(), &[here]).0, answers(&[1]));
    for call in elsewhere {
        let (got, verdict) = replay(certain(), std::slice::from_ref(&call));
        assert_eq!(got, [Err("mismatch")], "{}", call.name);
        let told = verdict.reports[0].to_string();
        assert!(
            told.contains("\n  none of the next 8 unused recordings goes where this call goes, with its secrets\n"),
            "{told}"
        );
        assert_eq!(replay(ordered(&store), &[call]).0, [Err("mismatch")]);
    }
    record(&store, &[tool("departures", "Voss")]);
    assert_eq!(replay(certain(), &[tool("arrivals", "Voss")]).0, [Err("mismatch")]);
}

#[test]
fn a_window_holds_the_first_unused_recordings_whatever_they_are_of() {
    let store = MemoryStore::default();
    let others: Vec<_> = (0..8).map(|i| tool("departures", &format!("town {i}"))).collect();
    record(&store, &[others.clone(), vec![to("Bergen")]].concat());
    assert_eq!(replay(fuzzy(&store), &[about("Bergen")]).0, [Err("mismatch")]);
    assert_eq!(replay(within(&store, 0.6, 9), &[about("Bergen")]).0, answers(&[9]));
    let (got, _) = replay(fuzzy(&store), &[others[5].clone(), about("Bergen")]);
    assert_eq!(got, answers(&[6, 9]));
    assert_eq!(replay(within(&store, 0.95, 9), &[about("Bergen")]).0, [Err("mismatch")]);
}

#[test]
fn a_threshold_or_window_that_is_none_is_refused() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen")]);
    for (threshold, window) in [(0.0, 8), (1.01, 8), (f64::NAN, 8), (0.6, 0)] {
        assert_eq!(Session::open(within(&store, threshold, window)).unwrap_err().code(), "refused");
    }
    insta::assert_snapshot!(Session::open(within(&store, 60.0, 8)).unwrap_err().to_string());
}

#[test]
fn a_similarity_of_one_s_own_decides_and_sees_what_was_recorded_first() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen"), to("Oslo")]);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let likes_oslo = move |recorded: &str, incoming: &str| {
        noted.lock().unwrap().push(format!("{recorded} / {incoming}"));
        if recorded.contains("Oslo") { 0.75 } else { 0.7 }
    };
    let (got, verdict) = replay(alike(&store, likes_oslo), &[ask("Anything"), to("Bergen")]);
    assert_eq!(got, answers(&[2, 1]));
    assert_eq!(
        verdict.summary.approximate[0].grounds,
        cassette_core::report::Grounds::Likest(cassette_core::score::Score::new(0.75).unwrap(), vec![1],)
    );
    let to = |town: &str| format!("gpt-4o-mini\nWhen does the next train to {town} leave? / gpt-4o-mini\nAnything");
    assert_eq!(
        *asked.lock().unwrap(),
        [to("Bergen"), to("Oslo")],
        "asked once about each, and of nothing that is exact"
    );
}

#[test]
fn a_similarity_that_gives_no_score_fails_the_test() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen")]);
    let told = |similarity: fn(&str, &str) -> f64| {
        let (got, verdict) = replay(alike(&store, similarity), &[to("Oslo"), to("Bergen")]);
        assert_eq!(got, [Err("wiring"), Err("wiring")]);
        verdict.reports[0].to_string()
    };
    insta::assert_snapshot!([told(|_, _| f64::NAN), told(|_, _| -0.5), told(|_, _| panic!("no idea"))].join("\n\n"));
}

#[test]
fn a_similarity_may_ask_the_session_since_no_lock_is_held() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen")]);
    let held: Arc<OnceLock<Arc<Session>>> = Arc::default();
    let asks = Arc::clone(&held);
    let similarity = move |_: &str, _: &str| asks.get().map_or(0.0, |session| session.calls().len() as f64);
    let session = Arc::new(Session::open(alike(&store, similarity)).unwrap());
    held.set(Arc::clone(&session)).unwrap();
    assert_eq!(make(&session, &[to("Oslo")], gone), answers(&[1]));
}

#[test]
fn what_failed_while_a_similarity_was_asked_stays_failed() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen")]);
    let held: Arc<OnceLock<Arc<Session>>> = Arc::default();
    let asks = Arc::clone(&held);
    let similarity = move |_: &str, _: &str| {
        let blocked = cassette_core::report::Blocked::new("trains", "api.example.com:443", "main");
        asks.get().unwrap().fail(cassette_core::report::Report::Blocked(blocked));
        1.0
    };
    let session = Arc::new(Session::open(alike(&store, similarity)).unwrap());
    held.set(Arc::clone(&session)).unwrap();
    assert_eq!(make(&session, &[to("Oslo")], gone), [Err("blocked")]);
    assert_eq!((session.remaining(), codes(&session.finish(BodyEnd::Passed))), (1, vec!["blocked"]));
}

#[test]
fn sixty_four_tasks_that_drifted_each_get_a_recording_of_their_own() {
    let store = MemoryStore::default();
    let towns: Vec<_> = (0..64).map(|i| format!("Town{i}")).collect();
    record(&store, &towns.iter().map(|town| to(town)).collect::<Vec<_>>());
    let session = Session::open(within(&store, 0.5, 64)).unwrap();
    std::thread::scope(|scope| {
        for (i, town) in towns.iter().enumerate() {
            let session = &session;
            scope.spawn(move || assert_eq!(make(session, &[about(town)], gone), answers(&[i + 1])));
        }
    });
    let verdict = session.finish(BodyEnd::Passed);
    assert_eq!((codes(&verdict), verdict.summary.approximate.len()), (vec![], 64));
}

#[test]
fn while_recording_what_is_asked_decides_whatever_the_order() {
    for order in [Order::Ordered, Order::Fuzzy] {
        let store = MemoryStore::default();
        record(&store, &[to("Bergen"), to("Oslo")]);
        let recording = Plan { order, ..plan(&store, Mode::Record) };
        let (got, verdict) = run(recording, &[to("Oslo"), about("Bergen")], |_| reply(200, "live"), BodyEnd::Passed);
        assert_eq!((got, codes(&verdict)), (vec![Ok(reply(200, "answer 2")), Ok(reply(200, "live"))], vec![]));
        assert!(!verdict.summary.explored(), "{}", verdict.summary);
        let (got, verdict) = replay(plan(&store, Mode::Replay), &[to("Oslo"), about("Bergen")]);
        assert_eq!((got.len(), codes(&verdict)), (2, vec![]));
        let (_, verdict) = replay(Plan { order, ..plan(&store, Mode::Replay) }, &[to("Oslo"), about("Bergen")]);
        assert!(verdict.summary.is_quiet(), "{}", verdict.summary);
    }
}

#[test]
fn exploring_writes_nothing() {
    let store = MemoryStore::default();
    let before = record(&store, &[to("Bergen")]);
    replay(ordered(&store), &[to("Oslo")]);
    replay(fuzzy(&store), &[about("Bergen")]);
    assert_eq!(file(&store), Some(before));
}

#[test]
fn a_repeated_request_is_answered_again_before_anything_that_is_alike() {
    let store = MemoryStore::default();
    record(&store, &[to("Bergen"), about("Bergen")]);
    for order in [Order::Ordered, Order::Fuzzy] {
        let repeating = Plan { order, repeat: Repeat::Last, ..plan(&store, Mode::Replay) };
        let (got, verdict) = replay(repeating, &[to("Bergen"), to("Bergen"), about("Bergen")]);
        assert_eq!(got, answers(&[1, 1, 2]));
        assert!(verdict.summary.is_quiet());
    }
}

#[test]
fn nobody_s_secret_is_shown_to_a_similarity_or_told() {
    let secret = format!("sk-proj-{}", "Zq7Xw3".repeat(8));
    let with = |text: &str| ask(&format!("{text} {secret}"));
    let store = MemoryStore::default();
    record(&store, &[with("Here is the key to the next train to Bergen:")]);
    let seen = Arc::new(Mutex::new(String::new()));
    let noted = Arc::clone(&seen);
    let similarity = move |recorded: &str, incoming: &str| {
        *noted.lock().unwrap() = format!("{recorded}\n{incoming}");
        0.8
    };
    let (got, verdict) = replay(alike(&store, similarity), &[with("Here is a key to the next train to Bergen:")]);
    assert_eq!(got, answers(&[1]));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.matches("REDACTED.hidden.1").count(), 2, "{seen}");
    let told = format!("{seen}{}{:?}", verdict.summary, verdict.summary);
    assert!(!told.contains(&secret) && !told.contains("Zq7Xw3"), "{told}");
}

#[test]
fn a_recording_of_one_tenant_is_not_served_to_another() {
    let keyed = |tenant: &str, town: &str| {
        let secret = format!("sk-proj-{}", tenant.repeat(24));
        let body = format!(r#"{{"key":"{secret}","question":"When does the next train to {town} leave?"}}"#);
        Call::http("POST", "https://api.example.com/v1/ask", Vec::new(), body.into_bytes())
    };
    let store = MemoryStore::default();
    record(&store, &[keyed("q7", "Bergen"), keyed("x3", "Oslo"), keyed("q7", "Voss")]);
    let calls = [keyed("q7", "Bergen"), keyed("x3", "Oslo"), keyed("x3", "Voss")];
    for plan in [fuzzy(&store), ordered(&store)] {
        assert_eq!(replay(plan, &calls).0[2], Err("mismatch"));
    }
    let calls = [keyed("q7", "Bergen"), keyed("x3", "Oslo"), keyed("q7", "Myrdal")];
    assert_eq!(replay(fuzzy(&store), &calls).0, answers(&[1, 2, 3]));
}
