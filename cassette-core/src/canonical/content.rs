//! The body of a call, by its structure.

use std::ops::Range;
use std::sync::LazyLock;

use super::part::{Element, Origin, Part};
use super::{form, gemini, graphql};
use crate::call::{Call, Kind};
use crate::dialect::{Dialect, model_in};
use crate::json::{Json, Member, unnumbered};
use crate::matching::{Matching, PartName};
use crate::path::{Path, Step, leave_out, part};

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

/// A part of a multipart body.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// Its headers but for the name, an empty line, and its bytes, each as the character of its number.
    pub(super) text: String,
    /// Its bytes alone, so.
    pub(super) value: String,
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
                multipart(&call.body, kind).filter(|fields| !fields.is_empty()).map(Content::Multipart)
            }
            essence if essence == "application/x-www-form-urlencoded" => fields(&call.body).map(Content::Form),
            _ => None,
        };
        found.unwrap_or_else(|| Content::Bytes(without_boundary(&call.body, kind)))
    }

    /// Normalizes what is there, and leaves out what does not count.
    pub(super) fn settle(&mut self, matching: &Matching, dialect: Option<Dialect>) {
        match self {
            Content::Document(json) | Content::Form(json) => {
                matching.normalize.iter().for_each(|normalize| normalize(json));
                let ignored = matching.ignore.iter().filter_map(|path| match path {
                    Path::Body(steps) => Some(steps),
                    _ => None,
                });
                let says = dialect.is_some() && SAID.iter().any(|name| json.get(name).is_some_and(says_something));
                let built_in = VOLATILE.iter().filter(|_| says);
                ignored.clone().chain(built_in).for_each(|steps| leave_out(json, steps));
                if dialect == Some(Dialect::Gemini) {
                    gemini::camel(json);
                    let definite = ignored.filter(|steps| !steps.contains(&Step::Anywhere));
                    definite.for_each(|steps| leave_out(json, &gemini::camel_path(steps)));
                }
            }
            Content::Multipart(fields) => fields.retain(|field| !matching.ignores(&Path::Part(field.name.clone()))),
            Content::Empty | Content::Bytes(_) => {}
        }
    }

    /// Returns whether a streamed reply is asked for. To be asked of the body as it was sent: what a test leaves out or
    /// normalizes decides nothing here.
    pub(super) fn is_streamed(&self, dialect: Option<Dialect>) -> bool {
        let asked = match self {
            Content::Document(json) | Content::Form(json) => json.get("stream").and_then(Json::as_bool),
            Content::Multipart(fields) => fields.iter().find(|field| field.name == STREAM).map(Field::is_set),
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

    /// Returns the parts of the body: of a model call, by its dialect.
    pub(super) fn into_parts(self, dialect: Option<Dialect>, kind: Kind) -> Vec<Part> {
        match (self, dialect) {
            (Content::Document(Json::Object(members)), _) if members.is_empty() => {
                vec![whole("{}".to_owned()).from(Origin::Document)]
            }
            (Content::Document(Json::Object(members)), Some(dialect)) => form::parts(dialect, members),
            (Content::Document(json @ Json::Object(_)), None) => members(&json, kind, Origin::Member),
            (Content::Document(other), _) => {
                vec![said("body", "", &other).called(WHOLE).from(Origin::Document)]
            }
            (Content::Form(json), _) => {
                let marker = Part::one("@form".to_owned(), String::new()).from(Origin::Field);
                std::iter::once(marker).chain(members(&json, kind, Origin::Field)).collect()
            }
            (Content::Multipart(fields), dialect) => by_name(fields, dialect),
            (Content::Bytes(text), _) => vec![whole(text).from(Origin::Bytes)],
            (Content::Empty, _) => Vec::new(),
        }
    }
}

impl Field {
    /// Returns whether a field that is a switch is on, as servers read one.
    fn is_set(&self) -> bool {
        ["true", "1", "on", "yes", "t", "y"].iter().any(|on| self.value.trim().eq_ignore_ascii_case(on))
    }

    /// Returns whether the field says nothing but whether the reply is streamed, in the words that everybody reads so.
    fn is_streaming(&self) -> bool {
        self.name == STREAM && ["true", "false"].contains(&self.value.as_str())
    }
}

const STREAM: &str = "stream";

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
    let members = json.members().iter();
    let one = |(name, value): &Member| {
        let (name, class) = (name.canonical(), super::class(&name.value(), kind));
        let path = crate::path::member("", &name);
        said(&name, &path, value).of(class).from(origin)
    };
    let mut parts: Vec<_> = members.map(one).collect();
    parts.sort_by_cached_key(|part| unnumbered(&part.name).into_owned());
    parts
}

