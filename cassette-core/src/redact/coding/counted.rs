//! Bodies that count their own bytes: nothing in them may become longer or shorter.
//! Of protocol buffers, bare and in the frames of gRPC, the texts are told apart by the lengths before them: a length may look
//! like a letter of the text that it counts. A field does not say whether it is a text or a message within the message, so
//! one that can be read as either is given as both.

use std::ops::Range;

use super::{as_text, entries, gzip};
use crate::redact::voices::{BODY, Voices, mark};

/// How many messages are looked into, one within the other.
const MAX_DEPTH: usize = 24;

/// The flag and the length before a message.
pub(super) const HEAD: usize = 5;

/// The shortest text that is looked for among bytes.
const SHORTEST: usize = 8;

/// Media types of formats that count, by how they end.
const COUNTING: [&str; 7] = ["msgpack", "cbor", "thrift", "bson", "avro", "arrow.stream", "ubjson"];

/// Media types of which a control character says nothing.
const TEXTUAL: &[&str] = &["text/", "json", "xml", "x-www-form-urlencoded", "multipart/", "javascript", "yaml", "csv"];

/// How a body counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Messages behind a flag and four bytes of length, as gRPC, gRPC-Web and Connect send them.
    Framed,
    /// The same in base64.
    FramedText,
    /// One protocol buffer.
    Message,
    /// Messages with a checksum, each written anew where it changes.
    Checked,
    /// In some other way.
    Other,
}

/// A stretch of a body that may be a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) range: Range<usize>,
    /// Where the name stands that an entry of a map gives it.
    pub(crate) name: Option<Range<usize>>,
    /// What speaks for its being a text.
    pub(crate) reading: Reading,
    /// The numbers of the fields above it and its own: texts of one path may be pieces of one.
    pub(crate) path: String,
    /// The message it is in.
    pub(crate) beside: usize,
}

impl Part {
    /// Returns a text that is in no message.
    fn alone(range: Range<usize>) -> Part {
        Part { range, name: None, reading: Reading::Text, path: String::new(), beside: BODY }
    }
}

/// How a part was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As a text.
    Text,
    /// As a text, though it can be read as a message too: its lengths are in it.
    Either,
}

/// What a body that counts is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) texts: Vec<Part>,
    /// Where something is compressed.
    pub(crate) packed: Vec<Range<usize>>,
    /// Whether something in it cannot be read.
    pub(crate) opaque: bool,
    /// What the fields say, by the messages they are in.
    pub(crate) voices: Voices,
}

/// Returns how a body counts, by its media type and by what it is; `None` of a text that does not.
pub(crate) fn counting(content_type: &str, body: &[u8]) -> Option<Counting> {
    let media = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if media.starts_with("application/grpc-web-text") {
        return Some(Counting::FramedText);
    }
    if media.starts_with("application/grpc") || media.starts_with("application/connect+") {
        return Some(Counting::Framed);
    }
    if media.contains("protobuf") || media == "application/proto" {
        return Some(Counting::Message);
    }
    if media.ends_with("eventstream") {
        return Some(Counting::Checked);
    }
    let textual = TEXTUAL.iter().any(|word| media.contains(word)) || body.starts_with(b"{") || body.starts_with(b"[");
    let control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    let other = COUNTING.iter().any(|end| media.ends_with(end)) || !textual && body.iter().any(control);
    (other || is_netstrings(body) || entries::is_php(body)).then_some(Counting::Other)
}

/// Returns what may be a text in a body that counts.
pub(crate) fn parts(body: &[u8], counting: Counting) -> Parts {
    let mut parts = Parts::default();
    match counting {
        Counting::Framed => framed(body, &mut parts),
        Counting::Message => {
            let whole = 0..body.len();
            if !message(body, whole.clone(), Within::default(), &mut parts) {
                raw(body, whole, &mut parts);
            }
        }
        Counting::Other => {
            let entries = if entries::is_php(body) { entries::of_php(body) } else { entries::of_bson(body) };
            let named = |(range, name)| Part { name: Some(name), ..Part::alone(range) };
            parts.texts.extend(entries.into_iter().map(named));
            raw(body, 0..body.len(), &mut parts);
        }
        Counting::FramedText | Counting::Checked => parts.opaque = true,
    }
    parts
}

