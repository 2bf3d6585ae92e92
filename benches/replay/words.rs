//! What the program under test asks, and what it is answered.

use std::time::Duration;

use cassette_core::call::{Call, Header};
use cassette_core::reply::{Chunk, Outcome, Reply};

/// Where every call goes.
pub(crate) const ORIGIN: &str = "https://api.example.com";

/// The path of every call.
pub(crate) const PATH: &str = "/v1/chat/completions";

/// The media type of every request.
pub(crate) const JSON: &str = "application/json";

/// A sentence that fills a body.
const FILLER: &str = "You answer in one sentence, from the timetable alone, and you say so where it does not tell. ";

/// Returns a chat call of 1 KB; each number is another question.
pub(crate) fn chat(number: usize) -> Call {
    let body = format!(
        r#"{{"model":"gpt-4o-mini","temperature":0.2,"messages":[{{"role":"system","content":"{}"}},{}]}}"#,
        FILLER.repeat(8),
        question(number),
    );
    post(body)
}

/// Returns the same call as [`chat`], its members in another order.
pub(crate) fn reordered(number: usize) -> Call {
    let body = format!(
        r#"{{"messages":[{{"role":"system","content":"{}"}},{}],"temperature":0.2,"model":"gpt-4o-mini"}}"#,
        FILLER.repeat(8),
        question(number),
    );
    post(body)
}

/// Returns a chat call of 1 KB whose prompt holds a credential, put together here so that none stands in the source.
pub(crate) fn with_credential(number: usize) -> Call {
    let key = ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat();
    let body = format!(
        r#"{{"model":"gpt-4o-mini","temperature":0.2,"messages":[{{"role":"system","content":"{}My key is {key}."}},{}]}}"#,
        FILLER.repeat(7),
        question(number),
    );
    post(body)
}

/// Returns a short chat call.
pub(crate) fn short(number: usize) -> Call {
    post(format!(r#"{{"model":"gpt-4o-mini","messages":[{}]}}"#, question(number)))
}

/// Returns a JSON answer of about so many bytes.
pub(crate) fn answer(number: usize, bytes: usize) -> Outcome {
    reply(JSON, vec![answer_text(number, bytes).into_bytes()])
}

/// Returns the text of [`answer`].
pub(crate) fn answer_text(number: usize, bytes: usize) -> String {
    let content = FILLER.repeat(bytes.div_ceil(FILLER.len()));
    format!(
        r#"{{"id":"chatcmpl-{number}","object":"chat.completion","choices":[{{"index":0,"message":{{"role":"assistant","content":"{content}"}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":211,"completion_tokens":34}}}}"#
    )
}

/// Returns a stream of so many events, each a chunk of its own.
pub(crate) fn stream(number: usize, events: usize) -> Outcome {
    let event = |i: usize| {
        let delta =
            format!(r#"{{"id":"chatcmpl-{number}","choices":[{{"index":0,"delta":{{"content":"word {i} "}}}}]}}"#);
        format!("data: {delta}\n\n").into_bytes()
    };
    reply("text/event-stream", (0..events).map(event).collect())
}

fn question(number: usize) -> String {
    format!(r#"{{"role":"user","content":"When does train {number} to Bergen leave, and from which platform?"}}"#)
}

fn post(body: String) -> Call {
    Call::http("POST", &format!("{ORIGIN}{PATH}"), headers(JSON), body.into_bytes())
}

fn reply(content_type: &str, chunks: Vec<Vec<u8>>) -> Outcome {
    let at = |i: usize| Duration::from_millis(20 + i as u64);
    let chunks = chunks.into_iter().enumerate().map(|(i, bytes)| Chunk { bytes, at: Some(at(i)) }).collect();
    Outcome::Reply(Reply { status: 200, headers: headers(content_type), chunks, trailers: Vec::new(), truncated: None })
}

fn headers(content_type: &str) -> Vec<Header> {
    vec![("content-type".to_owned(), content_type.to_owned())]
}
