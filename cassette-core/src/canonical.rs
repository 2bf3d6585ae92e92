//! What a request means: the form in which two requests are compared.
//!
//! Scheme 1 is generic: the endpoint, the headers that were asked for, and the whole body, by the members of its
//! outermost object where it is JSON. JSON member order and white space between tokens do not count, nor does the order
//! of query parameters or the boundary of a multipart body; everything else does.
//!
//! The form is made from redacted calls alone. Placeholders are numbered anew within each request, by first occurrence,
//! so that neither the order of calls in a run nor the rule that found a secret decides whether two requests are equal.

use std::collections::HashMap;

use crate::call::{Call, Kind};
use crate::json::Json;
use crate::key::{Digest, Key};
use crate::redact::RedactedCall;

/// One part of a request: what it is called and what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// `endpoint`, `@header.x`, the name of a member of the body, or `body`.
    pub name: String,
    texts: Texts,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Texts {
    One(String),
    /// The elements of an array: a conversation that grows shares all but its last with the one before.
    Each(Vec<String>),
}

/// The canonical form of a request: equal exactly for requests that ask the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Canonical {
    parts: Vec<Part>,
}

impl Canonical {
    /// Returns the form of this call; `headers` names those that count, in lower case.
    pub fn of(call: &RedactedCall, headers: &[String]) -> Canonical {
        Canonical::of_headers(call, headers)
    }

    /// Returns the form of a call that stands in a file, or was redacted for one, without its headers.
    pub(crate) fn of_recorded(call: &Call) -> Canonical {
        Canonical::of_headers(call, &[])
    }

    fn of_headers(call: &Call, headers: &[String]) -> Canonical {
        let mut parts = vec![Part::one("endpoint", endpoint(call))];
        for name in headers {
            let values: Vec<_> =
                call.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
            parts.push(Part::one(&format!("@header.{name}"), values.join("\n")));
        }
        parts.extend(body(call));
        renumber(&mut parts);
        Canonical { parts }
    }

    /// Returns the key of the request.
    pub fn key(&self) -> Key {
        let digests: Vec<_> = self.parts.iter().map(Part::digest).collect();
        Key::over(&digests)
    }

    /// Returns the parts, the endpoint first.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Part {
    fn one(name: &str, text: String) -> Part {
        Part { name: name.to_owned(), texts: Texts::One(text) }
    }

    fn digest(&self) -> Digest {
        match &self.texts {
            Texts::One(text) => Digest::of(&self.name, text.as_bytes()),
            Texts::Each(texts) => {
                let elements: Vec<_> = texts.iter().map(|text| Digest::of("", text.as_bytes())).collect();
                Digest::of_list(&self.name, &elements)
            }
        }
    }

    fn texts_mut(&mut self) -> &mut [String] {
        match &mut self.texts {
            Texts::One(text) => std::slice::from_mut(text),
            Texts::Each(texts) => texts,
        }
    }
}

/// Returns kind, method, origin, path, and the query's parameters sorted.
fn endpoint(call: &Call) -> String {
    let kind = call.kind.as_str();
    if call.kind != Kind::Http {
        return format!("{kind} {}", call.name);
    }
    let (address, query) = call.name.split_once('?').unwrap_or((&call.name, ""));
    let mut parameters: Vec<_> = query.split('&').filter(|parameter| !parameter.is_empty()).collect();
    parameters.sort_unstable();
    format!("{kind} {}?{}", plain_origin(address), parameters.join("&"))
}

/// Returns `METHOD scheme://host/path`, scheme and host in lower case, without the port that the scheme implies.
fn plain_origin(address: &str) -> String {
    let Some((front, path)) = address.split_once("://").map(|(scheme, rest)| {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (method, scheme) = scheme.rsplit_once(' ').unwrap_or(("", scheme));
        let scheme = scheme.to_ascii_lowercase();
        let authority = authority.to_ascii_lowercase();
        let implied = if scheme == "https" { ":443" } else { ":80" };
        (format!("{method} {scheme}://{}", authority.strip_suffix(implied).unwrap_or(&authority)), path)
    }) else {
        return address.to_owned();
    };
    format!("{front}{path}")
}

fn body(call: &Call) -> Vec<Part> {
    if call.body.is_empty() {
        return Vec::new();
    }
    match std::str::from_utf8(&call.body).ok().and_then(|text| Json::parse(text).ok()) {
        Some(Json::Object(members)) => {
            let mut parts: Vec<_> = members.iter().map(|(name, value)| member(&name.canonical(), value)).collect();
            parts.sort_by(|a, b| a.name.cmp(&b.name));
            parts
        }
        Some(other) => vec![member("body", &other)],
        None => vec![Part::one("body", without_boundary(call))],
    }
}

fn member(name: &str, value: &Json) -> Part {
    let texts = match value {
        Json::Array(elements) => Texts::Each(elements.iter().map(Json::canonical).collect()),
        other => Texts::One(other.canonical()),
    };
    Part { name: name.to_owned(), texts }
}

/// Returns the bytes of the body, each as the character of its number, with a multipart boundary replaced: it is random.
fn without_boundary(call: &Call) -> String {
    let text: String = call.body.iter().map(|byte| char::from(*byte)).collect();
    let boundary = call.header("content-type").filter(|value| value.to_ascii_lowercase().starts_with("multipart/"));
    let boundary = boundary.and_then(|value| value.split("boundary=").nth(1));
    match boundary.map(|value| value.split(';').next().unwrap_or_default().trim().trim_matches('"')) {
        Some(boundary) if !boundary.is_empty() => text.replace(&format!("--{boundary}"), "--boundary"),
        _ => text,
    }
}

/// Gives every placeholder a number of the request's own.
fn renumber(parts: &mut [Part]) {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for text in parts.iter_mut().flat_map(Part::texts_mut) {
        *text = crate::redact::replace_placeholders(text, |placeholder| {
            let next = numbers.len() + 1;
            format!("REDACTED.{}", numbers.entry(placeholder.to_owned()).or_insert(next))
        });
    }
}
