//! Multipart bodies, part by part (RFC 2046, section 5.1; RFC 7578).

use std::collections::{BTreeMap, HashMap};

use super::form;
use super::part::{Element, Origin, Part};
use crate::dialect::Dialect;
use crate::json::Json;
use crate::matching::PartName;
use crate::path::{self, PartPath, PartPlace, leave_out};

/// A part of a multipart body.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// Its position among the parts of its name, from 0.
    pub(crate) nth: usize,
    /// How it is to be taken, most often `form-data`, and the parameters but for the name, sorted: neither their order nor
    /// their quotation marks say anything (RFC 2183).
    disposition: Option<(String, Vec<(String, String)>)>,
    /// Its other headers, sorted.
    headers: Vec<(String, String)>,
    /// Its bytes, each as the character of its number.
    pub(super) value: String,
}

/// The field that says whether a reply is streamed.
const STREAM: &str = "stream";

/// Returns whether these fields ask for a streamed reply, if they say.
pub(super) fn is_streamed(fields: &[Field]) -> Option<bool> {
    fields.iter().find(|field| field.name == STREAM).map(Field::is_set)
}

/// Returns the parts of a multipart body by their names. A model call's settings stand in them as in a JSON body.
pub(super) fn parts(mut fields: Vec<Field>, dialect: Option<Dialect>) -> Vec<Part> {
    // The fields of one part stand in no order of their own; several of one name do.
    fields.sort_by(|a, b| (&a.name, a.nth).cmp(&(&b.name, b.nth)));
    let class = |name: &str| dialect.map_or(PartName::Rest, |dialect| form::class(dialect, name));
    let is_asked = fields.iter().any(|field| class(&field.name) == PartName::Messages);
    let mut parts: BTreeMap<(String, PartName), Vec<Element>> = BTreeMap::new();
    for field in fields.iter().filter(|field| dialect.is_none() || !field.is_streaming()) {
        let class = match class(&field.name) {
            PartName::Sampling if !is_asked => PartName::Rest,
            class => class,
        };
        let (name, text) = match class {
            PartName::Rest => (path::part(&field.name, 0), field.text()),
            class => (class.as_str().to_owned(), format!("{}:{}", field.name, field.text())),
        };
        let element = Element::at(field.path(), text);
        parts.entry((name, class)).or_default().push(element);
    }
    parts.into_iter().map(|((name, class), elements)| Part::list(name, class, elements).from(Origin::Upload)).collect()
}

/// Reads a multipart body; `None` where it is none, or a part has no name.
pub(super) fn read(body: &[u8], kind: &str) -> Option<Vec<Field>> {
    let boundary = boundary(kind)?;
    let text = format!("\r\n{}", latin1(body));
    let delimiter = format!("\r\n--{boundary}");
    let mut pieces = text.split(&delimiter);
    let before = pieces.next()?;
    let mut fields: Vec<Field> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for piece in pieces {
        if let Some(after) = piece.strip_prefix("--") {
            return (before.trim().is_empty() && after.trim().is_empty()).then_some(fields);
        }
        let (head, value) = piece.strip_prefix("\r\n")?.split_once("\r\n\r\n")?;
        let found = field(head, value)?;
        let next = known.entry(found.name.clone()).or_default();
        fields.push(Field { nth: *next, ..found });
        *next += 1;
    }
    None
}

/// Returns the bytes with a multipart boundary replaced, which is random, by a character that is none of a byte's.
pub(super) fn without_boundary(body: &[u8], kind: &str) -> String {
    let text = latin1(body);
    boundary(kind).map(|boundary| text.replace(&format!("--{boundary}"), "--\u{2026}")).unwrap_or(text)
}

fn boundary(kind: &str) -> Option<&str> {
    let at = kind.to_ascii_lowercase().find("boundary=")? + "boundary=".len();
    let boundary = kind[at..].split(';').next()?.trim().trim_matches('"');
    (!boundary.is_empty()).then_some(boundary)
}

