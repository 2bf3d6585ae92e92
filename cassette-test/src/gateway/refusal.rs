//! The answer to a call that fails: a report in the shape of the provider's own errors.

use cassette_core::json::{Json, Layout, Number, Text};
use cassette_core::report::Report;
use hyper::body::Bytes;
use hyper::header::HeaderValue;
use hyper::{Response, StatusCode};

use super::origin::Origin;
use super::response::{self, Body};

/// A provider whose clients read errors of a shape of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    OpenAi,
    Anthropic,
    Google,
}

/// Returns the answer that carries this report.
///
/// Its usual status is 404, which no client tries again; the header says the same to those that ask.
pub(super) fn reply(origin: &Origin, path: &str, status: StatusCode, report: &Report) -> Response<Body> {
    let body = body(shape(&origin.authority, path), status, report).print(Layout::Compact);
    let mut response = Response::new(response::whole(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("x-should-retry", HeaderValue::from_static("false"));
    headers.insert("x-cassette-error", HeaderValue::from_static(report.code()));
    response
}

const GOOGLE_METHODS: [&str; 5] =
    [":generateContent", ":streamGenerateContent", ":countTokens", ":embedContent", ":batchEmbedContents"];

fn shape(host: &str, path: &str) -> Shape {
    let path = path.split('?').next().unwrap_or_default();
    if host.ends_with("anthropic.com") || path.ends_with("/v1/messages") || path.ends_with("/v1/messages/count_tokens")
    {
        Shape::Anthropic
    } else if host.ends_with("googleapis.com") || GOOGLE_METHODS.iter().any(|method| path.ends_with(method)) {
        Shape::Google
    } else {
        Shape::OpenAi
    }
}

fn body(shape: Shape, status: StatusCode, report: &Report) -> Json {
    let text = |value: &str| Json::String(Text::new(value));
    let kind = text(&format!("cassette_{}", report.code()));
    let message = text(&report.to_string());
    match shape {
        Shape::OpenAi => Json::object([(
            "error",
            Json::object([("message", message), ("type", kind.clone()), ("param", Json::Null), ("code", kind)]),
        )]),
        Shape::Anthropic => {
            Json::object([("type", text("error")), ("error", Json::object([("type", kind), ("message", message)]))])
        }
        Shape::Google => Json::object([(
            "error",
            Json::object([
                ("code", Json::Number(Number::from(u64::from(status.as_u16())))),
                ("message", message),
                ("status", text("NOT_FOUND")),
            ]),
        )]),
    }
}

#[cfg(test)]
mod tests {
    use cassette_core::json::Layout;
    use cassette_core::report::{Report, Wiring};
    use hyper::StatusCode;

    use super::{Shape, body, shape};

    #[test]
    fn a_report_reads_as_the_providers_own_error() {
        let report = Report::Wiring(Wiring::new("a \"b\"", "c"));
        let check = |shape, expected| {
            assert_eq!(body(shape, StatusCode::NOT_FOUND, &report).print(Layout::Compact), expected);
        };
        check(
            Shape::OpenAi,
            r#"{"error":{"message":"cassette wiring: a \"b\"\nhelp: c","type":"cassette_wiring","param":null,"code":"cassette_wiring"}}"#,
        );
        check(
            Shape::Anthropic,
            r#"{"type":"error","error":{"type":"cassette_wiring","message":"cassette wiring: a \"b\"\nhelp: c"}}"#,
        );
        check(
            Shape::Google,
            r#"{"error":{"code":404,"message":"cassette wiring: a \"b\"\nhelp: c","status":"NOT_FOUND"}}"#,
        );
    }

    #[test]
    fn the_shape_goes_by_host_and_path() {
        assert_eq!(shape("api.openai.com", "/v1/chat/completions"), Shape::OpenAi);
        assert_eq!(shape("api.anthropic.com", "/v1/models"), Shape::Anthropic);
        assert_eq!(shape("proxy.example", "/anthropic/v1/messages?beta=true"), Shape::Anthropic);
        assert_eq!(shape("generativelanguage.googleapis.com", "/v1beta/models"), Shape::Google);
        assert_eq!(shape("proxy.example", "/v1beta/models/gemini-2.5-pro:generateContent?x"), Shape::Google);
        assert_eq!(shape("localhost:11434", "/api/chat"), Shape::OpenAi);
    }
}
