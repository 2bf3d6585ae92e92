//! Addresses that stand for servers, and differ from run to run.

use std::borrow::Cow;

use crate::call::{Call, Kind, header};
use crate::json::Json;

/// What stands for what: the address of a gateway on this run, and its server.
type Stands = (String, String);

/// Returns a call in whose query and text the addresses of gateways are those of the servers for which they stand; `None` where it
/// has none.
pub(super) fn addressed(call: &Call, gateways: &[Stands]) -> Option<Call> {
    let body = std::str::from_utf8(&call.body).ok().filter(|_| is_read(call));
    let body = body.and_then(|body| {
        let put = put(body, gateways)?;
        // Whatever is no document any more counted its own bytes.
        (Json::parse(body).is_err() || Json::parse(&put).is_ok()).then_some(put)
    });
    let name = call.name.split_once('?').filter(|_| call.kind == Kind::Http).and_then(|(address, query)| {
        let query = put(query, gateways)?;
        Some(format!("{address}?{query}"))
    });
    if body.is_none() && name.is_none() {
        return None;
    }
    let body = body.map_or_else(|| call.body.clone(), String::into_bytes);
    Some(Call { body, name: name.unwrap_or_else(|| call.name.clone()), ..call.clone() })
}

/// Returns the gateway whose address stands in a text, with its server.
pub(super) fn named<'a>(text: &str, gateways: &'a [Stands]) -> Option<&'a Stands> {
    gateways.iter().find(|(address, _)| places(text, address).next().is_some())
}

/// Returns whether a body is a document, or text of a media type that does not count its bytes.
fn is_read(call: &Call) -> bool {
    let media_type = header(&call.headers, "content-type").unwrap_or_default().to_ascii_lowercase();
    let is_text = media_type.starts_with("text/") || media_type.starts_with("application/x-www-form-urlencoded");
    is_text || matches!(call.body.first(), Some(b'{' | b'[' | b'"'))
}

fn put(text: &str, gateways: &[Stands]) -> Option<String> {
    let mut now = Cow::Borrowed(text);
    for (address, server) in gateways {
        for (address, server) in [(address.clone(), server.clone()), (encoded(address), encoded(server))] {
            let found: Vec<usize> = places(&now, &address).collect();
            let text = if found.is_empty() { continue } else { now.to_mut() };
            found.iter().rev().for_each(|at| text.replace_range(*at..at + address.len(), &server));
        }
    }
    matches!(now, Cow::Owned(_)).then(|| now.into_owned())
}

/// Returns where an address stands in a text, its letters in whatever case: not where its port is longer.
fn places<'a>(text: &'a str, address: &'a str) -> impl Iterator<Item = usize> + 'a {
    let ends = move |at: &usize| !text[at + address.len()..].starts_with(|c: char| c.is_ascii_digit());
    let marks = text.match_indices("127.0.0.1").map(|(at, _)| at);
    let before = address.find("127.0.0.1").unwrap_or_default();
    let starts = marks.filter_map(move |at| at.checked_sub(before));
    let stands =
        move |at: &usize| text.get(*at..at + address.len()).is_some_and(|found| found.eq_ignore_ascii_case(address));
    starts.filter(stands).filter(ends)
}

/// Returns an address as it stands in a query's value (RFC 3986, section 2.1).
fn encoded(address: &str) -> String {
    address.replace(':', "%3A").replace('/', "%2F")
}
