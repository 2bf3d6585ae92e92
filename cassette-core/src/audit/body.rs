//! Bodies: what streams say piece by piece, and bytes that are no text.

use std::collections::BTreeMap;

use super::counted;
use super::inspect::letters;
use super::walk::{Walk, member_step};
use crate::frames::{Framing, lines};
use crate::json::{Json, Member};
use crate::redact::coding::{as_text, base64, gzip, spelled, utf16};

/// Members that number the parallel parts of a stream.
const INDEX: &[&str] = &["index", "output_index", "content_index", "summary_index", "choice_index"];

/// The first bytes of media that hold no text to speak of.
const MEDIA: &[&[u8]] = &[
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"%PDF",
    b"OggS",
    b"ID3",
    b"\xff\xfb",
    b"\xff\xf3",
    b"\xff\xf2",
    b"\xff\xf1",
    b"fLaC",
    b"\0asm",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"\x1a\x45\xdf\xa3",
    b"wOFF",
    b"wOF2",
    b"PK\x03\x04",
    b"\0\0\x01\0",
];

/// Returns whether an object is a body as a cassette holds it.
pub(super) fn is_body(members: &[Member]) -> bool {
    members.iter().any(|(name, _)| ["json", "text", "base64", "events", "blob"].iter().any(|kind| name.is(kind)))
}

/// Walks a body.
pub(super) fn walk(walk: &mut Walk<'_>, body: &Json) {
    for (name, value) in body.members() {
        let name = name.value();
        walk.down(&member_step(&name, 0, false), |walk| match (&*name, value) {
            ("base64", Json::String(text)) => bytes(walk, &text.value()),
            ("text", Json::String(text)) if counted::walk(walk, text.value().as_bytes()) => {
                walk.value(value, "");
            }
            ("events", Json::Array(events)) => stream(walk, events),
            ("text", Json::String(text)) => {
                walk.value(value, "");
                pieces(walk, &text.value());
            }
            _ => walk.value(value, ""),
        });
    }
}

/// Walks the bytes of a body that is no text.
fn bytes(walk: &mut Walk<'_>, encoded: &str) {
    let Some(decoded) = base64::decode(encoded).filter(|decoded| !decoded.is_empty()) else {
        let hits = walk.auditor.text(encoded, 0);
        return walk.found(hits);
    };
    if counted::walk(walk, &decoded) {
        return;
    }
    let unpacked = gzip::unpack(&decoded);
    let content = unpacked.as_deref().unwrap_or(&decoded);
    if let Some(text) = as_text(content) {
        let hits = walk.auditor.text(text, 0);
        return walk.found(hits);
    }
    if let Some(text) = utf16(content) {
        let hits = walk.auditor.text(&text, 0);
        return walk.found(hits);
    }
    let letters = letters(content);
    let mut hits = walk.auditor.certain(&letters);
    hits.extend(walk.auditor.wide(content, 0));
    let framed = is_framed(content);
    if framed || letters.contains("Content-Disposition") || letters.contains("content-disposition") {
        hits.extend(walk.auditor.text(&letters, 0));
    } else if !is_media(content) {
        hits.push(("opaque-body".to_owned(), encoded.to_owned()));
    }
    walk.found(hits);
}

fn is_media(bytes: &[u8]) -> bool {
    MEDIA.iter().any(|magic| bytes.starts_with(magic)) || bytes.get(4..8) == Some(b"ftyp")
}

/// Returns whether the bytes are AWS event-stream messages: a length that fits, and a checksum's place after it.
fn is_framed(bytes: &[u8]) -> bool {
    let length = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]) as usize);
    matches!((length(0), length(4)), (Some(total), Some(head)) if total >= 16 && total <= bytes.len() && head + 16 <= total)
        && bytes.windows(7).take(64).any(|window| window == b":event-" || window == b":messag")
}

/// A text that comes piece by piece, and the path of each piece with its length.
#[derive(Default)]
struct Joined {
    text: String,
    pieces: Vec<(String, usize)>,
}

