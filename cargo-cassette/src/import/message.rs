//! An exchange, put together from the parts that a recording keeps.

use std::time::Duration;

use cassette_core::call::{Call, Header};
use cassette_core::redact::headers::is_framing;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportError};

use super::coding;
use super::imported::{Exchange, Fault};
use super::node::Node;
use super::sendable::{checked, unanswerable};

/// Where a recording stands that names no host: it is nobody's (RFC 2606, section 2).
const NOWHERE: &str = "http://unknown.invalid";

/// What was asked, as a recording keeps it.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) url: String,
    pub(super) headers: Vec<Header>,
    pub(super) body: Vec<u8>,
}

/// What was answered, as a recording keeps it.
#[derive(Debug, Default)]
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) headers: Vec<Header>,
    pub(super) body: Vec<Chunk>,
}

/// Returns the exchange that begins on this line.
pub(super) fn exchange(line: usize, asked: Asked, answered: Answered) -> Result<Exchange, Fault> {
    let method = asked.method.to_ascii_uppercase();
    let (call, note) = call(line, &method, asked)?;
    let headers =
        answered.headers.into_iter().filter(|(name, _)| !is_framing(name) && !name.starts_with(':')).collect();
    let mut reply =
        Reply { status: answered.status, headers, chunks: answered.body, trailers: Vec::new(), truncated: None };
    reply.chunks.retain(|chunk| !chunk.bytes.is_empty());
    decode(&mut reply);
    match unanswerable(&method, &reply) {
        Some(reason) => Err(Fault::at(line, reason)),
        None => checked(&method, Exchange { call, reply: Outcome::Reply(reply), line: Some(line), note }),
    }
}

/// Returns the exchange that begins on this line and had no reply.
pub(super) fn failed(line: usize, asked: Asked, error: TransportError) -> Result<Exchange, Fault> {
    let method = asked.method.to_ascii_uppercase();
    let (call, note) = call(line, &method, asked)?;
    checked(&method, Exchange { call, reply: Outcome::Error(error), line: Some(line), note })
}

/// Returns a body that came whole, or of which nobody knows in what pieces it came, with the time that the exchange took.
pub(super) fn whole(bytes: Vec<u8>, at: Option<Duration>) -> Vec<Chunk> {
    vec![Chunk { bytes, at }]
}

/// Returns the status that a node spells: a number, a text that begins with it, or an object with its `code`.
pub(super) fn status(node: &Node) -> Result<u16, Fault> {
    let code = ["code", "status_code"].iter().find_map(|name| node.get(name)).unwrap_or(node);
    let digits = code.text().and_then(|text| text.split(' ').next()?.parse().ok());
    digits.filter(|status| (100..600).contains(status)).ok_or_else(|| Fault::at(node.line, "there is no status"))
}

/// Returns a time given in this many seconds; `None` for what is no time.
pub(super) fn seconds(count: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(count).ok()
}

/// Returns how long an exchange took, where the recording says so. No exchange takes no time at all: whoever writes zero has
/// not measured.
pub(super) fn took(count: Option<f64>) -> Option<Duration> {
    seconds(count?).filter(|took| !took.is_zero())
}

fn call(line: usize, method: &str, asked: Asked) -> Result<(Call, Option<String>), Fault> {
    let Asked { url, headers, body, .. } = asked;
    let (url, note) = absolute(&url).ok_or_else(|| Fault::at(line, format!("`{url}` is no address")))?;
    let (url, note) = match sent(&url) {
        (sent, Spelling::Kept) => (sent, note),
        (sent, Spelling::Encoded) => {
            (sent, Some(note.map_or_else(|| ENCODED.to_owned(), |note| format!("{note}; {ENCODED}"))))
        }
    };
    let headers = headers.into_iter().filter(|(name, _)| !is_framing(name) && !name.starts_with(':')).collect();
    Ok((Call::http(method, &url, headers, body), note))
}

/// Returns an absolute address, and what had to be put in for it.
fn absolute(url: &str) -> Option<(String, Option<String>)> {
    if let Some((scheme, _)) = url.split_once("://").filter(|_| !url.starts_with('/')) {
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        return (is_scheme && !scheme.is_empty()).then(|| (url.to_owned(), None));
    }
    if url.starts_with('/') {
        let note = format!("the recording names no host; {NOWHERE} stands for it");
        return Some((format!("{NOWHERE}{url}"), Some(note)));
    }
    let (placeholder, path) = url.strip_prefix('<')?.split_once('>')?;
    let host = placeholder.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let host = format!("http://{}.invalid", host.trim_matches('-'));
    let note = format!("the recording hides its host; {host} stands for <{placeholder}>");
    Some((format!("{host}{path}"), Some(note)))
}

