//! promptecho: of the request it keeps the parsed body, so that only calls without one are exact.

use cassette_core::reply::Chunk;

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status};
use super::node::{Node, PARSED};

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    root.need("interactions")?.need_items()?.iter().map(one).collect()
}

fn one(node: &Node) -> Result<Exchange, Fault> {
    let (request, response) = (node.need("request")?, node.need("response")?);
    if let Some(body) = request.get("body").filter(|body| !body.members().is_empty() || !body.items().is_empty()) {
        return Err(Fault::at(body.line, PARSED));
    }
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: request.need_text("url")?.to_owned(),
        ..Asked::default()
    };
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: received(response)?,
    };
    exchange(node.line, asked, answered)
}

fn received(response: &Node) -> Result<Vec<Chunk>, Fault> {
    let chunk = |bytes: Vec<u8>| Chunk { bytes, at: None };
    let is_binary = response.get("binary").is_some_and(Node::is_true);
    match (response.get("events"), response.get("body")) {
        (Some(events), _) => events.need_items()?.iter().map(|event| Ok(chunk(event.bytes()?))).collect(),
        (None, Some(body)) => Ok(vec![chunk(if is_binary { body.base64()? } else { body.bytes()? })]),
        (None, None) => Ok(Vec::new()),
    }
}
