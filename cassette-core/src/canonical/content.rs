//! The body of a call, by its structure.

use std::ops::Range;
use std::sync::LazyLock;

use super::multipart::{self, Field};
use super::part::{Element, Origin, Part};
use super::{form, gemini, graphql, urlencoded};
use crate::call::{Call, Kind};
use crate::dialect::{Dialect, model_in};
use crate::json::{Json, Member, unnumbered};
use crate::matching::{Matching, PartName};
use crate::path::{self, PartPath, PartPlace, Path, Step, leave_out_all, select};
use crate::rpc;

/// The body of a call.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Empty,
    /// A JSON document.
    Document(Json),
    /// The fields of a form as the members of an object, the values of a repeated one as an array.
    Form(Json),
    /// The parts of a multipart body, in their order.
    Multipart(Vec<Field>),
    /// Anything else: its bytes, each as the character of its number.
    Bytes(String),
}

/// Members in which a model call says something.
const SAID: &[&str] = &["messages", "input", "contents", "chat_history", "prompt", "inputs"];

/// Metadata that changes with every call.
static VOLATILE: LazyLock<Vec<Vec<Step>>> = LazyLock::new(|| {
    let member = |name: &str| Step::Member(name.to_owned());
    let timestamp = [member("metadata"), member("timestamp")];
    let messages = ["messages", "input", "contents", "chat_history"];
    let of_messages = messages.map(|name| [vec![member(name), Step::EachElement], timestamp.to_vec()].concat());
    [vec![timestamp.to_vec()], of_messages.to_vec()].concat()
});

impl Content {
    /// Returns the body of this call.
    pub(super) fn of(call: &Call) -> Content {
        if call.body.is_empty() {
            return Content::Empty;
        }
        if let Some(document) = std::str::from_utf8(&call.body).ok().and_then(|text| Json::parse(text).ok()) {
            return Content::Document(document);
        }
        let kind = call.header("content-type").unwrap_or_default();
        let (essence, _) = kind.split_once(';').unwrap_or((kind, ""));
        let found = match essence.trim().to_ascii_lowercase() {
            essence if essence.starts_with("multipart/") => {
                multipart::read(&call.body, kind).filter(|fields| !fields.is_empty()).map(Content::Multipart)
            }
            essence if essence == "application/x-www-form-urlencoded" => {
                urlencoded::fields(&call.body).map(Content::Form)
            }
            _ => None,
        };
        found.unwrap_or_else(|| Content::Bytes(multipart::without_boundary(&call.body, kind)))
    }

    /// Normalizes what is there, and leaves out what does not count.
    pub(super) fn settle(&mut self, matching: &Matching, dialect: Option<Dialect>) {
        if matching.ignores(&Path::Body(Vec::new())) {
            *self = Content::Empty;
        }
        match self {
            Content::Document(json) | Content::Form(json) => {
                matching.normalize.iter().for_each(|normalize| normalize(json));
                if rpc::asks(json) {
                    rpc::settle(json);
                }
                let ignored = matching.ignore.iter().filter_map(|path| match path {
                    Path::Body(steps) => Some(steps),
                    _ => None,
                });
                let says = dialect.is_some() && SAID.iter().any(|name| json.get(name).is_some_and(says_something));
                let built_in = VOLATILE.iter().filter(|_| says);
                leave_out_all(json, ignored.clone().chain(built_in).map(Vec::as_slice));
                if dialect == Some(Dialect::Gemini) {
                    gemini::camel(json);
                    let camel: Vec<_> = ignored.clone().map(|steps| gemini::camel_path(steps)).collect();
                    leave_out_all(json, ignored.chain(&camel).map(Vec::as_slice));
                }
            }
            Content::Multipart(fields) => {
                for path in &matching.ignore {
                    match path {
                        Path::Part(path) if path.place == PartPlace::Whole => fields.retain(|field| !field.is_at(path)),
                        Path::Part(path) => {
                            fields
                                .iter_mut()
                                .filter(|field| field.is_at(path))
                                .for_each(|field| field.leave_out(&path.place));
                        }
                        _ => {}
                    }
                }
            }
            Content::Empty | Content::Bytes(_) => {}
        }
    }

