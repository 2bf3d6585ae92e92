//! A recorded reply over HTTP, addressed to the request that it is served to.

use std::ops::Range;

use super::{Message, What, asks, span};
use crate::call::{Call, Kind};
use crate::frames::{Framing, lines};
use crate::json::Json;
use crate::reply::Reply;

/// The two texts that tie a reply to a request.
struct Address {
    id: Option<String>,
    token: Option<String>,
}

/// Returns the reply with the id and the progress token of this call in place of the recorded ones; `None` where it is no call
/// of the protocol over HTTP, or nothing is to be replaced.
pub(crate) fn readdressed(reply: &Reply, call: &Call) -> Option<Reply> {
    if call.kind != Kind::Http {
        return None;
    }
    let request = std::str::from_utf8(&call.body).ok().filter(|text| text.contains("\"jsonrpc\""))?;
    Json::parse(request).ok().filter(asks)?;
    let spelled = |path: &[&str]| span::value(request, path).map(|place| request[place].to_owned());
    let address = Address { id: spelled(&["id"]), token: spelled(&["params", "_meta", "progressToken"]) };
    let body = String::from_utf8(reply.body()).ok()?;
    let edits = match reply.header("content-type").and_then(Framing::of) {
        Some(Framing::Sse) => events(&body, &address),
        _ => edits(&body, &address),
    };
    (!edits.is_empty()).then(|| edited(reply, &edits))
}

/// Returns the ids of the questions in a stream of events, in their own spelling.
pub(crate) fn questions(body: &[u8]) -> Vec<String> {
    let Some(body) = std::str::from_utf8(body).ok().filter(|body| body.contains("\"jsonrpc\"")) else {
        return Vec::new();
    };
    let asked = |event: &str| match Message::read(&data(event)).ok()?.what {
        What::Request { id, .. } => Some(id),
        What::Answer { .. } | What::Notice { .. } => None,
    };
    Framing::Sse.split(body).into_iter().filter_map(asked).collect()
}

/// Returns what is to be replaced in the events of a stream.
fn events(body: &str, address: &Address) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    for event in Framing::Sse.split(body) {
        let moved = edits(&data(event), address).into_iter();
        found.extend(moved.map(|(place, by)| (place.start + start..place.end + start, by)));
        start += event.len();
    }
    found
}

/// Returns the data of an event, with spaces for all else: what stands in it stands where it does in the event.
fn data(event: &str) -> String {
    let mut data = String::with_capacity(event.len());
    for line in lines(event) {
        let (name, value) = line.split_at(line.find(':').map_or(line.len(), |colon| colon + 1));
        match name {
            "data:" => data.push_str(&format!("     {value}")),
            _ => data.extend(std::iter::repeat_n(' ', line.len())),
        }
    }
    data
}

/// Returns what is to be replaced in one message.
fn edits(text: &str, address: &Address) -> Vec<(Range<usize>, String)> {
    let Ok(message) = Message::read(text) else { return Vec::new() };
    let (path, by): (&[&str], _) = match &message.what {
        What::Answer { .. } => (&["id"], &address.id),
        What::Notice { method } if method == "notifications/progress" => (&["params", "progressToken"], &address.token),
        What::Notice { .. } | What::Request { .. } => return Vec::new(),
    };
    let edit = span::value(text, path).zip(by.clone());
    edit.into_iter().filter(|(place, by)| text[place.clone()] != **by).collect()
}

/// Returns the reply with these texts replaced; a boundary between chunks that falls within one falls behind it.
fn edited(reply: &Reply, edits: &[(Range<usize>, String)]) -> Reply {
    let mut reply = reply.clone();
    let (mut start, mut taken) = (0, 0);
    let body = reply.body();
    for chunk in &mut reply.chunks {
        let end = start + chunk.bytes.len();
        let mut bytes = Vec::with_capacity(chunk.bytes.len());
        let mut at = taken.max(start);
        for (place, by) in edits.iter().filter(|(place, _)| (start..end).contains(&place.start)) {
            bytes.extend_from_slice(&body[at..place.start]);
            bytes.extend_from_slice(by.as_bytes());
            at = place.end;
        }
        if at < end {
            bytes.extend_from_slice(&body[at..end]);
        }
        taken = at.max(end);
        chunk.bytes = bytes;
        start = end;
    }
    reply
}
