//! The endpoint of a call: where it goes, and whether its reply is streamed.

use std::borrow::Cow;
use std::ops::Range;

use super::content::Content;
use super::graphql;
use super::part::{Element, Origin, Part};
use crate::call::{Call, Kind};
use crate::dialect::{self, Dialect};
use crate::matching::{Matching, PartName};
use crate::path::{self, Path};

/// The line of a call, as it is compared.
pub(super) struct Line<'a> {
    pub(super) kind: Kind,
    pub(super) name: &'a str,
    pub(super) streaming: Streaming,
    /// Whether the parameters of the query may be those of a GraphQL service.
    pub(super) graphql: bool,
}

/// What an endpoint says of a reply: that it is asked for whole, or streamed.
pub(crate) const STREAMING: [&str; 2] = ["whole", "streamed"];

/// Whether a streamed reply is asked for.
pub(super) struct Streaming {
    pub(super) asked: bool,
    /// Where a call says so, or would.
    path: &'static str,
}

impl Streaming {
    /// Returns whether a call with this body asks for a streamed reply: Google's APIs may be asked in the address for events in the
    /// place of a document.
    pub(super) fn of(call: &Call, content: &Content, dialect: Option<Dialect>) -> Streaming {
        let by_body = content.is_streamed(dialect);
        let google = matches!(dialect, Some(Dialect::Gemini | Dialect::GeminiInteractions));
        let query = call.name.split_once('?').filter(|_| google).map_or("", |(_, query)| query);
        let by_address = query.split('&').any(|said| said == "alt=sse");
        let path = match content {
            _ if by_address || dialect == Some(Dialect::Gemini) => "@query.alt",
            Content::Multipart(_) => "@part[\"stream\"]",
            _ => "stream",
        };
        Streaming { asked: by_body || by_address, path }
    }
}

/// Returns the endpoint: kind, method, path and streaming always, host and query where they are compared; and what of it
/// is not.
pub(super) fn parts(line: &Line<'_>, matching: &Matching, whole: bool) -> (Part, Option<Part>) {
    let kind = Element::at("@kind", line.kind.as_str());
    if line.kind != Kind::Http {
        return (part(vec![kind, Element::at("@name", line.name)]), None);
    }
    let Address { method, host, path, query } = split(line.name);
    let always = vec![
        kind,
        Element::at("@method", method),
        Element::at("@path", path),
        Element::at(line.streaming.path, STREAMING[usize::from(line.streaming.asked)]),
    ];
    let host = (!matching.ignores(&Path::Line(path::Line::Host))).then(|| Element::at("@host", host));
    let mut query = query;
    // The parameters stand in no order of their own; several of one name do.
    query.sort_by_key(|parameter| key(parameter));
    let query = query
        .into_iter()
        .filter(|parameter| !matching.ignores(&Path::Query(key(parameter).to_owned())))
        .map(|parameter| Element::at(format!("@query.{}", key(parameter)), said(parameter, line.graphql)));
    let others = host.into_iter().chain(query).collect();
    if whole || matching.match_on.is_none() || matching.compares(PartName::Endpoint) {
        return (part([always, others].concat()), None);
    }
    (part(always), Some(part(others)))
}

/// Returns the name of a call whose path names its model with a word in the model's place: the model is a part of its own.
pub(crate) fn without_model(name: &str, place: &Range<usize>) -> String {
    format!("{}{{model}}{}", &name[..place.start], &name[place.end..])
}

/// Returns a parameter as it is compared: of a GraphQL service, by what it means.
fn said(parameter: &str, graphql: bool) -> Cow<'_, str> {
    let spelled = if graphql { graphql::parameter(parameter) } else { None };
    spelled.map_or(Cow::Borrowed(parameter), Cow::Owned)
}

/// Returns what stands at the paths of the request's line that `match_on` names.
pub(super) fn selected(call: &Call, matching: &Matching) -> Vec<Part> {
    let line = split(&call.name);
    let graphql = dialect::is_graphql(call);
    let one = |path: &Path| {
        let found: Vec<Element> = match path {
            Path::Line(path::Line::Host) if call.kind == Kind::Http => vec![Element::at("@host", line.host.clone())],
            Path::Query(named) => {
                let parameters = line.query.iter().filter(|parameter| key(parameter) == named);
                parameters.map(|parameter| Element::at(path.to_string(), said(parameter, graphql))).collect()
            }
            _ => Vec::new(),
        };
        (!found.is_empty()).then(|| Part::list(path.to_string(), PartName::Rest, found).from(Origin::Path))
    };
    matching.paths().filter_map(one).collect()
}

fn part(elements: Vec<Element>) -> Part {
    Part::list(PartName::Endpoint.as_str().to_owned(), PartName::Endpoint, elements)
}

struct Address<'a> {
    method: &'a str,
    /// Scheme, host and port; scheme and host in lower case, without the port that the scheme implies.
    host: String,
    path: &'a str,
    query: Vec<&'a str>,
}

fn split(name: &str) -> Address<'_> {
    let (address, query) = name.split_once('?').unwrap_or((name, ""));
    let (method, url) = address.split_once(' ').unwrap_or(("", address));
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (scheme, authority) = (scheme.to_ascii_lowercase(), authority.to_ascii_lowercase());
    let implied = if scheme == "https" { ":443" } else { ":80" };
    let host = format!("{scheme}://{}", authority.strip_suffix(implied).unwrap_or(&authority));
    let query = query.split('&').filter(|parameter| !parameter.is_empty()).collect();
    Address { method, host, path, query }
}

fn key(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(key, _)| key)
}
