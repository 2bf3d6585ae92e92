//! HAR 1.2 (a browser's, a proxy's, Polly's, a cassette's that was exported), in JSON or in YAML.

use std::time::Duration;

use cassette_core::reply::{Chunk, Outcome, TransportClass, TransportError};

use super::coding;
use super::exported;
use super::headers;
use super::imported::{Exchange, Fault, LeftOut};
use super::json;
use super::message::{Answered, Asked, exchange, failed, status, took};
use super::node::{FIELDS, Node, PARSED};

/// What a browser says where no connection came about or it ended before the reply, by how it begins.
const ERRORS: [(&str, TransportClass); 20] = [
    ("net::ERR_NAME_", TransportClass::Dns),
    ("net::ERR_DNS_", TransportClass::Dns),
    ("net::ERR_ICANN_NAME_COLLISION", TransportClass::Dns),
    ("net::ERR_CONNECTION_REFUSED", TransportClass::Connect),
    ("net::ERR_CONNECTION_FAILED", TransportClass::Connect),
    ("net::ERR_INTERNET_DISCONNECTED", TransportClass::Connect),
    ("net::ERR_ADDRESS_", TransportClass::Connect),
    ("net::ERR_PROXY_CONNECTION_FAILED", TransportClass::Connect),
    ("net::ERR_TUNNEL_CONNECTION_FAILED", TransportClass::Connect),
    ("net::ERR_CONNECTION_TIMED_OUT", TransportClass::Timeout),
    ("net::ERR_TIMED_OUT", TransportClass::Timeout),
    ("net::ERR_CONNECTION_RESET", TransportClass::Reset),
    ("net::ERR_CONNECTION_ABORTED", TransportClass::Reset),
    ("net::ERR_NETWORK_CHANGED", TransportClass::Reset),
    ("net::ERR_CONNECTION_CLOSED", TransportClass::Closed),
    ("net::ERR_EMPTY_RESPONSE", TransportClass::Closed),
    ("net::ERR_SSL", TransportClass::Tls),
    ("net::ERR_CERT", TransportClass::Tls),
    ("net::ERR_BAD_SSL_CLIENT_AUTH_CERT", TransportClass::Tls),
    ("net::ERR_ECH_", TransportClass::Tls),
];

/// Where a browser gets what it asks nobody for over HTTP.
const SCHEMES: [&str; 13] = [
    "data",
    "blob",
    "about",
    "file",
    "filesystem",
    "javascript",
    "chrome",
    "chrome-extension",
    "chrome-untrusted",
    "devtools",
    "edge",
    "moz-extension",
    "safari-web-extension",
];

/// What is in an archive: its exchanges, and what is none.
#[derive(Debug, Default)]
pub(super) struct Archive {
    pub(super) exchanges: Vec<Exchange>,
    pub(super) left_out: Vec<LeftOut>,
}

/// Reads an archive. A browser writes down what it asked nobody for, and what nobody answered: that is left out.
pub(super) fn read(root: &Node) -> Result<Archive, Fault> {
    let mut archive = Archive::default();
    for (i, entry) in root.need("log")?.need("entries")?.need_items()?.iter().enumerate() {
        match no_exchange(entry)? {
            Some(reason) => archive.left_out.push(LeftOut { number: i + 1, line: entry.line, reason }),
            None => archive.exchanges.push(one(entry)?),
        }
    }
    match archive.left_out.first().filter(|_| archive.exchanges.is_empty()) {
        None => Ok(archive),
        Some(first) if archive.left_out.len() == 1 => Err(Fault::at(first.line, first.reason.clone())),
        Some(first) => {
            let count = archive.left_out.len();
            let what = format!("none of its {count} entries is an exchange of HTTP: the first, {}", first.reason);
            Err(Fault::at(first.line, what))
        }
    }
}

/// Returns why an entry is no exchange of HTTP, or none that was answered; nothing where it is one, or its end is known.
fn no_exchange(entry: &Node) -> Result<Option<String>, Fault> {
    let request = entry.need("request")?;
    let url = request.need_text("url")?;
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()).unwrap_or_default();
    let kind = entry.get("_resourceType").and_then(Node::text);
    if ["ws", "wss"].contains(&&*scheme) || entry.has("_webSocketMessages") || kind == Some("websocket") {
        return Ok(Some("it is a WebSocket, and no HTTP exchange".to_owned()));
    }
    if SCHEMES.contains(&&*scheme) {
        return Ok(Some(format!("its address begins with `{scheme}:`, where no server is asked")));
    }
    if entry.get(exported::OWN).is_some_and(|own| own.has("error")) {
        return Ok(None);
    }
    // What has none is no browser's: half of an exchange is as little exact there as anywhere.
    let Some(response) = entry.get("response") else { return Ok(None) };
    let error = error(response);
    Ok(match (is_answered(response), error) {
        (true, Some(error)) => Some(format!("the reply broke off, and how far it came is not kept: {error}")),
        (false, Some(error)) if class(error).is_none() => Some(format!("the request was not answered: {error}")),
        (false, None) => Some("the request was not answered".to_owned()),
        _ => None,
    })
}

/// Returns whether a response says anything: a browser that got none writes 0, and others -1.
fn is_answered(response: &Node) -> bool {
    !response.get("status").and_then(Node::number).is_some_and(|status| status <= 0.0)
}

/// Returns what a browser, or what drives one, says of a request that failed.
fn error(response: &Node) -> Option<&str> {
    let said = ["_error", "_failureText"].iter().find_map(|name| response.get(name)?.text());
    said.filter(|said| !said.is_empty())
}

fn class(error: &str) -> Option<TransportClass> {
    ERRORS.iter().find(|(beginning, _)| error.starts_with(beginning)).map(|(_, class)| *class)
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
    if let Some((error, class)) = error(response).and_then(|error| Some((error, class(error)?))) {
        return failed(entry.line, asked, TransportError { class, message: error.to_owned() });
    }
    let took = took(entry.get("time").and_then(Node::number).map(|millis| millis / 1000.0));
    // The size is that of what a GET would be answered.
    let is_of_head =
        |content: &&Node| asked.method == "HEAD" && content.get("text").is_none_or(|text| text.text() == Some(""));
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: response
            .get("content")
            .filter(|content| !is_of_head(content))
            .map_or(Ok(Vec::new()), |content| received(content, took))?,
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

/// How many bytes a text may lack of its size: a mark of the byte order is none of its characters.
const MARK: f64 = 3.0;

/// Returns what is said of a body that is shorter than it was: a browser keeps so much of each.
fn cut(content: &Node, kept: usize) -> Option<String> {
    let size = content.get("size").and_then(Node::number).unwrap_or_default();
    let is_marked = content.get("comment").and_then(Node::text).is_some_and(|comment| comment.contains("truncated"));
    #[expect(clippy::cast_precision_loss, reason = "no body is as large as that")]
    let is_short = kept as f64 + MARK < size;
    (is_marked || is_short).then(|| format!("the body was not kept whole: {kept} bytes of {size}"))
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
        // Some count the digits of base64.
        let digits = text.text().filter(|_| is_base64).map_or(0, str::len);
        return match cut(content, bytes.len().max(digits)) {
            Some(what) => Err(Fault::at(content.line, what)),
            None => Ok(vec![Chunk { bytes, at }]),
        };
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
