//! A text that stands in the numbers of its bytes.

use std::ops::Range;

use super::dump::{self, Layout};

/// The fewest bytes that are looked into: no secret is shorter.
pub(super) const LEAST: usize = 8;

/// A text that stands in numbers, alone or among other bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberText {
    /// Where its digits stand.
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
    pub(super) separator: &'static str,
    pub(super) digits: Digits,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    Lower,
    Upper,
    Decimal,
    /// As a dump writes them, so many bytes a line.
    Dump(Layout),
}

impl NumberText {
    /// Returns another text in digits as these.
    pub(crate) fn spelled(&self, text: &str) -> String {
        let pair = |byte: u8| match self.digits {
            Digits::Lower | Digits::Dump(_) => format!("{byte:02x}"),
            Digits::Upper => format!("{byte:02X}"),
            Digits::Decimal => byte.to_string(),
        };
        if let Digits::Dump(layout) = self.digits {
            return dump::written(text, layout);
        }
        units(text, self.separator).into_iter().map(pair).collect::<Vec<_>>().join(self.separator)
    }
}

/// What stands between the letters of UTF-16, whose other byte is zero.
pub(super) const WIDE: &str = "00";

/// Returns the numbers that a text is spelled in: its bytes or, in UTF-16, what its letters are in Latin-1.
fn units(text: &str, separator: &str) -> Vec<u8> {
    match separator {
        WIDE => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        _ => text.bytes().collect(),
    }
}

/// Returns whether this may be a part of a text.
pub(super) fn is_of_text(byte: u8, separator: &str) -> bool {
    let beyond = if separator == WIDE { 0xa0..=0xfe } else { 0x80..=0xff };
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r') || beyond.contains(&byte)
}

/// Returns the texts that these numbers spell, each with the places of its own among them.
pub(super) fn spoken(numbers: &[u8], separator: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    if separator == WIDE {
        found.push((0..numbers.len(), numbers.iter().copied().map(char::from).collect()));
    } else {
        let mut at = 0;
        for chunk in numbers.utf8_chunks() {
            let end = at + chunk.valid().len();
            found.push((at..end, chunk.valid().to_owned()));
            at = end + chunk.invalid().len();
        }
    }
    found.retain(|(places, _)| places.len() >= LEAST);
    found
}
