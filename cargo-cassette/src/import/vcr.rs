//! VCR of Ruby, and what has its layout: vcr of R, betamax, Rust's vcr-cassette.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::{FIELDS, Node};
use super::vcrpy::body;

/// Whose strings they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strings {
    /// Bytes, whatever the `encoding` beside them says: Ruby only labels a string with it.
    Labelled,
    /// Characters, which `encoding` turned from bytes: Python's.
    Decoded,
}

/// Reads a cassette.
pub(super) fn read(root: &Node, strings: Strings) -> Result<Vec<Exchange>, Fault> {
    let one = |node: &Node| {
        let (request, response) = (node.need("request")?, node.need("response")?);
        let asked = Asked {
            method: request.need_text("method")?.to_owned(),
            url: request.need_text("uri")?.to_owned(),
            headers: headers::of(request.get("headers"))?,
            body: exact(request.get("body"), strings)?,
        };
        let answered = Answered {
            status: status(response.need("status")?)?,
            headers: headers::of(response.get("headers"))?,
            body: whole(exact(response.get("body"), strings)?, None),
        };
        exchange(node.line, asked, answered)
    };
    root.need("http_interactions")?.need_items()?.iter().map(one).collect()
}

fn exact(node: Option<&Node>, strings: Strings) -> Result<Vec<u8>, Fault> {
    let file = node.and_then(|node| node.get("file")).filter(|file| file.is_true());
    if let Some(file) = file {
        return Err(Fault::at(file.line, "the body lies in a file beside the cassette"));
    }
    if let Some(fields) = node.and_then(|node| node.get("fields")) {
        return Err(Fault::at(fields.line, FIELDS));
    }
    let bytes = body(node)?;
    let encoding = node.and_then(|node| node.get("encoding")).and_then(Node::text).unwrap_or("utf-8");
    let is_utf8 = ["utf-8", "utf8", "ascii", "us-ascii"].iter().any(|known| encoding.eq_ignore_ascii_case(known));
    let encoded = node.is_some_and(|node| node.has("base64_string"));
    match node {
        Some(node) if strings == Strings::Decoded && !is_utf8 && !encoded && !bytes.is_ascii() => {
            Err(Fault::at(node.line, format!("the body was decoded from `{encoding}`")))
        }
        _ => Ok(bytes),
    }
}
