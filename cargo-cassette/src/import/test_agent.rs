//! The test agent of Datadog's tracers: an exchange a file.

use super::coding;
use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::Node;

/// Reads a recording.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    let (request, response) = (root.need("request")?, root.need("response")?);
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: request.need_text("url")?.to_owned(),
        headers: headers::of(request.get("headers"))?,
        body: body(request.get("body"))?,
    };
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(body(response.get("body"))?, None),
    };
    Ok(vec![exchange(root.line, asked, answered)?])
}

/// Returns a body: a text, or base64 behind a word that says so.
fn body(node: Option<&Node>) -> Result<Vec<u8>, Fault> {
    let Some(node) = node else { return Ok(Vec::new()) };
    match node.text().and_then(|text| text.strip_prefix("base64:")) {
        Some(encoded) => coding::base64(encoded).ok_or_else(|| Fault::at(node.line, "the base64 is damaged")),
        None => node.bytes(),
    }
}
