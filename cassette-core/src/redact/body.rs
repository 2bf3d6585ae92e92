//! Secrets in a body of any media type.

use super::coding::counted::{Counting, counting};
use super::coding::gzip;
use super::detect::Work;
use super::edit::Edit;
use super::lens::{Lens, Trust, replaced, settle};
use super::messages::Framed;
use super::placeholder::{escape_at, shaped};
use super::{Rules, Secret, Secrets, fields, stream};
use crate::call::{Header, header};
use crate::frames::Framing;

/// How often what is packed is unpacked, one within the other: the audit refuses what is deeper.
const MAX_DEPTH: usize = 6;

/// Everything that a redaction needs beside the text.
pub(crate) struct Task<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) secrets: &'a mut Secrets,
    /// Whether known values are looked for.
    pub(crate) known: bool,
    /// Whether the program's own text that looks like a placeholder is escaped: not in what was escaped before.
    pub(crate) escape: bool,
    pub(crate) named: Vec<Secret>,
}

/// What kind of text a body is.
#[derive(Clone, Copy, Debug)]
enum Media<'a> {
    Events(Framing),
    Form,
    Multipart(&'a str),
    Other,
}

impl Task<'_> {
    /// Returns a body without its secrets, and where each of `places` is in it; `None` where nothing is to be changed.
    pub(crate) fn body(&mut self, body: &[u8], headers: &[Header], places: &[usize]) -> Option<(Vec<u8>, Vec<usize>)> {
        self.body_within(body, header(headers, "content-type").unwrap_or_default(), places, 0)
    }

    fn body_within(
        &mut self,
        body: &[u8],
        content_type: &str,
        places: &[usize],
        depth: usize,
    ) -> Option<(Vec<u8>, Vec<usize>)> {
        match counting(content_type, body) {
            Some(Counting::Checked) => return self.messages(body, Framed::Events, places),
            Some(Counting::Framed) => {
                let counted = self.counted(body, Counting::Framed);
                let current = counted.as_deref().unwrap_or(body);
                let rewritten = self.messages(current, Framed::Documents, places);
                return rewritten.or_else(|| Some((counted?, places.to_vec())));
            }
            Some(counting) => return Some((self.counted(body, counting)?, places.to_vec())),
            None => {}
        }
        if let Ok(text) = std::str::from_utf8(body) {
            let media = media(content_type, text);
            return self.text(text, places, |lens, text| media_edits(lens, text, media));
        }
        if depth < MAX_DEPTH
            && let Some(unpacked) = gzip::unpack(body)
        {
            let (changed, _) = self.body_within(&unpacked, content_type, &[], depth + 1)?;
            let packed = gzip::pack(&changed, body)?;
            let places = vec![packed.len(); places.len()];
            return Some((packed, places));
        }
        let changed = match fields::boundary(content_type) {
            Some(boundary) => self.parts(body, boundary)?,
            None => self.wide(body)?,
        };
        let places = vec![changed.len(); places.len()];
        Some((changed, places))
    }

    /// Redacts what stands in UTF-16.
    fn wide(&self, body: &[u8]) -> Option<Vec<u8>> {
        let work = Work::decoding(&String::from_utf8_lossy(body));
        let lens =
            Lens { rules: self.rules, known: self.known.then_some(&*self.secrets), work: &work, trust: Trust::Names };
        let edits = lens.in_wide(body, 0);
        (!edits.is_empty()).then(|| replaced(body, &edits))
    }

    /// Redacts the text parts of a multipart body that holds bytes too.
    fn parts(&mut self, body: &[u8], boundary: &str) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(body.len());
        let mut copied = 0;
        let mut changed = false;
        for part in fields::parts(body, boundary) {
            // A part is redacted as the one part of a body, so that its name counts.
            let whole = part.head.start..part.content.end;
            let Ok(text) = std::str::from_utf8(&body[whole.clone()]) else { continue };
            let framed = format!("--{boundary}{text}\r\n--{boundary}--");
            let edited = self.text(&framed, &[], |lens, text| fields::multipart(lens, text, boundary));
            let Some((edited, _)) = edited else { continue };
            let frame = boundary.len() + 2;
            out.extend_from_slice(&body[copied..whole.start]);
            out.extend_from_slice(&edited[frame..edited.len() - frame - 4]);
            copied = whole.end;
            changed = true;
        }
        out.extend_from_slice(&body[copied..]);
        changed.then_some(out)
    }

    /// Returns a text without what `edits` finds in it, and where each of `places` is in it.
    pub(crate) fn text(
        &mut self,
        text: &str,
        places: &[usize],
        edits: impl Fn(Lens<'_>, &str) -> Vec<Edit>,
    ) -> Option<(Vec<u8>, Vec<usize>)> {
        let mut places = places.to_vec();
        let escaped = if self.escape { self.escaped(text) } else { None };
        let mut follow =
            |edited: &super::edit::Edited| places.iter_mut().for_each(|place| *place = edited.place(*place));
        escaped.iter().for_each(&mut follow);
        let source = escaped.as_ref().map_or(text, |edited| edited.text.as_str());
        let (rules, known) = (self.rules, self.known);
        let look = |text: &str, secrets: &Secrets| {
            let work = Work::decoding(text);
            edits(Lens { rules, known: known.then_some(secrets), work: &work, trust: Trust::Names }, text)
        };
        let rounds = settle(source, look, self.secrets, &mut self.named);
        rounds.iter().for_each(&mut follow);
        let text = rounds.into_iter().last().or(escaped)?.text;
        Some((text.into_bytes(), places))
    }

    /// Escapes what looks like a placeholder and is none of those that this session serves.
    fn escaped(&self, text: &str) -> Option<super::edit::Edited> {
        let literal =
            |shaped: &super::placeholder::Shaped| shaped.dots > 1 || !self.secrets.served(&text[shaped.range.clone()]);
        let edits: Vec<Edit> = shaped(text)
            .filter(literal)
            .map(|shaped| escape_at(&shaped))
            .map(|at| Edit { range: at..at, by: super::edit::By::Text(".".to_owned()) })
            .collect();
        (!edits.is_empty()).then(|| super::edit::Edited::new(text, &edits, |_, _| String::new()))
    }

    /// Returns a short text without its secrets.
    pub(crate) fn line(&mut self, text: &str) -> String {
        let edited = self.text(text, &[], |lens, text| lens.edits(text, 0));
        edited.and_then(|(bytes, _)| String::from_utf8(bytes).ok()).unwrap_or_else(|| text.to_owned())
    }
}

