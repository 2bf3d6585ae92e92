//! What a refresh leaves of the file: nothing changes where nothing but ids and dates did, and whatever it leaves replays.

use cassette_core::call::Call;
use cassette_core::json::{Json, Layout};
use cassette_core::matching::Matching;
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Requests, Unused};
use cassette_core::reply::Outcome;
use cassette_core::session::{BodyEnd, Plan, Session, Step, Summary};
use cassette_core::store::{MemoryStore, Store};
use proptest::prelude::*;

use crate::bench_of_calls::{self, NAME, asked, codes, ended, file, plan};

/// What a service is like in one run.
#[derive(Clone, Debug, Default)]
struct Service {
    /// Which run it is: every id and date hangs on it.
    generation: usize,
    /// The turns whose answer is another than it was.
    changed: Vec<usize>,
}

/// What a program does with what it is answered.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// It asks anew, and takes nothing up.
    Asks,
    /// It sends back the id of the last tool call.
    Returns,
    /// It sends back that id and all that was said with it.
    Repeats,
    /// It sends back something that it made of that id.
    Hides,
}

/// Returns the URL and the reply of a turn, in a dialect that the turn's number chooses.
fn answer(turn: usize, service: &Service) -> (String, Outcome) {
    let Service { generation, changed } = service;
    // The counter goes on from run to run, so that one run's ids are the next one's others.
    let (id, created) = (format!("call_{:04}", turn + generation), 1_764_400_000 + 60 * generation);
    let text = if changed.contains(&turn) { format!("text {turn}, other") } else { format!("text {turn}") };
    let number = format!("msg_{generation}x{turn}");
    match turn % 3 {
        0 => {
            let body = format!(
                r#"{{"id":"{number}","created":{created},"system_fingerprint":"fp_{generation}","choices":[{{"message":{{"content":"{text}","tool_calls":[{{"id":"{id}"}}]}}}}],"usage":{{"prompt_tokens":9}}}}"#
            );
            ("https://api.openai.com/v1/chat/completions".into(), typed("application/json", &body))
        }
        1 => {
            let event = |json: String| format!("data: {json}\n\n");
            let head = format!(r#""id":"{number}","created":{created},"obfuscation":"{}""#, "x".repeat(generation % 7));
            let call = event(format!(r#"{{{head},"choices":[{{"delta":{{"tool_calls":[{{"id":"{id}"}}]}}}}]}}"#));
            let said = event(format!(r#"{{{head},"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#));
            let body = [call, said, ": waiting\n\n".repeat(generation % 3), "data: [DONE]\n\n".into()].concat();
            ("https://api.openai.com/v1/chat/completions".into(), typed("text/event-stream", &body))
        }
        _ => {
            let body = format!(
                r#"{{"id":"{number}","content":[{{"type":"text","text":"{text}"}},{{"type":"tool_use","id":"{id}","input":{{}}}}],"usage":{{"input_tokens":9}}}}"#
            );
            ("https://api.anthropic.com/v1/messages".into(), typed("application/json", &body))
        }
    }
}

fn typed(content_type: &str, body: &str) -> Outcome {
    let Outcome::Reply(mut answer) = bench_of_calls::typed(content_type, body) else { panic!("it is a reply") };
    answer.headers.push(("x-request-id".into(), "volatile".into()));
    Outcome::Reply(answer)
}

/// Runs a program against a service, and returns what it saw.
fn tell(session: &Session, program: &[Turn], service: &Service) -> Result<String, &'static str> {
    let mut seen = String::new();
    let mut last = (String::new(), String::new());
    for (number, turn) in program.iter().enumerate() {
        let (url, live) = answer(number, service);
        let taken = match turn {
            Turn::Asks => String::new(),
            Turn::Returns => format!(r#",{{"role":"tool","tool_call_id":"{}","content":"done"}}"#, last.0),
            Turn::Repeats => format!(r#",{{"role":"tool","tool_call_id":"{}","content":"so: {}"}}"#, last.0, last.1),
            Turn::Hides => {
                let hidden: String = last.0.chars().rev().take(4).collect();
                format!(r#",{{"role":"tool","tool_call_id":"{hidden}","content":"done"}}"#)
            }
        };
        let body = format!(r#"{{"model":"m","messages":[{{"role":"user","content":"turn {number}"}}{taken}]}}"#);
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let body = asked(session, Call::http("POST", &url, headers, body.into_bytes()), live)?;
        let after = |mark: &str| body.split(mark).nth(1).map(|rest| rest[..rest.find('"').unwrap()].to_owned());
        let said = after(r#""content":""#).or_else(|| after(r#""text":""#)).unwrap();
        let id = format!("call_{}", after("call_").unwrap());
        seen += &format!("{said} ");
        last = (id, said);
    }
    Ok(seen)
}

/// Runs a program in a mode, which has to pass, and returns what it saw and the summary.
fn play(plan: Plan, program: &[Turn], service: &Service) -> (String, Summary) {
    let session = Session::open(plan).unwrap();
    let seen = tell(&session, program, service);
    let summary = ended(&session);
    (seen.unwrap(), summary)
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![3 => Just(Turn::Asks), 3 => Just(Turn::Returns), 3 => Just(Turn::Repeats), 1 => Just(Turn::Hides)]
}

proptest! {
    // Each case is four sessions.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_a_refresh_leaves_replays(
        program in prop::collection::vec(turn(), 1..8),
        changed in prop::collection::vec(0..8usize, 0..3),
        generation in 0..9usize,
        strict in any::<bool>(),
        digests in any::<bool>(),
    ) {
        let store = MemoryStore::default();
        let order = if strict { Order::Strict } else { Order::Any };
        let requests = if digests { Requests::Digest } else { Requests::Full };
        let by = |mode| Plan { order, requests, ..plan(&store, mode) };
        play(by(Mode::Record), &program, &Service::default());
        let before = file(&store);
        let really = changed.iter().any(|turn| *turn < program.len());
        let service = Service { generation, changed };
        let (live, summary) = play(by(Mode::Refresh), &program, &service);
        let hides = program.iter().skip(1).any(|turn| matches!(turn, Turn::Hides));
        let anew = really || (hides && generation > 0);
        prop_assert_eq!(summary.unchanged, !anew);
        prop_assert_eq!(file(&store) == before, !anew);
        let (replayed, _) = play(by(Mode::Replay), &program, &Service::default());
        prop_assert_eq!(replayed, live, "the run that was recorded is what is replayed");
        let (_, summary) = play(by(Mode::Refresh), &program, &Service { generation: generation + 1, ..service });
        prop_assert!(summary.unchanged || hides, "a second refresh finds nothing to change");
    }
}

/// Records, refreshes, and returns the lines that the refresh took out and put in, with the summary.
fn lines(program: &[Turn], service: &Service) -> String {
    let store = MemoryStore::default();
    play(plan(&store, Mode::Record), program, &Service::default());
    let text = || String::from_utf8(file(&store).unwrap()).unwrap();
    let before = text();
    let (live, summary) = play(plan(&store, Mode::Refresh), program, service);
    let after = text();
    let (replayed, _) = play(plan(&store, Mode::Replay), program, &Service::default());
    assert_eq!(replayed, live);
    let without = |mark: &str, lines: &str, others: &str| -> String {
        let gone = lines.lines().filter(|line| !others.lines().any(|other| other == *line) && !is_digest(line));
        gone.map(|line| format!("{mark} {}\n", line.trim())).collect()
    };
    format!("{summary}\n{}{}", without("-", &before, &after), without("+", &after, &before))
}

/// Returns whether a line is a digest of what stands beside it.
fn is_digest(line: &str) -> bool {
    line.contains(r#""seal": "#) || line.contains(r#""key": "#)
}

#[test]
fn a_changed_answer_that_binds_nothing_is_all_that_changes() {
    let program = [Turn::Asks, Turn::Returns, Turn::Asks, Turn::Asks];
    insta::assert_snapshot!(lines(&program, &Service { generation: 5, changed: vec![3] }));
}

#[test]
fn ids_that_stand_in_a_request_which_is_written_anew_are_written_anew_too() {
    let program = [Turn::Asks, Turn::Repeats, Turn::Repeats, Turn::Asks];
    insta::assert_snapshot!(lines(&program, &Service { generation: 5, changed: vec![1] }));
}

#[test]
fn a_request_that_ids_do_not_explain_may_be_made_of_any_of_them() {
    let program = [Turn::Asks, Turn::Hides, Turn::Asks];
    insta::assert_snapshot!(lines(&program, &Service { generation: 5, changed: vec![] }));
}

/// Asks how many live in a town, and then something about the answer as it is written: in which order its members stand is the service's.
fn quoting(store: &MemoryStore, mode: Mode, question: &str, body: &str) -> Summary {
    let session = Session::open(plan(store, mode)).unwrap();
    let live = typed("application/json", body);
    let body = asked(&session, Call::http("GET", "https://towns.test/bergen", Vec::new(), Vec::new()), live).unwrap();
    let text = serde_json::to_string(&format!("{question} {body}")).unwrap();
    let prompt = format!(r#"{{"model":"m","messages":[{{"role":"user","content":{text}}}]}}"#);
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let (url, live) = answer(0, &Service::default());
    let asked = asked(&session, Call::http("POST", &url, headers, prompt.into_bytes()), live);
    let summary = ended(&session);
    asked.unwrap();
    summary
}

#[test]
fn a_reply_that_is_written_otherwise_is_kept_unless_a_request_may_quote_it() {
    let (one, other) = (r#"{"river":5,"harbour":7}"#, r#"{"harbour":7, "river":5}"#);
    let store = MemoryStore::default();
    quoting(&store, Mode::Record, "What of", one);
    for (question, body) in [("What of", other), ("And what of", one), ("And what of", one), ("Well, what of", other)] {
        quoting(&store, Mode::Refresh, question, body);
        quoting(&store, Mode::Replay, question, "nothing is asked live");
        assert!(String::from_utf8(file(&store).unwrap()).unwrap().contains(question));
    }
    let alone = |store: &MemoryStore, mode, body: &str| {
        let session = Session::open(plan(store, mode)).unwrap();
        let call = Call::http("GET", "https://towns.test/bergen", Vec::new(), Vec::new());
        asked(&session, call, typed("application/json", body)).unwrap();
        ended(&session);
        file(store)
    };
    let store = MemoryStore::default();
    assert_eq!(alone(&store, Mode::Record, one), alone(&store, Mode::Refresh, other));
}

#[test]
fn the_date_of_an_unchanged_file_is_renewed_once_it_is_old() {
    let today = |store: &MemoryStore| String::from_utf8(file(store).unwrap()).unwrap();
    for (days, expected) in [(20, false), (45, true)] {
        let store = MemoryStore::default();
        let program = [Turn::Asks, Turn::Returns];
        play(plan(&store, Mode::Record), &program, &Service::default());
        let fresh = today(&store);
        let mark = r#""recorded": ""#;
        let at = fresh.find(mark).unwrap() + mark.len();
        let old = [&fresh[..at], &days_before(&fresh[at..at + 10], days), &fresh[at + 10..]].concat();
        // As a checkout on Windows has it, and with white space of somebody's own.
        let old = old.replace("  \"cassette\": 1", "    \"cassette\": 1").replace('\n', "\r\n");
        store.put(NAME, old.as_bytes());
        let (_, summary) = play(plan(&store, Mode::Refresh), &program, &Service { generation: 3, changed: vec![] });
        assert!(summary.unchanged);
        assert_eq!(summary.redated, expected);
        let after = today(&store);
        let moved: Vec<_> = old.lines().zip(after.lines()).filter(|(a, b)| a != b).map(|(_, b)| b.to_owned()).collect();
        let date = format!("  \"recorded\": \"{}\",", &fresh[at..at + 10]);
        assert_eq!(moved, if expected { vec![date] } else { vec![] }, "the line of the date, and no other");
        assert_eq!(old.len(), after.len());
    }
}

#[test]
fn a_day_that_is_none_or_still_to_come_is_renewed_where_nothing_else_changed() {
    let mark = "  \"recorded\": \"";
    for service in [Service { generation: 3, changed: vec![] }, Service::default()] {
        for recorded in [Some("2998-01-01"), Some("soon"), Some("2020-01-01"), None] {
            let store = MemoryStore::default();
            let program = [Turn::Asks, Turn::Returns];
            play(plan(&store, Mode::Record), &program, &Service::default());
            let fresh = String::from_utf8(file(&store).unwrap()).unwrap();
            let line = fresh.lines().find(|line| line.starts_with(mark)).unwrap();
            let old = match recorded {
                Some(day) => fresh.replace(line, &format!("{mark}{day}\",")),
                None => fresh.replace(&format!("{line}\n"), ""),
            };
            store.put(NAME, old.as_bytes());
            let (_, summary) = play(plan(&store, Mode::Refresh), &program, &service);
            assert!(summary.unchanged && summary.redated, "{recorded:?}");
            assert_eq!(String::from_utf8(file(&store).unwrap()).unwrap(), fresh, "{recorded:?}");
        }
    }
}

fn days_before(date: &str, days: u64) -> String {
    let fields: Vec<u64> = date.split('-').map(|field| field.parse().unwrap()).collect();
    let back = fields[1] * 31 + fields[2] - 1 - days % 31;
    let months = fields[0] * 12 + (back / 31) - days / 31;
    format!("{:04}-{:02}-{:02}", (months - 1) / 12, (months - 1) % 12 + 1, (back % 31).min(27) + 1)
}

/// Opens two calls at once and closes them in this order.
fn fan(store: &MemoryStore, mode: Mode, order: Order, generation: usize, first: usize) -> (String, Summary) {
    let session = Session::open(Plan { order, ..plan(store, mode) }).unwrap();
    let ask = |text: &str| {
        let body = format!(r#"{{"model":"m","messages":[{{"role":"user","content":"{text}"}}]}}"#);
        session.begin(Call::http("POST", "https://api.openai.com/v1/chat/completions", Vec::new(), body.into_bytes()))
    };
    let live = |of: usize| {
        let body = format!(r#"{{"id":"chat-{generation}-{of}","choices":[{{"message":{{"content":"{of}"}}}}]}}"#);
        typed("application/json", &body)
    };
    let mut steps: Vec<_> = [first, 1 - first].iter().map(|of| (*of, ask(["Oslo", "Bergen"][*of]))).collect();
    steps.reverse();
    let mut seen = [String::new(), String::new()];
    for (of, step) in steps {
        let outcome = match step {
            Step::Live(ticket) => {
                ticket.finish(live(of)).unwrap();
                live(of)
            }
            Step::Serve(served) => (*served.outcome).clone(),
            Step::Fail(report) => panic!("{report}"),
        };
        let Outcome::Reply(reply) = outcome else { panic!("it is a reply") };
        let document = Json::parse(&String::from_utf8(reply.body()).unwrap()).unwrap();
        seen[of] = document.get("choices").unwrap().print(Layout::Compact);
    }
    let verdict = session.finish(BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0], "{:?}", verdict.reports);
    (seen.concat(), verdict.summary)
}

#[test]
fn calls_that_overlapped_may_come_in_any_order() {
    for order in [Order::Any, Order::Strict] {
        let store = MemoryStore::default();
        let (live, _) = fan(&store, Mode::Record, order, 0, 0);
        let before = file(&store);
        let (_, summary) = fan(&store, Mode::Refresh, order, 1, 1);
        assert!(summary.unchanged, "{order:?}");
        assert_eq!(file(&store), before);
        assert_eq!(fan(&store, Mode::Replay, order, 0, 1).0, live);
    }
}

#[test]
fn a_run_that_asks_less_keeps_the_rest_as_it_was() {
    let store = MemoryStore::default();
    let program = [Turn::Asks, Turn::Repeats, Turn::Asks];
    play(plan(&store, Mode::Record), &program, &Service::default());
    let service = Service { generation: 4, changed: vec![] };
    let (_, summary) = play(plan(&store, Mode::Refresh), &program[..2], &service);
    assert_eq!((summary.dropped.len(), summary.kept), (1, 2));
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(!text.contains("msg_4x"), "{text}");
    play(plan(&store, Mode::Replay), &program[..2], &service);
}

#[test]
fn a_shared_file_does_not_grow_with_each_refresh() {
    let store = MemoryStore::default();
    let shared = |mode| Plan { unused: Unused::Allow, ..plan(&store, mode) };
    let program = [Turn::Asks, Turn::Repeats, Turn::Repeats];
    play(shared(Mode::Record), &program, &Service::default());
    let before = file(&store).unwrap();
    let (_, summary) = play(shared(Mode::Refresh), &program, &Service { generation: 4, changed: vec![] });
    assert!(summary.unchanged);
    let (_, summary) = play(shared(Mode::Refresh), &program, &Service { generation: 5, changed: vec![2] });
    assert!(!summary.unchanged);
    let count = |text: &[u8]| String::from_utf8_lossy(text).matches("\"kind\": ").count();
    assert_eq!(count(&file(&store).unwrap()), count(&before));
    play(shared(Mode::Replay), &program, &Service::default());
}

#[test]
fn a_changed_count_of_tokens_is_a_change() {
    let store = MemoryStore::default();
    let ask = |mode, tokens: u32| {
        let session = Session::open(plan(&store, mode)).unwrap();
        let call = Call::http(
            "POST",
            "https://api.openai.com/v1/chat/completions",
            Vec::new(),
            br#"{"model":"m","messages":[]}"#.to_vec(),
        );
        if let Step::Live(ticket) = session.begin(call) {
            ticket.finish(typed("application/json", &format!(r#"{{"usage":{{"prompt_tokens":{tokens}}}}}"#))).unwrap();
        }
        session.finish(BodyEnd::Passed).summary
    };
    ask(Mode::Record, 9);
    assert!(ask(Mode::Refresh, 9).unchanged);
    assert!(!ask(Mode::Refresh, 8).unchanged);
}

#[test]
fn what_is_not_compared_makes_no_change_either() {
    let ignoring = |store: &MemoryStore, mode| {
        let ignore = vec!["metadata.run".parse().unwrap()];
        Plan { matching: Matching { ignore, ..Matching::default() }, ..plan(store, mode) }
    };
    let store = MemoryStore::default();
    let ask = |mode, run: u32, temperature: u32| {
        let session = Session::open(ignoring(&store, mode)).unwrap();
        let body = format!(
            r#"{{"model":"m","messages":[{{"role":"user","content":"a"}}],"temperature":{temperature},"metadata":{{"run":{run}}}}}"#
        );
        let call = Call::http("POST", "https://api.openai.com/v1/chat/completions", Vec::new(), body.into_bytes());
        if let Step::Live(ticket) = session.begin(call) {
            ticket.finish(typed("application/json", &format!(r#"{{"id":"chat-{run}"}}"#))).unwrap();
        }
        session.finish(BodyEnd::Passed).summary
    };
    ask(Mode::Record, 1, 0);
    assert!(ask(Mode::Refresh, 2, 0).unchanged);
    let summary = ask(Mode::Refresh, 3, 1);
    assert_eq!((summary.unchanged, summary.kept), (false, 1), "sampling is told, and the reply is the old one");
    let text = String::from_utf8(store.load(NAME).unwrap().unwrap()).unwrap();
    assert!(text.contains(r#""temperature": 1"#) && text.contains("chat-1"), "{text}");
}
