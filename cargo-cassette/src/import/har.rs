//! HAR 1.2 (a browser's, a proxy's, Polly's, a cassette's that was exported), in JSON or in YAML.

use std::time::Duration;

use cassette_core::reply::{Chunk, Outcome, TransportClass, TransportError};

use super::coding;
use super::exported;
use super::headers;
use super::imported::{Exchange, Fault};
use super::json;
use super::message::{Answered, Asked, exchange, failed, status, took};
use super::node::{FIELDS, Node, PARSED};

/// What a browser says where there was no reply, by how it begins.
const ERRORS: [(&str, TransportClass); 9] = [
    ("net::ERR_NAME_NOT_RESOLVED", TransportClass::Dns),
    ("net::ERR_CONNECTION_REFUSED", TransportClass::Connect),
    ("net::ERR_INTERNET_DISCONNECTED", TransportClass::Connect),
    ("net::ERR_ADDRESS_UNREACHABLE", TransportClass::Connect),
    ("net::ERR_CONNECTION_TIMED_OUT", TransportClass::Timeout),
    ("net::ERR_CONNECTION_RESET", TransportClass::Reset),
    ("net::ERR_CONNECTION_CLOSED", TransportClass::Closed),
    ("net::ERR_EMPTY_RESPONSE", TransportClass::Closed),
    ("net::ERR_SSL", TransportClass::Tls),
];

/// Reads an archive.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    root.need("log")?.need("entries")?.need_items()?.iter().map(one).collect()
}

fn one(entry: &Node) -> Result<Exchange, Fault> {
    let request = entry.need("request")?;
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: request.need_text("url")?.to_owned(),
        headers: headers::of(request.get("headers"))?,
        body: request.get("postData").map_or(Ok(Vec::new()), sent)?,
    };
    let own = entry.get(exported::OWN);
    if let Some(error) = own.map_or(Ok(None), exported::error)? {
        return exported::exchange(entry.line, asked, Outcome::Error(error));
    }
    let response = entry.get("response").ok_or_else(|| Fault::at(entry.line, "the request has no response"))?;
    if let Some(error) = response.get("_error").and_then(Node::text) {
        let class = ERRORS.iter().find(|(beginning, _)| error.starts_with(beginning));
        let (_, class) = class.ok_or_else(|| Fault::at(response.line, format!("there is no reply: {error}")))?;
        return failed(entry.line, asked, TransportError { class: *class, message: error.to_owned() });
    }
    let took = took(entry.get("time").and_then(Node::number).map(|millis| millis / 1000.0));
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: response.get("content").map_or(Ok(Vec::new()), |content| received(content, took))?,
    };
    if let Some(own) = own {
        return exported::exchange(entry.line, asked, Outcome::Reply(exported::reply(own, answered)?));
    }
    if answered.status == 304 && !answered.body.iter().all(|chunk| chunk.bytes.is_empty()) {
        return Err(Fault::at(entry.line, "the body came from the browser's cache, not with this reply"));
    }
    exchange(entry.line, asked, answered)
}

fn sent(post: &Node) -> Result<Vec<u8>, Fault> {
    if let Some(tree) = post.get("textJSON") {
        return Err(Fault::at(tree.line, PARSED));
    }
    match (post.get("text"), post.get("params")) {
        (Some(text), _) if is_base64(post) => text.base64(),
        (Some(text), _) => text.bytes(),
        (None, Some(fields)) if !fields.items().is_empty() => Err(Fault::at(fields.line, FIELDS)),
        (None, _) => Ok(Vec::new()),
    }
}

/// Returns whether a body stands in base64. Of what was sent HAR knows no encoding, and tools call it by one name or the other.
fn is_base64(body: &Node) -> bool {
    ["encoding", "_encoding"].iter().any(|name| body.get(name).and_then(Node::text) == Some("base64"))
}

fn received(content: &Node, at: Option<Duration>) -> Result<Vec<Chunk>, Fault> {
    let is_base64 = is_base64(content);
    let is_binary = is_base64 || content.get("_isBinary").is_some_and(Node::is_true);
    let Some(text) = content.get("text") else {
        let size = content.get("size").and_then(Node::number).unwrap_or_default();
        let elsewhere = content.get("comment").and_then(Node::text);
        return match elsewhere {
            Some(comment) => Err(Fault::at(content.line, format!("the body was not kept: {comment}"))),
            None if size > 0.0 => Err(Fault::at(content.line, "the body was not kept")),
            None => Ok(Vec::new()),
        };
    };
    let pieces = text.text().filter(|text| is_binary && text.trim_start().starts_with('['));
    let Some(pieces) = pieces else {
        let bytes = if is_base64 { text.base64()? } else { text.bytes()? };
        return Ok(vec![Chunk { bytes, at }]);
    };
    let damaged = || Fault::at(text.line, "the pieces of the body are damaged");
    let decode = |piece: &Node| {
        let digits = piece.text()?;
        if is_base64 { coding::base64(digits) } else { coding::hex(digits) }
    };
    let list = json::parse(pieces).map_err(|_| damaged())?;
    let pieces = list.items().iter().map(|piece| Some(Chunk { bytes: decode(piece)?, at: None }));
    let mut pieces: Vec<Chunk> = pieces.collect::<Option<_>>().ok_or_else(damaged)?;
    // What the exchange took is when the last one came; of the others nobody knows.
    pieces.last_mut().into_iter().for_each(|last| last.at = at);
    Ok(pieces)
}
