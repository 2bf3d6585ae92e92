//! Functions that ask while they run: which recording is served to whom, and what a refresh leaves.

use cassette_core::call::{Call, Kind};
use cassette_core::journal;
use cassette_core::matcher::Matcher;
use cassette_core::matching::Matching;
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Requests};
use cassette_core::reply::{Outcome, Reply};
use cassette_core::run::Run;
use cassette_core::session::{BodyEnd, Plan, Session, Step, Summary};
use cassette_core::store::MemoryStore;
use proptest::prelude::*;

use std::sync::Arc;
use std::time::Duration;

use crate::bench_of_calls::{NAME, ask, asked, codes, ended, file, live, plan, reply, tool, typed, value};

/// Calls a function, which asks this while it runs if it runs.
fn called(session: &Session, call: Call, within: &[(Call, Outcome)], answer: Outcome) -> Result<String, &'static str> {
    match session.begin(call) {
        Step::Live(ticket) => {
            for (inner, answer) in within {
                asked(session, inner.clone(), answer.clone())?;
            }
            ticket.finish(answer.clone()).map_err(|report| report.code())?;
            let Outcome::Reply(reply) = answer else { panic!("it was answered") };
            Ok(String::from_utf8(reply.body()).unwrap())
        }
        Step::Serve(served) => {
            let Outcome::Reply(reply) = &*served.outcome else { panic!("it was answered") };
            Ok(String::from_utf8(reply.body()).unwrap())
        }
        Step::Fail(report) => Err(report.code()),
    }
}

fn facts(store: &MemoryStore) -> Vec<(String, Option<u64>, bool)> {
    let document: serde_json::Value = serde_json::from_slice(&file(store).unwrap()).unwrap();
    let fact = |one: &serde_json::Value| {
        (one["kind"].as_str().unwrap().to_owned(), one["within"].as_u64(), one["overlaps"].as_bool().unwrap_or(false))
    };
    document["interactions"].as_array().unwrap().iter().map(fact).collect()
}

/// Records or replays a test that asks what its function has asked before it.
fn ask_after(plan: Plan) -> Result<(Vec<String>, Summary), &'static str> {
    let session = Session::open(plan).unwrap();
    let within = [(ask("Bergen"), reply(200, "09:04"))];
    let first = called(&session, tool("search", "{}"), &within, value("1"))?;
    let second = asked(&session, ask("Bergen"), reply(200, "17:30"))?;
    let third = asked(&session, ask("Bergen"), reply(200, "21:15"))?;
    Ok((vec![first, second, third], ended(&session)))
}

#[test]
fn what_a_function_has_asked_is_not_served_for_what_the_test_asks() {
    for order in [Order::Any, Order::Strict, Order::Ordered, Order::Fuzzy] {
        for requests in [Requests::Full, Requests::Digest] {
            if requests == Requests::Digest && !order.is_exact() {
                continue;
            }
            let store = MemoryStore::default();
            let by = |mode| Plan { order, requests, ..plan(&store, mode) };
            let (live, _) = ask_after(by(Mode::Record)).unwrap();
            assert_eq!(facts(&store).iter().map(|fact| fact.1).collect::<Vec<_>>(), [None, Some(1), None, None]);
            let (replayed, summary) = ask_after(by(Mode::Replay)).unwrap();
            assert_eq!(replayed, live, "{order:?} {requests:?}");
            assert!(summary.is_quiet(), "{summary}");
            // Nor where the recording goes on from the file.
            assert_eq!(ask_after(by(Mode::Record)).unwrap().0, live);
        }
    }
}

#[test]
fn nor_where_a_matcher_takes_them_for_one() {
    let store = MemoryStore::default();
    let matcher: Arc<dyn Matcher> = Arc::new(|_: &Call, _: &Call| true);
    let by = |mode| {
        let matching = Matching { matcher: Some(Arc::clone(&matcher)), ..Matching::default() };
        Plan { matching, ..plan(&store, mode) }
    };
    let (live, _) = ask_after(by(Mode::Record)).unwrap();
    let (replayed, summary) = ask_after(by(Mode::Replay)).unwrap();
    assert_eq!(replayed, live);
    assert_eq!(summary.approximate, []);
}