/// Returns whether a body counts its own bytes, so that nothing in it is escaped, and no placeholder in it has a number.
pub(crate) fn counts(headers: &[Header], body: &[u8]) -> bool {
    counting(header(headers, "content-type").unwrap_or_default(), body).is_some()
}

fn media<'a>(content_type: &'a str, text: &str) -> Media<'a> {
    if let Some(framing) = Framing::of(content_type) {
        return Media::Events(framing);
    }
    if let Some(boundary) = fields::boundary(content_type) {
        return Media::Multipart(boundary);
    }
    if content_type.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded") {
        return Media::Form;
    }
    let start = text.trim_start();
    if start.starts_with("data:") || start.starts_with("event:") {
        return Media::Events(Framing::Sse);
    }
    // One letter is found much faster than two: most bodies hold no line break at all.
    let lines = start.starts_with('{') && text.contains('\n') && text.contains("}\n{");
    if lines { Media::Events(Framing::Lines) } else { Media::Other }
}

fn media_edits(lens: Lens<'_>, text: &str, media: Media<'_>) -> Vec<Edit> {
    match media {
        Media::Events(framing) => stream::edits(lens, text, framing),
        Media::Multipart(boundary) => {
            let mut edits = fields::multipart(lens, text, boundary);
            edits.extend(stream::across(lens, text, &edits));
            edits
        }
        Media::Form => {
            let mut edits = fields::form(lens, text, 0..text.len());
            edits.extend(lens.edits(text, 0));
            edits
        }
        Media::Other => {
            let mut edits = lens.edits(text, 0);
            edits.extend(stream::across(lens, text, &edits));
            edits
        }
    }
}
