//! Two texts, and two exchanges, side by side.

use cassette_core::alignment::{Row, Stretch, rows, stretches};
use cassette_core::transcript::{Entry, Exchange, What};

use super::super::page::Markup;
use crate::output::count;

/// How many characters of what both have are shown on either side of a change.
const AROUND: usize = 240;

/// Adds what stood and what stands, the words that differ marked.
pub(super) fn beside(sides: [Option<&str>; 2], to: &mut Markup) {
    let both = sides[0].zip(sides[1]).map(|(before, after)| stretches(before, after));
    to.element("div", &[("class", "sides")], |columns| {
        for (side, text) in sides.into_iter().enumerate() {
            let class = if text.is_some() { ["before", "after"][side] } else { "nothing" };
            columns.element("div", &[("class", class)], |column| match (&both, text) {
                (Some(stretches), _) => marked(stretches, side, column),
                (None, Some(text)) => {
                    column.words(MARKS[side], "", text);
                }
                (None, None) => {}
            });
        }
    });
}

/// Adds what the two columns are called.
pub(super) fn heads(names: [&str; 2], to: &mut Markup) {
    to.element("div", &[("class", "change heads")], |row| {
        row.words("div", "who", "").element("div", &[("class", "sides")], |columns| {
            names.iter().for_each(|name| {
                columns.words("span", "", name);
            });
        });
    });
}

/// What marks the words of one side alone.
const MARKS: [&str; 2] = ["del", "ins"];

fn marked(stretches: &[Stretch<'_>], side: usize, to: &mut Markup) {
    let last = stretches.len().saturating_sub(1);
    for (i, stretch) in stretches.iter().enumerate() {
        match (*stretch, side) {
            (Stretch::Both(text), _) => common(text, [i > 0, i < last], to),
            (Stretch::Before(text), 0) | (Stretch::After(text), 1) => {
                to.words(MARKS[side], "", text);
            }
            _ => {}
        }
    }
}

/// Adds what both have: of a long one what stands beside a change, and how much is left out.
fn common(text: &str, [behind, before]: [bool; 2], to: &mut Markup) {
    let length = text.chars().count();
    let kept = AROUND * (usize::from(behind) + usize::from(before)).max(1);
    if length <= kept + AROUND {
        to.text(text);
        return;
    }
    let at = |nth: usize| text.char_indices().nth(nth).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (if behind || !before { AROUND } else { 0 }, if before { AROUND } else { 0 });
    to.text(&text[..at(head)]);
    to.words("span", "left-out", &format!("… {} …", count(length - head - tail, "character")));
    to.text(&text[at(length - tail)..]);
}

/// Adds two exchanges as a whole, turn by turn, to unfold.
pub(super) fn whole([before, after]: [&Exchange; 2], to: &mut Markup) {
    to.element("details", &[("class", "whole")], |details| {
        details.words("summary", "", "the whole call, side by side");
        let rows = rows(before, after);
        let mut same: Vec<&Entry> = Vec::new();
        for row in rows {
            if let Row::Same(entry) = row {
                same.push(entry);
                continue;
            }
            as_before(std::mem::take(&mut same), details);
            let (entry, sides) = match row {
                Row::Changed(a, b) => (b, [Some(a), Some(b)]),
                Row::Came(b) => (b, [None, Some(b)]),
                Row::Gone(a) | Row::Same(a) => (a, [Some(a), None]),
            };
            turn(entry, sides, details);
        }
        as_before(same, details);
    });
}

fn turn(entry: &Entry, sides: [Option<&Entry>; 2], to: &mut Markup) {
    let is_data = entry.text.starts_with(['{', '[']) || entry.what == What::Called;
    to.element("div", &[("class", if is_data { "change data" } else { "change" })], |row| {
        row.words("div", "who", &entry.label);
        row.element("div", &[("class", "what")], |what| {
            beside(sides.map(|entry| entry.map(|entry| entry.text.as_str())), what);
        });
    });
}

/// Adds turns that are the same: the last of them, and of what is before it how much that is.
fn as_before(same: Vec<&Entry>, to: &mut Markup) {
    let said: Vec<_> =
        same.iter().filter(|entry| !matches!(entry.what, What::Setting | What::Tool | What::Status)).collect();
    let Some((last, earlier)) = said.split_last() else { return };
    if !earlier.is_empty() {
        to.words("p", "again", &format!("{} as before", count(earlier.len(), "turn")));
    }
    to.element("div", &[("class", "change same")], |row| {
        row.words("div", "who", &last.label);
        row.element("div", &[("class", "what")], |what| common(&last.text, [false, false], what));
    });
}
