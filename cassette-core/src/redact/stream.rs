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

/// Returns the edits of these events of a text.
pub(crate) fn in_events(lens: Lens<'_>, body: &str, events: Vec<Event<'_>>) -> Vec<Edit> {
    in_pieces(lens, body, events.into_iter().map(Piece::Event).collect())
}

fn in_pieces(lens: Lens<'_>, body: &str, pieces: Vec<Piece<'_>>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut joined = Joined::default();
    let alone = |line: &Range<usize>| {
        let start = line.start;
        lens.edits(&body[line.clone()], 0).into_iter().map(move |edit| edit.moved(start))
    };
    for piece in pieces {
        let event = match piece {
            Piece::Event(event) => event,
            Piece::Between(line) => {
                edits.extend(alone(&line));
                continue;
            }
        };
        joined.event(event.fields);
        let text = Text::new(body, event.data);
        let found = found(lens, &text.said);
        if found.is_empty() {
            for line in &text.lines {
                edits.extend(alone(line));
                if !body[line.clone()].starts_with('[') {
                    joined.push_data(line.clone());
                }
            }
        }
        for value in found {
            edits.extend(value_edits(lens, &text, &value));
            joined.push(body, &text.said, &value, |range| text.source(range));
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

/// An event of a stream.
pub(crate) struct Event<'a> {
    /// Where the lines of its data stand.
    pub(crate) data: Vec<Range<usize>>,
    /// What it has beside its data, such as its name, which may tell whose it is.
    pub(crate) fields: Vec<Field<'a>>,
}

/// The name of a field, and what it says.
pub(crate) type Field<'a> = (&'a str, &'a str);

/// A part of a stream.
enum Piece<'a> {
    Event(Event<'a>),
    /// What stands between the data of events.
    Between(Range<usize>),
}

/// Cuts a body into its events and what stands between.
fn pieces(body: &str, framing: Framing) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut event = Event { data: Vec::new(), fields: Vec::new() };
    let mut start = 0;
    for line in lines(body) {
        let text = line.trim_end_matches(['\r', '\n']);
        let said = match framing {
            Framing::Sse => text.strip_prefix("data:").map(|data| data.strip_prefix(' ').unwrap_or(data)),
            Framing::Lines => Some(text),
        };
        let range = |said: &str| start + text.len() - said.len()..start + text.len();
        match said {
            Some(said) if !said.is_empty() => event.data.push(range(said)),
            None if !text.is_empty() => {
                event.fields.push(text.split_once(':').unwrap_or(("", text)));
                pieces.push(Piece::Between(range(text)));
            }
            _ => {}
        }
        if text.is_empty() || framing == Framing::Lines {
            let next = std::mem::replace(&mut event, Event { data: Vec::new(), fields: Vec::new() });
            pieces.extend((!next.data.is_empty()).then_some(Piece::Event(next)));
        }
        start += line.len();
    }
    pieces.extend((!event.data.is_empty()).then_some(Piece::Event(event)));
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
