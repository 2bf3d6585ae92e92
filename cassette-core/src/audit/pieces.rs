//! A text that comes piece by piece, and which of its pieces hold what is found in it.

use std::ops::Range;

use super::walk::Walk;
use crate::redact::detect::UNSEARCHED;
use crate::redact::voices::{BODY, Voices};
use crate::redact::{Trust, marks};

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
        let all = || 0..self.text.len();
        let mut found: Vec<Range<usize>> = self
            .text
            .match_indices(value)
            .map(|(at, _)| at..at + value.len())
            .filter(|range| !range.is_empty())
            .collect();
        if trust == Trust::Looks {
            found.retain(|range| self.parts(range).count() > 1);
        } else if found.is_empty() {
            found.push(all());
        }
        for range in found {
            for path in self.parts(&range) {
                walk.file(path, rule, value.to_owned());
            }
        }
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
