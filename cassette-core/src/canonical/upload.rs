//! A multipart body: the files and fields of a form that is uploaded.

use super::form;
use super::part::{Element, Origin, Part};
use crate::dialect::Dialect;
use crate::matching::PartName;
use crate::path;

/// A part of a multipart body.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// Its headers, an empty line, and its bytes, each as the character of its number.
    pub(super) text: String,
    /// Its bytes alone, so.
    pub(super) value: String,
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

/// The field that says whether a reply is streamed.
const STREAM: &str = "stream";

/// Returns whether these fields ask for a streamed reply, if they say.
pub(super) fn is_streamed(fields: &[Field]) -> Option<bool> {
    fields.iter().find(|field| field.name == STREAM).map(Field::is_set)
}

/// Returns the parts of a multipart body by their names. A model call's settings stand in them as in a JSON body.
pub(super) fn parts(fields: Vec<Field>, dialect: Option<Dialect>) -> Vec<Part> {
    let mut parts: Vec<(String, PartName, Vec<Element>)> = Vec::new();
    let class = |name: &str| dialect.map_or(PartName::Rest, |dialect| form::class(dialect, name));
    let is_asked = fields.iter().any(|field| class(&field.name) == PartName::Messages);
    for field in fields.into_iter().filter(|field| dialect.is_none() || !field.is_streaming()) {
        let path = path::part(&field.name);
        let class = match class(&field.name) {
            PartName::Sampling if !is_asked => PartName::Rest,
            class => class,
        };
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
pub(super) fn read(body: &[u8], kind: &str) -> Option<Vec<Field>> {
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
pub(super) fn without_boundary(body: &[u8], kind: &str) -> String {
    let text = latin1(body);
    boundary(kind).map(|boundary| text.replace(&format!("--{boundary}"), "--\u{2026}")).unwrap_or(text)
}

fn field(head: &str, value: &str) -> Option<Field> {
    let mut name = None;
    let mut headers: Vec<String> = Vec::new();
    for line in head.split("\r\n") {
        // A bare line end within a header would read as the end of all.
        let (key, said) = line.split_once(':').filter(|_| !line.contains(['\r', '\n']))?;
        let (key, said) = (key.trim().to_ascii_lowercase(), said.trim());
        if key == "content-disposition" {
            let disposition = Disposition::read(said)?;
            name = disposition.name().map(str::to_owned);
            headers.push(format!("{key}: {}", disposition.spelled()));
        } else {
            headers.push(format!("{key}: {said}"));
        }
    }
    headers.sort();
    Some(Field { name: name?, text: format!("{}\n\n{value}", headers.join("\n")), value: value.to_owned() })
}

/// What a part of a form is called (RFC 7578, section 4.2): the order of the parameters and the quotation marks around a value
/// that needs none say nothing.
struct Disposition<'a> {
    kind: &'a str,
    /// Name and value, the value as it stands within its quotation marks.
    parameters: Vec<(String, &'a str)>,
}

impl<'a> Disposition<'a> {
    fn read(text: &'a str) -> Option<Disposition<'a>> {
        let mut pieces = Vec::new();
        let (mut start, mut quoted, mut escaped) = (0, false, false);
        for (at, c) in text.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                ';' if !quoted => {
                    pieces.push(&text[start..at]);
                    start = at + 1;
                }
                _ => {}
            }
        }
        pieces.push(&text[start..]);
        let parameter = |piece: &&'a str| {
            let (name, value) = piece.trim().split_once('=')?;
            let within = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            let bare = || (!value.contains(['"', '\\'])).then_some(value);
            Some((name.trim().to_ascii_lowercase(), within.or_else(bare)?))
        };
        let mut parameters: Vec<_> = pieces[1..].iter().map(parameter).collect::<Option<_>>()?;
        parameters.sort();
        (!quoted).then_some(Disposition { kind: pieces[0].trim(), parameters })
    }

    fn name(&self) -> Option<&'a str> {
        self.parameters.iter().find(|(name, _)| name == "name").map(|(_, value)| *value)
    }

    fn spelled(&self) -> String {
        let parameters = self.parameters.iter().map(|(name, value)| format!("; {name}=\"{value}\""));
        std::iter::once(self.kind.to_owned()).chain(parameters).collect()
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
