use std::time::Duration;

use super::agree;
use crate::call::{Call, Kind};
use crate::eventstream::tests::frame;
use crate::renaming::Renaming;
use crate::reply::{Chunk, Outcome, Reply, TransportClass, TransportError};

const CHAT: &str = "https://api.openai.com/v1/chat/completions";
const CLAUDE: &str = "https://api.anthropic.com/v1/messages";
const BEDROCK: &str = "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse-stream";
const INVOKE: &str = "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/invoke-with-response-stream";
const OTHER: &str = "https://api.example.com/orders";

fn post(url: &str) -> Call {
    Call::http("POST", url, Vec::new(), br#"{"anthropic_version":"x"}"#.to_vec())
}

fn reply(content_type: &str, body: &[u8]) -> Outcome {
    let headers = vec![("content-type".to_owned(), content_type.to_owned())];
    let chunks = vec![Chunk { bytes: body.to_vec(), at: Some(Duration::ZERO) }];
    Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
}

/// Compares two bodies under a renaming that knows `call_B` for `call_A`, and gives what moved.
fn compared(url: &str, content_type: &str, [recorded, incoming]: [&[u8]; 2]) -> Option<String> {
    let mut renaming = Renaming::default();
    renaming.id("call_A", "call_B");
    let [recorded, incoming] = [recorded, incoming].map(|body| reply(content_type, body));
    let agreement = agree(&post(url), &recorded, &incoming, &mut renaming);
    let moved = agreement.ids.iter().chain(&agreement.moments).map(|(new, old)| format!("{new} for {old}"));
    let moved: Vec<_> = moved.collect();
    agreement.same.then(|| moved.join(", "))
}

#[track_caller]
fn check(url: &str, content_type: &str, [recorded, incoming]: [&str; 2], expected: Option<&str>) {
    let got = compared(url, content_type, [recorded.as_bytes(), incoming.as_bytes()]);
    assert_eq!(got.as_deref(), expected, "{recorded}\n{incoming}");
}

#[track_caller]
fn json(url: &str, bodies: [&str; 2], expected: Option<&str>) {
    check(url, "application/json", bodies, expected);
}

#[test]
fn ids_and_dates_may_be_others() {
    json(
        CHAT,
        [r#"{"id":"a1","created":1,"choices":[{"text":"x"}]}"#, r#"{ "id":"b1","created":2,"choices":[{"text":"x"}]}"#],
        Some("b1 for a1, 2 for 1"),
    );
    json(CHAT, [r#"{"id":"a1","x":1.0}"#, r#"{"x":1,"id":"a1"}"#], Some(""));
    json(CHAT, [r#"{"id":"a1"}"#, r#"{"id":null}"#], None);
    json(CHAT, [r#"{"id":"a1"}"#, r#"{}"#], None);
    json(
        OTHER,
        [r#"{"id":"ord_8fK2pQ91xZ3b"}"#, r#"{"id":"ord_9aB3cD45eF6g"}"#],
        Some("ord_9aB3cD45eF6g for ord_8fK2pQ91xZ3b"),
    );
}

#[test]
fn facts_have_to_be_equal() {
    for [recorded, incoming] in [
        [r#"{"choices":[{"message":{"content":"09:04"}}]}"#, r#"{"choices":[{"message":{"content":"10:04"}}]}"#],
        [r#"{"usage":{"prompt_tokens":9}}"#, r#"{"usage":{"prompt_tokens":8}}"#],
        [r#"{"choices":[1]}"#, r#"{"choices":[1,1]}"#],
        [r#"{"a":null}"#, r#"{"a":false}"#],
        [r#"{"a":1}"#, r#"{"a":"1"}"#],
        [r#"{"a":"\ud800"}"#, r#"{"a":"\ud801"}"#],
        [r#"{"model":"gpt-4o"}"#, r#"{"model":"gpt-4o-mini"}"#],
    ] {
        json(CHAT, [recorded, incoming], None);
    }
    let input = [
        r#"{"content":[{"type":"tool_use","input":{"id":"ord_8fK2pQ91xZ3b"}}]}"#,
        r#"{"content":[{"type":"tool_use","input":{"id":"ord_9aB3cD45eF6g"}}]}"#,
    ];
    json(CLAUDE, input, None);
}

#[test]
fn one_renaming_holds_over_all() {
    let two =
        |a: &str, b: &str| format!(r#"{{"choices":[{{"message":{{"tool_calls":[{{"id":"{a}"}},{{"id":"{b}"}}]}}}}]}}"#);
    json(CHAT, [&two("a", "b"), &two("c", "d")], Some("c for a, d for b"));
    json(CHAT, [&two("a", "b"), &two("b", "a")], Some("a for b, b for a"));
    json(CHAT, [&two("a", "b"), &two("c", "c")], None);
    json(CHAT, [&two("a", "a"), &two("c", "d")], None);
    json(CHAT, [&two("call_A", "b"), &two("c", "d")], None);
    json(CHAT, [r#"{"a":"see call_A."}"#, r#"{"a":"see call_B."}"#], Some("call_B for call_A"));
    json(CHAT, [r#"{"a":"see call_B."}"#, r#"{"a":"see call_B."}"#], None);
}

#[test]
fn moments_may_coincide() {
    let two = |a: u32, b: u32| format!("{{\"created_at\":{a}}}\n{{\"created_at\":{b}}}\n");
    let ollama = "http://localhost:11434/api/chat";
    check(ollama, "application/x-ndjson", [&two(1, 2), &two(7, 7)], Some("7 for 2"));
    check(ollama, "application/x-ndjson", [&two(1, 1), &two(7, 8)], Some("7 for 1, 8 for 1"));
}

#[test]
fn secrets_are_ids_of_their_own() {
    let two = |a: u32, b: u32| format!(r#"{{"a":"REDACTED.token.{a} x","b":"REDACTED.token.{b}"}}"#);
    json(CHAT, [&two(1, 2), &two(8, 9)], Some(""));
    json(CHAT, [&two(1, 2), &two(8, 8)], None);
    json(CHAT, [r#"{"a":"REDACTED.token.1"}"#, r#"{"a":"REDACTED.password.1"}"#], None);
    json(CHAT, [r#"{"a":"REDACTED.token.1"}"#, r#"{"a":"plain"}"#], None);
}

#[test]
fn streams_are_compared_by_event() {
    let sse = "text/event-stream";
    let one = |id: &str, text: &str, pad: &str| format!("data: {{\"id\":\"{id}\",\"t\":\"{text}\"{pad}}}\n\n");
    let stream = |id: &str, pad: &str| [one(id, "09", pad), one(id, ":04", ""), "data: [DONE]\n\n".into()].concat();
    check(
        CHAT,
        sse,
        [&stream("a", ""), &stream("b", r#","obfuscation":"xY"#.to_owned().as_str().trim_end()).replace("xY", "xY\"")],
        Some("b for a"),
    );
    check(CHAT, sse, [&stream("a", ""), &one("b", "09:04", "")], None);
    check(CHAT, sse, [&stream("a", ""), &stream("b", "").replace("[DONE]", "[GONE]")], None);
    check(CHAT, sse, [&stream("a", ""), &format!(": waiting\n\n{}", stream("a", "").replace('\n', "\r\n"))], Some(""));
    check(CHAT, "application/octet-stream", [&stream("a", ""), &stream("b", "")], Some("b for a"));
    check(
        OTHER,
        "text/plain",
        ["{\"created\":1764400000}\n{}\n", "{\"created\":1764400777}\n{}\n"],
        Some("1764400777 for 1764400000"),
    );
    let pinged = "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: x\ndata: {\"type\":\"x\"}\n\n";
    check(CLAUDE, sse, ["event: x\ndata: {\"type\":\"x\"}\n\n", pinged], Some(""));
    check(CLAUDE, sse, ["event: x\ndata: {\"a\":1}\n\n", "event: y\ndata: {\"a\":1}\n\n"], None);
}

#[test]
fn frames_of_bytes_are_streams_too() {
    let kind = "application/vnd.amazon.eventstream";
    let start = |id: &str, p: &str| {
        let payload = format!(r#"{{"start":{{"toolUse":{{"toolUseId":"{id}","name":"lookup"}}}}{p}}}"#);
        frame(&[(":event-type", "contentBlockStart")], payload.as_bytes())
    };
    let compared_by = |url, a: &[u8], b: &[u8]| compared(url, kind, [a, b]);
    assert_eq!(
        compared_by(BEDROCK, &start("t1", r#","p":"ab""#), &start("t2", r#","p":"abcd""#)).as_deref(),
        Some("t2 for t1")
    );
    assert_eq!(compared_by(BEDROCK, &start("t1", ""), &[start("t1", ""), start("t1", "")].concat()), None);
    assert_eq!(compared_by(BEDROCK, &start("t1", "")[..90], &start("t2", "")[..90]), None);
    let chunk = |text: &str| {
        use base64::Engine as _;
        let bytes = base64::engine::general_purpose::STANDARD.encode(text);
        frame(&[(":event-type", "chunk")], format!(r#"{{"bytes":"{bytes}","p":"abc"}}"#).as_bytes())
    };
    let start =
        |id: &str, text: &str| chunk(&format!(r#"{{"type":"message_start","message":{{"id":"{id}","t":"{text}"}}}}"#));
    assert_eq!(compared_by(INVOKE, &start("m1", "x"), &start("m2", "x")).as_deref(), Some("m2 for m1"));
    assert_eq!(compared_by(INVOKE, &start("m1", "x"), &start("m2", "y")), None);
}

#[test]
fn the_head_counts_too() {
    let with = |name: &str, value: &str, status: u16| {
        let Outcome::Reply(mut reply) = reply("text/plain", b"x") else { unreachable!() };
        reply.headers.push((name.to_owned(), value.to_owned()));
        Outcome::Reply(Reply { status, ..reply })
    };
    let same = |a: &Outcome, b: &Outcome| agree(&post(OTHER), a, b, &mut Renaming::default()).same;
    assert!(
        same(&with("x-request-id", "req-0001", 200), &with("x-request-id", "req-0002", 200)),
        "taken up by a request"
    );
    assert!(same(&with("x-process-time", "1.0", 200), &with("x-process-time", "1", 200)), "two stand-ins");
    assert!(!same(&with("x-request-id", "req-0001", 200), &with("x-request-id", "volatile", 200)));
    assert!(!same(&with("x-kept", "a", 200), &with("x-kept", "b", 200)));
    assert!(!same(&with("x-kept", "a", 200), &with("x-kept", "a", 201)));
    let failed = |class, message: &str| Outcome::Error(TransportError { class, message: message.into() });
    let reset = failed(TransportClass::Reset, "gone");
    assert!(same(&reset, &reset) && !same(&reset, &failed(TransportClass::Closed, "gone")));
    assert!(!same(&reset, &failed(TransportClass::Reset, "away")) && !same(&reset, &with("a", "b", 200)));
}

#[test]
fn other_bodies_are_compared_as_they_are() {
    check(OTHER, "text/plain", ["run call_A", "run call_B"], Some("call_B for call_A"));
    check(OTHER, "text/plain", ["run 1", "run 2"], None);
    assert_eq!(compared(OTHER, "image/png", [&[0xff, 1], &[0xff, 1]]).as_deref(), Some(""));
    assert_eq!(compared(OTHER, "image/png", [&[0xff, 1], &[0xff, 2]]), None);
    let tool = Call { kind: Kind::Tool, name: "book".into(), headers: Vec::new(), body: Vec::new() };
    let booked = |id: &str| reply("application/json", format!(r#"{{"booking_id":"{id}"}}"#).as_bytes());
    assert!(agree(&tool, &booked("bk_8fK2pQ91xZ3b"), &booked("bk_9aB3cD45eF6g"), &mut Renaming::default()).same);
}
