//! The body of a call, by its structure.

use std::ops::Range;
use std::sync::LazyLock;

use super::multipart::{Field, boundary, latin1, multipart};
use super::part::{Element, Part};
use super::{form, gemini};
use crate::call::{Call, Kind};
use crate::dialect::{Dialect, model_in};
use crate::json::{Json, Member, unnumbered};
use crate::matching::{Matching, PartName};
use crate::path::{self, PartPlace, Path, Step, leave_out, leave_out_all};

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
            essence if essence.starts_with("multipart/") => multipart(&call.body, kind).map(Content::Multipart),
            essence if essence == "application/x-www-form-urlencoded" => fields(&call.body).map(Content::Form),
            _ => None,
        };
        found.unwrap_or_else(|| Content::Bytes(without_boundary(&call.body, kind)))
    }

    /// Normalizes what is there, and leaves out what does not count.
    pub(super) fn settle(&mut self, matching: &Matching, dialect: Option<Dialect>) {
        if matching.ignores(&Path::Body(Vec::new())) {
            *self = Content::Empty;
        }
        match self {
            Content::Document(json) | Content::Form(json) => {
                matching.normalize.iter().for_each(|normalize| normalize(json));
                let ignored = matching.ignore.iter().filter_map(|path| match path {
                    Path::Body(steps) => Some(steps),
                    _ => None,
                });
                let built_in = VOLATILE.iter().filter(|_| dialect.is_some());
                leave_out_all(json, ignored.clone().chain(built_in).map(Vec::as_slice));
                if dialect == Some(Dialect::Gemini) {
                    gemini::camel(json);
                    let definite = ignored.filter(|steps| !steps.contains(&Step::Anywhere));
                    definite.for_each(|steps| leave_out(json, &gemini::camel_path(steps)));
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

    /// Returns whether a streamed reply is asked for.
    pub(super) fn is_streamed(&self, dialect: Option<Dialect>) -> bool {
        let asked = match self {
            Content::Document(json) | Content::Form(json) => json.get("stream").and_then(Json::as_bool),
            Content::Multipart(fields) => {
                fields.iter().find(|field| field.name == "stream").map(|field| field.value == "true")
            }
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

    /// Returns the parts of the body: of a model call, by its dialect.
    pub(super) fn into_parts(self, dialect: Option<Dialect>, kind: Kind) -> Vec<Part> {
        match (self, dialect) {
            (Content::Document(Json::Object(members)), _) if members.is_empty() => vec![whole("{}".to_owned())],
            (Content::Document(Json::Object(members)), Some(dialect)) => form::parts(dialect, members),
            (Content::Document(json @ Json::Object(_)), None) => members(&json, kind),
            (Content::Document(other), _) => {
                vec![value(WHOLE, PartName::Rest, (path::WHOLE, ""), &other)]
            }
            (Content::Form(json), _) => {
                let marker = Part::one("@form".to_owned(), String::new());
                std::iter::once(marker).chain(members(&json, kind)).collect()
            }
            (Content::Multipart(fields), dialect) => by_name(fields, dialect),
            (Content::Bytes(text), _) => vec![whole(text)],
            (Content::Empty, _) => Vec::new(),
        }
    }
}

/// The name of a body that has no members: no member of an object is called so.
const WHOLE: &str = "@body";

fn whole(text: String) -> Part {
    Part::one(WHOLE.to_owned(), text)
}

fn members(json: &Json, kind: Kind) -> Vec<Part> {
    let one = |(name, member): &Member| {
        let path = path::member("", &name.value());
        value(&name.canonical(), super::class(&name.value(), kind), (&path, &path), member)
    };
    let mut parts: Vec<_> = json.members().iter().map(one).collect();
    parts.sort_by_cached_key(|part| unnumbered(&part.name).into_owned());
    parts
}

/// Returns the part of a value that stands at this path, its elements in a list at the second.
fn value(name: &str, class: PartName, (path, list): (&str, &str), value: &Json) -> Part {
    match value {
        // An empty one stands for itself: what has no element could not be told of.
        Json::Array(elements) if !elements.is_empty() => {
            let elements = elements.iter().enumerate();
            let elements = elements.map(|(i, element)| Element::at(format!("{list}[{i}]"), element.canonical()));
            Part::list(name.to_owned(), class, elements.collect())
        }
        other => Part::one(name.to_owned(), other.canonical()).of(class).standing(path),
    }
}

/// Returns the parts of a multipart body by their names. A model call's settings stand in them as in a JSON body.
fn by_name(mut fields: Vec<Field>, dialect: Option<Dialect>) -> Vec<Part> {
    // The fields of one part stand in no order of their own; several of one name do.
    fields.sort_by(|a, b| (&a.name, a.nth).cmp(&(&b.name, b.nth)));
    let mut parts: Vec<(String, PartName, Vec<Element>)> = Vec::new();
    for field in fields.into_iter().filter(|field| dialect.is_none() || field.name != "stream") {
        let class = dialect.map_or(PartName::Rest, |dialect| form::class(dialect, &field.name));
        let (name, text) = match class {
            PartName::Rest => (path::part(&field.name, 0), field.text()),
            class => (class.as_str().to_owned(), format!("{}:{}", field.name, field.text())),
        };
        let element = Element::at(field.path(), text);
        match parts.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., elements)) => elements.push(element),
            None => parts.push((name, class, vec![element])),
        }
    }
    parts.sort();
    parts.into_iter().map(|(name, class, elements)| Part::list(name, class, elements)).collect()
}

/// Returns the bytes with a multipart boundary replaced, which is random.
pub(super) fn without_boundary(body: &[u8], kind: &str) -> String {
    let text = latin1(body);
    boundary(kind).map(|boundary| text.replace(&format!("--{boundary}"), "--boundary")).unwrap_or(text)
}

/// Reads a form (`application/x-www-form-urlencoded`); `None` where a field is no UTF-8.
fn fields(body: &[u8]) -> Option<Json> {
    let text = std::str::from_utf8(body).ok()?;
    let mut fields: Vec<(String, Vec<Json>)> = Vec::new();
    for pair in text.split('&') {
        let (name, value) = pair.split_once('=')?;
        let (name, value) = (decoded(name)?, Json::from(decoded(value)?));
        match fields.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => fields.push((name, vec![value])),
        }
    }
    let members = fields.into_iter().map(|(name, mut values)| {
        let value = if values.len() == 1 { values.remove(0) } else { Json::Array(values) };
        (name.as_str().into(), value)
    });
    Some(Json::Object(members.collect()))
}

fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'+' => out.push(b' '),
            b'%' => {
                let digits = std::str::from_utf8(bytes.get(at + 1..at + 3)?).ok()?;
                let sound = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                out.push(u8::from_str_radix(digits, 16).ok().filter(|_| sound)?);
                at += 2;
            }
            byte => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8(out).ok()
}
