//! What is redacted: an exchange by its name.

use std::fmt::Write as _;
use std::time::Duration;

use cassette_core::call::{Call, Header};
use cassette_core::reply::{Chunk, Reply};

/// A sentence that fills a body.
const FILLER: &str = "You answer in one sentence, from the timetable alone, and you say so where it does not tell. ";

/// One side of an exchange.
pub(crate) enum Side {
    /// What is asked.
    Call(Call),
    /// What is answered.
    Reply(Reply),
}

/// A body and its name.
pub(crate) type Body = (&'static str, fn() -> Side);

/// The bodies in the order in which they are measured.
pub(crate) const BODIES: &[Body] = &[
    ("chat", || chat("")),
    ("chat_with_secrets", || chat(&format!("My key is {} and the password {}.", key(), known()))),
    ("answer", || answer("")),
    ("gemini_500", gemini),
    ("stream_1000", stream),
    ("embedding_1536", embedding),
    ("text_1_mb", text),
    ("document_1_mb", document),
];

/// Returns what the environment holds: values such as programs that call a provider have.
pub(crate) fn environment() -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_owned(), value);
    vec![pair("ACME_API_KEY", key()), pair("LAB_PASSWORD", known()), pair("CI_TOKEN", ["q7Zx9k1", "Wm4tB8"].join("-"))]
}

/// A credential, put together here so that none stands in the source.
fn key() -> String {
    ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat()
}

/// A value that is known and has no shape.
fn known() -> String {
    ["Zq9Horse", "bat+tery77=xK"].join("/")
}

fn chat(said: &str) -> Side {
    let question = r#"{"role":"user","content":"When does train 7 to Bergen leave, and from which platform?"}"#;
    let body = format!(
        r#"{{"model":"gpt-4o-mini","temperature":0.2,"messages":[{{"role":"system","content":"{}{said}"}},{question}]}}"#,
        FILLER.repeat(8)
    );
    Side::Call(Call::http(
        "POST",
        "https://api.example.com/v1/chat/completions",
        headers("application/json"),
        body.into(),
    ))
}

fn answer(said: &str) -> Side {
    let content = FILLER.repeat(6);
    let body = format!(
        r#"{{"id":"chatcmpl-7","object":"chat.completion","choices":[{{"index":0,"message":{{"role":"assistant","content":"{content}{said}"}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":211,"completion_tokens":34}}}}"#
    );
    reply("application/json", vec![body])
}

/// A stream that comes as the elements of one array.
fn gemini() -> Side {
    let element = |i: usize| {
        let parts = format!("{{\"parts\": [{{\"text\": \"word {i} of the answer, \"}}], \"role\": \"model\"}}");
        let usage = "{\"promptTokenCount\": 12, \"totalTokenCount\": 40}";
        format!(
            "{{\"candidates\": [{{\"content\": {parts}, \"index\": 0}}], \"usageMetadata\": {usage}, \"modelVersion\": \"gemini-2.0-flash\"}}"
        )
    };
    let open = |i: usize| if i == 0 { "[" } else { ",\r\n" };
    let mut chunks: Vec<String> = (0..500).map(|i| format!("{}{}", open(i), element(i))).collect();
    chunks.push("]".to_owned());
    reply("application/json", chunks)
}

fn stream() -> Side {
    let event = |i: usize| {
        format!(
            "data: {{\"id\":\"chatcmpl-7\",\"object\":\"chat.completion.chunk\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"word {i} \"}}}}]}}\n\n"
        )
    };
    reply("text/event-stream", (0..1000).map(event).collect())
}

fn embedding() -> Side {
    let mut numbers = String::new();
    for i in 0..1536 {
        let _ = write!(numbers, "{}{:.8}", if i == 0 { "" } else { "," }, f64::from((i * 7919) % 2003 - 1001) / 9973.0);
    }
    let body = format!(
        r#"{{"object":"list","data":[{{"object":"embedding","index":0,"embedding":[{numbers}]}}],"model":"text-embedding-3-small","usage":{{"prompt_tokens":8,"total_tokens":8}}}}"#
    );
    reply("application/json", vec![body])
}

/// Prose in lines.
fn text() -> Side {
    let line = format!("{FILLER}\n");
    reply("text/plain", vec![line.repeat((1 << 20) / line.len())])
}

/// What a search answers: many objects with short and long strings.
fn document() -> Side {
    let object = |i: usize| {
        format!(
            r#"{{"id":{i},"title":"Train {i} to Bergen","url":"https://example.com/trains/{i}","score":0.{i},"text":"{}"}}"#,
            FILLER.repeat(3)
        )
    };
    let objects: Vec<String> = (0..(1 << 20) / object(1000).len()).map(object).collect();
    reply("application/json", vec![format!("{{\"results\":[{}]}}", objects.join(","))])
}

fn reply(content_type: &str, chunks: Vec<String>) -> Side {
    let chunks = chunks.into_iter().map(|text| Chunk { bytes: text.into(), at: Some(Duration::ZERO) }).collect();
    let headers = headers(content_type);
    Side::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
}

fn headers(content_type: &str) -> Vec<Header> {
    vec![("content-type".to_owned(), content_type.to_owned())]
}
