//! From the bytes of a reply to the JSON documents in it, whatever frames them.

use crate::eventstream;
use crate::frames::{Framing, lines};
use crate::json::Json;
use crate::redact::coding::{base64, gzip};

/// Returns the documents of a body in order: one of a plain reply, one an event of a stream.
///
/// The bytes tell how they are framed, not the request and not the headers: a stream that was asked for is often answered
/// with one JSON error. What cannot be read is left out, what is cut off ends the list.
pub(crate) fn documents(body: &[u8]) -> Vec<Json> {
    let messages = eventstream::messages(body);
    if !messages.is_empty() {
        return messages.iter().filter_map(message).collect();
    }
    let text = text(body);
    if let Ok(whole) = Json::parse_loosely(&text) {
        return match whole {
            Json::Array(elements) => elements,
            whole => vec![whole],
        };
    }
    if text.starts_with(['{', '[']) { values(&text) } else { events(&text) }
}

/// Returns a body as text, unpacked where it is packed, without a byte order mark and the space around it.
pub(super) fn text(body: &[u8]) -> String {
    let unpacked = gzip::unpack(body);
    let text = String::from_utf8_lossy(unpacked.as_deref().unwrap_or(body));
    text.trim_start_matches('\u{feff}').trim().to_owned()
}

/// Returns what an event-stream message says, under the name of its event.
///
/// The bytes of an `invoke` chunk are the model's own event, and an exception becomes an error as others write it.
fn message(message: &eventstream::Message<'_>) -> Option<Json> {
    let payload = Json::parse_loosely(std::str::from_utf8(message.payload).ok()?).ok()?;
    if let Some(kind) = message.header(":exception-type") {
        let text = payload.get("message").and_then(Json::as_str).unwrap_or_default().into_owned();
        return Some(Json::object([("error", Json::object([("type", kind.into()), ("message", text.into())]))]));
    }
    let name = message.header(":event-type")?;
    match payload.get("bytes").and_then(Json::as_str).filter(|_| name == "chunk") {
        Some(bytes) => Json::parse_loosely(&String::from_utf8(base64::decode(&bytes)?).ok()?).ok(),
        None => Some(Json::object([(name, payload)])),
    }
}

/// Returns the data of server-sent events (WHATWG HTML, section 9.2.6).
fn events(text: &str) -> Vec<Json> {
    Framing::Sse.split(text).into_iter().flat_map(event).collect()
}

fn event(event: &str) -> Vec<Json> {
    let mut data = Vec::new();
    let mut name = "";
    for line in lines(event) {
        let (field, value) = line.trim_end_matches(['\r', '\n']).split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => data.push(value),
            "event" => name = value,
            _ => {}
        }
    }
    // Some write each document on a line of its own and no empty line between them.
    let found = match Json::parse_loosely(&data.join("\n")) {
        Ok(whole) => vec![whole],
        Err(_) => data.iter().filter_map(|line| Json::parse_loosely(line).ok()).collect(),
    };
    found.into_iter().map(|document| named(name, document)).collect()
}

/// Makes an error of what only the event's name calls one.
fn named(name: &str, document: Json) -> Json {
    let said = document.get("error").is_some() || document.get("type").is_some();
    if name == "error" && !said { Json::object([("error", document)]) } else { document }
}

/// Returns the objects of a text that holds many: one a line, one behind the other, or in an array that has no end.
///
/// What is broken ends where a line begins with another object: within one that is laid out over several, none does.
fn values(text: &str) -> Vec<Json> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let read = end_of_object(rest).and_then(|end| Some((Json::parse_loosely(&rest[..end]).ok()?, end)));
        let next = match read {
            Some((object, end)) => {
                found.push(object);
                Some(end)
            }
            None => rest.find("\n{"),
        };
        let Some(next) = next else { break };
        rest = &rest[next..];
    }
    found
}

/// Returns where the object at the start of `text` ends; `None` where it has no end, or a line ends within a string.
fn end_of_object(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'\n' if quoted => return None,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::documents;
    use crate::json::Layout;

    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        let found: Vec<_> = documents(body.as_bytes()).iter().map(|json| json.print(Layout::Compact)).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn the_bytes_tell_how_they_are_framed() {
        check("\u{feff} {\"a\": 1}\n", &[r#"{"a":1}"#]);
        check("[{\"a\":1}\r\n,\r\n{\"a\":2}]", &[r#"{"a":1}"#, r#"{"a":2}"#]);
        check("{\"a\":\"}\\\"\"}\n{\"a\":2}\n{\"a\":", &[r#"{"a":"}\""}"#, r#"{"a":2}"#]);
        check("[{\"a\":1},\n{\"a\":2},\n{\"a", &[r#"{"a":1}"#, r#"{"a":2}"#]);
        check(
            ": ping\n\nevent: x\ndata: {\"a\":1}\n\ndata:{\"a\":2}\n\ndata: [DONE]\n\n",
            &[r#"{"a":1}"#, r#"{"a":2}"#],
        );
        check(
            "data: {\"a\":\r\ndata: 1}\r\n\r\ndata: {\"a\":2}\r\ndata: {\"a\":3}",
            &[r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#],
        );
        check("event: error\ndata: {\"message\":\"m\"}\n\ndata: {\"a\"", &[r#"{"error":{"message":"m"}}"#]);
        check("{\"a\":1,\"b\":1,\"a\":2}", &[r#"{"b":1,"a":2}"#]);
        check("{\"a\":1}\n{\"a\":\"x\n{\"a\":3}\n{\"a\":\n{\"a\":5}\n", &[r#"{"a":1}"#, r#"{"a":3}"#, r#"{"a":5}"#]);
        check("<html>", &[]);
        check("", &[]);
    }
}
