//! Anthropic messages.

use serde_json::{Value, json};
use stages::{Answer, Request};

use super::chat::pieces;
use super::{ANSWERS, SYSTEM, TOOL, Turn, arguments, check_key, compact, named, read, text};

const CALL: &str = "toolu_01A9Gq";

/// Answers `messages`.
pub(crate) fn anthropic(request: &Request) -> Answer {
    assert_eq!(request.target, "/v1/messages");
    check_key(request.header("x-api-key"));
    assert_eq!(request.header("anthropic-version"), "2023-06-01");
    let body = read(request);
    assert!(body["max_tokens"].is_number(), "{body}");
    assert_eq!(text(&body["system"]), SYSTEM);
    assert_eq!(body["tools"][0]["name"], TOOL);
    let turn = turn(body["messages"].as_array().unwrap());
    if body["stream"] == true { stream(turn) } else { compact(&message(turn, content(turn), reason(turn))) }
}

fn turn(messages: &[Value]) -> Turn {
    let content = &messages.last().unwrap()["content"];
    if content[0]["type"] == "tool_result" {
        let call = &messages[messages.len() - 2]["content"][0];
        assert_eq!((&call["id"], &content[0]["tool_use_id"]), (&json!(CALL), &json!(CALL)));
        assert_eq!(call["input"], arguments());
        return Turn::after(Err(serde_json::from_str(text(&content[0]["content"])).unwrap()));
    }
    Turn::after(Ok(text(content)))
}

fn content(turn: Turn) -> Value {
    match turn {
        Turn::Call => json!([{"type": "tool_use", "id": CALL, "name": TOOL, "input": arguments()}]),
        Turn::Answer(n) => json!([{"type": "text", "text": ANSWERS[n]}]),
    }
}

fn reason(turn: Turn) -> Value {
    json!(if turn == Turn::Call { "tool_use" } else { "end_turn" })
}

fn output(turn: Turn) -> u64 {
    if turn == Turn::Call { 58 } else { 14 }
}

fn message(turn: Turn, content: Value, reason: Value) -> Value {
    json!({
        "id": "msg_01Xk2",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5-20250929",
        "content": content,
        "stop_reason": reason,
        "stop_sequence": null,
        "usage": {
            "input_tokens": if turn == Turn::Call { 402 } else { 481 },
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": if reason.is_null() { 1 } else { output(turn) },
            "service_tier": "standard"
        }
    })
}

fn stream(turn: Turn) -> Answer {
    let delta = |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta});
    let (start, deltas): (_, Vec<_>) = match turn {
        Turn::Call => (
            json!({"type": "tool_use", "id": CALL, "name": TOOL, "input": {}}),
            pieces(&arguments().to_string())
                .map(|piece| delta(json!({"type": "input_json_delta", "partial_json": piece})))
                .collect(),
        ),
        Turn::Answer(n) => (
            json!({"type": "text", "text": ""}),
            pieces(ANSWERS[n]).map(|piece| delta(json!({"type": "text_delta", "text": piece}))).collect(),
        ),
    };
    let mut events = vec![
        json!({"type": "message_start", "message": message(turn, json!([]), Value::Null)}),
        json!({"type": "content_block_start", "index": 0, "content_block": start}),
        json!({"type": "ping"}),
    ];
    events.extend(deltas);
    events.push(json!({"type": "content_block_stop", "index": 0}));
    events.push(json!({
        "type": "message_delta",
        "delta": {"stop_reason": reason(turn), "stop_sequence": null},
        "usage": {"output_tokens": output(turn)}
    }));
    events.push(json!({"type": "message_stop"}));
    named(&events)
}
