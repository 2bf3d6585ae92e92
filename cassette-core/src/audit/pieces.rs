//! A text that comes piece by piece, and which of its pieces hold what is found in it.

use std::ops::Range;

use super::inspect::{Auditor, Hit};
use super::room::Room;
use super::walk::Walk;
use crate::redact::detect::{UNSEARCHED, Work};
use crate::redact::voices::{BODY, Voices};
use crate::redact::{Trust, marks};

/// In how many places it is looked for what one text holds in an encoding.
const PLACES: usize = 8;

/// A text that comes piece by piece, and the path of each piece with its place in the text.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) text: String,
    pub(super) places: Vec<(String, Range<usize>)>,
    /// Where each piece stands, which may tell whose it is.
    beside: Vec<usize>,
}

impl Pieces {
    pub(super) fn push(&mut self, path: &str, text: &str, beside: usize) {
        let start = self.text.len();
        self.text.push_str(text);
        self.places.push((path.to_owned(), start..self.text.len()));
        self.beside.push(beside);
    }

    /// Looks into what each voice says apart from the others.
    pub(super) fn report_voices(&self, walk: &mut Walk<'_>, voices: &Voices) {
        let Ok(apart) = voices.told_apart(&self.beside) else {
            return self.file(walk, UNSEARCHED, &self.text, Trust::Names);
        };
        for told in apart {
            let mut apart = Pieces::default();
            for (path, place) in told.into_iter().map(|piece| &self.places[piece]) {
                apart.push(path, &self.text[place.clone()], BODY);
            }
            apart.report(walk, Trust::Looks);
        }
    }

    pub(super) fn report(&self, walk: &mut Walk<'_>, trust: Trust) {
        if self.places.len() < 2 {
            return;
        }
        let hits = match trust {
            Trust::Names => walk.auditor.text(&self.text, 0),
            Trust::Looks => walk.auditor.shapes(&self.text),
        };
        for (rule, value) in hits {
            self.file(walk, &rule, &value, trust);
        }
    }

    /// Files a value at each piece that holds a part of it.
    pub(super) fn file(&self, walk: &mut Walk<'_>, rule: &str, value: &str, trust: Trust) {
        let mut found: Vec<Range<usize>> = self
            .text
            .match_indices(value)
            .map(|(at, _)| at..at + value.len())
            .filter(|range| !range.is_empty())
            .collect();
        if trust == Trust::Looks {
            found.retain(|range| self.parts(range).count() > 1);
        } else if found.is_empty() {
            found = self.encoded(walk, &(rule.to_owned(), value.to_owned()));
        }
        walk.file_at(found.iter().flat_map(|range| self.parts(range)), rule, value);
    }

    /// Returns where what holds this in an encoding stands; the whole text, where that cannot be told.
    fn encoded(&self, walk: &Walk<'_>, hit: &Hit) -> Vec<Range<usize>> {
        let whole = || std::iter::once(0..self.text.len()).collect();
        let mut found = Vec::new();
        let mut first = 0;
        while let Some(range) = self.first_holding(walk, hit, first) {
            first = range.end;
            found.push(self.places[range.start].1.start..self.places[range.end - 1].1.end);
            if found.len() > PLACES {
                return whole();
            }
        }
        if found.is_empty() { whole() } else { found }
    }

    /// Returns the fewest pieces, from this one on, in which this is found.
    fn first_holding(&self, walk: &Walk<'_>, hit: &Hit, first: usize) -> Option<Range<usize>> {
        let holds = |range: Range<usize>| {
            let Some(pieces) = self.places.get(range).filter(|pieces| !pieces.is_empty()) else { return false };
            let text = &self.text[pieces[0].1.start..pieces[pieces.len() - 1].1.end];
            let (work, room) = (Work::decoding(text), Room::new());
            Auditor { work: &work, room: &room, ..walk.auditor }.text(text, 0).contains(hit)
        };
        let all = self.places.len();
        if !holds(first..all) {
            return None;
        }
        let end = bisect(first..all, |end| holds(first..end));
        let start = all - bisect(all - end..all - first, |from_end| holds(all - from_end..end));
        Some(start..end)
    }

    fn parts(&self, range: &Range<usize>) -> impl Iterator<Item = &str> {
        let range = range.clone();
        let first = self.places.partition_point(|(_, place)| place.end <= range.start);
        let parts = self.places[first..].iter().take_while(move |(_, place)| place.start < range.end);
        parts.filter(|(_, place)| !place.is_empty()).map(|(path, _)| path.as_str())
    }

    /// Files the beginnings of what is known, where the text grew on to what is hidden.
    pub(super) fn grown(&self, walk: &mut Walk<'_>) {
        for (at, (_, place)) in self.places.iter().enumerate() {
            let text = &self.text[place.clone()];
            let Some(mark) = marks(text).next() else { continue };
            for (path, place) in self.places[..at].iter().rev() {
                let earlier = self.text[place.clone()].strip_prefix(&text[..mark.start]);
                let Some(shown) = earlier.filter(|shown| walk.auditor.secrets.begins(shown)) else { break };
                if walk.auditor.secrets.tells(shown) {
                    walk.file(path, "secret", shown.to_owned());
                }
            }
        }
    }
}

/// Returns a number of this range, its end included, at which this is so, and not at the one before; at its end it is so.
fn bisect(range: Range<usize>, is_so: impl Fn(usize) -> bool) -> usize {
    let Range { mut start, mut end } = range;
    while start + 1 < end {
        let middle = start + (end - start) / 2;
        if is_so(middle) { end = middle } else { start = middle }
    }
    end
}
