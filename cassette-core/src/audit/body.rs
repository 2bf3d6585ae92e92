//! Bodies: what streams say piece by piece, and bytes that are no text.

use std::borrow::Cow;

use super::archive::unsearched;
use super::counted;
use super::inspect::{MAX_DEPTH, letters};
use super::joined::Joined;
use super::walk::{Walk, member_step};
use crate::frames::Framing;
use crate::json::{Json, Member};
use crate::redact::coding::gzip::{self, End};
use crate::redact::coding::{as_text, base64, is_packed, tar, utf16};
use crate::redact::{Trust, fields};

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
    walk.auditor.room.renew();
    for (name, value) in body.members() {
        let name = name.value();
        walk.down(&member_step(&name, 0, false), |walk| match (&*name, value) {
            ("base64", Json::String(text)) => bytes(walk, &text.value()),
            ("events", Json::Array(events)) => stream(walk, events),
            ("text", Json::String(text)) => {
                let said = text.value();
                counted::events(walk, said.as_bytes());
                let counts = counted::walk(walk, said.as_bytes());
                let hits = walk.auditor.named("", &said, 0);
                walk.found(hits);
                if !counts {
                    pieces(walk, &said);
                }
            }
            ("json", document) => {
                walk.value(value, "");
                let mut joined = Joined::default();
                joined.collect(document, walk.path.as_str());
                joined.report(walk, Trust::Looks);
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
    let Some((content, end)) = content(walk, &decoded) else { return walk.found(vec![unsearched(&decoded)]) };
    if end == End::Broken {
        walk.found(vec![("opaque-body".to_owned(), encoded.to_owned())]);
    }
    let opened = matches!(content, Cow::Owned(_));
    let content = &*content;
    if opened && counted::walk(walk, content) || counted::events(walk, content) {
        return;
    }
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
    if is_packed(content) {
        hits.extend(walk.auditor.archive(content, 0));
    }
    for part in fields::boundary(&walk.media).map(|boundary| fields::parts(content, boundary)).unwrap_or_default() {
        let part = &content[part.content];
        if is_packed(part) && as_text(part).is_none() {
            hits.extend(walk.auditor.archive(part, 0));
        }
    }
    hits.extend(walk.auditor.wide(content, 0));
    if letters.contains("Content-Disposition") || letters.contains("content-disposition") {
        hits.extend(walk.auditor.text(&letters, 0));
    } else if !is_media(content) && !tar::is_archive(content) && !content.is_empty() {
        hits.push(("opaque-body".to_owned(), encoded.to_owned()));
    }
    walk.found(hits);
}

/// Returns what is packed in the bytes of a body by gzip or zlib, however often, or the bytes themselves, and where reading it
/// ended; `None` where there is more than there may be.
fn content<'a>(walk: &Walk<'_>, bytes: &'a [u8]) -> Option<(Cow<'a, [u8]>, End)> {
    let mut content = Cow::Borrowed(bytes);
    let is_compressed = |bytes: &[u8]| gzip::is_packed(bytes) && as_text(bytes).is_none();
    for _ in 0..=MAX_DEPTH {
        if !is_compressed(&content) {
            return Some((content, End::Whole));
        }
        let unpacked = walk.auditor.unpacked(&content);
        match unpacked.end {
            End::Whole => content = Cow::Owned(unpacked.bytes),
            End::Broken => return Some((Cow::Owned(unpacked.bytes), End::Broken)),
            End::Limit => return None,
        }
    }
    None
}

pub(super) fn is_media(bytes: &[u8]) -> bool {
    MEDIA.iter().any(|magic| bytes.starts_with(magic)) || bytes.get(4..8) == Some(b"ftyp")
}

fn stream(walk: &mut Walk<'_>, events: &[Json]) {
    let mut joined = Joined::default();
    for (i, event) in events.iter().enumerate() {
        walk.down(&format!("[{i}]"), |walk| {
            walk.value(event, "");
            joined.event(event, walk.path.as_str());
        });
    }
    joined.report(walk, Trust::Names);
}

/// Joins the pieces of a body that was written as one text.
fn pieces(walk: &mut Walk<'_>, text: &str) {
    let events = [Framing::Sse, Framing::Lines].into_iter().find(|framing| match framing {
        Framing::Sse => text.starts_with("data:") || text.starts_with("event:") || text.contains("\ndata:"),
        Framing::Lines => text.starts_with('{') && text.contains("}\n{"),
    });
    let mut joined = Joined::default();
    let path = walk.path.as_str().to_owned();
    match events {
        Some(framing) => framing.split(text).into_iter().for_each(|event| joined.raw_event(event, &path)),
        None => joined.text(text, &path),
    }
    joined.report(walk, if events.is_some() { Trust::Names } else { Trust::Looks });
}
