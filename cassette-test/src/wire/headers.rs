//! Headers on their way from one connection to the next.

use cassette_core::call::Header;
use cassette_core::reply::Reply;
use cassette_core::report::{Place, Wiring};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, StatusCode};

#[cfg(feature = "_live")]
use super::coding::Coding;

/// Headers that belong to one connection (RFC 9110 section 7.6.1) or frame its message, and so are made anew for the next.
const HOP: [&str; 13] = [
    "connection",
    "content-length",
    "expect",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "trailers",
    "transfer-encoding",
    "upgrade",
];

/// Returns the headers that outlive this connection, in order; one that is not ASCII as [`Header`] has it.
pub(crate) fn lasting(map: &HeaderMap) -> Vec<Header> {
    let listed: Vec<String> = map
        .get_all("connection")
        .iter()
        .flat_map(|value| text(value).split(',').map(|name| name.trim().to_ascii_lowercase()).collect::<Vec<_>>())
        .collect();
    map.iter()
        .filter(|(name, _)| !belongs_to_connection(name.as_str()) && !listed.iter().any(|hop| hop == name.as_str()))
        .map(|(name, value)| (name.as_str().to_owned(), text(value)))
        .collect()
}

/// Returns the headers of a request as its call has them: those that outlive the connection, and what is for a proxy alone. That is
/// sent no further and written nowhere, and yet shows a value to be secret.
pub(crate) fn asked(map: &HeaderMap) -> Vec<Header> {
    let mut headers = lasting(map);
    let credentials = map.get_all("proxy-authorization").iter();
    headers.extend(credentials.map(|value| ("proxy-authorization".to_owned(), text(value))));
    headers
}

/// Returns whether whoever sent these headers takes some after a body too (RFC 9110 section 10.1.4).
pub(crate) fn takes_trailers(map: &HeaderMap) -> bool {
    let codings = map.get_all("te").iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    codings.into_iter().any(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"trailers"))
}

/// Returns whether a header of this name says something of one connection or message only.
pub(crate) fn belongs_to_connection(name: &str) -> bool {
    HOP.contains(&name)
}

/// Returns the map of these headers, duplicates kept. One that HTTP does not allow is left out: the file was edited, and
/// what cannot be sent was never received.
pub(crate) fn map<'a>(headers: impl IntoIterator<Item = &'a Header>) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        if let (Ok(name), Some(value)) = (HeaderName::from_bytes(name.as_bytes()), value_of(value)) {
            map.append(name, value);
        }
    }
    map
}

/// Returns whether the reply to this call has no body, whatever its headers say (RFC 9110, section 6.4.1).
fn is_bodiless(call: &str, status: StatusCode) -> bool {
    call.starts_with("HEAD ") || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
}

/// The head of a recorded reply, as it is given again.
pub(crate) struct Recorded {
    /// Its status.
    pub(crate) status: StatusCode,
    /// Its headers.
    pub(crate) headers: Vec<Header>,
}

/// Returns what is given again of the head of a recorded reply.
///
/// # Errors
///
/// Fails for a status that ends no exchange.
pub(crate) fn recorded(place: &Place, reply: &Reply) -> Result<Recorded, Wiring> {
    let status = StatusCode::from_u16(reply.status).ok().filter(|status| !status.is_informational());
    let status = status.ok_or_else(|| {
        let what = format!("interaction {} was recorded with status {}", place.interaction, reply.status);
        Wiring::new(what, "a reply ends with a status from 200 to 999")
    })?;
    let mut headers = reply.headers.clone();
    if !is_bodiless(&place.name, status) {
        // The body may have been edited since; its frame is made anew.
        headers.retain(|(name, _)| !belongs_to_connection(name));
    }
    Ok(Recorded { status, headers })
}

/// Whether a reply has a body.
#[cfg(feature = "_live")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// It has one, of whatever length.
    Body,
    /// It has none, whoever asks for it.
    Bodiless,
}

/// The head of a live reply, as it is passed on and kept.
#[cfg(feature = "_live")]
pub(crate) struct Arrived {
    /// Its headers.
    pub(crate) headers: Vec<Header>,
    /// How its body is coded, although no coding was asked for: it is passed on and kept without.
    pub(crate) coding: Option<Coding>,
    /// Whether there is a body.
    pub(crate) extent: Extent,
}

/// Returns what is passed on and kept of the head of the reply to this call.
#[cfg(feature = "_live")]
pub(crate) fn arrived(call: &str, status: StatusCode, map: &HeaderMap) -> Arrived {
    let bodiless = is_bodiless(call, status);
    let mut headers = lasting(map);
    let coding = if bodiless { None } else { Coding::of(&headers) };
    if coding.is_some() {
        headers.retain(|(name, _)| name != "content-encoding");
    }
    if bodiless && status != StatusCode::NO_CONTENT {
        // Without a body it frames nothing: it says how long the body would be, which is often why HEAD is sent.
        let length = map.get("content-length").and_then(|value| value.to_str().ok());
        headers.extend(length.map(|length| ("content-length".to_owned(), length.to_owned())));
    }
    Arrived { headers, coding, extent: if bodiless { Extent::Bodiless } else { Extent::Body } }
}

fn text(value: &HeaderValue) -> String {
    value.as_bytes().iter().map(|byte| char::from(*byte)).collect()
}

/// Returns the header value of these characters, each a byte.
pub(crate) fn value_of(text: &str) -> Option<HeaderValue> {
    let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
    HeaderValue::from_bytes(&bytes.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use cassette_core::call::Header;
    use hyper::HeaderMap;
    use hyper::header::{HeaderName, HeaderValue};

    use super::{asked, lasting, map};

    fn pairs(headers: &[(&str, &str)]) -> Vec<Header> {
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn raw(headers: &[(&'static str, &[u8])]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap());
        }
        map
    }

    #[test]
    fn what_is_for_a_proxy_is_in_the_call_alone() {
        let headers = raw(&[("accept", b"a"), ("proxy-authorization", b"Basic YTpi"), ("te", b"x")]);
        assert_eq!(asked(&headers), pairs(&[("accept", "a"), ("proxy-authorization", "Basic YTpi")]));
        assert_eq!(lasting(&headers), pairs(&[("accept", "a")]));
    }

    #[test]
    fn what_belongs_to_the_connection_is_left_behind() {
        let headers = raw(&[
            ("connection", b"close, X-Hop"),
            ("x-hop", b"1"),
            ("te", b"trailers"),
            ("content-length", b"3"),
            ("accept", b"a"),
            ("accept", b"b"),
            ("x-name", b"B\xfccher"),
        ]);
        assert_eq!(lasting(&headers), pairs(&[("accept", "a"), ("accept", "b"), ("x-name", "B\u{fc}cher")]));
        assert_eq!(map(&lasting(&headers)), raw(&[("accept", b"a"), ("accept", b"b"), ("x-name", b"B\xfccher")]));
    }

    #[test]
    fn a_header_that_cannot_be_sent_is_left_out() {
        assert_eq!(map(&pairs(&[("a b", "1"), ("c", "\u{20ac}"), ("d", "1\n2"), ("e", "1")])), raw(&[("e", b"1")]));
    }
}
