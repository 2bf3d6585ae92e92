//! Which headers are recorded, and what stands for those that change from reply to reply.
//!
//! Requests keep what decides the answer and nothing else. Replies keep everything but what frames the body; the values
//! of volatile headers become fixed stand-ins of the same shape, so that a refresh shows what a reviewer must see and a
//! program that reads such a header still finds it.

mod limits;

/// The request headers that are recorded: what the body is, what is accepted, and which version of an API is meant.
///
/// No identifiers of people, projects or organisations are among them, no credentials and nothing about the client.
pub const KEPT: &[&str] = &[
    "accept",
    "anthropic-beta",
    "anthropic-version",
    "content-type",
    "mcp-protocol-version",
    "notion-version",
    "openai-beta",
    "openai-version",
    "soapaction",
    "stripe-version",
    "x-amz-target",
    "x-github-api-version",
    "x-goog-api-version",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-ms-version",
];

/// Headers about the connection and the length of the body, which a replay makes anew.
const FRAMING: &[&str] = &[
    "connection",
    "content-length",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Headers whose whole value is a credential.
const SECRET: &[&str] = &[
    "api-key",
    "apikey",
    "authorization",
    "cookie",
    "ocp-apim-subscription-key",
    "proxy-authorization",
    "set-cookie",
    "x-amz-security-token",
    "x-api-key",
    "x-auth-token",
    "x-goog-api-key",
    "x-rapidapi-key",
    "x-subscription-token",
    "xi-api-key",
];

/// Headers that differ from reply to reply, by name.
const VOLATILE: &[&str] = &[
    "age",
    "alt-svc",
    "apim-request-id",
    "azureml-model-session",
    "date",
    "expires",
    "last-modified",
    "mcp-session-id",
    "nel",
    "openai-processing-ms",
    "report-to",
    "reporting-endpoints",
    "server-timing",
    "traceparent",
    "tracestate",
    "via",
    "x-cache-hits",
    "x-cloud-trace-context",
    "x-compute-time",
    "x-envoy-upstream-service-time",
    "x-fastly-trace",
    "x-inference-time",
    "x-process-time",
    "x-response-time",
    "x-runtime",
    "x-served-by",
    "x-session-id",
    "x-timer",
    "x-vercel-id",
];

/// Beginnings and middles of the names of volatile headers.
const VOLATILE_STARTS: &[&str] = &["cf-", "x-amz-cf-", "x-amzn-trace", "x-b3-", "x-trace", "x-datadog-", "fly-request"];
const VOLATILE_MIDDLES: &[&str] =
    &["request-id", "requestid", "ratelimit", "rate-limit", "correlation-id", "trace-id", "amz-id", "processing-ms"];

/// Middles of the names of headers that tell of a rate limit.
const LIMITS: [&str; 2] = ["ratelimit", "rate-limit"];

/// What stands for an id that changes with every exchange.
pub(crate) const STAND_IN: &str = "volatile";

/// Returns whether a request header is recorded: one of [`KEPT`] or one that the user named.
pub fn is_kept(name: &str, also: &[String]) -> bool {
    KEPT.contains(&name) || also.iter().any(|kept| kept.eq_ignore_ascii_case(name))
}

/// Headers that say what the bytes of the body add up to.
const DIGESTS: &[&str] = &["content-digest", "content-md5", "digest", "repr-digest", "x-goog-hash"];

/// Returns whether a header holds a digest of the body, which no longer fits where something in the body was hidden.
pub(crate) fn is_digest(name: &str) -> bool {
    DIGESTS.contains(&name) || name.starts_with("x-amz-checksum-")
}

/// Returns whether a header frames the body and is left out of recorded replies.
pub fn is_framing(name: &str) -> bool {
    FRAMING.contains(&name)
}

/// Returns whether the whole value of a header is a credential.
pub fn is_secret(name: &str) -> bool {
    SECRET.contains(&name)
        || crate::redact::detect::names::judge(name).is_some_and(|named| {
            matches!(named.rule, "api-key" | "token" | "secret" | "password" | "private-key")
                && !name.starts_with("access-control-")
        })
}

/// Returns whether the value of a reply header differs from reply to reply without meaning anything.
///
/// `retry-after` does not count: programs wait for as long as it says.
pub fn is_volatile(name: &str) -> bool {
    name != "retry-after"
        && (VOLATILE.contains(&name)
            || VOLATILE_STARTS.iter().any(|start| name.starts_with(start))
            || VOLATILE_MIDDLES.iter().any(|middle| name.contains(middle)))
}

/// Returns what stands in a cassette for the value of a volatile header: fixed, and of the value's own shape. Of a rate limit's, zero and
/// words stay.
///
/// ```
/// use cassette_core::redact::headers::stand_in;
/// assert_eq!(stand_in("x-ratelimit-remaining-tokens", "29983").as_deref(), Some("1"));
/// assert_eq!(stand_in("x-ratelimit-remaining-tokens", "0").as_deref(), Some("0"));
/// assert_eq!(stand_in("content-type", "text/plain"), None);
/// ```
pub fn stand_in(name: &str, value: &str) -> Option<String> {
    let is_of_limit = LIMITS.iter().any(|limit| name.contains(limit));
    is_volatile(name).then(|| if is_of_limit { limits::of_limit(value) } else { of_shape(value).to_owned() })
}

fn of_shape(value: &str) -> &'static str {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        "1"
    } else if is_decimal(value) {
        "1.0"
    } else if is_duration(value) {
        "1ms"
    } else if is_rfc3339(value) {
        "1970-01-01T00:00:00Z"
    } else if is_http_date(value) {
        "Thu, 01 Jan 1970 00:00:00 GMT"
    } else {
        STAND_IN
    }
}

