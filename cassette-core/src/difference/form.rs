//! A request as fields: what its address, its headers and its body say.

use std::collections::BTreeMap;
use std::ops::Range;

use super::node::Node;
use super::path;
use crate::call::{Call, Kind, header};
use crate::canonical;
use crate::json::Json;
use crate::matching::Matching;
use crate::redact::fields;

/// What a request says, each field under its path; the body's own path is empty.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) fields: Vec<(String, Node)>,
}

impl Form {
    /// Returns the form of a call, as far as it counts, with the model that its path names at this place apart.
    pub(super) fn of(call: &Call, matching: &Matching, model: Option<Range<usize>>) -> Form {
        let mut fields = address(call, model);
        for name in &matching.counting_headers() {
            let values: Vec<_> =
                call.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
            if !values.is_empty() {
                fields.push((format!("@header.{name}"), Node::text(values.join(", "))));
            }
        }
        fields.extend(body(call, matching));
        Form { fields }
    }
}

fn address(call: &Call, model: Option<Range<usize>>) -> Vec<(String, Node)> {
    let text = |path: &str, text: &str| (path.to_owned(), Node::text(text.to_owned()));
    if call.kind != Kind::Http {
        return vec![text("@kind", call.kind.as_str()), text("@name", &call.name)];
    }
    let name = model.as_ref().map_or_else(|| call.name.clone(), |place| canonical::without_model(&call.name, place));
    let (method, url) = name.split_once(' ').unwrap_or(("", &name));
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let host = address.find("://").map_or(0, |at| at + 3);
    let (origin, path) = address.split_at(address[host..].find('/').map_or(address.len(), |at| host + at));
    let mut fields = vec![text("@method", method), text("@host", &plain(origin)), text("@path", path)];
    fields.extend(parameters(query));
    fields.extend(model.map(|place| text("model", &call.name[place])));
    fields
}

/// Returns an origin in lower case, without the port that its scheme implies.
fn plain(origin: &str) -> String {
    let origin = origin.to_ascii_lowercase();
    let implied = if origin.starts_with("https:") { ":443" } else { ":80" };
    origin.strip_suffix(implied).map(str::to_owned).unwrap_or(origin)
}

/// Returns the parameters of a query as they were sent; the order of the values of one does not count.
fn parameters(query: &str) -> Vec<(String, Node)> {
    let mut parameters: BTreeMap<&str, Vec<Option<&str>>> = BTreeMap::new();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=').map_or((parameter, None), |(name, value)| (name, Some(value)));
        parameters.entry(name).or_default().push(value);
    }
    let field = |(name, mut values): (&str, Vec<Option<&str>>)| {
        values.sort_unstable();
        let node = match values.as_slice() {
            [None] => Node::null(),
            values => Node::text(values.iter().map(|value| value.unwrap_or_default()).collect::<Vec<_>>().join(", ")),
        };
        (format!("@query.{name}"), node)
    };
    parameters.into_iter().map(field).collect()
}

fn body(call: &Call, matching: &Matching) -> Vec<(String, Node)> {
    let content_type = call.header("content-type").unwrap_or_default();
    if call.body.is_empty() {
        return Vec::new();
    }
    if let Some(boundary) = fields::boundary(content_type) {
        let parts = parts(&call.body, boundary);
        if !parts.is_empty() {
            return parts;
        }
    }
    let whole = canonical::document(call, matching).map_or_else(|| Node::bytes(&call.body), |json| Node::of(&json));
    vec![(String::new(), whole)]
}

/// Returns each part of a multipart body with its file name and media type, whatever the boundary.
fn parts(body: &[u8], boundary: &str) -> Vec<(String, Node)> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for part in fields::parts(body, boundary) {
        let head = String::from_utf8_lossy(&body[part.head]).into_owned();
        let lines = head.lines().filter_map(|line| line.split_once(':'));
        let headers: Vec<_> =
            lines.map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned())).collect();
        let disposition = header(&headers, "content-disposition").unwrap_or_default();
        let name = parameter(disposition, "name").unwrap_or_default();
        let nth = seen.entry(name.clone()).or_default();
        let path = path::part(&name, *nth);
        *nth += 1;
        let said = parameter(disposition, "filename").map(|name| ("@filename".to_owned(), name));
        let others = headers.iter().filter(|(name, _)| name != "content-disposition");
        let said = said.into_iter().chain(others.map(|(name, value)| (format!("@header.{name}"), value.clone())));
        found.extend(said.map(|(step, value)| (format!("{path}{step}"), Node::text(value))));
        found.push((path, content(&body[part.content])));
    }
    found
}

fn content(bytes: &[u8]) -> Node {
    let json = std::str::from_utf8(bytes).ok().and_then(|text| Json::parse(text).ok());
    json.map(|json| Node::of(&json)).filter(Node::is_nest).unwrap_or_else(|| Node::bytes(bytes))
}

/// Returns a parameter of a header's value, without its quotation marks.
fn parameter(value: &str, name: &str) -> Option<String> {
    let parameters = value.split(';').skip(1).filter_map(|parameter| parameter.trim().split_once('='));
    let found = parameters.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(found.1.trim_matches('"').to_owned())
}
