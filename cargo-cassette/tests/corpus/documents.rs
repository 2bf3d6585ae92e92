//! The documents of a reply, found naively: a second reading that shares nothing with the one under test but JSON itself.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cassette_core::json::Json;

/// Returns the documents of a body: of an AWS event stream, of a JSON text or its elements, else of its lines.
pub(crate) fn documents(body: &[u8]) -> Vec<Json> {
    if body.starts_with(&[0, 0]) {
        return frames(body);
    }
    let text = String::from_utf8_lossy(body);
    match Json::parse(text.trim()) {
        Ok(Json::Array(elements)) => elements,
        Ok(whole) => vec![whole],
        Err(_) => text.lines().filter_map(line).collect(),
    }
}

fn line(line: &str) -> Option<Json> {
    Json::parse(line.strip_prefix("data:").unwrap_or(line).trim()).ok()
}

/// Reads frames by their lengths alone, each under the name of its event.
fn frames(body: &[u8]) -> Vec<Json> {
    let number = |at: usize| {
        let bytes = body.get(at..at + 4)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let (Some(length), Some(head)) = (number(at), number(at + 4)) {
        let Some(frame) = body.get(at..at + length).filter(|frame| frame.len() > head + 16) else { break };
        found.extend(document(&frame[12..12 + head], &frame[12 + head..length - 4]));
        at += length;
    }
    found
}

fn document(head: &[u8], payload: &[u8]) -> Option<Json> {
    let json = Json::parse(std::str::from_utf8(payload).ok()?).ok()?;
    if let Some(Json::String(bytes)) = json.get("bytes") {
        return Json::parse(&String::from_utf8(STANDARD.decode(&*bytes.value()).ok()?).ok()?).ok();
    }
    let name = ":event-type";
    let start = head.windows(name.len()).position(|window| window == name.as_bytes())? + name.len() + 3;
    let length = usize::from(head[start - 1]);
    Some(Json::object([(std::str::from_utf8(&head[start..start + length]).ok()?, json)]))
}

/// Returns everything at a path of member names in which `[]` stands for each element: `choices[].delta.content`.
pub(crate) fn all<'a>(json: &'a Json, path: &str) -> Vec<&'a Json> {
    path.split('.').fold(vec![json], |found, step| {
        let (name, each) = step.strip_suffix("[]").map_or((step, false), |name| (name, true));
        let found = found.into_iter().filter_map(|json| json.get(name));
        found.flat_map(|json| if each { json.elements().iter().collect() } else { vec![json] }).collect()
    })
}

/// Returns the strings at these paths, joined.
pub(crate) fn text(json: &Json, paths: &[&str]) -> String {
    let found = paths.iter().flat_map(|path| all(json, path));
    found.filter_map(Json::as_str).collect()
}

/// Returns the whole number at a path.
pub(crate) fn number(json: &Json, path: &str) -> Option<u128> {
    match all(json, path).first()? {
        Json::Number(number) => number.source().parse::<f64>().ok().map(|number| number as u128),
        _ => None,
    }
}

/// Returns the string in a member, or nothing.
pub(crate) fn word(json: &Json, name: &str) -> String {
    text(json, &[name])
}