/// Returns whether a body is nothing but texts with their lengths in digits, `3:abc,`.
fn is_netstrings(mut body: &[u8]) -> bool {
    let any = !body.is_empty();
    while !body.is_empty() {
        let digits = body.iter().take(9).take_while(|b| b.is_ascii_digit()).count();
        let length = std::str::from_utf8(&body[..digits]).ok().and_then(|digits| digits.parse::<usize>().ok());
        let Some(end) = length.filter(|_| body.get(digits) == Some(&b':')).map(|length| digits + 1 + length) else {
            return false;
        };
        if body.get(end) != Some(&b',') {
            return false;
        }
        body = &body[end + 1..];
    }
    any
}

/// Reads messages behind their flags and lengths; the last one may have been cut.
fn framed(body: &[u8], parts: &mut Parts) {
    let mut at = 0;
    while at < body.len() {
        let Some(head) = body.get(at..at + HEAD) else { return };
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let end = (at + HEAD).saturating_add(length);
        let content = at + HEAD..end.min(body.len());
        let cut = end > body.len();
        match head[0] {
            0 => {
                let within = Within { cut, ..Within::default() };
                if !message(body, content.clone(), within, parts) {
                    raw(body, content, parts);
                }
            }
            1 => parts.packed.push(content),
            // Trailers, and the end of a stream, are text.
            2 | 0x80 => raw(body, content, parts),
            3 | 0x81 => parts.packed.push(content),
            _ => {
                parts.opaque = true;
                return;
            }
        }
        at = end;
    }
}

/// Where a message is.
#[derive(Clone, Default)]
struct Within {
    depth: usize,
    /// The name that an entry of a map gives it.
    name: Option<Range<usize>>,
    /// Whether its end may be lacking.
    cut: bool,
    path: String,
    /// The message around it.
    beside: usize,
}

/// Reads a message; `false`, and nothing added, where the bytes are none.
fn message(body: &[u8], range: Range<usize>, within: Within, parts: &mut Parts) -> bool {
    let Some(all) = fields(body, range.clone(), within.cut) else { return false };
    let fields: Vec<(u64, Range<usize>)> =
        all.iter().filter(|field| field.counted).map(|field| (field.number, field.content.clone())).collect();
    // Letters happen to make a message: one of text is mostly what it counts.
    let counted: usize = fields.iter().map(|(_, field)| field.len()).sum();
    if as_text(&body[range.clone()]).is_some() && counted * 2 < range.len() {
        return false;
    }
    let texts = |field: &(u64, Range<usize>)| as_text(&body[field.1.clone()]).is_some();
    let entry = match fields.as_slice() {
        [key, value] if (key.0, value.0) == (1, 2) && texts(key) => Some(key.1.clone()),
        _ => None,
    };
    let beside = parts.voices.open(within.beside);
    for field in all {
        parts.voices.say(beside, mark(&(&within.path, field.number)), &&body[field.content]);
    }
    for (number, field) in fields {
        let name = entry.clone().filter(|_| number == 2).or_else(|| within.name.clone());
        let path = format!("{}.{number}", within.path);
        let cut = within.cut && field.end == body.len();
        let inner = Within { depth: within.depth + 1, name: name.clone(), cut, path: path.clone(), beside };
        let content = &body[field.clone()];
        let is_message = within.depth < MAX_DEPTH && !content.is_empty() && message(body, field.clone(), inner, parts);
        let reading = if is_message { Reading::Either } else { Reading::Text };
        match std::str::from_utf8(content) {
            Ok(_) => parts.texts.push(Part { range: field, name, reading, path, beside }),
            // A text that was cut within a character.
            Err(error) if cut && error.error_len().is_none() => {
                let range = field.start..field.start + error.valid_up_to();
                parts.texts.push(Part { range, name, reading, path, beside });
            }
            Err(_) if is_message => {}
            Err(_) => among(body, Part { path, beside, ..Part::alone(field) }, parts),
        }
    }
    true
}

/// A field of a message.
struct Field {
    number: u64,
    content: Range<usize>,
    /// Whether its length stands before it.
    counted: bool,
}

