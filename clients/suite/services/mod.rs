//! Providers as a loopback knows them: what each asks for, and its answers in the shapes it documents.
//!
//! All of them hold one conversation. Asked for a train they want the timetable's tool called; given its result they
//! answer from it; asked on, they answer from memory. A request that is not well formed fails an assertion here, the
//! connection breaks, and nothing is recorded.

mod anthropic;
mod bedrock;
mod chat;
mod cohere;
mod gemini;
mod ollama;
mod responses;

pub(crate) use anthropic::anthropic;
pub(crate) use bedrock::bedrock;
pub(crate) use chat::chat;
pub(crate) use cohere::{cohere, cohere_v1};
pub(crate) use gemini::gemini;
pub(crate) use ollama::ollama;
pub(crate) use responses::responses;

use serde_json::{Value, json};
use stages::{Answer, Request};

/// The tool.
pub(crate) const TOOL: &str = "next_train";
/// What the tool is for.
pub(crate) const PURPOSE: &str = "Looks up the next departure.";
/// What each conversation starts with.
pub(crate) const SYSTEM: &str = "Answer from the timetable.";
/// What is asked after the first answer.
pub(crate) const FOLLOW_UP: &str = "And the one after?";
/// The answers to both questions.
pub(crate) const ANSWERS: [&str; 2] = ["The 09:04, from platform 2.", "The 10:31, from platform 1."];

/// Returns the first question.
pub(crate) fn question(town: &str) -> String {
    format!("When does the next train to {town} leave?")
}

/// Returns what the tool takes.
pub(crate) fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "via": {"type": "array", "items": {"type": "string"}},
            "fare": {"type": "number"}
        },
        "required": ["to"]
    })
}

/// Returns what the tool is called with.
pub(crate) fn arguments() -> Value {
    json!({"to": "Bergen", "via": ["Voss", "Flåm"], "fare": 349.5})
}

/// Returns what the tool answers.
pub(crate) fn result() -> Value {
    json!({"departs": "09:04", "platform": 2})
}

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The tool is to be called.
    Call,
    /// An answer is to be given, from the tool's result or from what was said.
    Answer(usize),
}

impl Turn {
    /// Returns what the last thing said calls for: a question as text, or the tool's result.
    fn after(last: Result<&str, Value>) -> Turn {
        match last {
            Err(answered) => {
                assert_eq!(answered, result(), "the tool's result comes whole");
                Turn::Answer(0)
            }
            Ok(FOLLOW_UP) => Turn::Answer(1),
            Ok(asked) => {
                assert_eq!(asked, question("Bergen"));
                Turn::Call
            }
        }
    }
}

/// Reads a request's body.
fn read(request: &Request) -> Value {
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("accept-encoding"), "", "the provider is not asked to encode");
    assert_eq!(request.header("content-type"), "application/json");
    serde_json::from_slice(&request.body).unwrap()
}

/// Checks the key that came with a request.
fn check_key(given: &str) {
    assert_eq!(given, crate::told::key(), "the real key arrives");
}

/// Returns a text: a string, or blocks of text.
fn text(content: &Value) -> &str {
    content.as_str().or_else(|| content[0]["text"].as_str()).unwrap_or_default()
}

/// Reads JSON that is carried in a string.
fn inner(text: &Value) -> Value {
    serde_json::from_str(text.as_str().unwrap()).unwrap()
}

/// Answers with a JSON document, indented as some providers do.
fn pretty(body: &Value) -> Answer {
    Answer::json(200, &serde_json::to_string_pretty(body).unwrap())
}

/// Answers with a JSON document on one line.
fn compact(body: &Value) -> Answer {
    Answer::json(200, &body.to_string())
}

/// Answers with server-sent events that have a name.
fn named(events: &[Value]) -> Answer {
    let events: Vec<_> =
        events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect();
    Answer::events(&events.iter().map(String::as_str).collect::<Vec<_>>())
}
