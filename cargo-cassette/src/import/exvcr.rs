//! exvcr: a list of exchanges; a binary body is an Erlang term in base64.

use cassette_core::reply::{TransportClass, TransportError};

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, failed, status, whole};
use super::node::Node;

/// What Erlang's clients say where there was no reply, by a word in it.
const ERRORS: [(&str, TransportClass); 5] = [
    ("nxdomain", TransportClass::Dns),
    ("econnrefused", TransportClass::Connect),
    ("timeout", TransportClass::Timeout),
    ("econnreset", TransportClass::Reset),
    ("closed", TransportClass::Closed),
];

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    root.need_items()?.iter().map(one).collect()
}

fn one(node: &Node) -> Result<Exchange, Fault> {
    let (request, response) = (node.need("request")?, node.need("response")?);
    let sent = request.get("request_body").or_else(|| request.get("body"));
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: request.need_text("url")?.to_owned(),
        headers: headers::of(request.get("headers"))?,
        body: sent.map_or(Ok(Vec::new()), Node::bytes)?,
    };
    let body = response.get("body");
    if response.get("type").and_then(Node::text) == Some("error") {
        let message = body.and_then(Node::text).unwrap_or_default();
        let class = ERRORS.iter().find(|(word, _)| message.contains(word));
        let (_, class) = class.ok_or_else(|| Fault::at(response.line, format!("`{message}` is no known failure")))?;
        return failed(node.line, asked, TransportError { class: *class, message: message.to_owned() });
    }
    let bytes = match body {
        None => Vec::new(),
        Some(body) if response.get("binary").is_some_and(Node::is_true) => {
            let term = body.base64()?;
            binary_of(&term).ok_or_else(|| Fault::at(body.line, "the body is no Erlang binary"))?.to_vec()
        }
        Some(body) => body.bytes()?,
    };
    let answered = Answered {
        status: status(response.need("status_code")?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(bytes, None),
    };
    exchange(node.line, asked, answered)
}

/// Returns the bytes of a binary in Erlang's external term format: 131, 109, a length of four bytes.
fn binary_of(term: &[u8]) -> Option<&[u8]> {
    let (length, bytes) = term.strip_prefix(&[131, 109])?.split_at_checked(4)?;
    let length = u32::from_be_bytes(length.try_into().ok()?);
    (bytes.len() as u64 == u64::from(length)).then_some(bytes)
}