    /// Returns whether a streamed reply is asked for. To be asked of the body as it was sent: what a test leaves out or
    /// normalizes decides nothing here.
    pub(super) fn is_streamed(&self, dialect: Option<Dialect>) -> bool {
        let asked = match self {
            Content::Document(json) | Content::Form(json) => json.get("stream").and_then(Json::as_bool),
            Content::Multipart(fields) => multipart::is_streamed(fields),
            Content::Empty | Content::Bytes(_) => None,
        };
        asked.unwrap_or(dialect.is_some_and(form::streams_unasked))
    }

    /// Returns where the path of a model call names the model, if the body does not.
    pub(super) fn model_in_path(&self, call: &Call, dialect: Option<Dialect>) -> Option<Range<usize>> {
        let names = |name: &str| match self {
            Content::Document(json) | Content::Form(json) => json.get(name).is_some(),
            Content::Multipart(fields) => fields.iter().any(|field| field.name == name),
            Content::Empty | Content::Bytes(_) => false,
        };
        let in_body = form::model(dialect?).iter().any(|name| names(name));
        if in_body { None } else { model_in(&call.name) }
    }

    /// Makes what a request to a GraphQL service says the same however it is laid out.
    pub(super) fn respell_query(&mut self) {
        if let Content::Document(json) = self {
            graphql::respell(json);
        }
    }

    /// Returns what stands at the paths that `match_on` names.
    pub(super) fn selected(&self, matching: &Matching, dialect: Option<Dialect>) -> Vec<Part> {
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
            (!found.is_empty()).then(|| Part::list(path.to_string(), PartName::Rest, found).from(Origin::Path))
        };
        matching.paths().filter_map(one).collect()
    }

    /// Returns the parts of the body: of a model call, by its dialect.
    pub(super) fn into_parts(self, dialect: Option<Dialect>, kind: Kind) -> Vec<Part> {
        match (self, dialect) {
            (Content::Document(Json::Object(members)), _) if members.is_empty() => {
                vec![whole("{}".to_owned()).from(Origin::Document)]
            }
            (Content::Document(Json::Object(members)), Some(dialect)) => form::parts(dialect, members),
            (Content::Document(json @ Json::Object(_)), None) => members(&json, kind, Origin::Member),
            (Content::Document(other), _) => {
                vec![value(WHOLE, (path::WHOLE, ""), &other).from(Origin::Document)]
            }
            (Content::Form(json), _) => {
                let marker = Part::one("@form".to_owned(), String::new()).from(Origin::Field);
                std::iter::once(marker).chain(members(&json, kind, Origin::Field)).collect()
            }
            (Content::Multipart(fields), dialect) => multipart::parts(fields, dialect),
            (Content::Bytes(text), _) => vec![whole(text).from(Origin::Bytes)],
            (Content::Empty, _) => Vec::new(),
        }
    }
}

/// The name of a body that has no members. A member may be called so too, and is told from it by what it is made of.
const WHOLE: &str = "@body";

fn whole(text: String) -> Part {
    Part::one(WHOLE.to_owned(), text)
}

fn says_something(json: &Json) -> bool {
    match json {
        Json::String(text) => !text.source().is_empty(),
        other => !other.elements().is_empty(),
    }
}

fn members(json: &Json, kind: Kind, origin: Origin) -> Vec<Part> {
    let one = |(name, member): &Member| {
        let path = path::member("", &name.value());
        let class = super::class(&name.value(), kind);
        value(&name.canonical(), (&path, &path), member).of(class).from(origin)
    };
    let mut parts: Vec<_> = json.members().iter().map(one).collect();
    parts.sort_by_cached_key(|part| unnumbered(&part.name).into_owned());
    parts
}

/// Returns the part of this name that a value makes up: it stands at this path, its elements in a list at the second.
fn value(name: &str, (path, list): (&str, &str), value: &Json) -> Part {
    match value {
        // An empty one stands for itself: what has no element could not be told of.
        Json::Array(elements) if !elements.is_empty() => {
            let elements = elements.iter().enumerate();
            let elements = elements.map(|(i, element)| Element::at(format!("{list}[{i}]"), element.canonical()));
            Part::list(name.to_owned(), PartName::Rest, elements.collect())
        }
        other => Part::one(name.to_owned(), other.canonical()).standing(path),
    }
}
