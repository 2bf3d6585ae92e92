//! Refreshing an agent's run: a service that only renames its ids leaves the file as it is, and a real change is all that a
//! diff shows.

use std::sync::atomic::{AtomicUsize, Ordering};

use cassette_test::{Cassette, assert_same_run, cassette};
use serde_json::{Value, json};
use stages::{Answer, Rehearsal, Request, seen};

use crate::told::{base, upstream};

/// How many answers the provider has given: every id and every date hangs on it.
static ANSWERS: AtomicUsize = AtomicUsize::new(0);

/// Asks a model, and answers its tool calls until it calls none.
async fn chat(client: &reqwest::Client, base: &str, streamed: bool) -> String {
    let mut messages = vec![json!({"role": "user", "content": "When does the next train to Bergen leave?"})];
    loop {
        let request = json!({"model": "gpt-4o-mini", "stream": streamed, "messages": messages});
        let text = client.post(format!("{base}/chat/completions")).json(&request).send().await.unwrap();
        let text = text.text().await.unwrap();
        let message = if streamed { joined(&text) } else { whole(&text) };
        let Some(id) = message["tool_calls"][0]["id"].as_str() else {
            return message["content"].as_str().unwrap().to_owned();
        };
        let result = json!({"role": "tool", "tool_call_id": id, "content": "09:04"});
        messages.extend([message, result]);
    }
}

fn whole(text: &str) -> Value {
    serde_json::from_str::<Value>(text).unwrap()["choices"][0]["message"].clone()
}

/// Joins the deltas of a stream to a message.
fn joined(text: &str) -> Value {
    let events = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]");
    let mut message = json!({"role": "assistant", "content": ""});
    for event in events {
        let delta = serde_json::from_str::<Value>(event).unwrap()["choices"][0]["delta"].clone();
        let said = delta["content"].as_str().unwrap_or_default();
        message["content"] = (message["content"].as_str().unwrap().to_owned() + said).into();
        if let Some(calls) = delta.get("tool_calls") {
            message["tool_calls"] = calls.clone();
        }
    }
    message
}

/// Asks another provider's model, likewise.
async fn messages(client: &reqwest::Client, base: &str) -> String {
    let mut messages = vec![json!({"role": "user", "content": "And the one after it?"})];
    loop {
        let request = json!({"model": "claude-sonnet-4-5", "max_tokens": 99, "messages": messages});
        let reply = client.post(format!("{base}/messages")).json(&request).send().await.unwrap();
        let content = reply.json::<Value>().await.unwrap()["content"].clone();
        let Some(id) = content[0]["id"].as_str() else { return content[0]["text"].as_str().unwrap().to_owned() };
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": "10:04"});
        messages.push(json!({"role": "assistant", "content": content}));
        messages.push(json!({"role": "user", "content": [result]}));
    }
}

#[cassette("agent")]
#[tokio::test]
#[ignore]
async fn an_agent_calls_tools(cassette: Cassette) {
    let (client, base) = (reqwest::Client::new(), base(&cassette));
    let plain = chat(&client, &base, false).await;
    let streamed = chat(&client, &base, true).await;
    let other = messages(&client, &base).await;
    let closing = client.post(format!("{base}/bookings")).json(&json!({"for": "Bergen"})).send().await.unwrap();
    seen(format!("{plain} {streamed} {other} {}", closing.json::<Value>().await.unwrap()["seat"]));
}

/// A provider whose ids and dates are others with every answer; what it says hangs on what it is asked.
fn provider(request: &Request, platform: &str) -> Answer {
    let answer = ANSWERS.fetch_add(1, Ordering::SeqCst);
    let asked: Value = serde_json::from_slice(&request.body).unwrap();
    let returned = asked["messages"].as_array().is_some_and(|messages| messages.len() > 1);
    let (id, call) = (format!("{answer:04}aB{answer:04}"), format!("call_{answer:04}xY"));
    let head = json!({"id": format!("chatcmpl-{id}"), "created": 1_764_400_000 + answer, "system_fingerprint": format!("fp_{answer}")});
    let with = |member: &str, value: Value| {
        let mut body = head.clone();
        body[member] = value;
        body
    };
    let tools = json!([{"index": 0, "id": call, "type": "function", "function": {"name": "next", "arguments": "{\"to\":\"Bergen\"}"}}]);
    let answer = match (request.target.as_str(), asked["stream"] == true, returned) {
        ("/v1/chat/completions", false, false) => {
            with("choices", json!([{"message": {"role": "assistant", "content": null, "tool_calls": tools}}]))
                .to_string()
        }
        ("/v1/chat/completions", false, true) => {
            with("choices", json!([{"message": {"role": "assistant", "content": "At 09:04."}}])).to_string()
        }
        ("/v1/chat/completions", true, returned) => {
            let deltas = match returned {
                false => vec![json!({"tool_calls": tools}), json!({"content": ""})],
                true => vec![json!({"content": "At 09:04, "}), json!({"content": format!("platform {platform}.")})],
            };
            let padding = "x".repeat(answer % 5);
            let event = |delta: Value| {
                let mut body = with("choices", json!([{"delta": delta}]));
                body["obfuscation"] = padding.clone().into();
                format!("data: {body}\n\n")
            };
            let events: Vec<_> = deltas.into_iter().map(event).chain(["data: [DONE]\n\n".to_owned()]).collect();
            return Answer::events(&events.iter().map(String::as_str).collect::<Vec<_>>()).with("x-request-id", &id);
        }
        ("/v1/messages", _, returned) => {
            let content = match returned {
                false => {
                    json!([{"type": "tool_use", "id": format!("toolu_{id}"), "name": "next", "input": {"to": "Bergen"}}])
                }
                true => json!([{"type": "text", "text": "At 10:04."}]),
            };
            json!({"id": format!("msg_{id}"), "content": content, "usage": {"input_tokens": 9, "output_tokens": 8}})
                .to_string()
        }
        _ => json!({"booking_id": format!("bk_{id}"), "created_at": 1_764_400_000 + answer, "seat": "12A"}).to_string(),
    };
    Answer::json(200, &answer).with("x-request-id", &id)
}

