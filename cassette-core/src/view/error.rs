//! What a reply says went wrong.

use super::field::{at, string};
use crate::json::{Json, Layout};

/// An error that the provider told of, in the reply or in the middle of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplyError {
    /// The kind of error, in the provider's words: `invalid_request_error`, `RESOURCE_EXHAUSTED`.
    pub kind: Option<String>,
    /// Its code, as text.
    pub code: Option<String>,
    /// What was said. Where the reply is no JSON at all, its whole text, or how long it is.
    pub message: String,
}

/// Returns the error in a document; `failed` says that the status calls the whole reply one.
pub(super) fn error(document: &Json, failed: bool) -> Option<ReplyError> {
    let said = ["error", "response.error", "delta.error"].iter().find_map(|path| match at(document, path)? {
        Json::Null | Json::Bool(false) => None,
        error => Some(error),
    });
    match said {
        Some(error @ Json::Object(_)) => Some(ReplyError {
            kind: string(error, "type").or_else(|| string(error, "status")).or_else(|| string(error, "error_type")),
            code: scalar(error.get("code")),
            message: message(error).unwrap_or_else(|| error.print(Layout::Compact)),
        }),
        Some(error) => Some(ReplyError {
            kind: string(document, "error_type").or_else(|| string(document, "delta.error_type")),
            code: scalar(document.get("code")),
            message: scalar(Some(error)).unwrap_or_else(|| error.print(Layout::Compact)),
        }),
        None => bare(document, failed),
    }
}

/// Reads an error that has no member of its own: `{"message": ..}`, `{"detail": ..}`.
fn bare(document: &Json, failed: bool) -> Option<ReplyError> {
    let is_error = |name| document.get(name).and_then(Json::as_str).as_deref() == Some("error");
    if !failed && !is_error("type") && !is_error("object") {
        return None;
    }
    let kind = ["type", "__type"].iter().find_map(|name| string(document, name)).filter(|kind| kind != "error");
    Some(ReplyError { kind, code: scalar(document.get("code")), message: message(document)? })
}

fn message(json: &Json) -> Option<String> {
    let text = ["message", "Message", "detail"].iter().find_map(|name| json.get(name))?;
    Some(scalar(Some(text)).unwrap_or_else(|| text.print(Layout::Compact)))
}

/// Returns a string or a number as text.
fn scalar(json: Option<&Json>) -> Option<String> {
    match json? {
        Json::String(text) => Some(text.value().into_owned()),
        Json::Number(number) => Some(number.source().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ReplyError, error};
    use crate::json::Json;

    #[track_caller]
    fn check(text: &str, kind: Option<&str>, code: Option<&str>, message: &str) {
        let [kind, code] = [kind, code].map(|text| text.map(str::to_owned));
        let expected = ReplyError { kind, code, message: message.to_owned() };
        assert_eq!(error(&Json::parse(text).unwrap(), true), Some(expected), "{text}");
    }

    #[test]
    fn every_provider_complains_in_its_own_shape() {
        check(r#"{"error":{"message":"m","type":"t","param":null,"code":"c"}}"#, Some("t"), Some("c"), "m");
        check(r#"{"type":"error","error":{"type":"t","message":"m"}}"#, Some("t"), None, "m");
        check(r#"{"error":{"code":429,"message":"m","status":"S"}}"#, Some("S"), Some("429"), "m");
        check(r#"{"message":"m"}"#, None, None, "m");
        check(r#"{"object":"error","message":"m","type":"t","code":3}"#, Some("t"), Some("3"), "m");
        check(r#"{"detail":[{"loc":["a"]}]}"#, None, None, r#"[{"loc":["a"]}]"#);
        check(r#"{"code":"c","error":"m"}"#, None, Some("c"), "m");
        check(r#"{"type":"response.failed","response":{"error":{"code":"c","message":"m"}}}"#, None, Some("c"), "m");
    }

    #[test]
    fn a_null_error_is_none() {
        let document = Json::parse(r#"{"error":null,"message":{"content":"a"}}"#).unwrap();
        assert_eq!(error(&document, false), None);
    }
}
