//! Connections of the Model Context Protocol: recorded with a server, replayed without.

use std::collections::VecDeque;
use std::time::Duration;

use cassette_core::call::{Call, Kind};
use cassette_core::mcp::{Connection, Say, Withheld};
use cassette_core::mode::Mode;
use cassette_core::policy::Order;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError};
use cassette_core::report::{Report, Wiring};
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step, Verdict};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{Got, codes, file, gone, live, plan, run, tool as function, value};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Answers what it is told, with any number of messages.
type Server<'a> = Box<dyn FnMut(&str) -> Vec<String> + 'a>;

/// A client on a connection, and what it has been told.
struct Stage<'a> {
    session: Session,
    connection: Connection,
    server: Server<'a>,
    told: Vec<String>,
    /// What the client answers to a question.
    answer: &'static str,
    hung_up: bool,
}

impl<'a> Stage<'a> {
    fn open(store: &MemoryStore, mode: Mode, server: impl FnMut(&str) -> Vec<String> + 'a) -> Stage<'a> {
        Stage {
            session: Session::open(plan(store, mode)).unwrap(),
            connection: Connection::new(),
            server: Box::new(server),
            told: Vec::new(),
            answer: "blue",
            hung_up: false,
        }
    }

    fn replay(store: &MemoryStore) -> Stage<'a> {
        Stage::open(store, Mode::Replay, |said| panic!("the server is gone: {said}"))
    }

    /// Says something, does all that comes of it, and returns what the client was told meanwhile.
    fn say(&mut self, text: &str) -> Vec<String> {
        let before = self.told.len();
        let mut todo: VecDeque<Say> = self.connection.from_client(text, &self.session).into();
        while let Some(say) = todo.pop_front() {
            match say {
                Say::Server(text) => {
                    for line in (self.server)(&text) {
                        todo.extend(self.connection.from_server(&line, &self.session));
                    }
                }
                Say::Client(text) => {
                    if text.contains("\"method\":\"sampling/") {
                        let id = &text[text.find("\"id\":").unwrap() + 5..text.find(",\"method\"").unwrap()];
                        let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"text":"{}"}}}}"#, self.answer);
                        todo.extend(self.connection.from_client(&answer, &self.session));
                    }
                    self.told.push(text);
                }
                Say::HangUp => self.hung_up = true,
            }
        }
        self.told[before..].to_vec()
    }

    fn end(mut self) -> Verdict {
        self.connection.close();
        self.session.finish(BodyEnd::Passed)
    }

    #[track_caller]
    fn passes(self) {
        let verdict = self.end();
        assert_eq!(codes(&verdict), [""; 0], "{:?}", verdict.reports.iter().map(|r| r.to_string()).collect::<Vec<_>>());
    }
}

/// Returns a call of the tool `name` under this id, which is its progress token too.
fn tool(id: &str, name: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"_meta":{{"progressToken":{id}}},"name":"{name}"}}}}"#
    )
}

fn result(id: &str, value: &str) -> String {
    format!(r#"{{"result":{value},"jsonrpc":"2.0","id":{id}}}"#)
}

fn id(said: &str) -> String {
    let from = &said[said.find("\"id\":").unwrap() + 5..];
    from[..from.find([',', '}']).unwrap()].to_owned()
}

fn progress(token: &str, progress: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{progress}}}}}"#
    )
}

fn log(text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"data":"{text}"}}}}"#)
}

fn question(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"sampling/createMessage","params":{{"text":"which colour?"}}}}"#)
}

