//! nock's recordings. It parses every JSON body, so that only the others are exact.

use super::coding;
use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::{Node, PARSED};

/// Reads a recording.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    root.need_items()?.iter().map(one).collect()
}

fn one(node: &Node) -> Result<Exchange, Fault> {
    let scope = node.need_text("scope")?;
    // nock writes out the port that the scheme implies.
    let standard = if scope.starts_with("https:") { ":443" } else { ":80" };
    let scope = scope.strip_suffix(standard).unwrap_or(scope);
    let asked = Asked {
        method: node.get("method").and_then(Node::text).unwrap_or("GET").to_owned(),
        url: format!("{scope}{}", node.need_text("path")?),
        headers: headers::of(node.get("reqheaders"))?,
        body: sent(node.get("body"))?,
    };
    let raw = node.get("rawHeaders").or_else(|| node.get("headers"));
    let is_flat = raw.is_some_and(|raw| raw.items().first().is_some_and(|item| item.text().is_some()));
    let answered = Answered {
        status: status(node.need("status")?)?,
        headers: if is_flat { headers::alternating(raw.map_or(&[], Node::items))? } else { headers::of(raw)? },
        body: whole(received(node)?, None),
    };
    exchange(node.line, asked, answered)
}

/// Returns the body of a request. Digits alone are refused: nock writes bytes that are no text in the same way.
fn sent(node: Option<&Node>) -> Result<Vec<u8>, Fault> {
    let Some(node) = node else { return Ok(Vec::new()) };
    match node.text() {
        Some(text) if is_hex(text) => Err(Fault::at(node.line, "these digits are either the text or its bytes")),
        Some(_) => node.bytes(),
        None => pieces(node),
    }
}

/// Returns the body of a reply: a text, or hexadecimal digits where it was no text or was compressed.
fn received(node: &Node) -> Result<Vec<u8>, Fault> {
    let Some(body) = node.get("response") else { return Ok(Vec::new()) };
    let is_binary = node.get("responseIsBinary").map(Node::is_true);
    match body.text() {
        Some(text) if is_binary.unwrap_or(is_hex(text)) => pieces(body),
        Some(_) => body.bytes(),
        None => pieces(body),
    }
}

fn pieces(body: &Node) -> Result<Vec<u8>, Fault> {
    let pieces = if body.items().is_empty() { std::slice::from_ref(body) } else { body.items() };
    let hex = |piece: &Node| piece.text().filter(|text| is_hex(text)).and_then(coding::hex);
    let pieces = pieces.iter().map(hex).collect::<Option<Vec<_>>>();
    pieces.map(|pieces| pieces.concat()).ok_or_else(|| Fault::at(body.line, PARSED))
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
