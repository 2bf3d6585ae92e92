//! Cohere, version 2 with tools, version 1 without.

use serde_json::{Value, json};
use stages::{Answer, Request};

use super::chat::pieces;
use super::{
    ANSWERS, FOLLOW_UP, SYSTEM, TOOL, Turn, arguments, check_key, compact, inner, named, question, read, text,
};

const CALL: &str = "next_train_4k1v";
/// What the model says before it calls a tool.
const PLAN: &str = "I will look up the timetable.";

/// Answers version 2's `chat`.
pub(crate) fn cohere(request: &Request) -> Answer {
    assert_eq!(request.target, "/v2/chat");
    check_key(request.header("authorization").strip_prefix("Bearer ").unwrap());
    let body = read(request);
    assert_eq!(body["tools"][0]["function"]["name"], TOOL);
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(text(&messages[0]["content"]), SYSTEM);
    let turn = turn(messages);
    if body["stream"] == true { stream(turn) } else { whole(turn) }
}

fn turn(messages: &[Value]) -> Turn {
    let last = messages.last().unwrap();
    if last["role"] == "tool" {
        let call = &messages[messages.len() - 2]["tool_calls"][0];
        assert_eq!((&call["id"], &last["tool_call_id"]), (&json!(CALL), &json!(CALL)));
        assert_eq!(inner(&call["function"]["arguments"]), arguments());
        let content = &last["content"];
        let data = &content[0]["document"]["data"];
        let answered = match (data, data.as_str().unwrap_or(text(content))) {
            (Value::Object(_), _) => data.clone(),
            (_, text) => serde_json::from_str(text).unwrap(),
        };
        return Turn::after(Err(answered));
    }
    Turn::after(Ok(text(&last["content"])))
}

fn usage(turn: Turn) -> Value {
    let (input, output) = if turn == Turn::Call { (31, 22) } else { (79, 12) };
    json!({
        "billed_units": {"input_tokens": input, "output_tokens": output},
        "tokens": {"input_tokens": input + 900, "output_tokens": output + 5}
    })
}

fn whole(turn: Turn) -> Answer {
    let (reason, message) = match turn {
        Turn::Call => {
            let function = json!({"name": TOOL, "arguments": arguments().to_string()});
            let calls = json!([{"id": CALL, "type": "function", "function": function}]);
            ("TOOL_CALL", json!({"role": "assistant", "tool_plan": PLAN, "tool_calls": calls}))
        }
        Turn::Answer(n) => {
            ("COMPLETE", json!({"role": "assistant", "content": [{"type": "text", "text": ANSWERS[n]}]}))
        }
    };
    compact(&json!({"id": "5c4b", "message": message, "finish_reason": reason, "usage": usage(turn)}))
}

fn stream(turn: Turn) -> Answer {
    let mut events = vec![json!({
        "id": "5c4b",
        "type": "message-start",
        "delta": {"message": {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": []}}
    })];
    let reason = match turn {
        Turn::Call => {
            events.push(json!({"type": "tool-plan-delta", "delta": {"message": {"tool_plan": PLAN}}}));
            let start = json!({"id": CALL, "type": "function", "function": {"name": TOOL, "arguments": ""}});
            events.push(json!({"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": start}}}));
            events.extend(pieces(&arguments().to_string()).map(|piece| {
                let calls = json!({"function": {"arguments": piece}});
                json!({"type": "tool-call-delta", "index": 0, "delta": {"message": {"tool_calls": calls}}})
            }));
            events.push(json!({"type": "tool-call-end", "index": 0}));
            "TOOL_CALL"
        }
        Turn::Answer(n) => {
            let start = json!({"type": "text", "text": ""});
            events.push(json!({"type": "content-start", "index": 0, "delta": {"message": {"content": start}}}));
            events.extend(pieces(ANSWERS[n]).map(
                |piece| json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": piece}}}}),
            ));
            events.push(json!({"type": "content-end", "index": 0}));
            "COMPLETE"
        }
    };
    events.push(json!({"type": "message-end", "delta": {"finish_reason": reason, "usage": usage(turn)}}));
    named(&events)
}

/// Answers version 1's `chat`, which is asked without tools.
pub(crate) fn cohere_v1(request: &Request) -> Answer {
    assert_eq!(request.target, "/v1/chat");
    check_key(request.header("authorization").strip_prefix("Bearer ").unwrap());
    let body = read(request);
    assert_eq!(body["preamble"], SYSTEM);
    let asked = body["message"].as_str().unwrap();
    let n = usize::from(asked == FOLLOW_UP);
    if n == 0 {
        assert_eq!(asked, question("Bergen"));
    } else {
        let before = json!([
            {"role": "USER", "message": question("Bergen")},
            {"role": "CHATBOT", "message": ANSWERS[0]}
        ]);
        assert_eq!(body["chat_history"], before);
    }
    let reply = json!({
        "response_id": "0f3d",
        "text": ANSWERS[n],
        "generation_id": "6e2a",
        "chat_history": [{"role": "USER", "message": asked}, {"role": "CHATBOT", "message": ANSWERS[n]}],
        "finish_reason": "COMPLETE",
        "meta": {
            "api_version": {"version": "1"},
            "billed_units": {"input_tokens": 14, "output_tokens": 12},
            "tokens": {"input_tokens": 80, "output_tokens": 12}
        }
    });
    if body["stream"] != true {
        return compact(&reply);
    }
    let mut lines = vec![json!({"is_finished": false, "event_type": "stream-start", "generation_id": "6e2a"})];
    lines.extend(
        pieces(ANSWERS[n]).map(|piece| json!({"is_finished": false, "event_type": "text-generation", "text": piece})),
    );
    lines.push(json!({
        "is_finished": true, "event_type": "stream-end", "finish_reason": "COMPLETE", "response": reply
    }));
    let lines = lines.iter().map(|line| format!("{line}\n").into_bytes()).collect();
    Answer::Chunks(200, vec![("content-type".to_owned(), "application/stream+json".to_owned())], lines)
}