/// Returns the fields of a message.
fn fields(body: &[u8], range: Range<usize>, cut: bool) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let Some(tag) = varint(&body[..range.end], &mut at) else { return cut.then_some(fields) };
        if !(1..1 << 29).contains(&(tag >> 3)) {
            return None;
        }
        let start = at;
        let length = match tag & 7 {
            0 => varint(&body[..range.end], &mut at).map(|_| 0),
            1 => Some(8),
            2 => varint(&body[..range.end], &mut at),
            5 => Some(4),
            _ => return None,
        };
        let Some(length) = length else { return cut.then_some(fields) };
        let end = at.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        if end > range.end && !cut {
            return None;
        }
        let counted = tag & 7 == 2;
        let content = if counted { at } else { start }..end.min(range.end);
        at = end;
        fields.push(Field { number: tag >> 3, content, counted });
    }
    Some(fields)
}

fn varint(body: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let byte = *body.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Reads what is no message: as a text, if it is one.
fn raw(body: &[u8], range: Range<usize>, parts: &mut Parts) {
    match std::str::from_utf8(&body[range.clone()]) {
        Ok(_) => parts.texts.push(Part::alone(range)),
        Err(_) => parts.opaque = true,
    }
}

/// Reads bytes that are neither text nor message: vectors, pictures, keys.
fn among(body: &[u8], part: Part, parts: &mut Parts) {
    let range = part.range.clone();
    let content = &body[range.clone()];
    if gzip::is_packed(content) {
        parts.packed.push(range.clone());
    }
    let mut at = range.start;
    for run in content.split(|b| !(b' '..=b'~').contains(b)) {
        if run.len() >= SHORTEST {
            parts.texts.push(Part { range: at..at + run.len(), ..part.clone() });
        }
        at += run.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Counting, Reading, counting, parts};

    /// A field with a length before it.
    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![number << 3 | 2];
        match content.len() {
            short @ ..128 => bytes.push(short as u8),
            long => bytes.extend([(long & 0x7f) as u8 | 0x80, (long >> 7) as u8]),
        }
        bytes.extend(content);
        bytes
    }

    #[track_caller]
    fn check(body: &[u8], counting: Counting, expected: &[&str]) {
        let parts = parts(body, counting);
        let said = |range: std::ops::Range<usize>| String::from_utf8_lossy(&body[range]).into_owned();
        let texts = parts.texts.into_iter().filter(|part| part.reading == Reading::Text);
        let found: Vec<_> =
            texts.map(|part| part.name.map(|name| said(name) + "=").unwrap_or_default() + &said(part.range)).collect();
        assert_eq!((found, parts.opaque), (expected.iter().map(|text| (*text).to_owned()).collect(), false));
    }

    #[test]
    fn texts_are_told_from_their_lengths() {
        let long = "x".repeat(200);
        check(&field(1, long.as_bytes()), Counting::Message, &[&long]);
        check(&field(1, &field(2, long.as_bytes())), Counting::Message, &[&long]);
        let pair = [field(1, b"name!"), field(2, b"said it!")].concat();
        check(&field(3, &pair), Counting::Message, &["name!", "name!=said it!"]);
        check(&[field(1, b"a text"), vec![0x10, 0x96, 0x01]].concat(), Counting::Message, &["a text"]);
        let message = field(1, long.as_bytes());
        let frame = |flag: u8, length: usize| [&[flag][..], &(length as u32).to_be_bytes()].concat();
        let two = [frame(0, message.len()), message.clone(), frame(0x80, 14), b"grpc-status:0\n".to_vec()].concat();
        check(&two, Counting::Framed, &[&long, "grpc-status:0\n"]);
        let cut = [frame(0, message.len()), message[..50].to_vec()].concat();
        check(&cut, Counting::Framed, &[&long[..47]]);
        let within = [frame(0, 90), vec![10, 88], "to Fl\u{e5}m".as_bytes()[..6].to_vec()].concat();
        check(&within, Counting::Framed, &["to Fl"]);
    }

    #[test]
    fn the_media_type_or_the_bytes_say_that_a_body_counts() {
        let check =
            |media: &str, body: &str, expected| assert_eq!(counting(media, body.as_bytes()), expected, "{body:?}");
        check("application/grpc+proto", "", Some(Counting::Framed));
        check("application/x-protobuf; a=b", "", Some(Counting::Message));
        check("application/grpc-web-text", "", Some(Counting::FramedText));
        check("text/plain", "3:abc,1:x,", Some(Counting::Other));
        check("text/plain", "3:abc;", None);
        check("", "a\u{1}b", Some(Counting::Other));
        check("text/plain", "a\u{1}b", None);
        check("application/json", "{\"a\": 1}", None);
        check("", "", None);
    }
}
