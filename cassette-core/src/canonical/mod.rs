//! What a request means: the form in which two requests are compared.
//!
//! A model call falls into parts ([`PartName`]) by its dialect, each dialect in a file of its own; any other call into its
//! endpoint and its body, a JSON object or a form by its members, a multipart body by its parts. What counts nowhere:
//!
//! - in every call: member order, white space and escapes between and in tokens of JSON, the spelling of a number; the order
//!   of query parameters, of the fields of a form and of those of an upload, and its boundary; letter case of a host, the port
//!   that a scheme implies, and empty query parameters;
//! - in a model call: whether a text is a string or one text block, a system parameter or a system message (but beside a
//!   response that is continued), a message of Responses called one; how the JSON in a call's arguments is spelled; whether a
//!   tool and the choice of one stand flat or nested, and what the member with a tool's parameters is called; an empty holder of
//!   settings; `stream: false`; a time in a message's metadata; Gemini's two spellings of a field, and one that is null;
//! - in a request to a GraphQL service: what its grammar ignores.
//!
//! Nothing else is smoothed over: two requests that differ in any other leaf have different forms, whatever its members are
//! called. A model that the path alone names is the part `model`.
//!
//! The form is made from redacted calls alone. Placeholders are numbered anew within each request, by first occurrence,
//! so that neither the order of calls in a run nor the rule that found a secret decides whether two requests are equal.

mod compared;
mod content;
mod endpoint;
mod form;
mod graphql;
mod message;
mod multipart;
mod outline;
mod part;
mod tool;
mod urlencoded;

mod anthropic;
mod bedrock;
mod cohere;
mod gemini;
mod gemini_fields;
mod huggingface;
mod interactions;
mod mistral;
mod ollama;
mod openai;
mod plain;
mod replicate;
mod sourcegraph;
mod watsonx;

pub(crate) use endpoint::{STREAMING, without_model};
pub(crate) use multipart::Field;
pub use outline::Outline;
pub(crate) use outline::{Form, Setting, Sketch, Spot, place};
pub use part::{Aside, Part};

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::call::{Call, Kind};
use crate::dialect::{self, Dialect};
use crate::json::{Json, Layout};
use crate::key::{Key, Salt};
use crate::matching::{Matching, PartName, Wanted};
use crate::path::{Path, leave_out_all, select};
use crate::redact::RedactedCall;
use compared::Compared;
use content::Content;
use endpoint::{Line, Streaming};
use part::{Element, Origin};

/// The canonical form of a request: two requests ask the same exactly if their [`parts`](Canonical::parts) are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Canonical {
    parts: Vec<Part>,
    aside: Aside,
    /// Whether all of it is compared because nothing that `match_on` names is there.
    whole: bool,
}

impl Canonical {
    /// Returns the form of this call, as far as it counts.
    pub fn of(call: &RedactedCall, matching: &Matching) -> Canonical {
        Canonical::in_dialect(call, dialect::detect(call), matching)
    }

    /// Returns the form of a call in this dialect.
    pub(crate) fn in_dialect(call: &Call, dialect: Option<Dialect>, matching: &Matching) -> Canonical {
        let mut content = Content::of(call);
        let streaming = Streaming::of(call, &content, dialect);
        content.settle(matching, dialect);
        let graphql = dialect.is_none() && dialect::is_graphql(call);
        if graphql {
            content.respell_query();
        }
        let mut parts = content.selected(matching, dialect);
        parts.extend(endpoint::selected(call, matching));
        let in_path = content.model_in_path(call, dialect);
        let mut body = content.into_parts(dialect, call.kind);
        if let Some(name) = in_path.clone().map(|place| &call.name[place]) {
            let named = Content::Document(Json::object([("model", Json::from(name))]));
            parts.extend(named.selected(matching, None).into_iter().filter(|part| part.name == "model"));
            body.splice(0..0, (!leaves_out_model(matching)).then(|| model(name)));
        }
        let there: Vec<_> = body.iter().map(|part| part.class).collect();
        let selects_header =
            matching.paths().any(|path| matches!(path, Path::Header(name) if call.header(name).is_some()));
        let compared = Compared::of(matching, dialect, &there, parts.is_empty() && !selects_header);
        let name = match &in_path {
            Some(place) => Cow::Owned(endpoint::without_model(&call.name, place)),
            None => Cow::Borrowed(call.name.as_str()),
        };
        let line = Line { kind: call.kind, name: &name, streaming, graphql };
        let (endpoint, spare) = endpoint::parts(&line, matching, compared == Compared::Whole);
        let mut aside = Aside { rest: spare.into_iter().collect(), ..Aside::default() };
        for part in body {
            match (part.class, compared.has(part.class, matching)) {
                (_, true) => parts.push(part),
                (PartName::Sampling, false) => aside.sampling.push(part),
                (_, false) => aside.rest.push(part),
            }
        }
        let counting = counting_headers(call, matching, wanted(call, dialect));
        parts.extend(counting.iter().map(|(name, values)| header(name, values.join("\n"))));
        let others = call.headers.iter().filter(|(name, _)| !counting.iter().any(|(counting, _)| counting == name));
        let other =
            |(name, value): &(String, String)| Part::one(format!("@header.{name}"), value.clone()).from(Origin::Header);
        aside.headers = others.map(other).collect();
        parts.insert(0, endpoint);
        renumber(parts.iter_mut().chain(aside.parts_mut()));
        let whole = compared == Compared::Whole && matching.match_on.is_some();
        Canonical { parts, aside, whole }
    }

