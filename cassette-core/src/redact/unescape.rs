//! The way back from a cassette's text to the program's own, in which nothing is escaped.

use super::placeholder::{MARK, escape_at, shaped};
use crate::call::{Call, Header};
use crate::reply::Reply;

/// Turns a recorded request into the program's own text; placeholders stay.
pub fn unescape_call(call: &mut Call) {
    call.name = unescape(&call.name);
    unescape_headers(&mut call.headers);
    let escapes = escapes(&call.body);
    without(&mut call.body, 0, &escapes);
}

/// Turns a recorded reply into the upstream's own text, chunk for chunk; placeholders stay.
pub fn unescape_reply(reply: &mut Reply) {
    unescape_headers(&mut reply.headers);
    unescape_headers(&mut reply.trailers);
    // An escape may begin in one chunk and end in the next.
    let escapes = escapes(&reply.body());
    let mut start = 0;
    for chunk in &mut reply.chunks {
        let length = chunk.bytes.len();
        without(&mut chunk.bytes, start, &escapes);
        start += length;
    }
}

/// Returns whether anything in a recorded request is escaped.
pub(crate) fn is_escaped(call: &Call) -> bool {
    let texts = [&call.name].into_iter().chain(call.headers.iter().map(|(_, value)| value));
    texts.into_iter().any(|text| escapes_in(text).next().is_some()) || !escapes(&call.body).is_empty()
}

/// Returns the program's text of a text from a cassette: what was escaped loses one dot; placeholders stay.
///
/// ```
/// assert_eq!(cassette_core::redact::unescape("REDACTED..x.1 REDACTED.x.1"), "REDACTED.x.1 REDACTED.x.1");
/// ```
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for shaped in shaped(text).filter(|shaped| shaped.dots > 1) {
        let dot = escape_at(&shaped);
        out.push_str(&text[copied..dot]);
        copied = dot + 1;
    }
    out.push_str(&text[copied..]);
    out
}

fn unescape_headers(headers: &mut [Header]) {
    headers.iter_mut().for_each(|(_, value)| *value = unescape(value));
}

/// Takes the bytes at these positions out of a piece of a body that starts at `start`.
fn without(bytes: &mut Vec<u8>, start: usize, escapes: &[usize]) {
    if !escapes.is_empty() {
        let mut at = start;
        bytes.retain(|_| {
            at += 1;
            escapes.binary_search(&(at - 1)).is_err()
        });
    }
}

/// Returns the positions of the dots that escape something in these bytes; without them they are the program's own.
fn escapes(bytes: &[u8]) -> Vec<usize> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return escapes_in(text).collect();
    }
    let escaped = format!("{MARK}..");
    if !bytes.windows(escaped.len()).any(|window| window == escaped.as_bytes()) {
        return Vec::new();
    }
    // A character a byte: what is looked for is ASCII, and positions stay positions.
    let text: String = bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect();
    escapes_in(&text).collect()
}

fn escapes_in(text: &str) -> impl Iterator<Item = usize> {
    shaped(text).filter(|shaped| shaped.dots > 1).map(|shaped| escape_at(&shaped))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{is_escaped, unescape, unescape_call, unescape_reply};
    use crate::call::Call;
    use crate::reply::{Chunk, Reply};

    #[test]
    fn escaping_is_undone() {
        assert_eq!(unescape("REDACTED..a.1 REDACTED...a.1 REDACTED.a.1"), "REDACTED.a.1 REDACTED..a.1 REDACTED.a.1");
        assert_eq!(unescape("REDACTED..A.1"), "REDACTED..A.1");
    }

    #[test]
    fn calls_and_replies_come_back_as_they_were() {
        let headers = vec![("x".to_owned(), "REDACTED..a.1".to_owned())];
        let mut call = Call::http("GET", "https://a.test/REDACTED..a.1", headers.clone(), b"\xffREDACTED..a.1".into());
        assert!(is_escaped(&call));
        unescape_call(&mut call);
        assert_eq!(
            (call.name.as_str(), call.headers[0].1.as_str()),
            ("GET https://a.test/REDACTED.a.1", "REDACTED.a.1")
        );
        assert_eq!(call.body, b"\xffREDACTED.a.1");
        assert!(!is_escaped(&call));

        let chunk = |text: &str| Chunk { bytes: text.as_bytes().to_vec(), at: Some(Duration::ZERO) };
        let chunks = vec![chunk("REDACTED."), chunk(".a.1 RED"), chunk(""), chunk("ACTED...b.2")];
        let mut reply = Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None };
        unescape_reply(&mut reply);
        let chunks: Vec<_> = reply.chunks.iter().map(|chunk| String::from_utf8_lossy(&chunk.bytes)).collect();
        assert_eq!(chunks, ["REDACTED", ".a.1 RED", "", "ACTED..b.2"]);
        assert_eq!(reply.headers[0].1, "REDACTED.a.1");
    }
}