/// The key of what an event says as a whole.
const DATA: &str = "data";

type Groups = BTreeMap<String, Joined>;

fn stream(walk: &mut Walk<'_>, events: &[Json]) {
    let mut groups = Groups::new();
    for (i, event) in events.iter().enumerate() {
        walk.down(&format!("[{i}]"), |walk| {
            walk.value(event, "");
            match event {
                Json::String(raw) => raw_event(&raw.value(), &mut groups, walk.path.as_str()),
                event => {
                    for (name, value) in event.members().iter().filter(|(name, _)| !name.is("event")) {
                        let path = format!("{}.{}", walk.path.as_str(), name.value());
                        collect(value, DATA, &path, &mut groups);
                    }
                }
            }
        });
    }
    report(walk, groups);
}

/// Joins the events of a body that was written as one text.
fn pieces(walk: &mut Walk<'_>, text: &str) {
    let events = [Framing::Sse, Framing::Lines].into_iter().find(|framing| match framing {
        Framing::Sse => text.starts_with("data:") || text.starts_with("event:") || text.contains("\ndata:"),
        Framing::Lines => text.starts_with('{') && text.contains("}\n{"),
    });
    let mut groups = Groups::new();
    let path = walk.path.as_str().to_owned();
    events.into_iter().flat_map(|framing| framing.split(text)).for_each(|event| raw_event(event, &mut groups, &path));
    report(walk, groups);
}

fn raw_event(event: &str, groups: &mut Groups, path: &str) {
    for line in lines(event) {
        let line = line.trim_end_matches(['\r', '\n']);
        let data = line.strip_prefix("data:").map(|data| data.strip_prefix(' ').unwrap_or(data));
        match Json::parse(data.unwrap_or(line)) {
            Ok(document @ (Json::Object(_) | Json::Array(_))) => collect(&document, DATA, path, groups),
            _ => data.into_iter().for_each(|data| push(groups, DATA, path, data)),
        }
    }
}

/// Files each string of an event under the names above it and the numbers of the parallel parts it belongs to.
fn collect(value: &Json, key: &str, path: &str, groups: &mut Groups) {
    match value {
        Json::String(text) => push(groups, key, path, &text.value()),
        // A piece of text may happen to be a number; elsewhere numbers are nobody's secret.
        Json::Number(number) if key == DATA => push(groups, key, path, number.source()),
        Json::Array(elements) => {
            if let Some(bytes) = spelled(elements) {
                return push(groups, key, path, &String::from_utf8_lossy(&bytes));
            }
            for (i, element) in elements.iter().enumerate() {
                collect(element, key, &format!("{path}[{i}]"), groups);
            }
        }
        Json::Object(members) => {
            let numbers: String =
                INDEX.iter().filter_map(|name| value.get(name)?.as_u64()).map(|n| format!("#{n}")).collect();
            for (i, (name, value)) in members.iter().enumerate() {
                let name = name.value();
                let step = member_step(&name, i, name.len() > 32);
                collect(value, &format!("{key}{numbers}.{name}"), &format!("{path}{step}"), groups);
            }
        }
        _ => {}
    }
}

fn push(groups: &mut Groups, key: &str, path: &str, text: &str) {
    let joined = groups.entry(key.to_owned()).or_default();
    joined.text.push_str(text);
    joined.pieces.push((path.to_owned(), text.len()));
}

/// Looks into each joined text, and names every piece that holds a part of what was found.
fn report(walk: &mut Walk<'_>, groups: Groups) {
    for joined in groups.into_values().filter(|joined| joined.pieces.len() > 1) {
        for (rule, value) in walk.auditor.text(&joined.text, 0) {
            let range = joined.text.find(&value).map_or(0..joined.text.len(), |at| at..at + value.len());
            let mut start = 0;
            for (path, length) in &joined.pieces {
                if start < range.end && range.start < start + length {
                    walk.file(path, &rule, value.clone());
                }
                start += length;
            }
        }
    }
}
