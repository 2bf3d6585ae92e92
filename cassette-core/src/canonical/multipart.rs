//! Multipart bodies, part by part (RFC 2046, section 5.1; RFC 7578).

use crate::json::Json;
use crate::path::{self, PartPath, PartPlace, leave_out};
use crate::redact::fields::parameters;

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

/// Reads a multipart body; `None` where it is none, or a part has no name.
pub(super) fn multipart(body: &[u8], kind: &str) -> Option<Vec<Field>> {
    let boundary = boundary(kind)?;
    let text = format!("\r\n{}", latin1(body));
    let delimiter = format!("\r\n--{boundary}");
    let mut pieces = text.split(&delimiter);
    let before = pieces.next()?;
    let mut fields: Vec<Field> = Vec::new();
    for piece in pieces {
        if let Some(after) = piece.strip_prefix("--") {
            return (before.trim().is_empty() && after.trim().is_empty()).then_some(fields);
        }
        let (head, value) = piece.strip_prefix("\r\n")?.split_once("\r\n\r\n")?;
        let found = field(head, value)?;
        let nth = fields.iter().filter(|known| known.name == found.name).count();
        fields.push(Field { nth, ..found });
    }
    None
}

/// Returns the boundary that a media type names.
pub(super) fn boundary(kind: &str) -> Option<&str> {
    let at = kind.to_ascii_lowercase().find("boundary=")? + "boundary=".len();
    let boundary = kind[at..].split(';').next()?.trim().trim_matches('"');
    (!boundary.is_empty()).then_some(boundary)
}

/// Returns bytes as the characters of their numbers.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// Returns the bytes that these characters stand for.
pub(super) fn bytes(latin1: &str) -> Vec<u8> {
    latin1.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

fn field(head: &str, value: &str) -> Option<Field> {
    let mut name = None;
    let mut disposition = None;
    let mut headers = Vec::new();
    for line in head.split("\r\n") {
        let (key, rest) = line.split_once(':')?;
        let (key, rest) = (key.trim().to_ascii_lowercase(), rest.trim());
        if key != "content-disposition" {
            headers.push((key, rest.to_owned()));
            continue;
        }
        let (named, mut others): (Vec<_>, Vec<_>) =
            parameters(rest).into_iter().partition(|(known, _)| known == "name");
        others.sort();
        name = named.into_iter().next().map(|(_, name)| name);
        let kind = rest.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        disposition = Some((kind, others));
    }
    headers.sort();
    Some(Field { name: name?, nth: 0, disposition, headers, value: value.to_owned() })
}

impl Field {
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
        said.extend(self.headers.iter().map(|(name, value)| (format!("@header.{name}"), value.clone())));
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