/// What is told where an address was spelled anew.
const ENCODED: &str = "what no client sends in an address, such as `<` and `>`, is percent-encoded";

/// Whether an address stayed as the recording spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    Kept,
    Encoded,
}

/// Returns an absolute address as a client asks for it: without its fragment (RFC 9110, section 7.1), with a path (RFC 3986,
/// section 6.2.3), and nothing in it that a request line cannot hold. Recordings keep what their programs called it.
fn sent(url: &str) -> (String, Spelling) {
    let url = url.split('#').next().unwrap_or_default();
    let authority = url.find("://").map_or(0, |at| at + 3);
    let end = url[authority..].find(['/', '?']).map_or(url.len(), |at| authority + at);
    let (server, rest) = url.split_at(end);
    let root = if rest.starts_with('/') { "" } else { "/" };
    let is_sent = |byte: u8| byte.is_ascii_graphic() && !b"<>`".contains(&byte);
    let encoded = |byte: u8| if is_sent(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let spelling = if rest.bytes().all(is_sent) { Spelling::Kept } else { Spelling::Encoded };
    (format!("{server}{root}{}", rest.bytes().map(encoded).collect::<String>()), spelling)
}

/// Decodes a body that was kept in its content coding, and takes away the header of one that was kept decoded.
///
/// Recordings disagree on which they keep, so the bytes decide. What is neither is left as it is, with its header.
fn decode(reply: &mut Reply) {
    let Some(coding) = reply.header("content-encoding").map(|coding| coding.trim().to_ascii_lowercase()) else {
        return;
    };
    let body = reply.body();
    let is_text = std::str::from_utf8(&body).is_ok();
    let decoded = match coding.as_str() {
        "gzip" | "x-gzip" if coding::is_gzip(&body) => coding::gunzip(&body),
        "deflate" if body.first().is_some_and(|first| first & 0x0f == 8) && !is_text => coding::inflate(&body),
        _ => None,
    };
    let is_plain = is_text || (coding == "gzip" && !coding::is_gzip(&body));
    match decoded {
        Some(decoded) => {
            let at = reply.took();
            reply.chunks = if decoded.is_empty() { Vec::new() } else { whole(decoded, at) };
        }
        None if is_plain => {}
        None => return,
    }
    reply.headers.retain(|(name, _)| name != "content-encoding");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Option<&str>) {
        assert_eq!(absolute(url).map(|(url, _)| url).as_deref(), expected);
    }

    #[test]
    fn an_address_is_absolute_or_nobodys() {
        check("https://a.test/x?y#z", Some("https://a.test/x?y#z"));
        check("/v1/chat?a=http://b", Some("http://unknown.invalid/v1/chat?a=http://b"));
        check("/v1/chat", Some("http://unknown.invalid/v1/chat"));
        check("<OLLAMA_API_BASE>/chat", Some("http://ollama-api-base.invalid/chat"));
        check("a.test/x", None);
    }

    #[test]
    fn an_address_is_what_a_client_asks_for() {
        let check = |url: &str, expected: &str, spelling| assert_eq!(sent(url), (expected.to_owned(), spelling));
        check("https://a.test/x?y#z", "https://a.test/x?y", Spelling::Kept);
        check("https://a.test", "https://a.test/", Spelling::Kept);
        check("https://a.test?q=/", "https://a.test/?q=/", Spelling::Kept);
        check("https://a.test/%3C|{x}", "https://a.test/%3C|{x}", Spelling::Kept);
        check("https://a.test/<PROJECT>/ü x", "https://a.test/%3CPROJECT%3E/%C3%BC%20x", Spelling::Encoded);
    }

    #[track_caller]
    fn check_coding(coding: &str, body: &[u8], decoded: &[u8], kept: bool) {
        let headers = vec![("content-encoding".to_owned(), coding.to_owned())];
        let mut reply =
            Reply { status: 200, headers, chunks: whole(body.to_vec(), None), trailers: Vec::new(), truncated: None };
        decode(&mut reply);
        assert_eq!((reply.body().as_slice(), reply.headers.len()), (decoded, usize::from(kept)));
    }

    #[test]
    fn the_bytes_decide_whether_a_body_is_encoded() {
        let mut packer = flate2::read::GzEncoder::new(&b"hello"[..], flate2::Compression::fast());
        let mut packed = Vec::new();
        std::io::Read::read_to_end(&mut packer, &mut packed).unwrap();
        check_coding("gzip", &packed, b"hello", false);
        check_coding("gzip", b"hello", b"hello", false);
        check_coding("gzip", &packed[..12], &packed[..12], true);
        check_coding("br", b"hello", b"hello", false);
        check_coding("br", b"\x83\x40\xff", b"\x83\x40\xff", true);
    }
}
