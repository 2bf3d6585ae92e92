//! Bodies that count their own bytes: what their texts say, and what in them cannot be looked into.

use std::collections::BTreeMap;

use super::archive;
use super::inspect::{Auditor, Hit, letters};
use super::joined::Joined;
use super::walk::Walk;
use crate::eventstream;
use crate::redact::coding::counted::{Counting, Part, Reading, counting, parts};
use crate::redact::coding::documents::documents;
use crate::redact::coding::gzip::{self, End};
use crate::redact::coding::{base64, is_packed};
use crate::redact::detect::UNSEARCHED;
use crate::redact::voices::{BODY, Voices};
use crate::redact::{Trust, is_telling, marks};

/// What is packed within something packed is not looked into further than this.
const MAX_DEPTH: usize = 3;

/// Walks a body that counts in a way that can be read; `false`, and nothing found, of any other.
pub(super) fn walk(walk: &mut Walk<'_>, body: &[u8]) -> bool {
    let Some(counting) = counting(&walk.media, body) else { return false };
    let (body, counting) = match counting {
        Counting::Framed | Counting::Message => (body.to_vec(), counting),
        Counting::FramedText => (unwrapped(body), Counting::Framed),
        // What is packed as a whole is opened first.
        Counting::Checked => return false,
        Counting::Other => {
            let named = parts(body, counting).texts.into_iter().filter(|part| part.name.is_some());
            let hits = named.flat_map(|part| self::part(walk.auditor, body, &part)).collect();
            walk.found(hits);
            return false;
        }
    };
    let mut pieces = Pieces::default();
    let hits = messages(walk.auditor, &body, counting, &mut pieces);
    walk.found(hits);
    walk.found(pieces.hits(walk.auditor));
    if counting == Counting::Framed {
        let mut joined = Joined::default();
        let path = walk.path.as_str().to_owned();
        let open = documents(&body).into_iter();
        let open = open.map(|place| (place.whole.start, String::from_utf8_lossy(&body[place.payload]).into_owned()));
        pieces.documents.extend(open);
        pieces.documents.sort_by_key(|(start, _)| *start);
        pieces.documents.iter().for_each(|(_, document)| joined.message(document, &[], &path));
        joined.report(walk, Trust::Names);
    }
    true
}

/// The texts of messages, by the path of their fields, and all of them.
#[derive(Default)]
struct Pieces {
    paths: BTreeMap<String, Vec<Piece>>,
    every: String,
    voices: Voices,
    /// How many messages these are packed in, one within the other.
    depth: usize,
    /// What is JSON in what is packed, and where the outermost message stands in which it is.
    documents: Vec<(usize, String)>,
    at: usize,
}

/// A text of a message.
struct Piece {
    said: String,
    /// The message it is in.
    beside: usize,
}

impl Pieces {
    fn push(&mut self, body: &[u8], part: &Part, by: usize) {
        let said = String::from_utf8_lossy(&body[part.range.clone()]).into_owned();
        if part.reading == Reading::Text {
            self.every.push_str(&said);
        }
        let beside = if part.beside == BODY { BODY } else { part.beside + by };
        self.paths.entry(part.path.clone()).or_default().push(Piece { said, beside });
    }

    /// Returns what looks like a credential or is known in what pieces of one path say together, all of them and each voice.
    fn joined(&self, auditor: Auditor<'_>, pieces: &[Piece]) -> Vec<Hit> {
        let all: String = pieces.iter().map(|piece| piece.said.as_str()).collect();
        let places: Vec<usize> = pieces.iter().map(|piece| piece.beside).collect();
        let Ok(told) = self.voices.told_apart(&places) else { return vec![(UNSEARCHED.to_owned(), all)] };
        let told = told.into_iter().map(|told| told.into_iter().map(|at| pieces[at].said.as_str()).collect());
        told.chain([all]).flat_map(|text: String| auditor.shapes(&text)).collect()
    }

    /// Returns what looks like a credential or is known in what the texts of one path say together, and what is known and stands
    /// nowhere by chance in what all say.
    fn hits(&self, auditor: Auditor<'_>) -> Vec<Hit> {
        let mut hits: Vec<Hit> = self.paths.values().flat_map(|pieces| self.joined(auditor, pieces)).collect();
        let known = auditor.known(&self.every).into_iter().map(|range| &self.every[range]);
        let telling = known.filter(|value| is_telling(value) && marks(value).next().is_none());
        hits.extend(telling.map(|value| ("secret".to_owned(), value.to_owned())));
        hits
    }
}

/// Walks what the messages of an event stream say, each by itself and together; `false`, and nothing found, of what is none.
///
/// What cannot be read to its end is opaque: behind a damaged message there may be anything.
pub(super) fn events(walk: &mut Walk<'_>, body: &[u8]) -> bool {
    let places = eventstream::places(body);
    let read = places.last().map_or(0, |place| place.whole.end);
    if places.is_empty() && !looks_framed(body) {
        return false;
    }
    let mut joined = Joined::default();
    let path = walk.path.as_str().to_owned();
    let mut hits = walk.auditor.text(&letters(body), 0);
    for place in places {
        let headers = eventstream::headers(body, &place);
        let payload = &body[place.payload];
        if is_packed(payload) && std::str::from_utf8(payload).is_err() {
            hits.extend(walk.auditor.archive(payload, 0));
        }
        let payload = String::from_utf8_lossy(payload);
        hits.extend(walk.auditor.named("", &payload, 0));
        joined.message(&payload, &headers, &path);
    }
    if !eventstream::is_begun(body, read) {
        hits.push(archive::opaque(body));
    }
    walk.found(hits);
    joined.report(walk, Trust::Names);
    true
}

/// Returns whether the bytes say that they are AWS event-stream messages, be they damaged: a length that fits, and the names of headers.
fn looks_framed(bytes: &[u8]) -> bool {
    let length = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]) as usize);
    matches!((length(0), length(4)), (Some(total), Some(head)) if total >= 16 && head + 16 <= total)
        && bytes.windows(7).take(64).any(|window| window == b":event-" || window == b":messag")
}

fn messages(auditor: Auditor<'_>, body: &[u8], counting: Counting, pieces: &mut Pieces) -> Vec<Hit> {
    let found = parts(body, counting);
    let mut hits = auditor.certain(&letters(body));
    hits.extend(auditor.wide(body, 0));
    let by = pieces.voices.take_up(found.voices);
    for part in &found.texts {
        hits.extend(self::part(auditor, body, part));
        pieces.push(body, part, by);
    }
    let mut opaque = found.opaque;
    pieces.depth += 1;
    for packed in found.packed {
        if pieces.depth == 1 {
            pieces.at = packed.start;
        }
        let packed = &body[packed];
        match unpack(auditor, packed).filter(|_| pieces.depth <= MAX_DEPTH) {
            Some(unpacked) => {
                if let (Ok(text), Some(b'{' | b'[')) = (std::str::from_utf8(&unpacked), unpacked.first()) {
                    pieces.documents.push((pieces.at, text.to_owned()));
                }
                hits.extend(messages(auditor, &unpacked, Counting::Message, pieces));
            }
            None => opaque |= !packed.is_empty(),
        }
    }
    pieces.depth -= 1;
    if opaque {
        hits.push(archive::opaque(body));
    }
    hits
}

/// Returns all that is packed in these bytes, as long as there is room for it.
fn unpack(auditor: Auditor<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
    let unpacked = gzip::is_packed(bytes).then(|| auditor.unpacked(bytes))?;
    (unpacked.end == End::Whole).then_some(unpacked.bytes)
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
