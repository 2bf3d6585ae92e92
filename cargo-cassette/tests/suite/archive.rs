//! A cassette, exported and imported again: the same, but for what `docs/import.md` says that an archive loses.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cargo_cassette::export::har;
use cargo_cassette::import::{import, plan, record, restored};
use cassette_core::call::{Call, Header};
use cassette_core::json::Layout;
use cassette_core::mode::Mode;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Store as _};
use cassette_core::tape::Tape;
use proptest::prelude::*;

/// A credential, put together here so that no scanner takes this file for a leak.
fn key(end: &str) -> String {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7", end].join("-")
}

/// Returns what a run of these calls records; `None` where it is not taken over, as where a body cannot be looked into.
fn recorded(exchanges: &[(Call, Outcome)]) -> Option<Tape> {
    let store = MemoryStore::default();
    let rerun =
        Rerun { package: "timetable".into(), target: Target::Test("suite".into()), test: "ask".into(), ignored: false };
    let mut plan = Plan::new("trains", Arc::new(store.clone()), Mode::Record, "suite::ask", rerun);
    plan.outages = Outages::Allow;
    plan.rules.keep_request_headers = vec!["x-tenant".to_owned()];
    plan.rules.keep_reply_headers = vec!["x-request-id".to_owned()];
    let session = Session::open(plan).unwrap();
    for (call, outcome) in exchanges {
        let Step::Live(ticket) = session.begin(call.clone()) else { panic!("a call did not go live") };
        ticket.finish(outcome.clone()).unwrap();
    }
    if !session.finish(BodyEnd::Passed).reports.is_empty() {
        return None;
    }
    cassette_core::disk::read(&store.load("trains").unwrap()?).ok()
}

/// Returns the cassette that an archive becomes.
fn imported(archive: &str) -> Tape {
    let found = import(Path::new("trains.har"), archive.as_bytes()).unwrap();
    let store = MemoryStore::default();
    let plan = restored(plan("trains", Arc::new(store.clone()), "trains.har"), &found);
    record(plan, &found.exchanges).unwrap_or_else(|report| panic!("{report}"));
    cassette_core::disk::read(&store.load("trains").unwrap().unwrap()).unwrap()
}

#[track_caller]
fn check(exchanges: &[(Call, Outcome)]) -> Tape {
    let tape = recorded(exchanges).expect("it is recorded");
    let archive = har(&tape).har.print(Layout::Indent(2));
    assert_eq!(imported(&archive).interactions, tape.interactions, "{archive}");
    tape
}

fn answer(body: &str) -> Outcome {
    let chunk = Chunk { bytes: body.as_bytes().to_vec(), at: Some(Duration::from_millis(40)) };
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Outcome::Reply(Reply { status: 200, headers, chunks: vec![chunk], trailers: Vec::new(), truncated: None })
}

fn post(body: &str) -> Call {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Call::http("POST", "https://trains.example.com/ask", headers, body.as_bytes().to_vec())
}

