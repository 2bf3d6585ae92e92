//! Bedrock: `converse` and `converse-stream`, whose stream is binary.

use serde_json::{Value, json};
use stages::{Answer, Request};

use super::chat::pieces;
use super::{ANSWERS, SYSTEM, TOOL, Turn, arguments, check_key, compact, read, result, text};

const CALL: &str = "tooluse_7dKp";

/// Answers both methods of a model.
pub(crate) fn bedrock(request: &Request) -> Answer {
    let signed = request.header("authorization");
    // Who signs, signs for the gateway's own address, since that is what it was told to call.
    assert!(signed.starts_with("AWS4-HMAC-SHA256 Credential=") || signed.starts_with("Bearer "), "{signed}");
    if let Some(key) = signed.strip_prefix("Bearer ") {
        check_key(key);
    }
    let body = read(request);
    assert_eq!(text(&body["system"]), SYSTEM);
    assert_eq!(body["toolConfig"]["tools"][0]["toolSpec"]["name"], TOOL);
    let turn = turn(body["messages"].as_array().unwrap());
    match request.target.as_str() {
        "/model/amazon.nova-lite-v1%3A0/converse" => compact(&json!({
            "metrics": {"latencyMs": 612},
            "output": {"message": {"content": content(turn), "role": "assistant"}},
            "stopReason": reason(turn),
            "usage": usage(turn)
        })),
        "/model/amazon.nova-lite-v1%3A0/converse-stream" => stream(turn),
        target => panic!("{target}"),
    }
}

fn turn(messages: &[Value]) -> Turn {
    let content = &messages.last().unwrap()["content"];
    if let Some(answered) = content[0].get("toolResult") {
        let call = &messages[messages.len() - 2]["content"][0]["toolUse"];
        assert_eq!((&call["toolUseId"], &answered["toolUseId"]), (&json!(CALL), &json!(CALL)));
        assert_eq!(call["input"], arguments());
        let block = &answered["content"][0];
        let read = || serde_json::from_str(block["text"].as_str().unwrap()).unwrap();
        return Turn::after(Err(if block["json"] == result() { result() } else { read() }));
    }
    Turn::after(Ok(text(content)))
}

fn content(turn: Turn) -> Value {
    match turn {
        Turn::Call => json!([{"toolUse": {"input": arguments(), "name": TOOL, "toolUseId": CALL}}]),
        Turn::Answer(n) => json!([{"text": ANSWERS[n]}]),
    }
}

fn reason(turn: Turn) -> &'static str {
    if turn == Turn::Call { "tool_use" } else { "end_turn" }
}

fn usage(turn: Turn) -> Value {
    let (input, output) = if turn == Turn::Call { (411, 34) } else { (487, 15) };
    json!({"inputTokens": input, "outputTokens": output, "totalTokens": input + output})
}

fn stream(turn: Turn) -> Answer {
    let delta = |delta: Value| frame("contentBlockDelta", &json!({"contentBlockIndex": 0, "delta": delta}));
    let mut frames = vec![frame("messageStart", &json!({"role": "assistant"}))];
    match turn {
        Turn::Call => {
            let start = json!({"toolUse": {"name": TOOL, "toolUseId": CALL}});
            frames.push(frame("contentBlockStart", &json!({"contentBlockIndex": 0, "start": start})));
            frames.extend(pieces(&arguments().to_string()).map(|piece| delta(json!({"toolUse": {"input": piece}}))));
        }
        Turn::Answer(n) => frames.extend(pieces(ANSWERS[n]).map(|piece| delta(json!({"text": piece})))),
    }
    frames.push(frame("contentBlockStop", &json!({"contentBlockIndex": 0})));
    frames.push(frame("messageStop", &json!({"stopReason": reason(turn)})));
    frames.push(frame("metadata", &json!({"metrics": {"latencyMs": 612}, "usage": usage(turn)})));
    Answer::Chunks(200, vec![("content-type".to_owned(), "application/vnd.amazon.eventstream".to_owned())], frames)
}

/// Returns one message of an AWS event stream: lengths, their checksum, headers, payload, checksum of all.
fn frame(event: &str, payload: &Value) -> Vec<u8> {
    let mut headers = Vec::new();
    for (name, value) in [(":event-type", event), (":content-type", "application/json"), (":message-type", "event")] {
        headers.push(u8::try_from(name.len()).unwrap());
        headers.extend(name.bytes());
        // A header's value of type 7 is a string with two bytes of length.
        headers.push(7);
        headers.extend(u16::try_from(value.len()).unwrap().to_be_bytes());
        headers.extend(value.bytes());
    }
    let payload = payload.to_string().into_bytes();
    let length = |bytes: usize| u32::try_from(bytes).unwrap().to_be_bytes();
    let mut frame = [length(16 + headers.len() + payload.len()), length(headers.len())].concat();
    frame.extend(checksum(&frame).to_be_bytes());
    frame.extend(headers);
    frame.extend(payload);
    frame.extend(checksum(&frame).to_be_bytes());
    frame
}

/// Returns the CRC-32 of ISO 3309.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
