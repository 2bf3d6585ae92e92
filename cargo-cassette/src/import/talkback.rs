//! talkback's tapes: an exchange a file, in JSON5.

use super::coding;
use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::{Node, PARSED};

/// Media types whose bodies talkback keeps as text or, of JSON, as a tree; it keeps all others in base64.
const READABLE: [&str; 4] = ["application/json", "application/x-www-form-urlencoded", "text/", "application/xml"];

/// Reads a tape.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    let (request, response) = (root.need("req")?, root.need("res")?);
    let host = root.get("meta").and_then(|meta| meta.get("host")).and_then(Node::text).unwrap_or_default();
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: format!("{}{}", host.trim_end_matches('/'), request.need_text("url")?),
        headers: headers::of(request.get("headers"))?,
        body: body(root, "req", request)?,
    };
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(body(root, "res", response)?, None),
    };
    Ok(vec![exchange(root.line, asked, answered)?])
}

/// Returns a body: a readable one as it stands, any other in base64.
///
/// A compressed one stays in base64, unless `meta` says that it was uncompressed for the reader.
fn body(root: &Node, side: &str, message: &Node) -> Result<Vec<u8>, Fault> {
    let Some(body) = message.get("body") else { return Ok(Vec::new()) };
    let Some(text) = body.text() else { return Err(Fault::at(body.line, PARSED)) };
    let said = |what: &str| root.get("meta").and_then(|meta| meta.get(&format!("{side}{what}")));
    let headers = headers::of(message.get("headers"))?;
    let header = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let is_readable = header("content-type").is_some_and(|kind| READABLE.iter().any(|known| kind.starts_with(known)));
    let is_packed = header("content-encoding").is_some_and(|coding| coding != "identity");
    if text.is_empty() || said("HumanReadable").is_some_and(Node::is_true) || (is_readable && !is_packed) {
        return body.bytes();
    }
    coding::base64(text).ok_or_else(|| Fault::at(body.line, "the base64 is damaged"))
}
