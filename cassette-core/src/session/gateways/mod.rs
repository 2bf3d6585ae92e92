//! Addresses that stand for servers, and differ from run to run.
//!
//! A request that speaks of the address of a gateway is recorded, and compared, as one that speaks of the server for which the gateway
//! stands. Where that cannot be written, because what is sent counts its own bytes, it is told instead.

mod given;
mod place;
mod text;

use text::{Binary, Putting};

use crate::call::{Call, Kind, header};
use crate::json::Json;
use crate::redact::{counts, fields};

/// What stands for what: a port of this machine on this run, and its server, `https://api.example.com`.
pub(super) type Stands = (u16, String);

/// Returns a call in which the addresses of gateways are those of the servers for which they stand; `None` where it has none.
pub(super) fn addressed(call: &Call, gateways: &[Stands]) -> Option<Call> {
    if gateways.is_empty() {
        return None;
    }
    let putting = Putting { gateways, binary: Binary::Left };
    let body = body(call, putting);
    let name = line(call).and_then(|(server, rest)| Some(format!("{server}{}", putting.text(rest)?)));
    let value = |(name, value): &(String, String)| {
        let value = putting.text(value).filter(|_| name != "host")?;
        Some((name.clone(), value))
    };
    let headers: Vec<_> = call.headers.iter().map(value).collect();
    if body.is_none() && name.is_none() && headers.iter().all(Option::is_none) {
        return None;
    }
    let headers = headers.into_iter().zip(&call.headers).map(|(put, had)| put.unwrap_or_else(|| had.clone()));
    Some(Call {
        kind: call.kind,
        name: name.unwrap_or_else(|| call.name.clone()),
        headers: headers.collect(),
        body: body.unwrap_or_else(|| call.body.clone()),
    })
}

/// Returns the gateway whose address stands in what a call sends, though nothing can stand in its place.
pub(super) fn left<'a>(call: &Call, gateways: &'a [Stands]) -> Option<&'a Stands> {
    named(&call.body, gateways).or_else(|| named(line(call)?.1.as_bytes(), gateways))
}

/// Returns the gateway whose address stands in these bytes, in whatever coding.
pub(super) fn named<'a>(bytes: &[u8], gateways: &'a [Stands]) -> Option<&'a Stands> {
    let stands = |gateway: &&Stands| {
        let gateways = std::slice::from_ref(*gateway);
        Putting { gateways, binary: Binary::Read }.bytes(bytes).is_some()
    };
    gateways.iter().find(stands)
}

/// Returns the ports of this machine that are named in a text as it stands.
fn ports(text: &str) -> Vec<u16> {
    if !text::may_name(text.as_bytes()) {
        return Vec::new();
    }
    let mut ports: Vec<u16> = place::places(text.as_bytes()).map(|place| place.port).collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// Returns the line of a call over HTTP, parted behind the server that it names.
fn line(call: &Call) -> Option<(&str, &str)> {
    let server = call.name.find("://").filter(|_| call.kind == Kind::Http)? + 3;
    let end = call.name[server..].find(['/', '?'])?;
    Some(call.name.split_at(server + end))
}

fn body(call: &Call, putting: Putting<'_>) -> Option<Vec<u8>> {
    let content_type = header(&call.headers, "content-type").unwrap_or_default();
    if counts(&call.headers, &call.body) {
        return None;
    }
    if let Some(boundary) = fields::boundary(content_type) {
        return parts(&call.body, boundary, putting);
    }
    let Ok(body) = std::str::from_utf8(&call.body) else {
        return putting.packed(&call.body);
    };
    let put = putting.text(body).filter(|_| is_read(content_type, body))?;
    // Whatever is no document any more counted its own bytes.
    (Json::parse(body).is_err() || Json::parse(&put).is_ok()).then(|| put.into_bytes())
}

/// Returns a multipart body whose texts speak of servers; what is no text, such as an image, stays as it is.
fn parts(body: &[u8], boundary: &str, putting: Putting<'_>) -> Option<Vec<u8>> {
    let delimiter = format!("--{boundary}").into_bytes();
    let mut put = Vec::with_capacity(body.len());
    let mut rest = body;
    let mut changed = false;
    loop {
        let end = place::find(rest, &delimiter);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        match std::str::from_utf8(part).ok().and_then(|part| putting.text(part)) {
            Some(text) => {
                changed = true;
                put.extend(text.into_bytes());
            }
            None => put.extend(part),
        }
        if end.is_none() {
            return changed.then_some(put);
        }
        put.extend(&delimiter);
        rest = &after[delimiter.len()..];
    }
}

/// Returns whether a body is a document, or text of a media type that does not count its bytes.
fn is_read(content_type: &str, body: &str) -> bool {
    let media_type = content_type.to_ascii_lowercase();
    let starts = ["text/", "application/x-www-form-urlencoded", "application/graphql", "application/yaml"];
    let ends = |name: &str| media_type.split(';').next().unwrap_or_default().trim().ends_with(name);
    let is_text = starts.iter().any(|start| media_type.starts_with(start)) || ends("json") || ends("xml");
    is_text || body.trim_start().starts_with(['{', '[', '"', '<'])
}
