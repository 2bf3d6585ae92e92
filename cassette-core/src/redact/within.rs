//! Pieces that stand in texts of their own: each in a document within a string, or in base64.

use super::coding::{Held, base64, held};
use super::edit::{By, Edit, Edited, merge};
use super::joined::Joined;
use super::lens::Lens;
use super::pieces::{Rest, values};
use super::placeholder::unnumbered;

/// A text that a piece holds.
struct HeldText<'a> {
    /// The piece.
    source: &'a str,
    held: Held,
}

impl<'a> HeldText<'a> {
    /// Returns what a piece holds, if anything.
    fn of(source: &'a str) -> Option<HeldText<'a>> {
        Some(HeldText { source, held: held(source)? })
    }

    fn text(&self) -> &str {
        match &self.held {
            Held::Json => self.source,
            Held::Base64(text) => text,
        }
    }

    /// Returns edits of the text as edits of the piece.
    fn carried(&self, edits: Vec<Edit>) -> Vec<Edit> {
        match &self.held {
            _ if edits.is_empty() => edits,
            Held::Json => edits,
            Held::Base64(text) => {
                // The white space around it is no part of what it spells.
                let digits = self.source.trim();
                let start = self.source.len() - self.source.trim_start().len();
                let edited = Edited::new(text, &edits, |_, rule| unnumbered(rule)).text;
                let encoded = base64::encode(edited.as_bytes(), base64::Spelling::of(digits));
                vec![Edit { range: start..start + digits.len(), by: By::Text(encoded) }]
            }
        }
    }
}

/// Returns the edits of these pieces, each with its number, that hide what lies across the texts they hold: what is known and what
/// looks like a credential. `joined` has taken up nothing yet.
pub(super) fn edits<'a>(
    lens: Lens<'_>,
    pieces: impl Iterator<Item = (usize, &'a str)>,
    mut joined: Joined,
) -> Vec<(usize, Edit)> {
    let texts: Vec<_> = pieces.filter_map(|(piece, source)| Some((piece, HeldText::of(source)?))).collect();
    if texts.len() < 2 {
        return Vec::new();
    }
    let mut said = String::new();
    let mut ranges = Vec::with_capacity(texts.len());
    for (_, text) in &texts {
        let start = said.len();
        said.extend([text.text(), "\n"]);
        ranges.push(start..said.len() - 1);
    }
    for range in &ranges {
        let text = &said[range.clone()];
        let found = values(text, Rest::Refused).unwrap_or_default();
        if found.is_empty() {
            joined.push_data(range.clone());
        }
        for value in found {
            joined.push(&said, text, &value, |stretch| Some(range.start + stretch.start..range.start + stretch.end));
        }
    }
    let edits = merge(&said, joined.edits(lens.by_looks(), &said, &[]));
    let mut left = edits.into_iter().peekable();
    let mut found = Vec::new();
    for ((piece, text), range) in texts.iter().zip(&ranges) {
        let mut own = Vec::new();
        while let Some(edit) = left.next_if(|edit| edit.range.end <= range.end) {
            let inside = edit.range.start >= range.start;
            own.extend(
                inside.then(|| Edit { range: edit.range.start - range.start..edit.range.end - range.start, ..edit }),
            );
        }
        found.extend(text.carried(own).into_iter().map(|edit| (*piece, edit)));
    }
    found
}
