//! Where two requests differ, as a report prints it.

use std::collections::BTreeSet;

use crate::call::{Call, Kind};
use crate::json::{Json, Layout, Text};
use crate::report::Difference;

/// How many characters of a value are shown on either side of where it begins to differ.
const CONTEXT: usize = 40;

/// Returns where two redacted requests differ: the recorded one first, in the order of the request.
pub(crate) fn differences(recorded: &Call, incoming: &Call) -> Vec<Difference> {
    let mut found = Vec::new();
    names(&mut found, recorded, incoming);
    bodies(&mut found, &recorded.body, &incoming.body);
    found
}

fn names(found: &mut Vec<Difference>, recorded: &Call, incoming: &Call) {
    if recorded.kind != Kind::Http || incoming.kind != Kind::Http {
        return changed(found, "@name", recorded.name.clone(), incoming.name.clone());
    }
    let (ours, theirs) = (Address::of(&recorded.name), Address::of(&incoming.name));
    changed(found, "@method", ours.method.to_owned(), theirs.method.to_owned());
    changed(found, "@host", ours.origin.to_owned(), theirs.origin.to_owned());
    changed(found, "@path", ours.path.to_owned(), theirs.path.to_owned());
    let keys: BTreeSet<_> = ours.query.iter().chain(&theirs.query).map(|(key, _)| *key).collect();
    for key in keys {
        let values = |address: &Address<'_>| {
            let mut values: Vec<_> =
                address.query.iter().filter(|(known, _)| *known == key).map(|(_, value)| *value).collect();
            values.sort_unstable();
            (!values.is_empty()).then(|| values.join(", "))
        };
        one(found, &format!("@query.{key}"), values(&ours), values(&theirs));
    }
}

struct Address<'a> {
    method: &'a str,
    origin: &'a str,
    path: &'a str,
    query: Vec<(&'a str, &'a str)>,
}

impl<'a> Address<'a> {
    fn of(name: &'a str) -> Address<'a> {
        let (method, url) = name.split_once(' ').unwrap_or(("", name));
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let host = address.find("://").map_or(0, |at| at + 3);
        let (origin, path) = address.split_at(address[host..].find('/').map_or(address.len(), |at| host + at));
        let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
        Address { method, origin, path, query: parameters.map(|p| p.split_once('=').unwrap_or((p, ""))).collect() }
    }
}

fn bodies(found: &mut Vec<Difference>, recorded: &[u8], incoming: &[u8]) {
    match (std::str::from_utf8(recorded), std::str::from_utf8(incoming)) {
        (Ok(ours), Ok(theirs)) => match (Json::parse(ours), Json::parse(theirs)) {
            (Ok(ours), Ok(theirs)) => json(found, "", Some(&ours), Some(&theirs)),
            _ => one(found, "body", text_or_none(ours), text_or_none(theirs)),
        },
        _ if recorded == incoming => {}
        _ => {
            let size = |bytes: &[u8]| Some(format!("{} bytes", bytes.len()));
            found.push(Difference { path: "body".into(), recorded: size(recorded), incoming: size(incoming) });
        }
    }
}

fn text_or_none(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| Json::from(text).print(Layout::Compact))
}

/// Compares two values by meaning, down to the smallest parts that differ.
fn json(found: &mut Vec<Difference>, path: &str, recorded: Option<&Json>, incoming: Option<&Json>) {
    match (recorded, incoming) {
        (Some(Json::Object(ours)), Some(Json::Object(theirs))) => {
            let names = ours
                .iter()
                .chain(theirs.iter().filter(|(name, _)| !ours.iter().any(|(known, _)| known.is(&name.value()))));
            for (name, _) in names {
                let name = name.value();
                json(found, &step(path, &name), member(ours, &name), member(theirs, &name));
            }
        }
        (Some(Json::Array(ours)), Some(Json::Array(theirs))) => arrays(found, path, ours, theirs),
        (ours, theirs) if ours.map(Json::canonical) == theirs.map(Json::canonical) => {}
        (ours, theirs) => {
            let shown = |value: Option<&Json>| value.map(|value| value.print(Layout::Spaced));
            let path = if path.is_empty() { "body" } else { path };
            one(found, path, shown(ours), shown(theirs));
        }
    }
}

/// Compares what is left of two arrays once their common beginning and end are taken off.
fn arrays(found: &mut Vec<Difference>, path: &str, ours: &[Json], theirs: &[Json]) {
    let same = |(a, b): &(&Json, &Json)| a.canonical() == b.canonical();
    let front = ours.iter().zip(theirs).take_while(same).count();
    let (ours_rest, theirs_rest) = (&ours[front..], &theirs[front..]);
    let back = ours_rest.iter().rev().zip(theirs_rest.iter().rev()).take_while(same).count();
    let ours = &ours_rest[..ours_rest.len() - back];
    let theirs = &theirs_rest[..theirs_rest.len() - back];
    for i in 0..ours.len().max(theirs.len()) {
        json(found, &format!("{path}[{}]", front + i), ours.get(i), theirs.get(i));
    }
}

fn member<'a>(members: &'a [(Text, Json)], name: &str) -> Option<&'a Json> {
    members.iter().find(|(known, _)| known.is(name)).map(|(_, value)| value)
}

/// Returns the path of a member: `.name`, or `["na me"]` where the name is no identifier.
fn step(path: &str, name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    match (path, plain) {
        ("", true) => name.to_owned(),
        (_, true) => format!("{path}.{name}"),
        (_, false) => format!("{path}[{}]", Json::from(name).print(Layout::Compact)),
    }
}

fn changed(found: &mut Vec<Difference>, path: &str, recorded: String, incoming: String) {
    one(found, path, Some(recorded), Some(incoming));
}

fn one(found: &mut Vec<Difference>, path: &str, recorded: Option<String>, incoming: Option<String>) {
    if recorded == incoming {
        return;
    }
    let at = match (&recorded, &incoming) {
        (Some(ours), Some(theirs)) => ours.chars().zip(theirs.chars()).take_while(|(a, b)| a == b).count(),
        _ => 0,
    };
    let [recorded, incoming] = [recorded, incoming].map(|side| side.map(|text| cut(&text, at)));
    found.push(Difference { path: path.to_owned(), recorded, incoming });
}

/// Cuts a long text round the character at which it begins to differ.
fn cut(text: &str, at: usize) -> String {
    let length = text.chars().count();
    if length <= 3 * CONTEXT {
        return text.to_owned();
    }
    let start = at.saturating_sub(CONTEXT);
    let end = (at + 2 * CONTEXT).min(length);
    let middle: String = text.chars().skip(start).take(end - start).collect();
    format!("{}{middle}{}", if start > 0 { "…" } else { "" }, if end < length { "…" } else { "" })
}