/// Returns bytes as the characters of their numbers.
fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// Returns the bytes that these characters stand for.
pub(super) fn bytes(latin1: &str) -> Vec<u8> {
    latin1.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

fn field(head: &str, value: &str) -> Option<Field> {
    let mut disposition = None;
    let mut headers = Vec::new();
    for line in head.split("\r\n") {
        // A bare line end within a header would read as the end of all.
        let (key, said) = line.split_once(':').filter(|_| !line.contains(['\r', '\n']))?;
        let (key, said) = (key.trim().to_ascii_lowercase(), said.trim());
        match key.as_str() {
            "content-disposition" if disposition.is_some() => return None,
            "content-disposition" => disposition = Some(read_disposition(said)?),
            _ => headers.push((key, said.to_owned())),
        }
    }
    headers.sort();
    let (kind, parameters) = disposition?;
    let (mut names, others): (Vec<_>, Vec<_>) = parameters.into_iter().partition(|(known, _)| known == "name");
    let (_, name) = names.pop().filter(|_| names.is_empty())?;
    Some(Field { name, nth: 0, disposition: Some((kind, others)), headers, value: value.to_owned() })
}

/// Reads what a part of a form is called (RFC 7578, section 4.2): how it is to be taken, and its parameters, sorted, each value
/// as it stands within its quotation marks. The order of the parameters and the marks around a value that needs none say nothing.
fn read_disposition(text: &str) -> Option<(String, Vec<(String, String)>)> {
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
    let parameter = |piece: &&str| {
        let (name, value) = piece.trim().split_once('=')?;
        let within = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let bare = || (!value.contains(['"', '\\'])).then_some(value);
        Some((name.trim().to_ascii_lowercase(), within.or_else(bare)?.to_owned()))
    };
    let mut parameters: Vec<_> = pieces[1..].iter().map(parameter).collect::<Option<_>>()?;
    parameters.sort();
    (!quoted).then(|| (pieces[0].trim().to_ascii_lowercase(), parameters))
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

    /// Returns its path.
    pub(crate) fn path(&self) -> String {
        path::part(&self.name, self.nth)
    }

    /// Returns its headers but for the name, an empty line, and its bytes, each as the character of its number.
    pub(super) fn text(&self) -> String {
        let line = |(name, value): (String, String)| format!("{name}: {value}\n");
        let mut headers: Vec<_> = self.headers.iter().cloned().map(line).collect();
        if let Some((kind, parameters)) = &self.disposition {
            let shown: String = parameters.iter().map(|(name, value)| format!("; {name}={value:?}")).collect();
            headers.push(line(("content-disposition".to_owned(), format!("{kind}{shown}"))));
        }
        headers.sort();
        format!("{}\n{}", headers.concat(), self.value)
    }

    /// Returns its headers, each under its step of a path.
    pub(crate) fn said(&self) -> Vec<(String, String)> {
        let mut said = Vec::new();
        if let Some((kind, parameters)) = &self.disposition {
            let (files, others): (Vec<_>, Vec<_>) = parameters.iter().partition(|(name, _)| name == "filename");
            said.extend(files.into_iter().map(|(_, name)| ("@filename".to_owned(), name.clone())));
            if kind != "form-data" || !others.is_empty() {
                let others: String = others.into_iter().map(|(name, value)| format!("; {name}={value:?}")).collect();
                said.push(("@header.content-disposition".to_owned(), format!("{kind}{others}")));
            }
        }
        // Sorted, those of one name stand side by side.
        for headers in self.headers.chunk_by(|(a, _), (b, _)| a == b) {
            let values: Vec<_> = headers.iter().map(|(_, value)| value.as_str()).collect();
            said.push((format!("@header.{}", headers[0].0), values.join("\n")));
        }
        said
    }

    /// Returns its bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        bytes(&self.value)
    }

    /// Returns whether the path leads to it, or into it.
    pub(super) fn is_at(&self, path: &PartPath) -> bool {
        self.name == path.name && path.nth.is_none_or(|nth| nth == self.nth)
    }

    /// Returns what stands at this place of it; `None` where nothing does.
    pub(super) fn at(&self, place: &PartPlace) -> Option<String> {
        let header = |wanted: &str| self.said().into_iter().find(|(step, _)| step == wanted).map(|(_, value)| value);
        match place {
            PartPlace::Whole => Some(self.text()),
            PartPlace::Filename => header("@filename"),
            PartPlace::Header(name) => header(&format!("@header.{name}")),
            PartPlace::Inside(steps) => {
                let found = path::select(&self.string()?, steps).into_iter();
                let found: Vec<_> = found.map(|(place, value)| format!("{place}:{}", value.canonical())).collect();
                (!found.is_empty()).then(|| found.join("\n"))
            }
        }
    }

    /// Leaves out what stands at this place of it, which is not the whole.
    pub(super) fn leave_out(&mut self, place: &PartPlace) {
        match place {
            PartPlace::Whole => {}
            PartPlace::Filename => {
                self.disposition.iter_mut().for_each(|(_, others)| others.retain(|(name, _)| name != "filename"));
            }
            PartPlace::Header(name) if name == "content-disposition" => self.disposition = None,
            PartPlace::Header(name) => self.headers.retain(|(known, _)| known != name),
            PartPlace::Inside(steps) => {
                if let Some(mut string) = self.string() {
                    leave_out(&mut string, steps);
                    self.value = latin1(string.as_str().unwrap_or_default().as_bytes());
                }
            }
        }
    }

    /// Returns its text as a JSON string.
    fn string(&self) -> Option<Json> {
        Some(Json::from(std::str::from_utf8(&self.bytes()).ok()?))
    }
}
