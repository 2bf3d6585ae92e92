//! Exchanges to record.

use std::time::Duration;

use cassette_core::call::{Call, Header};
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};

/// The URL of a provider that the dialects know.
pub(crate) const CHAT: &str = "https://api.openai.com/v1/chat/completions";

fn headers(kind: &str) -> Vec<Header> {
    vec![("content-type".to_owned(), kind.to_owned()), ("x-request-id".to_owned(), "req-1".to_owned())]
}

/// Returns a model call with this body.
pub(crate) fn chat(body: &str) -> Call {
    Call::http("POST", CHAT, vec![("content-type".to_owned(), "application/json".to_owned())], body.as_bytes().to_vec())
}

/// Returns a question, without anything else.
pub(crate) fn ask(question: &str) -> Call {
    chat(&format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"{question}"}}]}}"#))
}

/// Returns a reply of this body, in one piece.
pub(crate) fn json(status: u16, body: &str) -> Outcome {
    pieces(status, "application/json", &[body])
}

/// Returns a reply in pieces.
pub(crate) fn pieces(status: u16, kind: &str, pieces: &[&str]) -> Outcome {
    let chunk = |(i, piece): (usize, &&str)| Chunk {
        bytes: piece.as_bytes().to_vec(),
        at: Some(Duration::from_millis(100 * (i as u64 + 1))),
    };
    let chunks = pieces.iter().enumerate().map(chunk).collect();
    Outcome::Reply(Reply { status, headers: headers(kind), chunks, trailers: Vec::new(), truncated: None })
}

/// Returns an answer of a model's, with an id of its own.
pub(crate) fn answer(id: &str, text: &str) -> Outcome {
    json(
        200,
        &format!(
            r#"{{"id":"{id}","model":"gpt-4o-mini-2024-07-18","choices":[{{"index":0,"message":{{"role":"assistant","content":"{text}"}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":21,"completion_tokens":{},"total_tokens":30}}}}"#,
            text.len()
        ),
    )
}

/// A conversation with all that a transcript has to show: tools, a picture, a stream that was cut, an error, a failure.
pub(crate) fn conversation() -> Vec<(Call, Outcome)> {
    let system = r#"{"role":"system","content":"Answer from the timetable alone, and never guess."}"#;
    let user = r#"{"role":"user","content":[{"type":"text","text":"When does the next train leave?\nHere is my ticket."},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}"#;
    let tools = r#""tools":[{"type":"function","function":{"name":"look_up","description":"Looks a train up.","parameters":{"type":"object","properties":{"to":{"type":"string"}}}}}]"#;
    let called =
        r#"{"id":"call_1a2b3c","type":"function","function":{"name":"look_up","arguments":"{\"to\":\"Bergen\"}"}}"#;
    let first = chat(&format!(r#"{{"model":"gpt-4o-mini","messages":[{system},{user}],{tools},"temperature":0.5}}"#));
    let second = chat(&format!(
        r#"{{"model":"gpt-4o-mini","messages":[{system},{user},{{"role":"assistant","content":null,"tool_calls":[{called}]}},{{"role":"tool","tool_call_id":"call_1a2b3c","content":"{{\"at\":\"09:04\"}}"}}],{tools},"temperature":0.5,"stream":true}}"#
    ));
    let calls = format!(
        r#"{{"id":"chatcmpl-1","model":"gpt-4o-mini","choices":[{{"index":0,"message":{{"role":"assistant","content":null,"tool_calls":[{called}]}},"finish_reason":"tool_calls"}}],"usage":{{"prompt_tokens":1234,"completion_tokens":18,"prompt_tokens_details":{{"cached_tokens":1024}}}}}}"#
    );
    let event = |text: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-2\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n"
        )
    };
    let mut stream = pieces(200, "text/event-stream", &[&event("At "), &event("09:04, from "), &event("track ")]);
    if let Outcome::Reply(reply) = &mut stream {
        reply.truncated = Some(Truncation::Upstream);
    }
    let timeout = TransportError { class: TransportClass::Timeout, message: "no answer within 30 s".to_owned() };
    let limited =
        r#"{"error":{"message":"Rate limit reached.","type":"rate_limit_error","code":"rate_limit_exceeded"}}"#;
    vec![
        (first, json(200, &calls)),
        (second, stream),
        (ask("Is it on time?"), json(429, limited)),
        (ask("Is it on time now?"), Outcome::Error(timeout)),
        (
            Call::http("GET", "https://timetable.example.com/next?to=Bergen", Vec::new(), Vec::new()),
            json(
                200,
                r#"{"train":"R 42","at":"09:04","stops":["Voss","Bergen"],"note":"A remark that is long enough for the document to take several lines."}"#,
            ),
        ),
    ]
}

/// A key of the shape that a provider gives out, put together here so that no scanner takes this file for a leak.
pub(crate) fn key() -> String {
    ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat()
}