/// Returns the part of this name that a value makes up: of an array, an element each.
fn said(name: &str, path: &str, value: &Json) -> Part {
    match value {
        Json::Array(elements) => {
            let elements = elements.iter().enumerate();
            let elements = elements.map(|(i, element)| Element::at(format!("{path}[{i}]"), element.canonical()));
            Part::list(name.to_owned(), PartName::Rest, elements.collect())
        }
        other => Part::one(name.to_owned(), other.canonical()),
    }
}

/// Returns the parts of a multipart body by their names. A model call's settings stand in them as in a JSON body.
fn by_name(fields: Vec<Field>, dialect: Option<Dialect>) -> Vec<Part> {
    let mut parts: Vec<(String, PartName, Vec<Element>)> = Vec::new();
    for field in fields.into_iter().filter(|field| dialect.is_none() || !field.is_streaming()) {
        let path = part(&field.name);
        let class = dialect.map_or(PartName::Rest, |dialect| form::class(dialect, &field.name));
        let (name, text) = match class {
            PartName::Rest => (path.clone(), field.text),
            class => (class.as_str().to_owned(), format!("{}:{}", field.name, field.text)),
        };
        let element = Element::at(path, text);
        match parts.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., elements)) => elements.push(element),
            None => parts.push((name, class, vec![element])),
        }
    }
    // The fields of one part stand in no order of their own; several of one name do.
    parts.iter_mut().for_each(|(.., elements)| elements.sort_by(|a, b| a.path().cmp(b.path())));
    parts.sort();
    parts.into_iter().map(|(name, class, elements)| Part::list(name, class, elements).from(Origin::Upload)).collect()
}

/// Reads a multipart body (RFC 2046, section 5.1); `None` where it is none, or a part has no name.
fn multipart(body: &[u8], kind: &str) -> Option<Vec<Field>> {
    let boundary = boundary(kind)?;
    let text = format!("\r\n{}", latin1(body));
    let delimiter = format!("\r\n--{boundary}");
    let mut pieces = text.split(&delimiter);
    let before = pieces.next()?;
    let mut fields = Vec::new();
    for piece in pieces {
        if let Some(after) = piece.strip_prefix("--") {
            return (before.trim().is_empty() && after.trim().is_empty()).then_some(fields);
        }
        let (head, value) = piece.strip_prefix("\r\n")?.split_once("\r\n\r\n")?;
        fields.push(field(head, value)?);
    }
    None
}

fn boundary(kind: &str) -> Option<&str> {
    let at = kind.to_ascii_lowercase().find("boundary=")? + "boundary=".len();
    let boundary = kind[at..].split(';').next()?.trim().trim_matches('"');
    (!boundary.is_empty()).then_some(boundary)
}

/// Returns the bytes with a multipart boundary replaced, which is random, by a character that is none of a byte's.
fn without_boundary(body: &[u8], kind: &str) -> String {
    let text = latin1(body);
    boundary(kind).map(|boundary| text.replace(&format!("--{boundary}"), "--\u{2026}")).unwrap_or(text)
}

fn field(head: &str, value: &str) -> Option<Field> {
    let mut name = None;
    let mut headers: Vec<String> = Vec::new();
    for line in head.split("\r\n") {
        // A bare line end within a header would read as the end of all.
        let (key, rest) = line.split_once(':').filter(|_| !line.contains(['\r', '\n']))?;
        let key = key.trim().to_ascii_lowercase();
        if key == "content-disposition" {
            let found = rest.split(';').map(str::trim).find_map(|setting| setting.strip_prefix("name="));
            name = found.map(|found| found.trim_matches('"').to_owned());
        }
        headers.push(format!("{key}: {}", rest.trim()));
    }
    headers.sort();
    Some(Field { name: name?, text: format!("{}\n\n{value}", headers.join("\n")), value: value.to_owned() })
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

/// Returns a value of a form or a query; `None` where its encoding is none.
pub(super) fn decoded(text: &str) -> Option<String> {
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

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
