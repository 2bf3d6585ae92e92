//! The answer to a call that fails: a report in the shape of the provider's own errors.

use cassette_core::json::{Json, Layout, Number, Text};
use cassette_core::report::Report;
use hyper::body::Bytes;
use hyper::header::HeaderValue;
use hyper::{Response, StatusCode};

use super::response::{self, Body};

/// In what shape a client is told of a failure: a provider's own errors, as its clients read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    OpenAi,
    Anthropic,
    Google,
    /// A status of gRPC: a client of it reads nothing else.
    Grpc,
}

impl Shape {
    /// Returns the shape for a client that sends this type of content to this path.
    pub(super) fn of(host: &str, path: &str, content_type: Option<&HeaderValue>) -> Shape {
        let is_grpc = content_type.is_some_and(|value| value.as_bytes().starts_with(b"application/grpc"));
        if is_grpc { Shape::Grpc } else { shape(host, path) }
    }
}

/// Returns the answer that carries this report.
///
/// Its usual status is 404, which no client tries again; the header says the same to those that ask.
pub(super) fn reply(shape: Shape, status: StatusCode, report: &Report) -> Response<Body> {
    let mut response = match shape {
        Shape::Grpc => grpc(report),
        _ => json(shape, status, report),
    };
    let headers = response.headers_mut();
    headers.insert("x-should-retry", HeaderValue::from_static("false"));
    headers.insert("x-cassette-error", HeaderValue::from_static(report.code()));
    response
}

fn json(shape: Shape, status: StatusCode, report: &Report) -> Response<Body> {
    let body = body(shape, status, report).print(Layout::Compact);
    let mut response = Response::new(response::whole(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
    response
}

/// Returns an answer that is a status alone: `UNKNOWN`, as a report is through an adapter within the client, and which no
/// client tries again.
fn grpc(report: &Report) -> Response<Body> {
    let mut response = Response::new(response::whole(Bytes::new()));
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static("application/grpc"));
    headers.insert("grpc-status", HeaderValue::from_static("2"));
    if let Ok(message) = HeaderValue::from_str(&percent(&report.to_string())) {
        headers.insert("grpc-message", message);
    }
    response
}

/// The longest message of a status, in bytes: clients take no more than 16 KiB of headers. What is cut is in the test's report.
const MESSAGE: usize = 8 << 10;

/// Writes a message as gRPC has it in a header ("gRPC over HTTP2", `Percent-Encoded`), cut where it is too long.
fn percent(text: &str) -> String {
    let mut encoded = String::new();
    for character in text.chars() {
        let length = encoded.len();
        if matches!(character, ' '..='~') && character != '%' {
            encoded.push(character);
        } else {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().for_each(|byte| encoded.push_str(&format!("%{byte:02X}")));
        }
        if encoded.len() > MESSAGE {
            encoded.truncate(length);
            break;
        }
    }
    encoded
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
        Shape::OpenAi | Shape::Grpc => Json::object([(
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
    use hyper::header::HeaderValue;

    use super::{Shape, body, percent, shape};

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
    fn a_message_of_grpc_is_ascii_and_short() {
        assert_eq!(percent("a \"b\"\nhelp: 100% \u{fc}~"), "a \"b\"%0Ahelp: 100%25 %C3%BC~");
        let long = percent(&"\u{20ac}".repeat(8 << 10));
        assert_eq!((long.len(), long.ends_with("%E2%82%AC")), ((8 << 10) / 9 * 9, true));
    }

    #[test]
    fn a_grpc_client_is_told_in_a_status() {
        let check = |content_type: &'static str, expected| {
            let content_type = HeaderValue::from_static(content_type);
            assert_eq!(Shape::of("api.anthropic.com", "/v1/messages", Some(&content_type)), expected);
        };
        check("application/grpc", Shape::Grpc);
        check("application/grpc+proto", Shape::Grpc);
        check("application/json", Shape::Anthropic);
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
