//! Functions as calls: their arguments, their values and errors, and what is asked while they run.

use std::collections::BTreeMap;
use std::time::Duration;

use cassette_core::call::{Call, Kind};
use cassette_core::function::{Codec as _, Part, Parting, Plain, Unwritable, faithful, read, restored};
use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::policy::Order;
use cassette_core::redact::Rules;
use cassette_core::reply::{Outcome, Reply};
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step, Verdict};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{ask, codes, file, gone, live, plan, record, reply, run, tool, value};

fn failure(json: &str) -> Outcome {
    Outcome::Reply(Reply::failure(json.as_bytes().to_vec(), Duration::from_millis(20)))
}

fn served(session: &Session, call: Call) -> Outcome {
    match session.begin(call) {
        Step::Serve(served) => (*served.outcome).clone(),
        other => panic!("it is served: {other:?}"),
    }
}

fn text(store: &MemoryStore) -> String {
    String::from_utf8(file(store).unwrap()).unwrap()
}

#[test]
fn a_function_is_recorded_as_values_and_its_error_as_an_error() {
    let store = MemoryStore::default();
    let calls = [
        tool("search", r#"{"city":"Bergen","limit":1.50}"#),
        tool("search", r#"{"city":"Nowhere"}"#),
        Call::function(Kind::Value, "now", Vec::new()),
    ];
    let outcomes = [
        value(r#"[{"title":"09:04","$cassette":1}]"#),
        failure(r#"{"type":"NoTown","message":"no such town"}"#),
        value("17"),
    ];
    let mut answers = outcomes.clone().into_iter();
    let (_, verdict) = run(plan(&store, Mode::Record), &calls, |_| answers.next().unwrap(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let written = text(&store);
    let start = written.find("\"interactions\"").unwrap();
    insta::assert_snapshot!("functions", &written[start..]);
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!(got, outcomes.map(Ok));
}

#[test]
fn an_error_of_a_function_is_no_outage() {
    let store = MemoryStore::default();
    let calls = [tool("search", "{}")];
    let (_, verdict) =
        run(plan(&store, Mode::Record), &calls, |_| failure(r#"{"type":"","message":""}"#), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert!(file(&store).is_some());
}

#[test]
fn name_kind_and_arguments_tell_functions_apart() {
    let store = MemoryStore::default();
    record(&store, &[tool("search", r#"{"city":"Bergen","limit":1}"#)]);
    for (call, expected) in [
        (tool("search", r#"{"limit":1.0,"city":"Bergen"}"#), Ok(())),
        (tool("search", r#"{"city":"Bergen","limit":"1"}"#), Err("mismatch")),
        (tool("find", r#"{"city":"Bergen","limit":1}"#), Err("mismatch")),
        (Call { kind: Kind::Memory, ..tool("search", r#"{"city":"Bergen","limit":1}"#) }, Err("mismatch")),
    ] {
        let (got, _) = run(plan(&store, Mode::Replay), std::slice::from_ref(&call), gone, BodyEnd::Passed);
        assert_eq!(got[0].clone().map(drop), expected, "{call:?}");
    }
}

#[test]
fn secrets_in_arguments_and_values_are_hidden() {
    let store = MemoryStore::default();
    let token = ["sk-", "proj-", "Zk3vQ8xN2mT7wR5yB1cD", "9fG4hJ6kL0pS"].concat();
    let call = tool("login", &format!(r#"{{"api_key":"{token}"}}"#));
    let answer = format!(r#"{{"session":"{token}"}}"#);
    let (_, verdict) =
        run(plan(&store, Mode::Record), std::slice::from_ref(&call), |_| value(&answer), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert!(!text(&store).contains(&token), "{}", text(&store));
    let (got, verdict) = run(plan(&store, Mode::Replay), &[call], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let Ok(Outcome::Reply(reply)) = &got[0] else { panic!("{got:?}") };
    assert!(String::from_utf8(reply.body()).unwrap().starts_with(r#"{"session":"REDACTED."#));
}

#[test]
fn a_value_that_hiding_makes_another_type_of_fails_the_recording() {
    let store = MemoryStore::default();
    let mut plan = plan(&store, Mode::Record);
    plan.rules.fields.push("pin".into());
    let session = Session::open(plan).unwrap();
    let ticket = live(&session, tool("open", "{}"));
    let reads = |reply: &Reply| {
        let json = Json::parse(&String::from_utf8(reply.body()).unwrap()).unwrap();
        read::<BTreeMap<String, u32>>(&json).map(drop)
    };
    let report = ticket.finish_readable(value(r#"{"pin":481516}"#), reads).unwrap_err();
    insta::assert_snapshot!("hidden_otherwise", report);
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), ["lossy"]);
    assert_eq!(file(&store), None);
}

#[test]
fn a_number_that_is_hidden_is_told_with_what_hides_it() {
    let told = |json: &str, rules: Rules| {
        let environment = vec![("TICKET_PIN_SECRET".to_owned(), "70817263".to_owned())];
        let plan = Plan { rules, environment, ..plan(&MemoryStore::default(), Mode::Record) };
        let session = Session::open(plan).unwrap();
        let reads = |reply: &Reply| match json.starts_with('{') {
            true => Plain::<BTreeMap<String, u64>>::new(None).decode(reply).map(drop),
            false => Plain::<u64>::new(None).decode(reply).map(drop),
        };
        let report = live(&session, tool("open", "{}")).finish_readable(value(json), reads).unwrap_err().to_string();
        assert!(!report.contains("817263"), "{report}");
        report.lines().skip(1).collect::<Vec<_>>().join("\n")
    };
    let values = || Rules { values: vec!["80817263".to_owned()], ..Rules::default() };
    insta::assert_snapshot!(
        "hidden_numbers",
        [
            told("70817263", Rules::default()),
            told(r#"{"a":70817263}"#, Rules::default()),
            told("80817263", values()),
            told(r#"{"password":90817263,"b":80817263}"#, values()),
        ]
        .join("\n")
    );
}

#[test]
fn a_value_that_comes_back_otherwise_by_itself_is_told_as_that() {
    let misread = || {
        let json = Json::parse("[1,2]").unwrap();
        restored::<Descending>(&json).unwrap_err()
    };
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let report = live(&session, tool("towns", "{}")).finish_readable(value("[1,2]"), |_| Err(misread())).unwrap_err();
    insta::assert_snapshot!("shuffled", report);
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), ["lossy"]);

    let store = MemoryStore::default();
    record(&store, &[tool("towns", "{}")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    let Step::Serve(served) = session.begin(tool("towns", "{}")) else { panic!("it is served") };
    insta::assert_snapshot!("shuffled_in_a_replay", session.unreadable(&served, &misread()));
}

/// Elements that are written in another order than they are read in.
#[derive(Debug, serde::Deserialize)]
struct Descending(Vec<u32>);

impl serde::Serialize for Descending {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().rev())
    }
}

#[test]
fn what_cannot_be_recorded_is_told_without_its_secrets() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let token = ["sk-", "proj-", "Zk3vQ8xN2mT7wR5yB1cD", "9fG4hJ6kL0pS"].concat();
    let loss = Unwritable {
        path: "hits[0].score".into(),
        what: format!("JSON has no word for {token}"),
        part: Part::Value,
        parting: None,
    };
    let report = session.lossy(&tool("search", "{}"), &loss).to_string();
    assert!(!report.contains(&token), "{report}");
    insta::assert_snapshot!("lossy", report);
}

#[test]
fn where_a_value_and_what_reads_back_of_it_part_is_told_without_its_secrets() {
    let token = ["sk-", "proj-", "Zk3vQ8xN2mT7wR5yB1cD", "9fG4hJ6kL0pS"].concat();
    let told = |value: &str, back: &str| {
        let session = Session::open(plan(&MemoryStore::default(), Mode::Record)).unwrap();
        let loss = faithful(&1, Some(|_, _| Err(Parting::default()))).unwrap_err();
        let loss = Unwritable { parting: Some(Box::new(Parting::of(value, back))), ..loss };
        let report = session.lossy(&tool("search", "{}"), &loss).to_string();
        assert!(!report.contains(&token[..20]) && !report.contains("hunter"), "{report}");
        report.lines().nth(2).unwrap().to_owned()
    };
    let long = "x".repeat(50);
    insta::assert_snapshot!(
        "parting",
        [
            told("Hit {\n    note: Some(\n        Null,\n    ),\n}", "Hit {\n    note: None,\n}"),
            // It is cut after it was hidden.
            told(&format!("Hit {{\n    note: \"{long} {token}\",\n}}"), "Hit {\n    note: None,\n}"),
            told("Hit {\n    password: \"hunter77x\",\n}", "Hit {\n    password: \"\",\n}"),
            told("Some(\n    Hit {\n        password: \"hunter77x\",\n    },\n)", "None"),
            told("2026-12-01T09:04:00.123456789Z", "2026-12-01T09:04:00.123Z"),
        ]
        .join("\n")
    );
}

#[test]
fn a_function_that_panicked_keeps_the_recording_pending() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    live(&session, tool("search", "{}")).panicked();
    live(&session, tool("sum", "{}")).finish(value("1")).unwrap();
    let verdict = session.finish(BodyEnd::Passed);
    insta::assert_snapshot!("broken", verdict.reports[0]);
    assert_eq!(file(&store), None);
}

/// Records that the program gave up `find` while `sum` was under way, and `search` after that.
fn record_given_up(store: &MemoryStore, outages: Outages) -> Verdict {
    let session = Session::open(Plan { outages, ..plan(store, Mode::Record) }).unwrap();
    let (find, sum) = (live(&session, tool("find", "{}")), live(&session, tool("sum", "{}")));
    sum.finish(value("1")).unwrap();
    find.given_up();
    live(&session, tool("search", "{}")).given_up();
    session.finish(BodyEnd::Passed)
}

#[test]
fn a_function_that_was_given_up_is_recorded_where_errors_are_allowed() {
    let store = MemoryStore::default();
    let verdict = record_given_up(&store, Outages::Refuse);
    insta::assert_snapshot!("given_up", verdict.reports[0]);
    assert_eq!(file(&store), None);
    assert_eq!(codes(&record_given_up(&store, Outages::Allow)), [""; 0]);
    let written = text(&store);
    insta::assert_snapshot!("given_up_file", &written[written.find("\"interactions\"").unwrap()..]);
}

#[test]
fn one_that_lost_a_race_need_not_be_asked_again_and_any_other_does() {
    let store = MemoryStore::default();
    record_given_up(&store, Outages::Allow);
    let all = [tool("find", "{}"), tool("search", "{}"), tool("sum", "{}")];
    for order in [Order::Any, Order::Strict] {
        let replay = |calls: &[&Call]| {
            let session = Session::open(Plan { order, ..plan(&store, Mode::Replay) }).unwrap();
            let got: Vec<_> = calls.iter().map(|call| served(&session, (*call).clone()).is_given_up()).collect();
            (got, codes(&session.finish(BodyEnd::Passed)))
        };
        let [find, search, sum] = all.each_ref();
        assert_eq!(replay(&[find, sum, search]), (vec![true, false, true], vec![]));
        assert_eq!(replay(&[sum, find, search]), (vec![false, true, true], vec![]));
        assert_eq!(replay(&[sum, search]), (vec![false, true], vec![]), "the winner came at once");
        assert_eq!(replay(&[find, sum]), (vec![true, false], vec!["unused"]), "nothing else was under way");
    }
    // What is recorded again keeps a loser that nobody asked for this time.
    let before = text(&store);
    let session = Session::open(Plan { outages: Outages::Allow, ..plan(&store, Mode::Record) }).unwrap();
    for call in [&all[2], &all[1]] {
        served(&session, call.clone());
    }
    live(&session, tool("count", "{}")).finish(value("1")).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let names =
        |text: &str| text.lines().filter(|line| line.contains("\"name\"")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(names(&text(&store))[..3], names(&before), "in its place");
}

#[test]
fn who_wins_over_a_function_is_a_function() {
    let store = MemoryStore::default();
    let session = Session::open(Plan { outages: Outages::Allow, ..plan(&store, Mode::Record) }).unwrap();
    let (find, poll) = (live(&session, tool("find", "{}")), live(&session, ask("Bergen")));
    poll.finish(reply(200, "ok")).unwrap();
    find.given_up();
    session.finish(BodyEnd::Passed);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    served(&session, ask("Bergen"));
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), ["unused"], "the poll has nothing to do with it");
}

#[test]
fn a_recorded_value_that_no_longer_fits_is_told() {
    let store = MemoryStore::default();
    record(&store, &[tool("search", "{}")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    let Step::Serve(served) = session.begin(tool("search", "{}")) else { panic!("it is served") };
    let Outcome::Reply(reply) = &*served.outcome else { panic!("it was answered") };
    let json = Json::parse(&String::from_utf8(reply.body()).unwrap()).unwrap();
    let error = read::<BTreeMap<String, u32>>(&json).unwrap_err();
    insta::assert_snapshot!("unreadable", session.unreadable(&served, &error));
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), ["unreadable"]);
}

/// Records a tool that asks twice while it runs, and a question after it.
fn record_within(store: &MemoryStore, mode: Mode, order: Order) -> Vec<u8> {
    let session = Session::open(Plan { order, ..plan(store, mode) }).unwrap();
    let outer = live(&session, tool("search", "{}"));
    for town in ["Voss", "Bergen"] {
        live(&session, ask(town)).finish(reply(200, town)).unwrap();
    }
    outer.finish(value("1")).unwrap();
    live(&session, ask("Oslo")).finish(reply(200, "Oslo")).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    file(store).unwrap()
}

#[test]
fn what_was_asked_while_a_function_ran_stands_behind_it_and_is_not_left_over() {
    for order in [Order::Any, Order::Strict] {
        let store = MemoryStore::default();
        let written = record_within(&store, Mode::Record, order);
        let document: serde_json::Value = serde_json::from_slice(&written).unwrap();
        let facts = document["interactions"].as_array().unwrap().iter();
        let facts: Vec<_> = facts.map(|one| (one["kind"].as_str().unwrap(), one["within"].as_u64())).collect();
        assert_eq!(facts, [("tool", None), ("http", Some(1)), ("http", Some(1)), ("http", None)]);

        // The tool is served, and so does not ask.
        let replay = || Session::open(Plan { order, ..plan(&store, Mode::Replay) }).unwrap();
        let session = replay();
        served(&session, tool("search", "{}"));
        assert_eq!(session.remaining(), 1);
        served(&session, ask("Oslo"));
        assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);

        // What was asked beside it may still be asked.
        let session = replay();
        served(&session, ask("Bergen"));
        served(&session, tool("search", "{}"));
        served(&session, ask("Voss"));
        served(&session, ask("Oslo"));
        assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);

        // Where the tool is not called, nothing is covered.
        let session = replay();
        if order == Order::Any {
            served(&session, ask("Oslo"));
            let verdict = session.finish(BodyEnd::Passed);
            assert_eq!(codes(&verdict), ["unused"]);
            assert!(verdict.reports[0].to_string().contains("3 of 4 recordings"), "{}", verdict.reports[0]);
        }

        // A recording run that is served everything changes nothing, and a refresh records the same again.
        let session = Session::open(Plan { order, ..plan(&store, Mode::Record) }).unwrap();
        served(&session, tool("search", "{}"));
        served(&session, ask("Oslo"));
        let verdict = session.finish(BodyEnd::Passed);
        assert_eq!((codes(&verdict), verdict.summary.unchanged), (vec![], true), "{}", verdict.summary);
        assert_eq!(file(&store).unwrap(), written);
        assert_eq!(record_within(&store, Mode::Refresh, order), written);
    }
}

#[test]
fn a_recording_that_keeps_the_rest_marks_what_it_adds() {
    let store = MemoryStore::default();
    record(&store, &[ask("Flåm")]);
    let shared =
        |mode| Plan { unused: cassette_core::policy::Unused::Allow, outages: Outages::Allow, ..plan(&store, mode) };
    let session = Session::open(shared(Mode::Record)).unwrap();
    let outer = live(&session, tool("search", "{}"));
    live(&session, ask("Voss")).finish(reply(200, "Voss")).unwrap();
    outer.finish(value("1")).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let document: serde_json::Value = serde_json::from_slice(&file(&store).unwrap()).unwrap();
    let within: Vec<_> =
        document["interactions"].as_array().unwrap().iter().map(|one| one["within"].as_u64()).collect();
    assert_eq!(within, [None, None, Some(2)]);
}

#[test]
fn an_answer_that_is_recorded_over_where_tests_share_a_cassette_is_told() {
    let store = MemoryStore::default();
    let shared = || Plan { unused: cassette_core::policy::Unused::Allow, ..plan(&store, Mode::Record) };
    let record = |prompt: &str, found: &str| {
        let calls = [ask(prompt), tool("search", "{}"), tool("size", "{}")];
        let answer = |call: &Call| match call.name.as_str() {
            "search" => value(found),
            "size" => value("3"),
            _ => reply(200, "At nine."),
        };
        let (_, verdict) = run(shared(), &calls, answer, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        verdict.summary.to_string()
    };
    assert!(!record("When?", "[1]").contains("recorded over"));
    let told = record("Where?", "[2]");
    let line = "\n  recorded over, and served to each test that shares the cassette and asks the same: interaction 2, tool search";
    assert!(told.contains(line) && told.matches("recorded over").count() == 1, "{told}");
}

#[test]
fn what_a_tool_that_did_not_run_would_have_left_behind_is_told_and_the_advice_is_to_run_all() {
    let noted = |text: &str| tool("note", &format!("{{\"text\":\"{text}\"}}"));
    let look_up = || tool("look_up", "{}");
    let before = [noted("Bergen"), ask("When?"), look_up(), ask("And then?")];
    let answers = |call: &Call| if call.kind == Kind::Http { reply(200, "At nine.") } else { value("1") };
    let after = |which: usize, call: Call| {
        let store = MemoryStore::default();
        let (_, verdict) = run(plan(&store, Mode::Record), &before, answers, BodyEnd::Passed);
        assert_eq!((codes(&verdict), verdict.summary.unrun), (Vec::new(), None));
        let calls: Vec<_> =
            (0..before.len()).map(|i| if i == which { call.clone() } else { before[i].clone() }).collect();
        let (_, replayed) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
        let (_, recorded) = run(plan(&store, Mode::Record), &calls, answers, BodyEnd::Passed);
        let help = replayed.reports[0].to_string().lines().last().unwrap().to_owned();
        assert_eq!(codes(&recorded), [""; 0]);
        let (_, refreshed) = run(plan(&store, Mode::Refresh), &calls, answers, BodyEnd::Passed);
        assert_eq!(refreshed.summary.unrun, None);
        format!("{which}: {help}\n{}", recorded.summary.unrun.unwrap_or_default())
    };
    let told = [
        after(0, noted("Oslo")),
        after(1, ask("Where?")),
        after(2, tool("look_up", "{\"at\":1}")),
        after(3, ask("So?")),
    ];
    insta::assert_snapshot!("unrun", told.join("\n"));
}

#[test]
fn a_tool_goes_live_once_something_has_and_what_it_asked_before_is_dropped() {
    let store = MemoryStore::default();
    record_within(&store, Mode::Record, Order::Any);
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    live(&session, ask("Narvik")).finish(reply(200, "Narvik")).unwrap();
    let outer = live(&session, tool("search", "{}"));
    served(&session, ask("Voss"));
    outer.finish(value("2")).unwrap();
    served(&session, ask("Oslo"));
    let verdict = session.finish(BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    // What is recorded first stands for it.
    let replaced: Vec<_> = verdict.summary.replaced.iter().map(|place| place.interaction).collect();
    assert_eq!((replaced, verdict.summary.dropped.len()), (vec![3], 0), "{}", verdict.summary);
    let document: serde_json::Value = serde_json::from_slice(&file(&store).unwrap()).unwrap();
    let facts = document["interactions"].as_array().unwrap().iter();
    let facts: Vec<_> = facts.map(|one| (one["kind"].as_str().unwrap(), one["within"].as_u64())).collect();
    assert_eq!(facts, [("http", None), ("tool", None), ("http", Some(2)), ("http", None)]);
}

#[test]
fn the_transcript_tells_functions_by_kind_and_end() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    live(&session, tool("search", r#"{"b":1,"a":[2]}"#)).finish(value(r#"{"y":1,"x":2}"#)).unwrap();
    live(&session, tool("fail", "{}")).finish(failure(r#"{"message":"no"}"#)).unwrap();
    insta::assert_snapshot!("transcript_of_functions", session.transcript());
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}