const STORY: &str = "quiet::an_agent_calls_tools";

/// Returns the lines of one text that the other has not, without digests of what stands beside them.
fn lines<'a>(text: &'a str, other: &str) -> Vec<&'a str> {
    let is_digest =
        |line: &&str| line.contains(r#""seal": "#) || line.contains(r#""key": "#) || line.contains(r#""pace": "#);
    text.lines().filter(|line| !other.lines().any(|known| known == *line) && !is_digest(line)).map(str::trim).collect()
}

#[test]
fn a_refresh_shows_what_really_changed_and_nothing_else() {
    let platform = std::sync::Arc::new(AtomicUsize::new(2));
    let now = platform.clone();
    let rehearsal = Rehearsal::of(move |request| provider(request, &now.load(Ordering::SeqCst).to_string()));
    let live = rehearsal.passes(STORY, "record");
    let before = rehearsal.file("agent");

    let refreshed = rehearsal.passes(STORY, "refresh");
    assert_eq!(rehearsal.asked(), 14, "all was asked again");
    assert_eq!(rehearsal.file("agent"), before, "byte for byte");
    assert!(refreshed.told.contains("nothing changed in"), "{}", refreshed.told);
    assert_eq!(rehearsal.passes(STORY, "replay").seen, live.seen);

    platform.store(3, Ordering::SeqCst);
    let refreshed = rehearsal.passes(STORY, "refresh");
    assert!(
        refreshed.told.contains("\n  5 replies kept as before: ids and dates at most differ"),
        "{}",
        refreshed.told
    );
    let after = rehearsal.file("agent");
    let (gone, come) = (lines(&before, &after), lines(&after, &before));
    // The reply that calls a tool is bound to the request that holds its id; that request's answer is what changed.
    let ids = |text: &str| text.contains("chatcmpl-") || text.contains("call_");
    assert!(gone.iter().chain(&come).all(|line| ids(line) || line.contains("platform")), "{gone:#?}\n{come:#?}");
    assert!(
        gone.iter().any(|line| line.contains("platform 2.")) && come.iter().any(|line| line.contains("platform 3."))
    );
    assert_eq!(gone.len(), come.len(), "{gone:#?}\n{come:#?}");
    assert_eq!(gone.len(), 6, "two events each of two replies, and the two ids of the request between: {gone:#?}");
    let asked = rehearsal.asked();
    let replayed = rehearsal.passes(STORY, "replay");
    assert_eq!((replayed.seen, rehearsal.asked()), (refreshed.seen, asked));
}

#[test]
#[ignore]
fn two_runs_are_compared() {
    let upstream = upstream();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = |name: &str| {
        let session = Cassette::builder(name).open().unwrap();
        let answer = runtime.block_on(chat(&reqwest::Client::new(), &session.base_url(&upstream), true));
        let run = session.run();
        session.finish().unwrap();
        (answer, run)
    };
    let ((first, one), (second, other)) = (run("first"), run("second"));
    assert_same_run(&one, &other);
    assert_eq!((one.steps().len(), &first), (2, &second));
    seen(first);
}

#[test]
fn two_runs_are_the_same_under_other_ids() {
    let rehearsal = Rehearsal::of(|request| provider(request, "2"));
    let live = rehearsal.passes("quiet::two_runs_are_compared", "record");
    assert_ne!(rehearsal.file("first"), rehearsal.file("second"), "the provider minted other ids");
    assert_eq!(rehearsal.passes("quiet::two_runs_are_compared", "replay").seen, live.seen);
}
