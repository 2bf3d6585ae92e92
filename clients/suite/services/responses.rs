//! OpenAI Responses.

use serde_json::{Value, json};
use stages::{Answer, Request};

use super::chat::pieces;
use super::{ANSWERS, TOOL, Turn, arguments, check_key, inner, named, pretty, read, text};

const CALL: &str = "call_Q8sN2vKx";

/// Answers `responses`.
pub(crate) fn responses(request: &Request) -> Answer {
    assert_eq!(request.target, "/v1/responses");
    check_key(request.header("authorization").strip_prefix("Bearer ").unwrap());
    let body = read(request);
    assert_eq!(body["tools"][0]["name"], TOOL);
    let turn = turn(body["input"].as_array().unwrap());
    if body["stream"] == true { stream(turn) } else { pretty(&response(turn, "completed")) }
}

fn turn(input: &[Value]) -> Turn {
    let last = input.last().unwrap();
    if last["type"] == "function_call_output" {
        let call = input.iter().find(|item| item["type"] == "function_call").unwrap();
        assert_eq!((&call["call_id"], &last["call_id"]), (&json!(CALL), &json!(CALL)));
        assert_eq!(inner(&call["arguments"]), arguments());
        return Turn::after(Err(serde_json::from_str(text(&last["output"])).unwrap()));
    }
    Turn::after(Ok(text(&last["content"])))
}

fn item(turn: Turn, status: &str) -> Value {
    match turn {
        Turn::Call => json!({
            "id": "fc_0a61",
            "type": "function_call",
            "status": status,
            "arguments": if status == "completed" { arguments().to_string() } else { String::new() },
            "call_id": CALL,
            "name": TOOL
        }),
        Turn::Answer(n) => json!({
            "id": "msg_0b72",
            "type": "message",
            "status": status,
            "content": if status == "completed" { json!([part(ANSWERS[n])]) } else { json!([]) },
            "role": "assistant"
        }),
    }
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "annotations": [], "logprobs": [], "text": text})
}

fn response(turn: Turn, status: &str) -> Value {
    let is_done = status == "completed";
    let (input, output) = if turn == Turn::Call { (63, 21) } else { (104, 12) };
    let usage = json!({
        "input_tokens": input,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input + output
    });
    json!({
        "id": "resp_0c83",
        "object": "response",
        "created_at": 1764400000,
        "status": status,
        "background": false,
        "error": null,
        "incomplete_details": null,
        "instructions": null,
        "max_output_tokens": null,
        "model": "gpt-4o-mini-2024-07-18",
        "output": if is_done { json!([item(turn, status)]) } else { json!([]) },
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "reasoning": {"effort": null, "summary": null},
        "service_tier": "default",
        "store": true,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": if is_done { usage } else { Value::Null },
        "user": null,
        "metadata": {}
    })
}

fn stream(turn: Turn) -> Answer {
    let mut events = vec![
        json!({"type": "response.created", "response": response(turn, "in_progress")}),
        json!({"type": "response.in_progress", "response": response(turn, "in_progress")}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item(turn, "in_progress")}),
    ];
    match turn {
        Turn::Call => {
            let whole = arguments().to_string();
            events.extend(pieces(&whole).map(|delta| {
                json!({
                    "type": "response.function_call_arguments.delta",
                    "item_id": "fc_0a61", "output_index": 0, "delta": delta
                })
            }));
            events.push(json!({
                "type": "response.function_call_arguments.done",
                "item_id": "fc_0a61", "output_index": 0, "arguments": whole
            }));
        }
        Turn::Answer(n) => {
            let at = |kind: &str, more: (&str, Value)| {
                let mut event = json!({"type": kind, "item_id": "msg_0b72", "output_index": 0, "content_index": 0});
                event[more.0] = more.1;
                event
            };
            events.push(at("response.content_part.added", ("part", part(""))));
            events.extend(pieces(ANSWERS[n]).map(|delta| {
                let mut event = at("response.output_text.delta", ("delta", json!(delta)));
                event["logprobs"] = json!([]);
                event
            }));
            let mut done = at("response.output_text.done", ("text", json!(ANSWERS[n])));
            done["logprobs"] = json!([]);
            events.push(done);
            events.push(at("response.content_part.done", ("part", part(ANSWERS[n]))));
        }
    }
    events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item(turn, "completed")}));
    events.push(json!({"type": "response.completed", "response": response(turn, "completed")}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    named(&events)
}
