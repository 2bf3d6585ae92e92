//! Reading the members of a document.

use crate::json::{Json, Layout};

/// Returns what stands at a path of member names, `a.b`.
pub(super) fn at<'a>(json: &'a Json, path: &str) -> Option<&'a Json> {
    path.split('.').try_fold(json, Json::get)
}

/// Returns the string at a path.
pub(super) fn string(json: &Json, path: &str) -> Option<String> {
    at(json, path)?.as_str().map(std::borrow::Cow::into_owned)
}

/// Returns the number at a path, `default` where there is none.
pub(super) fn index(json: &Json, path: &str, default: u64) -> u64 {
    at(json, path).and_then(Json::as_u64).unwrap_or(default)
}

/// Returns the elements at a path; where there is no array, none.
pub(super) fn list<'a>(json: &'a Json, path: &str) -> &'a [Json] {
    at(json, path).map_or(&[], Json::elements)
}

/// Adds a string, if it is one, to the end of `text`.
pub(super) fn push(text: &mut String, more: Option<&Json>) {
    if let Some(more) = more.and_then(Json::as_str) {
        text.push_str(&more);
    }
}

/// Returns arguments as JSON text: a string is that text, anything else is printed without space between tokens.
pub(super) fn arguments(json: Option<&Json>) -> String {
    match json {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(text)) => text.value().into_owned(),
        Some(other) => other.print(Layout::Compact),
    }
}
