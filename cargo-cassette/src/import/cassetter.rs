//! cassetter, version 1 in YAML: bodies by type, JSON ones parsed.

use super::coding;
use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::{Node, PARSED};

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    root.of_version(&["1"])?;
    let others = ["grpc_interactions", "ws_interactions"].iter().find_map(|name| root.get(name));
    if let Some(other) = others.filter(|other| !other.items().is_empty()) {
        return Err(Fault::at(other.line, "messages of gRPC and WebSocket are no HTTP exchanges"));
    }
    root.need("interactions")?.need_items()?.iter().map(one).collect()
}

fn one(node: &Node) -> Result<Exchange, Fault> {
    let (request, response) = (node.need("request")?, node.need("response")?);
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: request.need_text("uri")?.to_owned(),
        headers: headers::of(request.get("headers"))?,
        body: body(request.get("body"))?,
    };
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(body(response.get("body"))?, None),
    };
    exchange(node.line, asked, answered)
}

fn body(node: Option<&Node>) -> Result<Vec<u8>, Fault> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let Some(content) = node.get("content") else { return Ok(Vec::new()) };
    match node.need_text("type")? {
        "none" => Ok(Vec::new()),
        "text" => content.bytes(),
        "binary" => {
            let bytes = content.text().and_then(coding::hex);
            bytes.ok_or_else(|| Fault::at(content.line, "the hexadecimal digits are damaged"))
        }
        _ => Err(Fault::at(content.line, PARSED)),
    }
}
