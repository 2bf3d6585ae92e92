//! httpmock's YAML: a document an exchange, `when` and `then`. It names no host.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::{Node, PARSED};

/// What `when` may say for the request to be known exactly.
const EXACT: [&str; 9] = ["path", "method", "query_param", "header", "body", "body_encoding", "host", "port", "scheme"];

/// Reads the documents of a file.
pub(super) fn read(documents: &[Node]) -> Result<Vec<Exchange>, Fault> {
    documents.iter().map(one).collect()
}

fn one(document: &Node) -> Result<Exchange, Fault> {
    let (when, then) = (document.need("when")?, document.need("then")?);
    let pattern = when.members().iter().map(|(name, _)| name).find(|name| {
        let name = name.text().unwrap_or_default();
        !EXACT.contains(&name) && when.get(name).is_some()
    });
    if let Some(pattern) = pattern {
        let name = pattern.text().unwrap_or_default();
        return Err(Fault::at(pattern.line, format!("`{name}` is a pattern, and the request is not known")));
    }
    if let Some(json) = then.get("json_body") {
        return Err(Fault::at(json.line, PARSED));
    }
    let asked = Asked {
        method: when.get("method").and_then(Node::text).unwrap_or("GET").to_owned(),
        url: format!("{}{}", when.need_text("path")?, query(when)?),
        headers: headers::of(when.get("header"))?,
        body: body(when)?,
    };
    let answered = Answered {
        status: status(then.need("status")?)?,
        headers: headers::of(then.get("header"))?,
        body: whole(body(then)?, None),
    };
    exchange(document.line, asked, answered)
}

fn body(message: &Node) -> Result<Vec<u8>, Fault> {
    let Some(body) = message.get("body") else { return Ok(Vec::new()) };
    match message.get("body_encoding").map(|encoding| (encoding.line, encoding.text().unwrap_or_default())) {
        None | Some((_, "utf8" | "utf-8" | "text")) => body.bytes(),
        Some((_, "base64")) => body.base64(),
        Some((line, other)) => Err(Fault::at(line, format!("`{other}` is no known encoding of a body"))),
    }
}

/// Returns the query, encoded anew: the recording keeps its fields decoded, and they mean the same.
fn query(when: &Node) -> Result<String, Fault> {
    let field = |field: &Node| {
        let value = field.get("value").and_then(Node::text).unwrap_or_default();
        Ok(format!("{}={}", encoded(field.need_text("name")?), encoded(value)))
    };
    let fields = when.get("query_param").map_or(&[][..], Node::items);
    let query = fields.iter().map(field).collect::<Result<Vec<_>, _>>()?.join("&");
    Ok(if query.is_empty() { query } else { format!("?{query}") })
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
