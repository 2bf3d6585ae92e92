//! What differs within a string: the words, with a little around them.

use std::ops::Range;

use super::hunks::{Hunk, hunks, uncommon};
use super::passing::is_passing;
use super::secrets::in_plain_within;
use super::show::{MOST, Room, is_invisible, quoted};
use crate::report::{Nature, Shown};

/// How many characters are shown on either side of a change.
const CONTEXT: usize = 40;

/// How many characters of a change itself are shown.
const CHANGE: usize = 80;

/// How two strings differ.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) shown: Vec<Shown>,
    pub(super) nature: Option<Nature>,
    /// How many changes are not shown.
    pub(super) more: usize,
    /// How many bytes differ.
    pub(super) size: usize,
}

/// Returns how two strings differ, which are not equal.
pub(super) fn words(recorded: &str, incoming: &str, room: Room) -> Words {
    let (ours, theirs) = uncommon(recorded, incoming);
    let nature = nature(&recorded[ours.clone()], &incoming[theirs.clone()]);
    let hunks = hunks(recorded, incoming, Hunk { ours, theirs });
    let passing = || is_passing(recorded, incoming).then_some(Nature::Passing);
    let nature = in_plain_within(recorded, incoming, &hunks).or(nature).or_else(passing);
    let size = hunks.iter().map(|hunk| hunk.ours.len().max(hunk.theirs.len())).sum();
    let short = |text: &str| text.chars().nth(MOST).is_none();
    if short(recorded) && short(incoming) {
        let shown = vec![Shown { recorded: Some(quoted(recorded)), incoming: Some(quoted(incoming)) }];
        return Words { shown, nature, more: 0, size };
    }
    let show = |hunk: &Hunk| Shown {
        recorded: Some(window(recorded, &hunk.ours, room)),
        incoming: Some(window(incoming, &hunk.theirs, room)),
    };
    // A word says more than the lay-out around it.
    let (layout, telling): (Vec<_>, Vec<_>) = hunks.iter().partition(|hunk| hunk.is_layout([recorded, incoming]));
    let shown: Vec<_> = telling.into_iter().chain(layout).take(room.changes()).map(show).collect();
    Words { nature, more: hunks.len() - shown.len(), shown, size }
}

/// Returns what the differing middles of two strings differ in, where that is easily overlooked.
fn nature<'a>(ours: &'a str, theirs: &'a str) -> Option<Nature> {
    let without = |drop: fn(char) -> bool| ours.chars().filter(|c| !drop(*c)).eq(theirs.chars().filter(|c| !drop(*c)));
    if without(|c| c == '\r') {
        Some(Nature::LineEndings)
    } else if without(char::is_whitespace) {
        Some(Nature::WhiteSpace)
    } else if without(is_invisible) {
        Some(Nature::Invisible)
    } else {
        let lower = |text: &'a str| text.chars().flat_map(char::to_lowercase);
        lower(ours).eq(lower(theirs)).then_some(Nature::LetterCase)
    }
}

/// Returns a change with what stands around it, in quotation marks.
fn window(text: &str, change: &Range<usize>, room: Room) -> String {
    let (changed, whole) = match text[change.clone()].char_indices().nth(room.of(CHANGE)) {
        Some((end, _)) => (&text[change.start..change.start + end], false),
        None => (&text[change.clone()], true),
    };
    let before = tail(&text[..change.start]);
    let after = if whole { head(&text[change.end..]) } else { "" };
    let start = change.start - before.len();
    let end = change.start + changed.len() + after.len();
    let shown = quoted(&text[start..end]);
    let inner = &shown[1..shown.len() - 1];
    let more = |cut: bool| if cut { "…" } else { "" };
    let left = text[change.start + changed.len()..change.end].chars().count();
    format!("\"{}{inner}{}\"{}", more(start > 0), more(end < text.len()), room.left_out(left))
}

/// Returns the last characters of a text, from a word's beginning where there is one.
fn tail(text: &str) -> &str {
    let Some((start, _)) = text.char_indices().rev().nth(CONTEXT) else { return text };
    let cut = &text[start..];
    cut.find(char::is_whitespace).map_or(cut, |at| cut[at..].trim_start())
}

/// Returns the first characters of a text, to a word's end where there is one.
fn head(text: &str) -> &str {
    let Some((end, _)) = text.char_indices().nth(CONTEXT) else { return text };
    let cut = &text[..end];
    cut.rfind(char::is_whitespace).map_or(cut, |at| cut[..at].trim_end())
}

#[cfg(test)]
mod tests;
