//! A request as fields: what its address, its headers and its body say.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::node::Node;
use crate::call::{Call, Kind};
use crate::canonical::{self, Body, Field};
use crate::matching::{Matching, Wanted};
use crate::path;

/// What a request says, each field under its path; the body's own path is empty.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) fields: Vec<(String, Node)>,
}

impl Form {
    /// Returns the form of a call, as far as it counts, with the model that its path names at this place apart.
    pub(super) fn of(call: &Call, matching: &Matching, model: Option<Range<usize>>, wanted: Wanted) -> Form {
        let mut fields = address(call, model);
        let headers = canonical::counting_headers(call, matching, wanted);
        fields.extend(headers.into_iter().map(|(name, all)| (format!("@header.{name}"), Node::text(all.join(", ")))));
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
            [Some(value)] => Node::text((*value).to_owned()),
            values => {
                // As they were sent: `&` stands in no value, and a comma may.
                let sent = |value: &Option<&str>| value.map_or(name.to_owned(), |value| format!("{name}={value}"));
                Node::text(values.iter().map(sent).collect::<Vec<_>>().join("&"))
            }
        };
        (format!("@query.{name}"), node)
    };
    parameters.into_iter().map(field).collect()
}

fn body(call: &Call, matching: &Matching) -> Vec<(String, Node)> {
    match canonical::body(call, matching) {
        Body::Document(json) => vec![(String::new(), Node::of(&json))],
        Body::Fields(fields) => parts(&fields),
        Body::Bytes(bytes) => vec![(String::new(), Node::bytes(&bytes))],
        Body::Empty => Vec::new(),
    }
}

/// Returns the parts of a multipart body, those of one name as a list.
fn parts(fields: &[Field]) -> Vec<(String, Node)> {
    let mut named: Vec<(&str, Vec<Node>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for field in fields {
        let place = *places.entry(&field.name).or_insert_with(|| {
            named.push((&field.name, Vec::new()));
            named.len() - 1
        });
        named[place].1.push(part(field));
    }
    named.into_iter().map(|(name, nodes)| (path::part(name, 0), Node::list(nodes))).collect()
}

/// Returns a part with its file name and media type, whatever the boundary.
fn part(field: &Field) -> Node {
    let said = field.said().into_iter().map(|(step, value)| (step, Node::text(value)));
    Node::part(said.chain([(String::new(), Node::bytes(&field.bytes()))]).collect())
}
