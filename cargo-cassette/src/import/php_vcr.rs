//! php-vcr: a list of exchanges in YAML or JSON.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, took, whole};
use super::node::{FIELDS, Node};
use super::vcrpy::body;

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    let one = |node: &Node| {
        let (request, response) = (node.need("request")?, node.need("response")?);
        if let Some(fields) = request.get("post_fields").or_else(|| request.get("post_files")) {
            return Err(Fault::at(fields.line, FIELDS));
        }
        let asked = Asked {
            method: request.need_text("method")?.to_owned(),
            url: request.need_text("url")?.to_owned(),
            headers: headers::of(request.get("headers"))?,
            body: body(request.get("body"))?,
        };
        let total = response.get("curl_info").and_then(|info| info.get("total_time")).and_then(Node::number);
        let answered = Answered {
            status: status(response.need("status")?)?,
            headers: headers::of(response.get("headers"))?,
            body: whole(body(response.get("body"))?, took(total)),
        };
        exchange(node.line, asked, answered)
    };
    root.need_items()?.iter().map(one).collect()
}