    /// Returns the key of the request.
    pub fn key(&self) -> Key {
        self.salted_key(None)
    }

    /// Returns the key of the request where every digest is made with this salt.
    pub(crate) fn salted_key(&self, salt: Option<&Salt>) -> Key {
        let digests: Vec<_> = self.parts.iter().map(|part| part.digest(salt)).collect();
        Key::over(&digests)
    }

    /// Returns the parts that are compared, the endpoint first.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns what is not compared, by which one of several recordings of one request is chosen.
    pub fn aside(&self) -> &Aside {
        &self.aside
    }

    /// Returns whether all of it is compared because nothing that `match_on` names is there.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns the two halves.
    pub(crate) fn into_halves(self) -> (Vec<Part>, Aside) {
        (self.parts, self.aside)
    }
}

/// Returns where the path of a model call names the model, if its body does not.
pub(crate) fn model_in_path(call: &Call) -> Option<Range<usize>> {
    Content::of(call).model_in_path(call, dialect::detect(call))
}

/// Returns whether the test leaves out what in a body would be called `model`.
fn leaves_out_model(matching: &Matching) -> bool {
    let mut named = Json::object([("model", Json::Null)]);
    let paths = matching.ignore.iter().filter_map(|path| match path {
        Path::Body(steps) if !steps.is_empty() => Some(steps.as_slice()),
        _ => None,
    });
    leave_out_all(&mut named, paths);
    named.members().is_empty()
}

/// Returns where a call of this dialect says which form of an answer it wants.
pub(crate) fn wanted(call: &Call, dialect: Option<Dialect>) -> Wanted {
    if dialect.is_some() || dialect::is_graphql(call) { Wanted::InBody } else { Wanted::InHeaders }
}

/// Returns the headers of a call that are compared, each with its values.
pub(crate) fn counting_headers<'a>(
    call: &'a Call,
    matching: &'a Matching,
    wanted: Wanted,
) -> Vec<(&'a str, Vec<Cow<'a, str>>)> {
    let values = |name: &'a str| {
        let all = call.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let values = all.filter(|value| matching.compares_header((name, value), wanted));
        let values: Vec<_> = values.map(|value| Matching::compared_value(name, value)).collect();
        (name, values)
    };
    matching.counting_headers().into_iter().map(values).filter(|(_, values)| !values.is_empty()).collect()
}

/// Returns whether a call asks for a streamed reply.
pub(crate) fn is_streamed(call: &Call) -> bool {
    Streaming::of(call, &Content::of(call), dialect::detect(call)).asked
}

/// Returns the part that a model in the path makes up, as it was sent.
fn model(name: &str) -> Part {
    let element = Element::at("model", format!("model:{}", Json::from(name).canonical()));
    // Another than a model that the body names beside a path in which the word stands.
    Part::list(PartName::Model.as_str().to_owned(), PartName::Model, vec![element]).from(Origin::Path)
}

/// What a body says, without what does not count.
pub(crate) enum Body {
    /// The JSON, or the fields of a form.
    Document(Json),
    /// The parts of a multipart body.
    Fields(Vec<Field>),
    /// The bytes, whatever the boundary.
    Bytes(Vec<u8>),
    /// There is none.
    Empty,
}

/// Returns what the body of a call says.
pub(crate) fn body(call: &Call, matching: &Matching) -> Body {
    let mut content = Content::of(call);
    content.settle(matching, dialect::detect(call));
    match content {
        Content::Document(json) | Content::Form(json) => Body::Document(json),
        Content::Multipart(fields) => Body::Fields(fields),
        Content::Bytes(text) => Body::Bytes(multipart::bytes(&text)),
        Content::Empty => Body::Empty,
    }
}

/// Returns the JSON of a body, or the fields of a form, without what does not count.
pub(crate) fn document(call: &Call, matching: &Matching) -> Option<Json> {
    match body(call, matching) {
        Body::Document(json) => Some(json),
        _ => None,
    }
}

/// Returns what stands at this path of the body, as it was sent.
pub(crate) fn spelled(call: &Call, path: &str) -> Option<String> {
    let document = Json::parse(std::str::from_utf8(&call.body).ok()?).ok()?;
    let Ok(Path::Body(steps)) = path.parse() else { return None };
    select(&document, &steps).first().map(|(_, value)| value.print(Layout::Compact))
}

fn header(name: &str, value: String) -> Part {
    Part::one(format!("@header.{name}"), value).from(Origin::Header)
}

/// Returns the class of a member of a body that is no known dialect's: a function's argument has none.
fn class(name: &str, kind: Kind) -> PartName {
    match (kind, PartName::from_name(name)) {
        (Kind::Http | Kind::Llm, Some(PartName::Endpoint | PartName::Hooks | PartName::Sampling) | None) => {
            PartName::Rest
        }
        (Kind::Http | Kind::Llm, Some(part)) => part,
        _ => PartName::Rest,
    }
}

/// Gives every placeholder a number of the request's own, and the name of no rule. It stays one: a text of the program's that
/// looks like it has a dot more.
fn renumber<'a>(parts: impl Iterator<Item = &'a mut Part>) {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for text in parts.flat_map(Part::words_mut) {
        *text = crate::redact::replace_placeholders(text, |placeholder| {
            let next = numbers.len() + 1;
            format!("REDACTED.hidden.{}", numbers.entry(placeholder.to_owned()).or_insert(next))
        });
    }
}

#[cfg(test)]
mod tests;