fn is_decimal(value: &str) -> bool {
    value.split_once('.').is_some_and(|(whole, part)| {
        [whole, part].iter().all(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// A Go duration: numbers, each with its unit, as in `6m0s` and `12.5ms`.
fn is_duration(value: &str) -> bool {
    let mut rest = value;
    while !rest.is_empty() {
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let unit = ["ms", "us", "\u{b5}s", "ns", "h", "m", "s", "d"].iter().find(|unit| number.starts_with(**unit));
        let Some(unit) = unit.filter(|_| number.len() < rest.len()) else { return false };
        rest = &number[unit.len()..];
    }
    !value.is_empty()
}

fn is_rfc3339(value: &str) -> bool {
    let form = "dddd-dd-ddTdd:dd:dd";
    value.len() >= form.len()
        && value
            .bytes()
            .zip(form.bytes())
            .all(|(b, of)| if of == b'd' { b.is_ascii_digit() } else { b == of || of == b'T' && b == b' ' })
}

fn is_http_date(value: &str) -> bool {
    value.ends_with(" GMT") && value.as_bytes().get(3) == Some(&b',')
}

#[cfg(test)]
mod tests {
    use super::{is_kept, is_secret, stand_in};

    #[track_caller]
    fn check(name: &str, value: &str, expected: Option<&str>) {
        assert_eq!(stand_in(name, value).as_deref(), expected, "{name}: {value}");
    }

    #[test]
    fn a_stand_in_has_the_shape_of_the_value() {
        check("x-ratelimit-remaining-requests", "9999", Some("1"));
        check("x-ratelimit-reset-tokens", "6m0s", Some("1ms"));
        check("x-ratelimit-reset-requests", "8.64s", Some("1ms"));
        check("anthropic-ratelimit-tokens-reset", "2026-07-21T10:11:12Z", Some("1970-01-01T00:00:00Z"));
        check("date", "Tue, 21 Jul 2026 10:11:12 GMT", Some("Thu, 01 Jan 1970 00:00:00 GMT"));
        check("x-request-id", "req_ed8767", Some("volatile"));
        check("cf-ray", "b2297d743aeb6cba-FRA", Some("volatile"));
        check("x-process-time", "0.25", Some("1.0"));
    }

    #[test]
    fn a_limit_that_is_reached_stays_reached() {
        for same in
            ["0", "0.0", "0s", "true", "false", "exhausted", "requests", "limit=1, remaining=0, reset=1", "volatile"]
        {
            check("x-ratelimit-remaining", same, Some(same));
            check("anthropic-ratelimit-tokens-remaining", same, Some(same));
        }
        check("x-rate-limit-exceeded", "true", Some("true"));
        check("ratelimit", "limit=100, remaining=0, reset=5", Some("limit=1, remaining=0, reset=1"));
        check("ratelimit", "\"default\";r=50;t=30", Some("\"default\";r=1;t=1"));
        check("ratelimit", "\"user-8812\";r=0;pk=:dHJpYWwxMjEzMjM=:", Some("\"volatile\";r=0;pk=:AA==:"));
        check("ratelimit-policy", "100;w=60, 1000;w=3600", Some("1;w=1, 1;w=1"));
        check("x-ratelimit-bucket", "8fK2pQ91xZ3b", Some("volatile"));
        check("x-ratelimit-bucket", "\"8fK2pQ91xZ3b", Some("\"volatile\""));
        check("x-ratelimit-reset", "Tue, 21 Jul 2026 10:11:12 GMT", Some("Thu, 01 Jan 1970 00:00:00 GMT"));
        check("age", "0", Some("1"));
    }

    #[test]
    fn what_a_program_needs_stays() {
        check("retry-after", "20", None);
        check("etag", "\"abc\"", None);
        check("content-type", "application/json", None);
    }

    #[test]
    fn requests_keep_a_short_list() {
        assert!(is_kept("content-type", &[]) && is_kept("x-tenant", &["X-Tenant".to_owned()]));
        assert!(!is_kept("authorization", &[]) && !is_kept("user-agent", &[]));
        assert!(is_secret("x-acme-api-key") && is_secret("private-token"));
        assert!(!is_secret("idempotency-key") && !is_secret("content-type"));
    }
}