#[test]
fn placeholders_stay_and_what_only_looks_like_one_stays_escaped() {
    let asked = post(&format!(r#"{{"note":"REDACTED.openai-key.1 REDACTED..openai-key.7","key":"{}"}}"#, key("A")));
    let tape = check(&[(asked, answer(r#"{"said":"REDACTED.openai-key.1"}"#))]);
    let text = cassette_core::disk::write(&tape);
    for stands in [
        r#""note": "REDACTED..openai-key.1 REDACTED...openai-key.7""#,
        r#""key": "REDACTED.openai-key.1""#,
        r#""said": "REDACTED..openai-key.1""#,
    ] {
        assert!(text.contains(stands), "{stands} in {text}");
    }
}

#[test]
fn an_error_comes_back_whole() {
    for class in ["connect", "tls", "dns", "timeout", "reset", "closed"] {
        let class = TransportClass::from_name(class).unwrap();
        check(&[(
            post("{}"),
            Outcome::Error(TransportError { class, message: "no answer \"within\" 30 s\n".to_owned() }),
        )]);
    }
}

#[test]
fn an_archive_that_somebody_changed_is_refused_where_it_no_longer_fits() {
    let tape = recorded(&[(post("{}"), streamed(&["data: 1\n\n", "data: 2", "\n\n"]))]).unwrap();
    let archive = har(&tape).har.print(Layout::Indent(2));
    let refused = |from: &str, to: &str| {
        assert!(archive.contains(from), "{archive}");
        import(Path::new("trains.har"), archive.replacen(from, to, 1).as_bytes()).unwrap_err().reason
    };
    assert_eq!(refused(r"data: 2\n", r"data: 22\n"), "the chunks are shorter than the body");
    assert_eq!(refused(r"data: 2\n", r"data:\n"), "the chunks are longer than the body");
    assert_eq!(
        refused("\"pace\": [\n            10", "\"pace\": [\n            \"soon\""),
        "`pace` is no list of milliseconds"
    );
}

fn streamed(pieces: &[&str]) -> Outcome {
    let chunk = |(i, piece): (usize, &&str)| Chunk {
        bytes: piece.as_bytes().to_vec(),
        at: Some(Duration::from_millis(10 * (i as u64 + 1))),
    };
    let chunks = pieces.iter().enumerate().map(chunk).collect();
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
}

/// A word of a text: what is secret, what looks like a placeholder, what JSON and terminals escape.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("REDACTED.openai-key.1".to_owned()),
        Just("REDACTED.openai-key.2".to_owned()),
        Just("REDACTED..openai-key.1".to_owned()),
        Just("REDACTED...api-key.3".to_owned()),
        Just(key("A")),
        Just(key("B")),
        Just("REDACTED".to_owned()),
        "[a-zA-Z0-9 .]{1,8}",
        Just("\u{e9}\u{202e}\u{9b}\u{1f686}".to_owned()),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..4).prop_map(|words| words.join(" "))
}

fn json() -> impl Strategy<Value = String> {
    (text(), text()).prop_map(|(a, b)| {
        let tree = cassette_core::json::Json::object([("api_key", a.as_str().into()), ("b", b.as_str().into())]);
        tree.print(Layout::Spaced)
    })
}

fn body() -> impl Strategy<Value = (String, Vec<u8>)> {
    prop_oneof![
        Just(("text/plain".to_owned(), Vec::new())),
        json().prop_map(|json| ("application/json".to_owned(), json.into_bytes())),
        text().prop_map(|text| ("text/plain".to_owned(), text.into_bytes())),
        text().prop_map(|text| (
            "application/x-www-form-urlencoded".to_owned(),
            format!("a={}&b=1", text.replace(' ', "+")).into_bytes()
        )),
        json().prop_map(|json| (
            "text/event-stream".to_owned(),
            format!("data: {json}\n\ndata: [DONE]\n\n").into_bytes()
        )),
        Just(("image/png".to_owned(), vec![0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0xff])),
    ]
}

fn header_value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("REDACTED.openai-key.1".to_owned()),
        Just("REDACTED..openai-key.2".to_owned()),
        Just(key("A")),
        "[a-z0-9=;]{0,8}",
        Just("caf\u{e9}".to_owned()),
    ]
}

fn headers(names: &'static [&'static str]) -> impl Strategy<Value = Vec<Header>> {
    let header = (prop::sample::select(names), header_value()).prop_map(|(name, value)| (name.to_owned(), value));
    prop::collection::vec(header, 0..4)
}

fn call() -> impl Strategy<Value = Call> {
    let method = prop::sample::select(&["GET", "POST", "HEAD", "DELETE", "QUERY"][..]);
    let query = prop_oneof![
        Just(String::new()),
        Just("?q=REDACTED.token.1&of=%E9+a".to_owned()),
        Just(format!("?key={}", key("A")))
    ];
    (method, query, body(), headers(&["accept", "x-tenant", "anthropic-version"])).prop_map(
        |(method, query, (kind, body), mut headers)| {
            headers.push(("content-type".to_owned(), kind));
            Call::http(method, &format!("https://trains.example.com/a%20b{query}"), headers, body)
        },
    )
}

fn reply() -> impl Strategy<Value = Outcome> {
    let times = prop::option::weighted(0.8, (0..500_u64).prop_map(|tens| Duration::from_millis(tens * 10)));
    let truncated = prop::option::weighted(
        0.2,
        prop::sample::select(&[Truncation::Client, Truncation::Left, Truncation::Upstream][..]),
    );
    let status = prop::sample::select(&[200, 201, 304, 404, 429, 500][..]);
    let names = &["date", "set-cookie", "x-request-id", "location", "content-encoding", "content-length", "x-b"];
    (
        status,
        body(),
        headers(names),
        headers(&["grpc-status", "x-end"]),
        prop::collection::vec((0..9_usize, times), 0..4),
        truncated,
    )
        .prop_map(|(status, (kind, bytes), mut headers, trailers, cuts, truncated)| {
            headers.push(("content-type".to_owned(), kind));
            let (mut rest, mut chunks) = (&bytes[..], Vec::new());
            for (length, at) in &cuts {
                let (piece, after) = rest.split_at((*length).min(rest.len()));
                chunks.push(Chunk { bytes: piece.to_vec(), at: *at });
                rest = after;
            }
            if !rest.is_empty() {
                chunks.push(Chunk { bytes: rest.to_vec(), at: cuts.first().and_then(|(_, at)| *at) });
            }
            Outcome::Reply(Reply { status, headers, chunks, trailers, truncated })
        })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let class = prop::sample::select(&["connect", "tls", "dns", "timeout", "reset", "closed"][..]);
    let error = (class, text()).prop_map(|(class, message)| {
        Outcome::Error(TransportError { class: TransportClass::from_name(class).unwrap(), message })
    });
    prop_oneof![5 => reply(), 1 => error]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_exported_is_imported_again(exchanges in prop::collection::vec((call(), outcome()), 1..4)) {
        let Some(tape) = recorded(&exchanges) else { return Err(TestCaseError::reject("it is not taken over")) };
        let archive = har(&tape).har.print(Layout::Indent(2));
        prop_assert_eq!(imported(&archive).interactions, tape.interactions, "{}", archive);
    }
}
