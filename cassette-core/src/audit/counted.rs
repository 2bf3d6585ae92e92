//! Bodies that count their own bytes: what their texts say, and what in them cannot be looked into.

use super::inspect::{Auditor, Hit, letters};
use super::joined::Joined;
use super::walk::Walk;
use crate::eventstream;
use crate::redact::Trust;
use crate::redact::coding::counted::{Counting, Part, Reading, counting, parts};
use crate::redact::coding::{base64, gzip};

/// What is packed within something packed is not looked into further than this.
const MAX_DEPTH: usize = 3;

/// Walks a body that counts in a way that can be read; `false`, and nothing found, of any other.
pub(super) fn walk(walk: &mut Walk<'_>, body: &[u8]) -> bool {
    let Some(counting) = counting(&walk.media, body) else { return false };
    let (body, counting) = match counting {
        Counting::Framed | Counting::Message => (body.to_vec(), counting),
        Counting::FramedText => (unwrapped(body), Counting::Framed),
        Counting::Checked => {
            payloads(walk, body);
            return false;
        }
        Counting::Other => {
            let named = parts(body, counting).texts.into_iter().filter(|part| part.name.is_some());
            let hits = named.flat_map(|part| self::part(walk.auditor, body, &part)).collect();
            walk.found(hits);
            return false;
        }
    };
    let hits = messages(walk.auditor, &body, counting, 0);
    walk.found(hits);
    true
}

/// Walks what the messages of an event stream say, each by itself and together.
fn payloads(walk: &mut Walk<'_>, body: &[u8]) {
    let mut joined = Joined::default();
    let path = walk.path.as_str().to_owned();
    for place in eventstream::places(body) {
        let payload = String::from_utf8_lossy(&body[place.payload]);
        let hits = walk.auditor.named("", &payload, 0);
        walk.found(hits);
        joined.raw_event(&payload, &path);
    }
    joined.report(walk, Trust::Names);
}

fn messages(auditor: Auditor<'_>, body: &[u8], counting: Counting, depth: usize) -> Vec<Hit> {
    let found = parts(body, counting);
    let mut hits = auditor.certain(&letters(body));
    hits.extend(auditor.wide(body, 0));
    for part in &found.texts {
        hits.extend(self::part(auditor, body, part));
    }
    let mut opaque = found.opaque;
    for packed in found.packed {
        let packed = &body[packed];
        match gzip::unpack(packed).filter(|_| depth < MAX_DEPTH) {
            Some(unpacked) => hits.extend(messages(auditor, &unpacked, Counting::Message, depth + 1)),
            None => opaque |= !packed.is_empty(),
        }
    }
    if opaque {
        hits.push(("opaque-body".to_owned(), base64::encode(body, base64::Spelling { url: false, padded: true })));
    }
    hits
}

fn part(auditor: Auditor<'_>, body: &[u8], part: &Part) -> Vec<Hit> {
    let said = |range: &std::ops::Range<usize>| String::from_utf8_lossy(&body[range.clone()]).into_owned();
    let text = said(&part.range);
    match (&part.name, part.reading) {
        (Some(name), Reading::Text) => auditor.named(&said(name), &text, 0),
        (None, Reading::Text) => auditor.text(&text, 0),
        // Lengths are in it, which may look like letters: what is a name there need not be one.
        (_, Reading::Either) => auditor.shapes(&text),
    }
}

/// Returns the bytes of base64 that may be padded wherever a piece of it ended.
fn unwrapped(body: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(body);
    let pieces = text.split_inclusive('=').filter(|piece| *piece != "=");
    pieces.flat_map(|piece| base64::decode(piece).unwrap_or_default()).collect()
}
