//! Errors as providers word them, for clients that read more of them than the status.

use crate::call::{Call, Header};
use crate::dialect;
use crate::json::{Json, Layout, Number, Text};

/// Returns the headers and the body with which the asked provider answers with this status.
pub(super) fn error(call: &Call, status: u16) -> (Vec<Header>, Vec<u8>) {
    let message = format!("status {status}, a fault that the test planned");
    let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let body = match dialect::provider(call) {
        "anthropic" => object([
            ("type", text("error")),
            ("error", object([("type", text(anthropic(status))), ("message", text(&message))])),
        ]),
        "gemini" | "vertex" => {
            let code = Json::Number(Number::from(u64::from(status)));
            object([("error", object([("code", code), ("message", text(&message)), ("status", text(google(status)))]))])
        }
        "bedrock" => {
            headers.push(("x-amzn-errortype".to_owned(), bedrock(status).to_owned()));
            object([("message", text(&message))])
        }
        "cohere" => object([("message", text(&message))]),
        "ollama" | "huggingface" => object([("error", text(&message))]),
        _ => {
            let (kind, code) = openai(status);
            let code = code.map_or(Json::Null, text);
            let fields = [("message", text(&message)), ("type", text(kind)), ("param", Json::Null), ("code", code)];
            object([("error", object(fields))])
        }
    };
    (headers, body.print(Layout::Compact).into_bytes())
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::object(members)
}

fn text(value: &str) -> Json {
    Json::String(Text::new(value))
}

/// Returns the type of an OpenAI error, and its code if it has one.
fn openai(status: u16) -> (&'static str, Option<&'static str>) {
    match status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        404 => ("invalid_request_error", Some("model_not_found")),
        429 => ("requests", Some("rate_limit_exceeded")),
        500.. => ("server_error", None),
        _ => ("invalid_request_error", None),
    }
}

fn anthropic(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}

/// Returns the status of a Google error by its name (`google.rpc.Code`).
fn google(status: u16) -> &'static str {
    match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        409 => "ABORTED",
        429 => "RESOURCE_EXHAUSTED",
        499 => "CANCELLED",
        500 => "INTERNAL",
        501 => "UNIMPLEMENTED",
        503 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ => "UNKNOWN",
    }
}

fn bedrock(status: u16) -> &'static str {
    match status {
        403 => "AccessDeniedException",
        404 => "ResourceNotFoundException",
        408 => "ModelTimeoutException",
        424 => "ModelErrorException",
        429 => "ThrottlingException",
        503 => "ServiceUnavailableException",
        500.. => "InternalServerException",
        _ => "ValidationException",
    }
}
