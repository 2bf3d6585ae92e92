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

/// Returns how much of a value a text ends with that was cut short, from eight bytes.
pub(super) fn beginning(text: &str, value: &str) -> Option<usize> {
    let ends = |length: &usize| value.is_char_boundary(*length) && text.ends_with(&value[..*length]);
    (SHORTEST..value.len()).rev().find(ends)
}

/// Returns whether a value stands nowhere by chance, not even within a longer word.
fn is_telling(value: &str) -> bool {
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
