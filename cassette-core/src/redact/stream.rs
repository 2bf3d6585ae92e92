//! Secrets in a body that comes piece by piece: in each piece, and in what the pieces say together.

use std::ops::Range;

use super::arrays;
use super::detect::is_suspicious;
use super::document::leaf_edits;
use super::edit::Edit;
use super::joined::Joined;
use super::lens::{Lens, whole};
use super::pieces::{Rest, Value, values};
use super::scan::scan;
use super::spoken::spoken_names;
use crate::frames::{Framing, lines};

/// Returns the edits of a body that is a stream of events.
pub(crate) fn edits(lens: Lens<'_>, body: &str, framing: Framing) -> Vec<Edit> {
    in_pieces(lens, body, pieces(body, framing))
}

/// Returns the edits of texts that stand at these places of one, each what an event says.
pub(crate) fn in_texts(lens: Lens<'_>, body: &str, texts: &[Range<usize>]) -> Vec<Edit> {
    in_pieces(lens, body, texts.iter().map(|text| Piece::Data(vec![text.clone()])).collect())
}

fn in_pieces(lens: Lens<'_>, body: &str, pieces: Vec<Piece>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut joined = Joined::default();
    for piece in pieces {
        let (data, between) = match piece {
            Piece::Data(lines) => (lines, false),
            Piece::Between(line) => {
                if let Some(name) = body[line.clone()].strip_prefix("event:") {
                    joined.event(Some(name));
                }
                (vec![line], true)
            }
        };
        let text = Text::new(body, data);
        let found = if between { Vec::new() } else { found(lens, &text.said) };
        if found.is_empty() {
            for line in &text.lines {
                let said = &body[line.clone()];
                edits.extend(lens.edits(said, 0).into_iter().map(|edit| edit.moved(line.start)));
                if !between && !said.starts_with('[') {
                    joined.push_data(line.clone());
                }
            }
        }
        for value in found {
            edits.extend(value_edits(lens, &text, &value));
            joined.push(body, &text.said, &value, |range| text.source(range));
        }
        if !between {
            joined.event(None);
        }
    }
    edits.extend(joined.edits(lens, body, &edits));
    edits
}

/// Returns the edits of what the values of any other body say together, given those of each by itself: what things look like
/// is believed there, and no name.
pub(crate) fn across(lens: Lens<'_>, body: &str, made: &[Edit]) -> Vec<Edit> {
    let mut joined = Joined::default();
    let cut = lens.known.is_some_and(super::Secrets::is_cut);
    let Ok(all) = values(body, Rest::Refused) else { return whole(body) };
    let mut found: Vec<Value> = all.into_iter().filter(|value| cut || value.read.whole).collect();
    if found.is_empty() {
        let Ok(all) = values(body, Rest::Skipped) else { return whole(body) };
        found = all;
    }
    found.iter().for_each(|value| joined.push(body, body, value, Some));
    joined.edits(lens.by_looks(), body, made)
}

/// A part of a stream.
enum Piece {
    /// The lines of one event's data.
    Data(Vec<Range<usize>>),
    /// What stands between.
    Between(Range<usize>),
}

/// Cuts a body into the data of its events and what stands between.
fn pieces(body: &str, framing: Framing) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut data = Vec::new();
    let mut start = 0;
    for line in lines(body) {
        let text = line.trim_end_matches(['\r', '\n']);
        let said = match framing {
            Framing::Sse => text.strip_prefix("data:").map(|data| data.strip_prefix(' ').unwrap_or(data)),
            Framing::Lines => Some(text),
        };
        let range = |said: &str| start + text.len() - said.len()..start + text.len();
        match said {
            Some(said) if !said.is_empty() => data.push(range(said)),
            None if !text.is_empty() => pieces.push(Piece::Between(range(text))),
            _ => {}
        }
        if (text.is_empty() || framing == Framing::Lines) && !data.is_empty() {
            pieces.push(Piece::Data(std::mem::take(&mut data)));
        }
        start += line.len();
    }
    if !data.is_empty() {
        pieces.push(Piece::Data(data));
    }
    pieces
}

/// The lines of an event's data as one text.
struct Text {
    said: String,
    /// Where each line stands in the body.
    lines: Vec<Range<usize>>,
}

impl Text {
    fn new(body: &str, lines: Vec<Range<usize>>) -> Text {
        let said = lines.iter().map(|line| &body[line.clone()]).collect::<Vec<_>>().join("\n");
        Text { said, lines }
    }

    /// Returns where a stretch of one line stands in the body.
    fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        let mut start = 0;
        for line in &self.lines {
            if range.start <= start + line.len() {
                let from = line.start + range.start - start;
                return (range.end <= start + line.len()).then(|| from..from + range.len());
            }
            start += line.len() + 1;
        }
        None
    }
}

/// Returns the values of an event's data, the last of which may be unfinished where the body was cut short.
fn found(lens: Lens<'_>, text: &str) -> Vec<Value> {
    let cut = lens.known.is_some_and(super::Secrets::is_cut);
    // No value is looked for twice where nothing else may stand there.
    let found = values(text, Rest::Refused).unwrap_or_default();
    if cut || found.iter().all(|value| value.read.whole) { found } else { Vec::new() }
}

/// Returns the edits of one value.
fn value_edits(lens: Lens<'_>, text: &Text, value: &Value) -> Vec<Edit> {
    let said = &text.said[value.range.clone()];
    let begins = lens.known.is_some_and(super::Secrets::may_begin);
    if !(begins || lens.rules.look_into_text() || is_suspicious(said) || !lens.known_in(said).is_empty()) {
        return Vec::new();
    }
    let found = match scan(said) {
        Some(scan) => {
            let spoken = spoken_names(said, &scan);
            let mut found = arrays::edits(lens, said, &scan, 0);
            found.extend(scan.leaves.iter().flat_map(|leaf| leaf_edits(lens, said, leaf, &spoken, 0)));
            found
        }
        None => lens.edits(said, 0),
    };
    let moved = found.into_iter().map(|edit| edit.moved(value.range.start));
    moved.filter_map(|edit| Some(Edit { range: text.source(edit.range.clone())?, ..edit })).collect()
}
