//! WireMock's stub mappings, as its recorder writes them. They name no host.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::{Node, PARSED};
use std::path::{Component, Path};

const PATTERN: &str = "this is a pattern, and the request is not known";

/// Reads a mapping, or a file of several.
pub(super) fn read(path: &Path, root: &Node) -> Result<Vec<Exchange>, Fault> {
    match root.get("mappings") {
        Some(mappings) => mappings.need_items()?.iter().map(|mapping| one(path, mapping)).collect(),
        None => Ok(vec![one(path, root)?]),
    }
}

fn one(path: &Path, mapping: &Node) -> Result<Exchange, Fault> {
    let (request, response) = (mapping.need("request")?, mapping.need("response")?);
    let url = request.get("url").ok_or_else(|| Fault::at(request.line, PATTERN))?;
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: url.text().ok_or_else(|| Fault::at(url.line, PATTERN))?.to_owned(),
        headers: request.get("headers").map_or(Ok(Vec::new()), equal_to)?,
        body: request.get("bodyPatterns").map_or(Ok(Vec::new()), sent)?,
    };
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(received(path, response)?, None),
    };
    exchange(mapping.line, asked, answered)
}

fn equal_to(headers: &Node) -> Result<Vec<(String, String)>, Fault> {
    let one = |(name, pattern): &(Node, Node)| {
        let value = pattern.get("equalTo").and_then(Node::text).ok_or_else(|| Fault::at(pattern.line, PATTERN))?;
        Ok((name.text().unwrap_or_default().to_ascii_lowercase(), value.to_owned()))
    };
    headers.members().iter().map(one).collect()
}

/// Returns the body that was sent: the recorder keeps its text in the one pattern that it writes.
fn sent(patterns: &Node) -> Result<Vec<u8>, Fault> {
    let [pattern] = patterns.need_items()? else { return Err(Fault::at(patterns.line, PATTERN)) };
    let text = ["equalTo", "equalToJson", "equalToXml"].iter().find_map(|name| pattern.get(name));
    match text {
        Some(text) => text.bytes(),
        None => match pattern.get("binaryEqualTo") {
            Some(encoded) => encoded.base64(),
            None => Err(Fault::at(pattern.line, PATTERN)),
        },
    }
}

fn received(path: &Path, response: &Node) -> Result<Vec<u8>, Fault> {
    if let Some(name) = response.get("bodyFileName") {
        return beside(path, name);
    }
    match (response.get("body"), response.get("base64Body"), response.get("jsonBody")) {
        (Some(body), ..) => body.bytes(),
        (_, Some(body), _) => body.base64(),
        (.., Some(tree)) => Err(Fault::at(tree.line, PARSED)),
        _ => Ok(Vec::new()),
    }
}

/// Returns the body that lies in `__files`, the folder beside `mappings`.
fn beside(path: &Path, name: &Node) -> Result<Vec<u8>, Fault> {
    let text = name.text().unwrap_or_default();
    let is_plain = !text.is_empty() && Path::new(text).components().all(|part| matches!(part, Component::Normal(_)));
    let folder = path.ancestors().skip(1).map(|folder| folder.join("__files")).find(|folder| folder.is_dir());
    let file = folder.filter(|_| is_plain).map(|folder| folder.join(text));
    let lost =
        || Fault::at(name.line, format!("the body lies in `{text}`, which is not in `__files` beside the mappings"));
    std::fs::read(file.ok_or_else(lost)?).map_err(|_| lost())
}
