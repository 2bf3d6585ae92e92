//! Finding known values in a text, as they are and in base64.

use std::ops::Range;

use super::coding::base64;
use super::words::{Case, Words};

/// The shortest value of which its being found under a secret name is reason enough to look for it everywhere.
pub(super) const SHORTEST: usize = 8;

/// The shortest value of letters and digits that is found within a longer word.
const TELLING: usize = 12;

/// What is looked for: of each value four patterns, itself and the three cores of its base64 text.
#[derive(Clone)]
pub(super) struct Finder {
    words: Words,
    /// The length of each pattern, and whether it is found within a word too.
    patterns: Vec<(usize, bool)>,
}

impl Finder {
    /// Returns what finds these values.
    pub(super) fn new(known: &[String]) -> Finder {
        let patterns: Vec<(String, bool)> = known
            .iter()
            .flat_map(|value| {
                // What is empty is never found.
                let [a, b, c] = if value.len() < SHORTEST { Default::default() } else { base64::cores(value) };
                [(value.clone(), is_telling(value)), (a, true), (b, true), (c, true)]
            })
            .collect();
        let words = Words::new(patterns.iter().map(|(pattern, _)| (pattern.as_str(), Case::Exact)));
        Finder { words, patterns: patterns.iter().map(|(pattern, telling)| (pattern.len(), *telling)).collect() }
    }

    /// Calls `found` with the place of each value, and whether it stands there in base64.
    pub(super) fn find(&self, text: &str, found: &mut impl FnMut(Range<usize>, bool)) {
        self.words.find(text, |start, word| {
            let encoded = word % 4 != 0;
            let (length, telling) = self.patterns[word];
            let range = start..start + length;
            if encoded || telling || is_word(text, &range) {
                found(range, encoded);
            }
            false
        });
    }
}

/// The fewest digits of base64 that eight bytes of a value make for certain.
const SHORTEST_CODED: usize = 11;

/// Returns where the beginning of a value stands, from eight bytes, with which a text ends that was cut short, and whether it
/// stands there in base64. The cut may have gone through an escape.
pub(super) fn beginning(text: &str, value: &str) -> Option<(Range<usize>, bool)> {
    // Of a letter in decimal, what is left may be a line end.
    let letters = text.trim_end_matches(['\t', '\n']);
    let plain = [text, &text[..unfinished(text)], letters].into_iter().find_map(|head| {
        let length = ends_with(head, value, SHORTEST)?;
        Some((head.len() - length..text.len(), false))
    });
    plain.or_else(|| {
        let digits = text.len() - text.bytes().rev().take_while(|b| base64::is_digit(*b)).count();
        let run = text[digits..].replace('-', "+").replace('_', "/");
        if value.len() < SHORTEST || run.len() < SHORTEST_CODED {
            return None;
        }
        let ends = |core: &String| ends_with(&run, core, SHORTEST_CODED);
        let length = base64::cores(value).iter().find_map(ends)?;
        Some((text.len() - length..text.len(), true))
    })
}

/// Returns where a value stands that goes on in the next line, indented or not.
pub(super) fn broken(text: &str, value: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find('\n') {
        let end = at + next;
        at = end + 1;
        let before = text[..end].trim_end_matches(['\r', ' ']);
        let indented = bytes[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let (Some(last), after) = (before.bytes().last(), &text[at + indented..]) else { continue };
        let Some(first) = after.bytes().next() else { continue };
        let cuts = value.as_bytes().windows(2).enumerate().filter(|(_, pair)| **pair == [last, first]);
        let whole = cuts.map(|(i, _)| i + 1).filter(|cut| value.is_char_boundary(*cut)).find(|cut| {
            let (head, tail) = value.split_at(*cut);
            before.ends_with(head) && after.starts_with(tail)
        });
        found.extend(whole.map(|cut| before.len() - cut..at + indented + value.len() - cut));
    }
    found
}

/// Returns how much of a value a text ends with, not all of it.
fn ends_with(text: &str, value: &str, least: usize) -> Option<usize> {
    let ends = |length: &usize| value.is_char_boundary(*length) && text.ends_with(&value[..*length]);
    (least..value.len()).rev().find(ends)
}

/// Returns where the beginning of an escape stands that a text ends with; its end where it ends with none.
fn unfinished(text: &str) -> usize {
    let bytes = text.as_bytes();
    let from = bytes.len().saturating_sub(11);
    let Some(at) = (from..bytes.len()).rev().find(|at| matches!(bytes[*at], b'\\' | b'%' | b'&')) else {
        return text.len();
    };
    let rest = &bytes[at + 1..];
    let hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    let begins = match (bytes[at], rest) {
        (b'%', digits) => digits.len() < 2 && hex(digits),
        (b'\\', [] | [b'u' | b'x']) => true,
        (b'\\', [b'u', b'{', digits @ ..]) => hex(digits),
        (b'\\', [b'u', digits @ ..]) => digits.len() < 4 && hex(digits),
        (b'\\', [b'x', digits @ ..]) => digits.len() < 2 && hex(digits),
        (b'\\', digits) => digits.len() < 3 && digits.iter().all(|b| matches!(b, b'0'..=b'7')),
        (_, name) => name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'#'),
    };
    if begins { at } else { text.len() }
}

/// Returns whether a value stands nowhere by chance, not even within a longer word.
pub(super) fn is_telling(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    value.len() >= TELLING && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

fn is_word(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let edge = |inner: u8, outer: Option<&u8>| {
        !(inner.is_ascii_alphanumeric() && outer.is_some_and(|byte| byte.is_ascii_alphanumeric()))
    };
    let before = range.start.checked_sub(1).and_then(|i| bytes.get(i));
    edge(bytes[range.start], before) && edge(bytes[range.end - 1], bytes.get(range.end))
}
