//! Requests as programs send them: what the tests of a difference edit.

use cassette_core::call::Call;
use serde_json::{Value, json};

/// Returns a call with this JSON body.
pub(crate) fn post(url: &str, body: &Value) -> Call {
    raw(url, "application/json", body.to_string().into_bytes())
}

/// Returns a call with this body.
pub(crate) fn raw(url: &str, content_type: &str, body: Vec<u8>) -> Call {
    Call::http("POST", url, vec![("content-type".into(), content_type.into())], body)
}

pub(crate) const CHAT: &str = "https://api.openai.com/v1/chat/completions";
pub(crate) const RESPONSES: &str = "https://api.openai.com/v1/responses";
pub(crate) const ANTHROPIC: &str = "https://api.anthropic.com/v1/messages";
pub(crate) const GEMINI: &str =
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent?alt=sse";
pub(crate) const GRAPHQL: &str = "https://api.example.com/graphql";
pub(crate) const FORM: &str = "https://api.example.com/v1/search";
pub(crate) const UPLOAD: &str = "https://api.openai.com/v1/audio/transcriptions";

/// The instructions of an assistant, long as they are.
pub(crate) const INSTRUCTIONS: &str = "You are the timetable of the Bergen line. Answer from the tool's output alone, in one \
     short sentence, in the traveller's own language. Give departure times in 24-hour form, name the platform where it \
     is known, and mention delays of more than five minutes. If no train runs, say so and offer the next morning's \
     first. Never invent a train, a fare or a platform, and never give advice about road traffic.";

/// A turn of a conversation with tools.
pub(crate) fn chat() -> Value {
    json!({
        "model": "gpt-4o-mini",
        "temperature": 0.2,
        "messages": [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": "When is the next train to Bergen?"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "call_a", "type": "function",
                 "function": {"name": "departures", "arguments": "{\"city\":\"Bergen\",\"limit\":3}"}},
                {"id": "call_b", "type": "function",
                 "function": {"name": "platform", "arguments": "{\"train\":\"R40\"}"}},
            ]},
            {"role": "tool", "tool_call_id": "call_a", "content": "[{\"train\":\"R40\",\"leaves\":\"09:04\"}]"},
            {"role": "tool", "tool_call_id": "call_b", "content": "Platform 3"},
        ],
        "tools": [
            {"type": "function", "function": {
                "name": "departures", "description": "Lists the next departures to a city.",
                "parameters": {"type": "object", "required": ["city"], "properties": {
                    "city": {"type": "string", "description": "Where to."},
                    "limit": {"type": "integer", "minimum": 1}}}}},
            {"type": "function", "function": {
                "name": "platform", "description": "Names the platform of a train.",
                "parameters": {"type": "object", "required": ["train"], "properties": {
                    "train": {"type": "string"}}}}},
            {"type": "function", "function": {
                "name": "fares", "description": "Gives the price of a journey in kroner.",
                "parameters": {"type": "object", "required": ["from", "to"], "properties": {
                    "from": {"type": "string"}, "to": {"type": "string"}}}}},
        ],
        "tool_choice": "auto",
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": {
            "type": "object", "properties": {"time": {"type": "string"}, "late": {"type": "boolean"}},
            "required": ["time", "late"]}}},
        "metadata": {"trace id": "t-1", "tenant": "north"},
    })
}

/// The same in the Responses API.
pub(crate) fn responses() -> Value {
    json!({
        "model": "gpt-5-mini",
        "instructions": INSTRUCTIONS,
        "reasoning": {"effort": "low"},
        "input": [
            {"role": "user", "content": [
                {"type": "input_text", "text": "Which train is in this picture?"},
                {"type": "input_image", "image_url": "https://example.com/train.png"}]},
            {"type": "function_call", "call_id": "c1", "name": "departures", "arguments": "{\"city\":\"Voss\"}"},
            {"type": "function_call_output", "call_id": "c1", "output": "09:04"},
        ],
        "tools": [{"type": "web_search"}, {"type": "function", "name": "departures", "parameters": {"type": "object"}}],
        "store": false,
    })
}

/// The same in Anthropic's messages.
pub(crate) fn anthropic() -> Value {
    json!({
        "model": "claude-sonnet-4-5",
        "max_tokens": 1024,
        "system": [{"type": "text", "text": INSTRUCTIONS, "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": "When is the next train to Bergen?"},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I will look that up."},
                {"type": "tool_use", "id": "toolu_1", "name": "departures", "input": {"city": "Bergen", "days": [1, 2]}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": "09:04 from platform 3"}]},
        ],
        "tools": [{"name": "departures", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}],
    })
}

/// The same in Gemini's.
pub(crate) fn gemini() -> Value {
    json!({
        "systemInstruction": {"parts": [{"text": INSTRUCTIONS}]},
        "contents": [
            {"role": "user", "parts": [{"text": "When is the next train to Bergen?"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "departures", "args": {"city": "Bergen"}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "departures", "response": {"time": "09:04"}}}]},
        ],
        "generationConfig": {"responseMimeType": "application/json", "thinkingConfig": {"thinkingBudget": 0}},
        "safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
    })
}

/// A query with variables.
pub(crate) fn graphql() -> Value {
    json!({
        "operationName": "Departures",
        "query": "query Departures($city: String!) {\n  station(name: $city) {\n    departures(first: 3) {\n      train\n      leaves\n    }\n  }\n}",
        "variables": {"city": "Bergen", "filter": {"late": true, "lines": ["R40", "F4"]}},
    })
}

/// The fields of a form.
pub(crate) const FIELDS: [(&str, &str); 5] =
    [("city", "Bergen"), ("line", "R40"), ("line", "F4"), ("note", "window%20seat"), ("when", "today")];

/// Returns a form of these fields.
pub(crate) fn form(fields: &[(&str, &str)]) -> Call {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
    raw(FORM, "application/x-www-form-urlencoded", fields.join("&").into_bytes())
}

/// A part of an upload: its name, the rest of its head, its content.
pub(crate) type UploadPart = (&'static str, &'static str, &'static [u8]);

/// An upload of a recording.
pub(crate) const PARTS: [UploadPart; 4] = [
    ("model", "", b"whisper-1"),
    ("options", "", b"{\"language\":\"no\",\"hints\":[\"Voss\",\"Myrdal\"]}"),
    ("prompt", "", b"An announcement at Bergen station."),
    (
        "file",
        "; filename=\"a.wav\"\r\ncontent-type: audio/wav",
        b"RIFF\xff\xfe\x00\x01WAVEfmt \x10\x00\x00\x00\x01\x00",
    ),
];

/// Returns an upload of these parts with this boundary.
pub(crate) fn upload(parts: &[UploadPart], boundary: &str) -> Call {
    let mut body = Vec::new();
    for (name, head, content) in parts {
        body.extend(format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"{head}\r\n\r\n").bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend(format!("--{boundary}--\r\n").bytes());
    raw(UPLOAD, &format!("multipart/form-data; boundary={boundary}"), body)
}
