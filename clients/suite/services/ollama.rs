//! Ollama's own API.

use serde_json::{Value, json};
use stages::{Answer, Request};

use super::chat::pieces;
use super::{ANSWERS, SYSTEM, TOOL, Turn, arguments, compact, read, text};

/// Answers `api/chat`.
pub(crate) fn ollama(request: &Request) -> Answer {
    assert_eq!(request.target, "/api/chat");
    let body = read(request);
    assert_eq!(body["tools"][0]["function"]["name"], TOOL);
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(text(&messages[0]["content"]), SYSTEM);
    let turn = turn(messages);
    // Unlike everybody else, it streams unless it is told not to.
    if body["stream"] == false { compact(&line(turn, message(turn), true)) } else { stream(turn) }
}

fn turn(messages: &[Value]) -> Turn {
    let last = messages.last().unwrap();
    if last["role"] == "tool" {
        let call = &messages[messages.len() - 2]["tool_calls"][0]["function"];
        assert_eq!(call["arguments"], arguments());
        return Turn::after(Err(serde_json::from_str(text(&last["content"])).unwrap()));
    }
    Turn::after(Ok(text(&last["content"])))
}

fn message(turn: Turn) -> Value {
    match turn {
        Turn::Call => json!({
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": TOOL, "arguments": arguments()}}]
        }),
        Turn::Answer(n) => json!({"role": "assistant", "content": ANSWERS[n]}),
    }
}

fn line(turn: Turn, message: Value, is_last: bool) -> Value {
    let mut line = json!({
        "model": "qwen3:4b",
        "created_at": "2026-11-29T09:01:12.482913Z",
        "message": message,
        "done": is_last
    });
    if is_last {
        let counts = json!({
            "done_reason": "stop",
            "total_duration": 1804512700u64,
            "load_duration": 61204100,
            "prompt_eval_count": if turn == Turn::Call { 171 } else { 212 },
            "prompt_eval_duration": 240118000,
            "eval_count": if turn == Turn::Call { 33 } else { 16 },
            "eval_duration": 1490023000
        });
        line.as_object_mut().unwrap().extend(counts.as_object().unwrap().clone());
    }
    line
}

fn stream(turn: Turn) -> Answer {
    let said = |text: &str| json!({"role": "assistant", "content": text});
    let mut lines: Vec<_> = match turn {
        Turn::Call => vec![line(turn, message(turn), false)],
        Turn::Answer(n) => pieces(ANSWERS[n]).map(|piece| line(turn, said(&piece), false)).collect(),
    };
    lines.push(line(turn, said(""), true));
    let lines = lines.iter().map(|line| format!("{line}\n").into_bytes()).collect();
    Answer::Chunks(200, vec![("content-type".to_owned(), "application/x-ndjson".to_owned())], lines)
}
