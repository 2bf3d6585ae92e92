//! Gemini: `generateContent` and `streamGenerateContent`.

use serde_json::{Value, json};
use stages::{Answer, Request};

use super::{ANSWERS, SYSTEM, TOOL, Turn, arguments, check_key, pretty, read, result, text};

/// What the model thought, sealed: it comes back with the call that it belongs to.
const SIGNATURE: &str = "CpcBAdHtim9xZUtVd1B2Z2h0cmFpbnM";

/// Answers both methods of a model.
pub(crate) fn gemini(request: &Request) -> Answer {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let in_query = query.split('&').find_map(|pair| pair.strip_prefix("key="));
    check_key(in_query.unwrap_or(request.header("x-goog-api-key")));
    let body = read(request);
    assert_eq!(text(&body["systemInstruction"]["parts"]), SYSTEM);
    assert_eq!(body["tools"][0]["functionDeclarations"][0]["name"], TOOL);
    let turn = turn(body["contents"].as_array().unwrap());
    match path {
        "/v1beta/models/gemini-2.5-flash:generateContent" => pretty(&chunk(turn, parts(turn), true)),
        "/v1beta/models/gemini-2.5-flash:streamGenerateContent" => {
            assert!(query.contains("alt=sse"), "{query}");
            stream(turn)
        }
        _ => panic!("{path}"),
    }
}

fn turn(contents: &[Value]) -> Turn {
    let parts = &contents.last().unwrap()["parts"];
    if let Some(answered) = parts[0].get("functionResponse") {
        let before = contents[contents.len() - 2]["parts"].as_array().unwrap();
        let call = before.iter().find(|part| part.get("functionCall").is_some()).unwrap();
        assert_eq!(call["functionCall"]["args"], arguments());
        assert_eq!(answered["name"], TOOL);
        return Turn::after(Err(found(&answered["response"]).unwrap_or_else(|| answered["response"].clone())));
    }
    Turn::after(Ok(text(parts)))
}

/// Returns the tool's result: clients put it under different names, as it is or in a string.
fn found(response: &Value) -> Option<Value> {
    let read = |value: &Value| value.as_str().and_then(|text| serde_json::from_str(text).ok());
    if *response == result() {
        return Some(result());
    }
    response.as_object()?.values().find_map(|value| read(value).or_else(|| found(value)))
}

fn parts(turn: Turn) -> Value {
    match turn {
        Turn::Call => {
            json!([{"functionCall": {"name": TOOL, "args": arguments()}, "thoughtSignature": SIGNATURE}])
        }
        Turn::Answer(n) => json!([{"text": ANSWERS[n]}]),
    }
}

fn chunk(turn: Turn, parts: Value, is_last: bool) -> Value {
    let (prompt, candidates) = if turn == Turn::Call { (71, 23) } else { (118, 13) };
    let mut candidate = json!({"content": {"parts": parts, "role": "model"}});
    if is_last {
        candidate["finishReason"] = json!("STOP");
    }
    candidate["index"] = json!(0);
    json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": prompt,
            "candidatesTokenCount": candidates,
            "totalTokenCount": prompt + candidates + 40,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
            "thoughtsTokenCount": 40
        },
        "modelVersion": "gemini-2.5-flash",
        "responseId": "kq0raYv2"
    })
}

fn stream(turn: Turn) -> Answer {
    let chunks = match turn {
        Turn::Call => vec![chunk(turn, parts(turn), true)],
        Turn::Answer(n) => {
            let (front, rest) = ANSWERS[n].split_at(10);
            vec![chunk(turn, json!([{"text": front}]), false), chunk(turn, json!([{"text": rest}]), true)]
        }
    };
    let events: Vec<_> = chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect();
    Answer::events(&events.iter().map(String::as_str).collect::<Vec<_>>())
}
