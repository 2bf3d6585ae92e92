//! Finding known values in a text: as they are, in base64 and base32, and with gaps in them.

use std::ops::Range;

use super::coding::{base32, base64};
use super::detect::Spent;
use super::gaps::Gaps;
use super::probes::Probes;
use super::words::Case;

/// The shortest value of which its being found under a secret name is reason enough to look for it everywhere.
pub(super) const SHORTEST: usize = 8;

/// The shortest value of letters and digits that is found within a longer word.
const TELLING: usize = 12;

/// The shortest value of the environment that is found in letters of another case.
const TELLING_FOLDED: usize = 16;

/// How a known value stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it is.
    Plain,
    /// In base64.
    Base64,
    /// In base32.
    Base32,
}

/// What is looked for: of each value itself, and what each of its texts in base64 and base32 holds.
#[derive(Clone)]
pub(super) struct Finder {
    probes: Probes,
    patterns: Vec<Pattern>,
    gaps: Gaps,
    escapable: bool,
}

/// One text that is looked for.
#[derive(Clone)]
struct Pattern {
    length: usize,
    form: Form,
    /// Whether it is found within a word too.
    telling: bool,
}

impl Finder {
    /// Returns what finds these values; in letters of another case too where `given` says that no call made one known.
    pub(super) fn new(known: &[String], given: impl Fn(&str) -> bool) -> Finder {
        let shortest = known.iter().map(String::len).min().unwrap_or_default();
        let probes = Probes::new(shortest.min(SHORTEST));
        let mut finder = Finder { probes, patterns: Vec::new(), gaps: Gaps::default(), escapable: false };
        known.iter().for_each(|value| finder.put(value, given(value)));
        finder
    }

    /// Looks for one more value, that a call made known; returns whether it can.
    pub(super) fn add(&mut self, value: &str) -> bool {
        let fits = self.probes.fits(value);
        if fits {
            self.put(value, false);
        }
        fits
    }

    fn put(&mut self, value: &str, given: bool) {
        let case = if given && is_telling_folded(value) { Case::Folded } else { Case::Exact };
        let telling = is_telling(value);
        self.look_for(value, case, Form::Plain, telling);
        if value.len() >= SHORTEST {
            base64::cores(value).iter().for_each(|core| self.look_for(core, Case::Exact, Form::Base64, true));
            base32::cores(value).iter().for_each(|core| self.look_for(core, Case::Folded, Form::Base32, true));
        }
        if telling {
            self.gaps.add(value);
        }
        self.escapable |= is_escapable(value);
    }

    fn look_for(&mut self, text: &str, case: Case, form: Form, telling: bool) {
        self.probes.add(text, case);
        self.patterns.push(Pattern { length: text.len(), form, telling });
    }

    /// Calls `found` with the place of each value, and how it stands there.
    ///
    /// # Errors
    ///
    /// Fails where there is no end to looking.
    pub(super) fn find(&self, text: &str, found: &mut impl FnMut(Range<usize>, Form)) -> Result<(), Spent> {
        for (start, number) in self.probes.find(text) {
            let pattern = &self.patterns[number];
            let range = start..start + pattern.length;
            if pattern.telling || is_word(text, &range) {
                found(range, pattern.form);
            }
        }
        self.gaps.find(text)?.into_iter().for_each(|range| found(range, Form::Plain));
        Ok(())
    }

    /// Returns the length of the longest text that is looked for.
    pub(super) fn longest(&self) -> usize {
        self.probes.longest()
    }

    /// Returns whether a value holds anything that scripts and documents write as an escape, but a slash: that escape is a clue by
    /// itself.
    pub(super) fn is_escapable(&self) -> bool {
        self.escapable
    }
}

/// The fewest digits of base64 that eight bytes of a value make for certain.
const SHORTEST_CODED: usize = 11;

/// Returns where the beginning of a value stands, from eight bytes, with which a text ends that was cut short, and how it
/// stands there. The cut may have gone through an escape.
pub(super) fn beginning(text: &str, value: &str) -> Option<(Range<usize>, Form)> {
    // Of a letter in decimal, what is left may be a line end.
    let letters = text.trim_end_matches(['\t', '\n']);
    let plain = [text, &text[..unfinished(text)], letters].into_iter().find_map(|head| {
        let length = ends_with(head, value, SHORTEST)?;
        Some((head.len() - length..text.len(), Form::Plain))
    });
    plain.or_else(|| {
        let digits = text.len() - text.bytes().rev().take_while(|b| base64::is_digit(*b)).count();
        let run = text[digits..].replace('-', "+").replace('_', "/");
        if value.len() < SHORTEST || run.len() < SHORTEST_CODED {
            return None;
        }
        let ends = |core: &String| ends_with(&run, core, SHORTEST_CODED);
        let length = base64::cores(value).iter().find_map(ends)?;
        Some((text.len() - length..text.len(), Form::Base64))
    })
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
pub(crate) fn is_telling(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    value.len() >= TELLING && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// Returns whether a value stands nowhere by chance, whatever the case of its letters: a long one, of letters and digits or of letters of
/// both cases.
fn is_telling_folded(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    value.len() >= TELLING_FOLDED && (mixed || has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic))
}

fn is_escapable(value: &str) -> bool {
    value.contains(|c: char| matches!(c, '"' | '\'' | '\\' | '`' | '$') || !c.is_ascii() || c.is_ascii_control())
}

fn is_word(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let edge = |inner: u8, outer: Option<&u8>| {
        !(inner.is_ascii_alphanumeric() && outer.is_some_and(|byte| byte.is_ascii_alphanumeric()))
    };
    let before = range.start.checked_sub(1).and_then(|i| bytes.get(i));
    edge(bytes[range.start], before) && edge(bytes[range.end - 1], bytes.get(range.end))
}
