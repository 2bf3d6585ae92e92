//! Which stretches of two strings differ.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;

use super::lcs::lcs;
use super::show::joins;

/// How many bytes two changes must be apart to be two.
const APART: usize = 24;

/// How many bytes are compared word by word; of what is longer, passages are compared first.
const FINE: usize = 1 << 16;

/// How many characters of a word that a change begins or ends in are taken into it.
const HALF: usize = 40;

/// One change: the bytes that went, and those that came in their place.
#[derive(Debug)]
pub(super) struct Hunk {
    pub(super) ours: Range<usize>,
    pub(super) theirs: Range<usize>,
}

impl Hunk {
    /// Returns whether white space alone differs.
    pub(super) fn is_layout(&self, [recorded, incoming]: [&str; 2]) -> bool {
        squeezed(&recorded[self.ours.clone()]).eq(squeezed(&incoming[self.theirs.clone()]))
    }
}

fn squeezed(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace())
}

/// Returns what lies between the common beginning and the common end of two strings.
pub(super) fn uncommon(ours: &str, theirs: &str) -> (Range<usize>, Range<usize>) {
    let (a, b) = (ours.as_bytes(), theirs.as_bytes());
    let mut front = common(a.chunks(BLOCK).zip(b.chunks(BLOCK)), a.iter().zip(b));
    while !ours.is_char_boundary(front) {
        front -= 1;
    }
    let (a, b) = (&a[front..], &b[front..]);
    let mut back = common(a.rchunks(BLOCK).zip(b.rchunks(BLOCK)), a.iter().rev().zip(b.iter().rev()));
    while !ours.is_char_boundary(ours.len() - back) || !theirs.is_char_boundary(theirs.len() - back) {
        back -= 1;
    }
    (front..ours.len() - back, front..theirs.len() - back)
}

/// How many bytes are compared at once: slices are compared fast even where nothing is optimised.
const BLOCK: usize = 1_024;

fn common<'a>(
    blocks: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    bytes: impl Iterator<Item = (&'a u8, &'a u8)>,
) -> usize {
    let whole = BLOCK * blocks.take_while(|(a, b)| a.len() == BLOCK && a == b).count();
    whole + bytes.skip(whole).take_while(|(a, b)| a == b).count()
}

/// Returns the changes within one, word by word.
pub(super) fn hunks(recorded: &str, incoming: &str, within: Hunk) -> Vec<Hunk> {
    let Hunk { ours, theirs } = within;
    let changes = [&recorded[ours.clone()], &incoming[theirs.clone()]];
    let before = half_word(recorded[..ours.start].chars().rev(), changes, first);
    let after = half_word(recorded[ours.end..].chars(), changes, last);
    let (ours, theirs) = (ours.start - before..ours.end + after, theirs.start - before..theirs.end + after);
    if ours.len().max(theirs.len()) <= FINE {
        return apart(between(recorded, incoming, &Hunk { ours, theirs }, tokens), [recorded, incoming]);
    }
    let mut room = FINE;
    let mut hunks = Vec::new();
    for hunk in between(recorded, incoming, &Hunk { ours, theirs }, passages) {
        let size = hunk.ours.len().max(hunk.theirs.len());
        match room.checked_sub(size) {
            Some(rest) => {
                room = rest;
                hunks.extend(between(recorded, incoming, &hunk, tokens));
            }
            None => hunks.push(hunk),
        }
    }
    apart(hunks, [recorded, incoming])
}

/// Returns the changes within a change, by the pieces into which `cut` cuts it.
fn between(recorded: &str, incoming: &str, within: &Hunk, cut: fn(&str) -> Vec<&str>) -> Vec<Hunk> {
    let (a, b) = (cut(&recorded[within.ours.clone()]), cut(&incoming[within.theirs.clone()]));
    let digests = |pieces: &[&str]| pieces.iter().map(|piece| digest(piece)).collect::<Vec<_>>();
    let kept = lcs(&digests(&a), &digests(&b));
    let (a, b) = (ends(&a, within.ours.start), ends(&b, within.theirs.start));
    let mut hunks = Vec::new();
    let mut start = (0, 0);
    for (i, j) in kept.into_iter().chain([(a.len() - 1, b.len() - 1)]) {
        let hunk = Hunk { ours: a[start.0]..a[i], theirs: b[start.1]..b[j] };
        start = (i + 1, j + 1);
        if !hunk.ours.is_empty() || !hunk.theirs.is_empty() {
            hunks.push(hunk);
        }
    }
    hunks
}

/// Joins changes that stand close together: those of words, and those of white space alone.
fn apart(hunks: Vec<Hunk>, texts: [&str; 2]) -> Vec<Hunk> {
    let mut joined: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        match joined.last_mut() {
            Some(last) if hunk.ours.start - last.ours.end < APART && hunk.is_layout(texts) == last.is_layout(texts) => {
                last.ours.end = hunk.ours.end;
                last.theirs.end = hunk.theirs.end;
            }
            _ => joined.push(hunk),
        }
    }
    joined
}

/// Cuts a text into passages of some words, each ended by a word that says so by its own letters: after a change the
/// cuts fall where they fell before, and there are few enough to compare.
fn passages(text: &str) -> Vec<&str> {
    let mut passages = Vec::new();
    let (mut start, mut at) = (0, 0);
    for word in text.split_inclusive(' ') {
        at += word.len();
        if word.bytes().fold(0_u8, u8::wrapping_add) % 16 == 0 {
            passages.push(&text[start..at]);
            start = at;
        }
    }
    if start < text.len() {
        passages.push(&text[start..]);
    }
    passages
}

fn first(text: &str) -> Option<char> {
    text.chars().next()
}

fn last(text: &str) -> Option<char> {
    text.chars().next_back()
}

/// Returns how many bytes of the common text beside a change belong to a word that the change begins or ends in.
fn half_word(beside: impl Iterator<Item = char>, changes: [&str; 2], edge: fn(&str) -> Option<char>) -> usize {
    let belongs = |c: &char| is_word(*c) || joins(*c);
    if !changes.into_iter().filter_map(edge).any(|c| belongs(&c)) {
        return 0;
    }
    beside.take(HALF).take_while(belongs).map(char::len_utf8).sum()
}

fn is_word(c: char) -> bool {
    let by_itself = matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    (c.is_alphanumeric() || c == '_') && !by_itself
}

/// Cuts a text into words, runs of white space, and whatever else there is, a character each.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let class = Class::of(c);
        let goes_on = match (before, class) {
            (Some(_), Class::Joins) => true,
            (Some(before), class) => before == class && class != Class::Other,
            (None, _) => true,
        };
        if !goes_on {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(if class == Class::Joins { before.unwrap_or(class) } else { class });
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Joins,
    Other,
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            'a'..='z' | 'A'..='Z' => Class::Word,
            ' ' => Class::Space,
            c if joins(c) => Class::Joins,
            c if is_word(c) => Class::Word,
            c if c.is_whitespace() => Class::Space,
            _ => Class::Other,
        }
    }
}

fn digest(token: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    token.hash(&mut hasher);
    hasher.finish()
}

/// Returns where the tokens begin, and where the last one ends.
fn ends(tokens: &[&str], start: usize) -> Vec<usize> {
    let mut at = start;
    let ends = tokens.iter().map(|token| {
        at += token.len();
        at
    });
    std::iter::once(start).chain(ends.collect::<Vec<_>>()).collect()
}
