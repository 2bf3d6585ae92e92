//! What a request means: the form in which two requests are compared.
//!
//! A model call falls into parts ([`PartName`]) by its dialect, each dialect in a file of its own; any other call into its
//! endpoint and its body, a JSON object or a form by its members, a multipart body by its parts. Within a part a string
//! equals one text block, a system parameter a system message, and the JSON in a tool call's arguments is JSON; member
//! order, white space between tokens, the order of query parameters and the boundary of a multipart body count nowhere.
//! A model that the path alone names is the part `model`, and Gemini's two spellings of a name are one.
//! Nothing else is smoothed over: two requests that differ in any other leaf have different forms.
//!
//! The form is made from redacted calls alone. Placeholders are numbered anew within each request, by first occurrence,
//! so that neither the order of calls in a run nor the rule that found a secret decides whether two requests are equal.

mod content;
mod endpoint;
mod form;
mod message;
mod multipart;
mod outline;
mod part;
mod tool;

mod anthropic;
mod bedrock;
mod cohere;
mod gemini;
mod interactions;
mod ollama;
mod openai;
mod others;
mod plain;

pub(crate) use endpoint::without_model;
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
use crate::matching::{Matching, PartName, Selector};
use crate::path::{self, PartPath, Path, Step, leave_out_all, select};
use crate::redact::RedactedCall;
use content::Content;
use endpoint::Line;
use part::Element;

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
        content.settle(matching, dialect);
        let mut parts = content.selected(matching, dialect);
        parts.extend(endpoint::selected(call, matching));
        let streamed = content.is_streamed(dialect);
        let in_path = content.model_in_path(call, dialect);
        let mut body = content.into_parts(dialect, call.kind);
        if let Some(name) = in_path.clone().map(|place| &call.name[place]) {
            let named = Content::Document(Json::object([("model", Json::from(name))]));
            parts.extend(named.selected(matching, None).into_iter().filter(|part| part.name == "model"));
            body.splice(0..0, (!leaves_out_model(matching)).then(|| model(name)));
        }
        let whole = is_whole(matching, dialect, &body, &parts);
        let name = match &in_path {
            Some(place) => Cow::Owned(endpoint::without_model(&call.name, place)),
            None => Cow::Borrowed(call.name.as_str()),
        };
        let line = Line { kind: call.kind, name: &name, streamed };
        let (endpoint, spare) = endpoint::parts(&line, matching, whole);
        let mut aside = Aside { rest: spare.into_iter().collect(), ..Aside::default() };
        for part in body {
            match (part.class, whole || matching.compares(part.class)) {
                (_, true) => parts.push(part),
                (PartName::Sampling, false) => aside.sampling.push(part),
                (_, false) => aside.rest.push(part),
            }
        }
        let counting = matching.counting_headers();
        let sent = counting.iter().filter(|name| call.header(name).is_some());
        parts.extend(sent.map(|name| header(call, name)));
        let others = call.headers.iter().filter(|(name, _)| !counting.contains(name));
        aside.headers = others.map(|(name, value)| Part::one(format!("@header.{name}"), value.clone())).collect();
        parts.insert(0, endpoint);
        renumber(parts.iter_mut().chain(aside.parts_mut()));
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

/// Returns whether a call asks for a streamed reply.
pub(crate) fn is_streamed(call: &Call, matching: &Matching) -> bool {
    let form = Canonical::in_dialect(call, dialect::detect(call), matching);
    form.parts.iter().flat_map(Part::elements).any(|element| element == ("stream", "streamed"))
}

/// Returns the part that a model in the path makes up, as it was sent.
fn model(name: &str) -> Part {
    let element = Element::at("model", format!("model:{}", Json::from(name).canonical()));
    Part::list(PartName::Model.as_str().to_owned(), PartName::Model, vec![element])
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

/// Returns whether a call is compared whole although `match_on` names what to compare: nothing that it names is there.
///
/// A call that has nothing to do with the parts named, to another host in the same test, would else be answered by any
/// recording of its URL.
fn is_whole(matching: &Matching, dialect: Option<Dialect>, body: &[Part], selected: &[Part]) -> bool {
    let Some(selectors) = &matching.match_on else { return false };
    let named = |selector: &Selector| match selector {
        Selector::Part(PartName::Endpoint | PartName::Hooks) => false,
        Selector::Part(part) => dialect.is_some() || body.iter().any(|found| found.class == *part),
        Selector::Path(_) => false,
    };
    let of_no_body = |selector: &Selector| matches!(selector, Selector::Part(PartName::Endpoint | PartName::Hooks));
    !selectors.iter().all(of_no_body) && selected.is_empty() && !selectors.iter().any(named)
}

impl Content {
    /// Returns what stands at the paths that `match_on` names.
    fn selected(&self, matching: &Matching, dialect: Option<Dialect>) -> Vec<Part> {
        let spelled = |steps: &[Step]| match dialect {
            Some(Dialect::Gemini) => gemini::camel_path(steps),
            _ => steps.to_vec(),
        };
        let one = |path: &Path| {
            let found: Vec<Element> = match (path, self) {
                (Path::Body(steps), Content::Document(json) | Content::Form(json)) => {
                    let found = select(json, &spelled(steps)).into_iter().map(|(place, value)| {
                        let whole = if place.is_empty() || place.starts_with('~') { path::WHOLE } else { "" };
                        let place = format!("{whole}{place}");
                        Element::at(place.clone(), format!("{place}:{}", value.canonical()))
                    });
                    found.collect()
                }
                (Path::Part(path), Content::Multipart(fields)) => {
                    let fields = fields.iter().filter(|field| field.is_at(path));
                    let place =
                        |field: &Field| PartPath { nth: Some(field.nth).filter(|nth| *nth > 0), ..path.clone() };
                    let one = |field: &Field| Some(Element::at(place(field).to_string(), field.at(&path.place)?));
                    fields.filter_map(one).collect()
                }
                (Path::Body(steps), Content::Bytes(text)) if steps.is_empty() => {
                    vec![Element::at(path.to_string(), text.clone())]
                }
                _ => Vec::new(),
            };
            (!found.is_empty()).then(|| Part::list(path.to_string(), PartName::Rest, found))
        };
        matching.paths().filter_map(one).collect()
    }
}

fn header(call: &Call, name: &str) -> Part {
    let values: Vec<_> =
        call.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
    Part::one(format!("@header.{name}"), values.join("\n"))
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

/// Gives every placeholder a number of the request's own.
fn renumber<'a>(parts: impl Iterator<Item = &'a mut Part>) {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for text in parts.flat_map(Part::words_mut) {
        *text = crate::redact::replace_placeholders(text, |placeholder| {
            let next = numbers.len() + 1;
            format!("REDACTED.{}", numbers.entry(placeholder.to_owned()).or_insert(next))
        });
    }
}

#[cfg(test)]
mod tests;
