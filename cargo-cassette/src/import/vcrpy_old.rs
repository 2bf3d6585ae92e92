//! vcrpy before version 1: a list at the root, and a request in the parts of its address.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::Node;
use super::vcrpy::body;

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    let one = |node: &Node| exchange(node.line, asked(node.need("request")?)?, answered(node.need("response")?)?);
    root.need_items()?.iter().map(one).collect()
}

fn asked(request: &Node) -> Result<Asked, Fault> {
    let scheme = request.need_text("protocol")?;
    let port = request.get("port").and_then(Node::text).filter(|port| {
        let standard = matches!((scheme, *port), ("http", "80") | ("https", "443"));
        !standard
    });
    let port = port.map_or(String::new(), |port| format!(":{port}"));
    let url = format!("{scheme}://{}{port}{}", request.need_text("host")?, request.need_text("path")?);
    Ok(Asked {
        method: request.need_text("method")?.to_owned(),
        url,
        headers: headers::of(request.get("headers"))?,
        body: body(request.get("body"))?,
    })
}

fn answered(response: &Node) -> Result<Answered, Fault> {
    Ok(Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(body(response.get("body"))?, None),
    })
}