/// A server that counts, reports progress, logs, asks back and fails.
fn server() -> impl FnMut(&str) -> Vec<String> {
    let (mut count, mut asking) = (0, String::new());
    move |said| {
        let answer = |value: &str| result(&id(said), value);
        if said.contains("\"initialize\"") {
            vec![answer(r#"{"serverInfo":{"name":"s"}}"#)]
        } else if said.contains("notifications/initialized") {
            vec![log("hello")]
        } else if said.contains("\"count\"") {
            count += 1;
            let id = id(said);
            vec![
                progress(&id, "1"),
                log("counting"),
                progress(&id, "2.0"),
                answer(&format!(r#"{{"n":{count}}}"#)),
                log("counted"),
            ]
        } else if said.contains("\"fail\"") {
            vec![answer(r#"{"isError":true,"content":[]}"#)]
        } else if said.contains("\"unknown\"") {
            vec![format!(r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32602,"message":"no such tool"}}}}"#, id(said))]
        } else if said.contains("\"ask\"") {
            asking = id(said);
            vec![question("7")]
        } else if said.contains("\"result\"") {
            let colour = if said.contains("blue") { "blue" } else { "red" };
            vec![result(&asking, &format!(r#"{{"colour":"{colour}"}}"#))]
        } else {
            Vec::new()
        }
    }
}

fn recorded(store: &MemoryStore, says: &[&str]) {
    let mut stage = Stage::open(store, Mode::Record, server());
    says.iter().for_each(|text| drop(stage.say(text)));
    stage.passes();
}

#[test]
fn a_connection_replays_without_its_server_under_the_ids_of_its_own() {
    let store = MemoryStore::default();
    let mut live = Stage::open(&store, Mode::Record, server());
    for text in
        [INITIALIZE, INITIALIZED, &tool("1", "count"), &tool("2", "fail"), &tool("3", "unknown"), &tool("4", "count")]
    {
        live.say(text);
    }
    live.passes();

    let mut stage = Stage::replay(&store);
    let initialize = INITIALIZE.replace("\"id\":0", "\"id\":\"a\"").replace("\"version\":\"1\"", "\"version\":\"2\"");
    assert_eq!(stage.say(&initialize), [result("\"a\"", r#"{"serverInfo":{"name":"s"}}"#)]);
    assert_eq!(stage.say(INITIALIZED), [log("hello")]);
    let counted = [
        progress("\"b\"", "1"),
        log("counting"),
        progress("\"b\"", "2.0"),
        result("\"b\"", r#"{"n":1}"#),
        log("counted"),
    ];
    assert_eq!(stage.say(&tool("\"b\"", "count")), counted);
    assert_eq!(stage.say(&tool("9", "fail")), [result("9", r#"{"isError":true,"content":[]}"#)]);
    let unknown = r#"{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"no such tool"}}"#;
    assert_eq!(stage.say(&tool("8", "unknown")), [unknown]);
    assert_eq!(stage.say(&tool("7", "count"))[3], result("7", r#"{"n":2}"#), "repeated calls come in order");
    stage.passes();
}

#[test]
fn what_a_call_is_goes_by_its_method() {
    let store = MemoryStore::default();
    let read = r#"{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"demo://a"}}"#;
    let mut stage = Stage::open(&store, Mode::Record, |said| vec![result(&id(said), "{}")]);
    stage.connection = Connection::to("demo");
    for text in [INITIALIZE, &tool("1", "count"), read] {
        stage.say(text);
    }
    stage.passes();
    let file = String::from_utf8(file(&store).unwrap()).unwrap();
    let heads: Vec<_> = file
        .lines()
        .filter(|line| line.contains("\"kind\"") || line.starts_with("      \"name\""))
        .map(str::trim)
        .collect();
    assert_eq!(
        heads,
        [
            r#""kind": "mcp","#,
            r#""name": "demo initialize","#,
            r#""kind": "tool","#,
            r#""name": "demo tools/call count","#,
            r#""kind": "memory","#,
            r#""name": "demo resources/read","#,
        ]
    );
    assert!(!file.contains("progressToken"), "{file}");
}

#[test]
fn a_recording_is_the_same_whatever_the_ids_were() {
    let record = |first: u64| {
        let store = MemoryStore::default();
        let calls: Vec<_> =
            (first..first + 3).map(|id| tool(&id.to_string(), if id % 2 == 0 { "count" } else { "fail" })).collect();
        let says: Vec<_> = [INITIALIZE, INITIALIZED].into_iter().chain(calls.iter().map(String::as_str)).collect();
        recorded(&store, &says);
        let file = String::from_utf8(file(&store).unwrap()).unwrap();
        // How long it took, and the seal over that.
        let lasting = |line: &&str| !["\"pace\"", "\"seal\""].iter().any(|name| line.contains(name));
        file.lines().filter(lasting).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(record(2), record(40));
}

#[test]
fn what_comes_unasked_comes_after_as_many_answers() {
    let store = MemoryStore::default();
    recorded(&store, &[INITIALIZE, INITIALIZED, &tool("1", "count"), &tool("2", "fail")]);
    let mut stage = Stage::replay(&store);
    stage.say(INITIALIZE);
    assert_eq!(stage.say(INITIALIZED), [log("hello")], "and not what was said after the first tool");
    assert_eq!(stage.say(&tool("1", "count")).last(), Some(&log("counted")));
    stage.say(&tool("2", "fail"));
    stage.passes();
}

/// Records a function that asks a tool, beside a tool that is asked outside; returns the file's `within`, by name.
fn recorded_within(store: &MemoryStore) -> Vec<(String, Option<u64>)> {
    let mut stage = Stage::open(store, Mode::Record, server());
    stage.say(INITIALIZE);
    stage.say(INITIALIZED);
    let function = live(&stage.session, function("plan", "{}"));
    stage.say(&tool("1", "ask"));
    stage.say(&tool("2", "count"));
    function.finish(value("1")).unwrap();
    stage.say(&tool("3", "count"));
    stage.passes();
    let document: serde_json::Value = serde_json::from_slice(&file(store).unwrap()).unwrap();
    let fact = |one: &serde_json::Value| (one["name"].as_str().unwrap().to_owned(), one["within"].as_u64());
    document["interactions"].as_array().unwrap().iter().map(fact).collect()
}

#[test]
fn what_a_function_asks_a_server_is_within_it_and_need_not_be_asked_again() {
    let store = MemoryStore::default();
    let expected = [
        ("initialize", None),
        ("notifications/initialized", None),
        ("plan", None),
        ("tools/call ask", Some(3)),
        ("answer to sampling/createMessage", Some(3)),
        ("tools/call count", Some(3)),
        ("tools/call count", None),
    ];
    assert_eq!(recorded_within(&store), expected.map(|(name, within)| (name.to_owned(), within)));

    let mut stage = Stage::replay(&store);
    stage.say(INITIALIZE);
    assert_eq!(
        stage.say(INITIALIZED),
        [log("hello"), log("counted")],
        "what came unasked does not wait for the function"
    );
    assert!(matches!(stage.session.begin(function("plan", "{}")), Step::Serve(_)));
    let counted = stage.say(&tool("1", "count"));
    assert_eq!(counted[3], result("1", r#"{"n":2}"#), "that of the test itself is served first");
    assert_eq!(counted[4..], [log("counted")]);
    stage.passes();
}

#[test]
fn what_two_clients_ask_at_once_is_within_neither() {
    let store = MemoryStore::default();
    let mut stage = Stage::open(&store, Mode::Record, |_| Vec::new());
    stage.say(&tool("1", "count"));
    stage.say(&tool("2", "fail"));
    for id in ["1", "2"] {
        stage.connection.from_server(&result(id, "{}"), &stage.session);
    }
    stage.passes();
    let file = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(file.contains("\"overlaps\"") && !file.contains("\"within\""), "{file}");
}

#[test]
fn who_waits_for_what_was_given_up_is_known_until_it_is_told() {
    let store = MemoryStore::default();
    let mut stage = Stage::open(&store, Mode::Record, |said| vec![progress(&id(said), "1")]);
    stage.say(&tool("1", "count"));
    stage.passes();

    let mut stage = Stage::replay(&store);
    assert_eq!(stage.say(&tool("8", "count")), [progress("8", "1")]);
    let withheld: Vec<_> = stage.connection.withheld().cloned().collect();
    assert_eq!(withheld, [Withheld { number: 1, index: 0, name: "tool tools/call count".to_owned(), events: 1 }]);
    let report = stage.session.fail(Report::Wiring(Wiring::new("it waits", "let it leave")));
    let told = stage.connection.overdue(1, &report);
    assert!(
        matches!(&told[..], [Say::Client(text)] if text.contains(r#""id":8"#) && text.contains("it waits")),
        "{told:?}"
    );
    assert_eq!(stage.connection.withheld().count(), 0);
    assert_eq!(stage.connection.overdue(1, &report), []);

    let mut stage = Stage::replay(&store);
    stage.say(&tool("8", "count"));
    stage.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}"#);
    assert_eq!(stage.connection.withheld().count(), 0, "it has given it up again");
    stage.passes();
}

#[test]
fn a_server_that_died_in_the_course_of_a_request_dies_again() {
    let store = MemoryStore::default();
    let allows = |mode| Plan { outages: Outages::Allow, ..plan(&store, mode) };
    let session = Session::open(allows(Mode::Record)).unwrap();
    let mut connection = Connection::new();
    connection.from_client(&tool("1", "count"), &session);
    connection.from_server(&progress("1", "1"), &session);
    connection.server_gone(&TransportError { class: TransportClass::Closed, message: "it is gone".into() });
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);

    let session = Session::open(allows(Mode::Replay)).unwrap();
    let told = Connection::new().from_client(&tool("4", "count"), &session);
    assert_eq!(told, [Say::Client(progress("4", "1")), Say::HangUp]);
}

/// Records one request, of which the server says this; returns what failed.
fn told_of(says: &[String]) -> Vec<String> {
    let store = MemoryStore::default();
    let mut stage = Stage::open(&store, Mode::Record, |_| says.to_vec());
    assert_eq!(stage.say(&tool("1", "count")), says, "the client has it all the same");
    stage.end().reports.iter().map(ToString::to_string).collect()
}

#[test]
fn what_a_server_says_that_no_recording_holds_fails_the_recording() {
    let answer = result("1", "{}");
    let batch = format!("[{answer}]");
    for (says, why) in [
        (batch.as_str(), "it is a batch of messages"),
        (r#"{"jsonrpc":"2.0","id":1}"#, "it has neither a method nor an answer"),
    ] {
        let expected = format!(
            "cassette wiring: an MCP server said what is no message: {why}\nhelp: let it send one message of JSON-RPC 2.0 a line"
        );
        assert_eq!(told_of(&[says.to_owned(), answer.clone()]), [expected]);
    }
    for (says, id) in [([result("7", "{}"), answer.clone()], "7"), ([answer.clone(), answer.clone()], "1")] {
        let expected = format!(
            "cassette wiring: an MCP server said an answer under the id {id}, of which no request waits for one\n\
             help: let it answer each request once"
        );
        assert_eq!(told_of(&says), [expected]);
    }
    assert_eq!(told_of(&[" ".to_owned(), answer]), [""; 0], "a blank line says nothing");
}

/// What servers log where their messages should stand alone.
const LOGGED: [&str; 6] = [
    "Server listening on stdio",
    "[INFO]  ready \u{e9}\t\"x\" ",
    r#"{"level":30,"msg":"ready"}"#,
    r#"{"after":7,"message":{"id":1}}"#,
    r#"{"line":"x"}"#,
    "[1, 2]",
];

#[test]
fn a_line_that_is_no_message_is_given_again_as_it_came() {
    let store = MemoryStore::default();
    let says = |said: &str| {
        let lines = || LOGGED.iter().map(|line| (*line).to_owned());
        match () {
            () if said.contains("initialized") => vec![LOGGED[0].to_owned()],
            () => lines().chain([result(&id(said), "{}")]).chain(lines().filter(|_| said.contains("count"))).collect(),
        }
    };
    let asks = |stage: &mut Stage<'_>| -> Vec<Vec<String>> {
        [INITIALIZE, INITIALIZED, &tool("1", "count"), &tool("2", "fail")].map(|text| stage.say(text)).into()
    };
    let mut live = Stage::open(&store, Mode::Record, says);
    let told = asks(&mut live);
    assert_eq!(told[2].len(), 13);
    live.passes();
    let mut replay = Stage::replay(&store);
    assert_eq!(asks(&mut replay), told);
    replay.passes();
    let file = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(file.contains(r#"{"line": {"line": "Server listening on stdio"}}"#), "{file}");
    assert!(file.contains(r#"{"line": {"after": 2, "line": "Server listening on stdio"}}"#), "{file}");
}

fn ping(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

#[test]
fn a_ping_is_answered_by_whoever_is_there_and_not_recorded() {
    let store = MemoryStore::default();
    let mut heard = Vec::new();
    let mut live = Stage::open(&store, Mode::Record, |said| {
        heard.push(said.to_owned());
        match () {
            () if said.contains("\"initialize\"") => vec![ping("1"), result(&id(said), "{}")],
            () if said.contains("\"method\"") => vec![ping("\"s\""), result(&id(said), r#"{"real":1}"#)],
            () => Vec::new(),
        }
    });
    assert_eq!(
        live.say(&ping("1")),
        [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#],
        "a server is not started to be pinged"
    );
    assert_eq!(live.say(INITIALIZE), [ping("1"), result("0", "{}")]);
    live.say(&result("1", "{}"));
    assert_eq!(live.say(&ping("2")), [ping("\"s\""), result("2", r#"{"real":1}"#)]);
    live.say(&result("\"s\"", "{}"));
    live.passes();
    assert_eq!(heard, [INITIALIZE, &result("1", "{}"), &ping("2"), &result("\"s\"", "{}")]);
    let file = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(!file.contains("ping") && !file.contains("real"), "{file}");

    for pings in [0, 1, 5] {
        let mut replay = Stage::replay(&store);
        replay.say(INITIALIZE);
        for _ in 0..pings {
            assert_eq!(replay.say(&ping("\"a\"")), [r#"{"jsonrpc":"2.0","id":"a","result":{}}"#]);
        }
        replay.passes();
    }
}

/// Records what an earlier version did of a client that pings, and of a server that does.
fn recorded_pings(store: &MemoryStore, brought: &str) {
    let session = Session::open(plan(store, Mode::Record)).unwrap();
    let mut connection = Connection::new();
    connection.from_client(INITIALIZE, &session);
    connection.from_server(&result("0", "{}"), &session);
    let reply = format!("{brought}{}", result("0", "{}"));
    let chunk = Chunk { bytes: reply.into_bytes(), at: Some(Duration::ZERO) };
    let reply = Reply { status: 200, headers: Vec::new(), chunks: vec![chunk], trailers: Vec::new(), truncated: None };
    live(&session, Call::function(Kind::Mcp, "ping".to_owned(), Vec::new())).finish(Outcome::Reply(reply)).unwrap();
    connection.close();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn a_ping_that_was_recorded_is_not_missed_but_for_what_came_with_it() {
    for order in [Order::Any, Order::Strict] {
        for (brought, expected) in [("", None), (&*format!("{}\n", log("ready")), Some("unused"))] {
            let store = MemoryStore::default();
            recorded_pings(&store, brought);
            let mut stage = Stage::replay(&store);
            stage.session = Session::open(Plan { order, ..plan(&store, Mode::Replay) }).unwrap();
            stage.say(INITIALIZE);
            assert_eq!(stage.say(&ping("4")), [r#"{"jsonrpc":"2.0","id":4,"result":{}}"#]);
            assert_eq!(codes(&stage.end()), expected.into_iter().collect::<Vec<_>>());
        }
    }
}

#[test]
fn an_answer_may_cross_the_word_that_gives_its_request_up() {
    let store = MemoryStore::default();
    let mut stage = Stage::open(&store, Mode::Record, |_| Vec::new());
    stage.say(&tool("1", "count"));
    stage.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    stage.connection.from_server(&result("1", "{}"), &stage.session);
    stage.passes();
}

#[test]
fn a_blank_line_of_a_client_says_nothing() {
    let store = MemoryStore::default();
    let mut stage = Stage::open(&store, Mode::Record, server());
    for blank in ["", "\r", "  "] {
        assert_eq!(stage.say(blank), [""; 0]);
    }
    stage.say(&tool("1", "count"));
    stage.passes();
}

#[test]
fn a_question_is_put_again_and_its_answer_compared() {
    let store = MemoryStore::default();
    recorded(&store, &[INITIALIZE, &tool("1", "ask")]);

    let mut same = Stage::replay(&store);
    same.say(INITIALIZE);
    let told = same.say(&tool("5", "ask"));
    assert_eq!(told, [question("\"cassette-3\""), result("5", r#"{"colour":"blue"}"#)]);
    same.passes();

    let mut other = Stage::replay(&store);
    other.answer = "red";
    other.say(INITIALIZE);
    let told = other.say(&tool("5", "ask"));
    assert!(told[1].contains(r#""id":5,"error":{"code":-32603"#) && told[1].contains("cassette mismatch"), "{told:?}");
    let verdict = other.end();
    assert_eq!(
        verdict.reports[0].to_string(),
        "cassette mismatch: `trains` holds no recording of call 3, tool answer to sampling/createMessage\n  \
         asked: {\"params\": {\"text\": \"which colour?\"}, \"result\": {\"text\": \"red\"}}\n  \
         nearest recording: interaction 3, {\"params\": {\"text\": \"which colour?\"}, \"result\": {\"text\": \"blue\"}…\n    \
         result.text\n      recorded  \"blue\"\n      incoming  \"red\"\n    \
         endpoint and params agree\n  \
         served so far: 2 of 3, in memory:trains.json\n\
         help: if the change is meant, CASSETTE_MODE=refresh cargo test -p timetable --test suite ask -- --exact; in mode record the \
         tools and memories before it would not run, and what they do would be missing"
    );
}

#[test]
fn an_answer_that_is_left_out_fails_the_test() {
    let store = MemoryStore::default();
    recorded(&store, &[INITIALIZE, &tool("1", "ask")]);
    let mut stage = Stage::replay(&store);
    stage.say(INITIALIZE);
    let said = stage.connection.from_client(&tool("1", "ask"), &stage.session);
    assert_eq!(said.len(), 1, "the question alone");
    assert_eq!(codes(&stage.end()), ["unused"]);
}

#[test]
fn a_miss_is_an_error_that_holds_the_report() {
    let store = MemoryStore::default();
    recorded(&store, &[INITIALIZE, &tool("1", "count")]);
    let mut stage = Stage::replay(&store);
    stage.say(INITIALIZE);
    let told = stage.say(&tool("1", "fail"));
    assert!(
        told[0].starts_with(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"cassette mismatch: "#),
        "{told:?}"
    );
    assert!(told[0].ends_with(r#""data":{"cassette":"mismatch"}}}"#), "{told:?}");
    assert_eq!(codes(&stage.end()), ["mismatch"]);
}

#[test]
fn a_server_that_is_needed_late_is_greeted_first() {
    let store = MemoryStore::default();
    recorded(&store, &[INITIALIZE, INITIALIZED, &tool("1", "fail")]);
    let mut heard = Vec::new();
    let mut real = server();
    let mut stage = Stage::open(&store, Mode::Record, |said| {
        heard.push(said.to_owned());
        real(said)
    });
    stage.say(INITIALIZE);
    stage.say(INITIALIZED);
    assert_eq!(stage.say(&tool("1", "fail")).len(), 1);
    let told = stage.say(&tool("2", "count"));
    assert!(told.contains(&result("2", r#"{"n":1}"#)), "{told:?}");
    stage.passes();
    let greeting = INITIALIZE.replace("\"id\":0", "\"id\":\"cassette-greeting\"");
    assert_eq!(heard, [&greeting, INITIALIZED, &tool("2", "count")]);

    let mut stage = Stage::replay(&store);
    for text in [INITIALIZE, INITIALIZED, &tool("1", "fail"), &tool("2", "count")] {
        stage.say(text);
    }
    stage.passes();
}

#[test]
fn a_server_that_dies_is_an_outage() {
    let store = MemoryStore::default();
    let mut stage = Stage::open(&store, Mode::Record, |said| {
        if said.contains("initialize") { vec![result("0", "{}")] } else { Vec::new() }
    });
    stage.say(INITIALIZE);
    stage.say(&tool("1", "count"));
    let error = TransportError { class: TransportClass::Closed, message: "the server closed its output".into() };
    assert_eq!(stage.connection.server_gone(&error), [Say::HangUp]);
    assert_eq!(codes(&stage.end()), ["pending"]);
    assert_eq!(file(&store), None);
}

#[test]
fn a_request_that_was_given_up_is_not_answered_again() {
    let store = MemoryStore::default();
    let cancel =
        |id: &str| format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
    let mut heard = Vec::new();
    let mut stage = Stage::open(&store, Mode::Record, |said| {
        heard.push(said.to_owned());
        if said.contains("initialize") { vec![result("0", "{}")] } else { vec![progress("1", "1")] }
    });
    stage.say(INITIALIZE);
    assert_eq!(stage.say(&tool("1", "slow")), [progress("1", "1")]);
    stage.connection.from_client(&cancel("1"), &stage.session);
    stage.passes();
    assert!(String::from_utf8(file(&store).unwrap()).unwrap().contains("\"truncated\": \"client\""));

    let mut stage = Stage::replay(&store);
    stage.say(INITIALIZE);
    assert_eq!(stage.say(&tool("4", "slow")), [progress("4", "1")]);
    assert_eq!(stage.say(&cancel("4")), [""; 0]);
    stage.passes();
}

#[test]
fn what_is_no_message_is_told() {
    let store = MemoryStore::default();
    let mut stage = Stage::open(&store, Mode::Record, server());
    stage.say(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#);
    let verdict = stage.end();
    assert_eq!(
        verdict.reports[0].to_string(),
        "cassette wiring: a client of the Model Context Protocol sent what cannot be recorded: it is a batch of messages\n\
         help: let it send one message of JSON-RPC 2.0 a line"
    );
}

#[test]
fn a_secret_in_a_message_is_hidden() {
    let store = MemoryStore::default();
    let key = ["q7Zt3Vb9", "Lm2Xc8Rw"].concat();
    let key = key.as_str();
    let mut stage = Stage::open(&store, Mode::Record, |said| {
        vec![log(key), result(&id(said), &format!(r#"{{"text":"{key}","api_key":"{key}"}}"#))]
    });
    assert_eq!(stage.say(&tool("1", "leak")).len(), 2);
    stage.passes();
    let file = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(!file.contains(key) && file.matches("REDACTED.api-key.1").count() == 3, "{file}");
}

fn post(body: &str) -> Call {
    let kind = ("content-type".to_owned(), "application/json".to_owned());
    Call::http("POST", "http://timetable/mcp", vec![kind], body.as_bytes().to_vec())
}

fn http(status: u16, kind: &str, body: &str) -> Outcome {
    let chunks = if body.is_empty() {
        Vec::new()
    } else {
        vec![Chunk { bytes: body.as_bytes().to_vec(), at: Some(Duration::ZERO) }]
    };
    let headers =
        vec![("content-type".to_owned(), kind.to_owned()), ("mcp-session-id".to_owned(), "s-12345678".to_owned())];
    Outcome::Reply(Reply { status, headers, chunks, trailers: Vec::new(), truncated: None })
}

/// What a server over HTTP answers: a question before the result of `ask`, and nothing to a notification or an answer.
fn over_http(call: &Call) -> Outcome {
    let said = String::from_utf8_lossy(&call.body).into_owned();
    match said {
        _ if call.name.starts_with("GET ") => {
            http(200, "text/event-stream", &format!("data: {}\n\n", question("\"aside\"")))
        }
        said if said.contains("\"ask\"") => {
            let [question, answer] = [question("7"), result(&id(&said), "{}")];
            http(200, "text/event-stream", &format!("data: {question}\n\ndata: {answer}\n\n"))
        }
        said if said.contains("\"method\"") && said.contains("\"id\"") => {
            http(200, "application/json", &result(&id(&said), r#"{"n":1.0}"#))
        }
        _ => http(202, "text/plain", ""),
    }
}

fn told(got: &Got) -> String {
    match got {
        Ok(Outcome::Reply(reply)) => String::from_utf8(reply.body()).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn answer_to(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"text":"blue"}}}}"#)
}

#[test]
fn over_http_a_reply_has_the_id_of_the_request_it_is_served_to() {
    let store = MemoryStore::default();
    let calls = [post(INITIALIZE), post(&tool("1", "count")), post(&tool("2", "ask")), post(&answer_to("7"))];
    let (_, verdict) = run(plan(&store, Mode::Record), &calls, over_http, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);

    let calls = [
        post(&INITIALIZE.replace("\"id\":0", "\"id\":4")),
        post(&tool("\"x\"", "count")),
        post(&tool("9", "ask")),
        post(&answer_to("7")),
    ];
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!(told(&got[1]), result("\"x\"", r#"{"n":1.0}"#));
    assert_eq!(told(&got[2]), format!("data: {}\n\ndata: {}\n\n", question("7"), result("9", "{}")));
    let Ok(Outcome::Reply(reply)) = &got[0] else { panic!("it is served") };
    assert_eq!(reply.header("mcp-session-id"), Some("volatile"));

    let (_, verdict) = run(plan(&store, Mode::Replay), &calls[..3], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["unused"], "a question in the course of a request is answered");
}

#[test]
fn over_http_a_change_in_a_session_asks_to_record_the_whole_session() {
    let store = MemoryStore::default();
    let calls = [post(INITIALIZE), post(&tool("1", "count"))];
    run(plan(&store, Mode::Record), &calls, over_http, BodyEnd::Passed);
    let mut other = post(&tool("1", "fail"));
    other.headers.push(("mcp-session-id".to_owned(), "volatile".to_owned()));
    let (_, verdict) = run(plan(&store, Mode::Replay), &[post(INITIALIZE), other], gone, BodyEnd::Passed);
    let help =
        "help: if the change is meant, CASSETTE_MODE=refresh cargo test -p timetable --test suite ask -- --exact";
    assert_eq!(verdict.reports[0].to_string().lines().last(), Some(help));
}

#[test]
fn over_http_nobody_has_to_listen() {
    let store = MemoryStore::default();
    let listening =
        Call::http("GET", "http://timetable/mcp", vec![("accept".into(), "text/event-stream".into())], Vec::new());
    let calls = [post(INITIALIZE), listening, post(&answer_to("\"aside\""))];
    let (_, verdict) = run(plan(&store, Mode::Record), &calls, over_http, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let replays = |calls: &[Call]| codes(&run(plan(&store, Mode::Replay), calls, gone, BodyEnd::Passed).1);
    assert_eq!(replays(&calls), [""; 0]);
    assert_eq!(replays(&calls[..1]), [""; 0]);
    let other = post(&answer_to("\"aside\"").replace("blue", "red"));
    assert_eq!(replays(&[calls[0].clone(), calls[1].clone(), other]), ["mismatch"], "what is answered is compared");
    assert_eq!(replays(&calls[1..]), ["unused"]);
}