#[test]
fn a_matcher_is_asked_only_about_functions_of_the_same_kind_and_name() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    asked(&session, tool("search", r#"{"city":"Bergen"}"#), value("1")).unwrap();
    ended(&session);
    let matcher: Arc<dyn Matcher> = Arc::new(|_: &Call, _: &Call| true);
    for (call, expected) in [
        (tool("search", r#"{"city":"Oslo"}"#), Ok("1".to_owned())),
        (tool("find", r#"{"city":"Bergen"}"#), Err("mismatch")),
        (Call { kind: Kind::Memory, ..tool("search", r#"{"city":"Bergen"}"#) }, Err("mismatch")),
        (ask("Bergen"), Err("mismatch")),
    ] {
        let matching = Matching { matcher: Some(Arc::clone(&matcher)), ..Matching::default() };
        let session = Session::open(Plan { matching, ..plan(&store, Mode::Replay) }).unwrap();
        assert_eq!(asked(&session, call.clone(), value("2")), expected, "{call:?}");
        for order in [Order::Ordered, Order::Fuzzy] {
            let fuzziness = cassette_core::session::Plan { order, ..plan(&store, Mode::Replay) };
            let session = Session::open(fuzziness).unwrap();
            let got = asked(&session, call.clone(), value("2"));
            assert!(got == expected || (order == Order::Fuzzy && got == Err("mismatch")), "{order:?} {call:?} {got:?}");
        }
    }
}

#[test]
fn an_order_that_explores_takes_nothing_from_within_a_function_that_was_served() {
    for order in [Order::Ordered, Order::Fuzzy] {
        let store = MemoryStore::default();
        let session = Session::open(plan(&store, Mode::Record)).unwrap();
        let towns = ["Voss", "Flåm", "Narvik", "Bodø", "Moss", "Hamar", "Skien", "Larvik", "Molde", "Tromsø"];
        let about = |town: &str| ask(&format!("When does the next train to {town} leave?"));
        let within: Vec<_> = towns.iter().map(|town| (about(town), reply(200, town))).collect();
        called(&session, tool("search", "{}"), &within, value("1")).unwrap();
        asked(&session, about("Bergen"), reply(200, "Bergen")).unwrap();
        ended(&session);
        let session = Session::open(Plan { order, ..plan(&store, Mode::Replay) }).unwrap();
        called(&session, tool("search", "{}"), &[], value("2")).unwrap();
        let drifted = ask("When does the next fast train to Voss leave?");
        assert_eq!(asked(&session, drifted, value("2")).unwrap(), r#"{"answer":"Bergen"}"#, "{order:?}");
        let verdict = session.finish(BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        assert!(!verdict.summary.to_string().contains("passed over"), "{}", verdict.summary);
    }
}

/// Calls two functions at once, each of which asks while it runs, and then asks itself.
fn at_once(store: &MemoryStore, mode: Mode) -> Summary {
    let session = Session::open(plan(store, mode)).unwrap();
    let calls = [tool("search", r#"{"to":1}"#), tool("search", r#"{"to":2}"#)];
    let steps: Vec<_> = calls.into_iter().map(|call| session.begin(call)).collect();
    if matches!(steps[0], Step::Live(_)) {
        asked(&session, ask("Voss"), reply(200, "Voss")).unwrap();
        asked(&session, ask("Flåm"), reply(200, "Flåm")).unwrap();
    }
    for step in steps {
        match step {
            Step::Live(ticket) => ticket.finish(value("1")).unwrap(),
            Step::Serve(_) => {}
            Step::Fail(report) => panic!("{report}"),
        }
    }
    asked(&session, ask("Oslo"), reply(200, "Oslo")).unwrap();
    ended(&session)
}

#[test]
fn functions_that_overlapped_go_on_overlapping() {
    let store = MemoryStore::default();
    at_once(&store, Mode::Record);
    let told = |kind: &str, within, overlaps| (kind.to_owned(), within, overlaps);
    let expected = [
        told("tool", None, false),
        told("http", Some(1), true),
        told("http", Some(1), true),
        told("tool", None, true),
        told("http", None, false),
    ];
    assert_eq!(facts(&store), expected);
    let before = file(&store);
    for mode in [Mode::Record, Mode::Refresh] {
        assert!(at_once(&store, mode).unchanged, "{mode}");
        assert_eq!(file(&store), before, "{mode}");
    }
}

/// Returns the end of the report of a replay that asks the first of these alone, recorded so that they overlapped or did not.
fn left_over(both: [Call; 2], overlap: bool) -> String {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let [outer, other] = both;
    let ticket = live(&session, outer.clone());
    if overlap {
        asked(&session, other.clone(), value("2")).unwrap();
    }
    ticket.finish(value("1")).unwrap();
    if !overlap {
        asked(&session, other, value("2")).unwrap();
    }
    ended(&session);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    asked(&session, outer, value("")).unwrap();
    let verdict = session.finish(BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["unused"]);
    verdict.reports[0].to_string().lines().last().unwrap().to_owned()
}

#[test]
fn what_a_function_asked_in_a_task_that_knew_nothing_of_it_is_told_with_scope() {
    let record = "if fewer calls are meant, CASSETTE_MODE=record cargo test -p timetable --test suite ask -- --exact";
    let functions = [tool("plan", "{}"), tool("search", "{}")];
    assert_eq!(
        left_over(functions.clone(), true),
        format!(
            "help: where `plan` asks it in a task or a thread of its own, hand that over by `scope(..)` or `scoped(..)`; then, or {record}"
        )
    );
    assert_eq!(left_over(functions, false), format!("help: {record}"));
    assert_eq!(left_over([ask("Bergen"), tool("search", "{}")], true), format!("help: {record}"));
}

#[test]
fn what_is_asked_beside_a_function_that_is_served_stays_within_it() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let within = [(ask("Voss"), reply(200, "Voss")), (ask("Flåm"), reply(200, "Flåm"))];
    called(&session, tool("search", "{}"), &within, value("1")).unwrap();
    ended(&session);
    let before = file(&store);
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    asked(&session, ask("Flåm"), reply(200, "")).unwrap();
    called(&session, tool("search", "{}"), &[], value("2")).unwrap();
    assert!(ended(&session).unchanged);
    assert_eq!(file(&store), before);
}

/// What the services and the function of a program are like in one run.
#[derive(Clone, Copy, Debug, Default)]
struct World {
    /// Which run it is: ids hang on it.
    generation: usize,
    /// Whether the model, what the function asks, the function, and what is asked after it say something else than they did.
    changed: [bool; 4],
    /// Whether the function gives the id of what it asked.
    hands_on: bool,
    /// Whether it gives that under another name than it did.
    renamed: bool,
}

/// A model asks for a tool by an id; the tool is given that id, asks a service, and what it gives is asked about.
fn tell(plan: Plan, world: World) -> Result<(String, Summary), &'static str> {
    let World { generation, changed, hands_on, renamed } = world;
    let session = Session::open(plan).unwrap();
    let said = |i: usize, text: &str| if changed[i] { format!("{text}, other") } else { text.to_owned() };
    let after = |text: &str, mark: &str| -> String {
        let rest = text.split(mark).nth(1).unwrap();
        rest[..rest.find('"').unwrap()].to_owned()
    };
    let chat = |text: &str| {
        let body = format!(r#"{{"model":"m","messages":[{{"role":"user","content":"{text}"}}]}}"#);
        Call::http("POST", "https://api.openai.com/v1/chat/completions", Vec::new(), body.into_bytes())
    };
    let model = typed(
        "application/json",
        &format!(
            r#"{{"id":"chat-{generation}aaaa","choices":[{{"message":{{"content":"{}","tool_calls":[{{"id":"call_{generation}bbbb"}}]}}}}]}}"#,
            said(0, "look it up")
        ),
    );
    let chosen = asked(&session, chat("where to?"), model)?;
    let id = after(&chosen, r#""tool_calls":[{"id":""#);
    let order = format!("{generation}b5f1c1e-8a3e-4f0e-9d53-0c8f6f3a1b2c");
    let within = [(
        Call::http("POST", &format!("https://api.example.com/orders/{id}"), Vec::new(), Vec::new()),
        typed("application/json", &format!(r#"{{"id":"{order}","says":"{}"}}"#, said(1, "booked"))),
    )];
    let name = if renamed { "order" } else { "reference" };
    let reference = if hands_on { order.as_str() } else { "none" };
    let given = value(&format!(r#"{{"says":"{}","{name}":"{reference}","of":"{id}"}}"#, said(2, "done")));
    let booked = called(&session, tool("book", &format!(r#"{{"id":"{id}","seats":2}}"#)), &within, given)?;
    let name = if booked.contains("reference") { "reference" } else { "order" };
    let reference = after(&booked, &format!(r#""{name}":""#));
    let last = asked(
        &session,
        chat(&format!("and {reference}?")),
        typed(
            "application/json",
            &format!(
                r#"{{"id":"chat-{generation}dddd","choices":[{{"message":{{"content":"{}"}}}}]}}"#,
                said(3, "well")
            ),
        ),
    )?;
    let words = |text: &str| -> String {
        let texts: Vec<_> = ["content", "says"]
            .iter()
            .filter(|mark| text.contains(**mark))
            .map(|mark| after(text, &format!(r#""{mark}":""#)))
            .collect();
        texts.join(" ")
    };
    let seen = [&chosen, &booked, &last].map(|text| words(text)).join("; ");
    Ok((seen, ended(&session)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn whatever_a_refresh_leaves_of_functions_replays(
        changed in prop::array::uniform4(prop::bool::weighted(0.3)),
        hands_on in any::<bool>(),
        renamed in prop::bool::weighted(0.2),
        generation in 1..9usize,
        strict in any::<bool>(),
        digests in any::<bool>(),
    ) {
        let store = MemoryStore::default();
        let order = if strict { Order::Strict } else { Order::Any };
        let requests = if digests { Requests::Digest } else { Requests::Full };
        let by = |mode| Plan { order, requests, ..plan(&store, mode) };
        tell(by(Mode::Record), World { hands_on, ..World::default() }).unwrap();
        let before = file(&store);
        let really = renamed || changed.contains(&true);
        let world = World { generation, changed, hands_on, renamed };
        let (live, summary) = tell(by(Mode::Refresh), world).unwrap();
        prop_assert_eq!(summary.unchanged, !really);
        prop_assert_eq!(file(&store) == before, !really);
        let replayed = tell(by(Mode::Replay), World::default());
        prop_assert_eq!(replayed.map(|(seen, _)| seen), Ok(live), "the run that was recorded is what is replayed");
        let (_, summary) = tell(by(Mode::Refresh), World { generation: generation + 1, ..world }).unwrap();
        prop_assert!(summary.unchanged, "a second refresh finds nothing to change");
    }
}

#[test]
fn values_that_differ_by_themselves_leave_a_file_as_it_is() {
    for (first, second, unchanged) in [
        ("1764400000", "1764400777", true),
        (r#""0b5f1c1e-8a3e-4f0e-9d53-0c8f6f3a1b2c""#, r#""9c1d7b52-61f4-4a0d-8e3b-5a2f9d4c7e10""#, true),
        (r#""Bergen""#, r#""Oslo""#, false),
    ] {
        let store = MemoryStore::default();
        for (mode, value) in [(Mode::Record, first), (Mode::Refresh, second)] {
            let session = Session::open(plan(&store, mode)).unwrap();
            let now = Call::function(Kind::Value, "now", Vec::new());
            asked(&session, now, typed("application/json", value)).unwrap();
            let summary = ended(&session);
            assert_eq!(summary.unchanged, unchanged && mode == Mode::Refresh, "{value}");
        }
    }
}

/// Tells of a run of a function that asks a model, and of a question after it.
fn told(plan: Plan) -> (Run, String, String) {
    let session = Session::open(plan).unwrap();
    let counted = |tokens: usize| {
        typed(
            "application/json",
            &format!(
                r#"{{"id":"chatcmpl-1","choices":[{{"message":{{"content":"so"}}}}],"usage":{{"prompt_tokens":{tokens}}}}}"#
            ),
        )
    };
    let within = [(ask("Voss"), counted(5))];
    called(&session, tool("search", r#"{"to":"Voss"}"#), &within, value("1")).unwrap();
    asked(&session, ask("Oslo"), counted(2)).unwrap();
    let told = (session.run(), session.transcript(), format!("{:?}", session.usage()));
    ended(&session);
    told
}

#[test]
fn a_run_with_functions_tells_the_same_recorded_and_replayed() {
    for requests in [Requests::Full, Requests::Digest] {
        let store = MemoryStore::default();
        let by = |mode| Plan { requests, ..plan(&store, mode) };
        let (run, transcript, usage) = told(by(Mode::Record));
        let (again, transcript_again, usage_again) = told(by(Mode::Replay));
        run.same_as(&again).unwrap();
        assert_eq!((run.steps().len(), again.steps().len()), (2, 2));
        assert_eq!(transcript_again, transcript);
        assert!(usage.contains("input: Some(7)"), "{usage}");
        assert_eq!(usage_again, usage);
        let tape = cassette_core::disk::read(&file(&store).unwrap()).unwrap();
        if let Some(held) = Run::of(&tape) {
            held.same_as(&run).unwrap();
        }
        insta::assert_snapshot!("transcript_of_a_function_that_asks", transcript);
    }
}

#[test]
fn runs_tell_an_error_of_a_function_from_a_value_and_kinds_apart() {
    let run = |call: Call, outcome: Outcome| {
        let session = Session::open(plan(&MemoryStore::default(), Mode::Record)).unwrap();
        asked(&session, call, outcome).unwrap();
        let run = session.run();
        session.finish(BodyEnd::Passed);
        run
    };
    let failed = Outcome::Reply(Reply::failure(br#"{"type":"","message":""}"#.to_vec(), Duration::ZERO));
    let ours = run(tool("search", "{}"), value("1"));
    let mut out = ours.same_as(&run(tool("search", "{}"), failed)).unwrap_err().to_string();
    let memory = Call { kind: Kind::Memory, ..tool("search", "{}") };
    out += &format!("\n\n{}", ours.same_as(&run(memory, value("1"))).unwrap_err());
    insta::assert_snapshot!("runs_of_functions", out);
}

#[test]
fn digests_of_a_function_keep_its_name_and_nothing_that_it_was_given() {
    let store = MemoryStore::default();
    let by = |mode| Plan { requests: Requests::Digest, ..plan(&store, mode) };
    let given = r#"{"passenger":"Kari Nordmann","seats":481516,"temperature":0.2342,"first":true,"messages":["private words"]}"#;
    let calls = [Kind::Llm, Kind::Tool, Kind::Memory].map(|kind| Call { kind, ..tool("trains::search?q#1", given) });
    let session = Session::open(by(Mode::Record)).unwrap();
    let failed = Outcome::Reply(Reply::failure(br#"{"type":"NoSeat","message":"full"}"#.to_vec(), Duration::ZERO));
    let mut live = Vec::new();
    for (call, outcome) in calls.iter().zip([value("1"), failed.clone(), value("3")]) {
        live.push(asked(&session, call.clone(), outcome));
    }
    let journal = store.journal_text(NAME).unwrap();
    assert!(journal::recover(&journal).unwrap().0.iter().all(|one| one.call().is_none()));
    ended(&session);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    for written in [&journal, &text] {
        for piece in ["passenger", "Kari", "Nordmann", "seats", "481516", "temperature", "0.2342", "private"] {
            assert!(!written.contains(piece), "{piece} in {written}");
        }
        assert_eq!(
            written.matches(r#""name": "trains::search?q#1""#).count()
                + written.matches(r#""name":"trains::search?q#1""#).count(),
            3
        );
    }
    insta::assert_snapshot!("digests_of_functions", &text[text.find("\"interactions\"").unwrap()..]);
    let session = Session::open(by(Mode::Replay)).unwrap();
    let replayed: Vec<_> = calls.iter().map(|call| asked(&session, call.clone(), value("9"))).collect();
    assert_eq!(replayed, live);
    ended(&session);
    let session = Session::open(by(Mode::Replay)).unwrap();
    let Step::Fail(report) = session.begin(tool("trains::search?q#1", r#"{"passenger":"Ola"}"#)) else {
        panic!("it fails")
    };
    insta::assert_snapshot!("digests_of_functions_differ", report);
}

#[test]
fn a_value_that_does_not_read_back_is_not_written_to_a_journal() {
    for requests in [Requests::Full, Requests::Digest] {
        let store = MemoryStore::default();
        let session = Session::open(Plan { requests, ..plan(&store, Mode::Record) }).unwrap();
        let ticket = live(&session, tool("open", "{}"));
        let misread = |reply: &Reply| {
            let text = String::from_utf8(reply.body()).unwrap();
            let json = cassette_core::json::Json::parse(&text).unwrap();
            cassette_core::function::read::<String>(&json).map(drop)
        };
        assert_eq!(ticket.finish_readable(value("481516"), misread).unwrap_err().code(), "lossy");
        assert!(!store.journal_text(NAME).unwrap().contains("481516"));
        session.finish(BodyEnd::Passed);
        assert_eq!(file(&store), None);
    }
}

#[test]
fn what_an_argument_says_in_another_order_is_told_with_what_to_sort() {
    let store = MemoryStore::default();
    let searched = |places: &str| tool("trains::search?filter#1", &format!(r#"{{"filter":{{"places":{places}}}}}"#));
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    live(&session, searched(r#"["Bergen","Oslo","Voss"]"#)).finish(value("3")).unwrap();
    ended(&session);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    let Step::Fail(report) = session.begin(searched(r#"["Voss","Bergen","Oslo"]"#)) else { panic!("it fails") };
    insta::assert_snapshot!(report);
}
