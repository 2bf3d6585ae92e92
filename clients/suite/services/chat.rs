//! OpenAI chat completions, and everybody who speaks them.

use serde_json::{Value, json};
use stages::{Answer, Request};

use super::{ANSWERS, SYSTEM, TOOL, Turn, arguments, check_key, inner, pretty, read, text};

/// The identifier of the tool's call.
const CALL: &str = "call_Q8sN2vKx";

/// Answers `chat/completions`, wherever it stands.
pub(crate) fn chat(request: &Request) -> Answer {
    assert!(request.target.split('?').next().unwrap().ends_with("/chat/completions"), "{}", request.target);
    let key = request.header("authorization").strip_prefix("Bearer ").unwrap_or(request.header("api-key"));
    check_key(key);
    let body = read(request);
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(text(&messages[0]["content"]), SYSTEM);
    let turn = match turn(messages) {
        // Not every service has tools: it answers at once then.
        Turn::Call if body.get("tools").is_none() => Turn::Answer(0),
        turn => turn,
    };
    if turn == Turn::Call {
        assert_eq!(body["tools"][0]["function"]["name"], TOOL);
    }
    if body["stream"] == true { stream(turn, body["stream_options"]["include_usage"] == true) } else { whole(turn) }
}

fn turn(messages: &[Value]) -> Turn {
    let last = messages.last().unwrap();
    if last["role"] == "tool" {
        let call = &messages[messages.len() - 2]["tool_calls"][0];
        assert_eq!((&call["id"], &last["tool_call_id"]), (&json!(CALL), &json!(CALL)));
        assert_eq!(inner(&call["function"]["arguments"]), arguments());
        return Turn::after(Err(serde_json::from_str(text(&last["content"])).unwrap()));
    }
    Turn::after(Ok(text(&last["content"])))
}

fn usage(turn: Turn) -> Value {
    let (prompt, completion) = if turn == Turn::Call { (61, 19) } else { (97, 11) };
    json!({
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0
        }
    })
}

fn whole(turn: Turn) -> Answer {
    let (message, reason) = match turn {
        Turn::Call => {
            let function = json!({"name": TOOL, "arguments": arguments().to_string()});
            let calls = json!([{"id": CALL, "type": "function", "function": function}]);
            let message = json!({
                "role": "assistant", "content": null, "tool_calls": calls, "refusal": null, "annotations": []
            });
            (message, "tool_calls")
        }
        Turn::Answer(n) => {
            (json!({"role": "assistant", "content": ANSWERS[n], "refusal": null, "annotations": []}), "stop")
        }
    };
    pretty(&json!({
        "id": "chatcmpl-CgR5",
        "object": "chat.completion",
        "created": 1764400000,
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
        "usage": usage(turn),
        "service_tier": "default",
        "system_fingerprint": "fp_560af6e559"
    }))
    .with("x-request-id", "req_6f1c")
}

fn stream(turn: Turn, is_counted: bool) -> Answer {
    let mut deltas = Vec::new();
    let reason = match turn {
        Turn::Call => {
            let start =
                json!({"index": 0, "id": CALL, "type": "function", "function": {"name": TOOL, "arguments": ""}});
            deltas.push(json!({"role": "assistant", "content": null, "tool_calls": [start], "refusal": null}));
            deltas.extend(
                pieces(&arguments().to_string())
                    .map(|piece| json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})),
            );
            "tool_calls"
        }
        Turn::Answer(n) => {
            deltas.push(json!({"role": "assistant", "content": "", "refusal": null}));
            deltas.extend(pieces(ANSWERS[n]).map(|piece| json!({"content": piece})));
            "stop"
        }
    };
    let mut choices: Vec<_> = deltas
        .into_iter()
        .map(|delta| json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": null}]))
        .collect();
    choices.push(json!([{"index": 0, "delta": {}, "logprobs": null, "finish_reason": reason}]));
    let mut chunks: Vec<_> = choices.into_iter().map(|choices| (choices, Value::Null)).collect();
    if is_counted {
        chunks.push((json!([]), usage(turn)));
    }
    let event = |(choices, usage)| {
        let chunk = json!({
            "id": "chatcmpl-CgR5",
            "object": "chat.completion.chunk",
            "created": 1764400000,
            "model": "gpt-4o-mini-2024-07-18",
            "service_tier": "default",
            "system_fingerprint": "fp_560af6e559",
            "choices": choices,
            "usage": usage
        });
        format!("data: {chunk}\n\n")
    };
    let mut events: Vec<String> = chunks.into_iter().map(event).collect();
    events.push("data: [DONE]\n\n".to_owned());
    Answer::events(&events.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Cuts a text as a model's tokens would, through words and through JSON.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = String> + '_ {
    let letters: Vec<_> = text.chars().collect();
    letters.chunks(9).map(|piece| piece.iter().collect()).collect::<Vec<_>>().into_iter()
}
