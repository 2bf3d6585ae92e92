//! Conversations, as the dialects have them.

use super::form::Body;
use super::part::Element;
use crate::json::Json;

/// What an empty list says.
pub(super) const NONE: &str = "none";

/// Takes a conversation out of the body, each message in one shape.
pub(super) fn each(body: &mut Body, name: &str, found: &mut Vec<Element>, shape: fn(&mut Json)) {
    match body.take(name) {
        Some(Json::Array(messages)) if messages.is_empty() => found.push(Element::at(name, NONE)),
        Some(Json::Array(messages)) => {
            for (i, mut message) in messages.into_iter().enumerate() {
                shape(&mut message);
                found.push(Element::at(format!("{name}[{i}]"), message.canonical()));
            }
        }
        Some(other) => found.push(Element::at(name, format!("{name} {}", other.canonical()))),
        None => {}
    }
}

/// Takes a single text out of the body, as a message that is no other message's equal.
pub(super) fn single(body: &mut Body, name: &str, found: &mut Vec<Element>) {
    if let Some(text) = body.take(name) {
        found.push(Element::at(name, format!("{name} {}", text.canonical())));
    }
}

/// Takes a system parameter out of the body, as the system message that it equals.
pub(super) fn system(body: &mut Body, name: &str, found: &mut Vec<Element>, shape: fn(&mut Json)) {
    if let Some(content) = body.take(name) {
        let mut message = Json::object([("role", "system".into()), ("content", content)]);
        shape(&mut message);
        found.push(Element::at(name, message.canonical()));
    }
}

/// Makes a content that is a string the one text block which it equals.
pub(super) fn blocks(message: &mut Json, kind: &str) {
    if let Some(content @ Json::String(_)) = message.get_mut("content") {
        let text = std::mem::replace(content, Json::Null);
        *content = Json::Array(vec![Json::object([("type", kind.into()), ("text", text)])]);
    }
}

/// Spells the JSON document in this string member in the one way in which all that say the same are spelled.
///
/// It stays a string, so that it equals no document that stands there itself. No Rust string holds a lone surrogate, so a
/// string with one is compared as it is.
pub(super) fn document(json: &mut Json, name: &str) {
    let Some(value @ Json::String(_)) = json.get_mut(name) else { return };
    let Json::String(text) = &*value else { return };
    let parsed = text.exact().and_then(|text| Json::parse(&text).ok());
    if let Some(parsed @ (Json::Object(_) | Json::Array(_))) = parsed {
        *value = parsed.canonical().into();
    }
}

/// Does something to each element of an array.
pub(super) fn for_each(array: Option<&mut Json>, mut change: impl FnMut(&mut Json)) {
    if let Some(Json::Array(elements)) = array {
        elements.iter_mut().for_each(&mut change);
    }
}
