//! Finding long words in a text by a look at few of its bytes.
//!
//! A word of eight letters has seven pairs of neighbours, and one of them stands at every seventh place of a text that holds
//! it: the others need not be looked at.

use super::words::{Case, FOLD, PAIRS, begins, pair};

/// How many places are passed over at most: each costs an entry a word.
const FARTHEST: usize = 15;

/// A set of words, each of two bytes or more.
#[derive(Clone)]
pub(super) struct Probes {
    words: Vec<(Box<[u8]>, Case)>,
    /// How far apart the places are that are looked at.
    stride: usize,
    /// For each pair of bytes the bucket of the words that hold it, or 0.
    pairs: Vec<u16>,
    /// For each bucket its words.
    buckets: Vec<Vec<Entry>>,
}

/// A word that holds a pair.
#[derive(Clone)]
struct Entry {
    number: usize,
    /// Where the pair stands in it.
    before: usize,
    /// The place of another letter of it and what it is, whatever its case: one look spares most of the comparisons.
    other: (usize, u8),
}

impl Probes {
    /// Returns a set for words that are all at least so long.
    pub(super) fn new(shortest: usize) -> Probes {
        let stride = shortest.saturating_sub(1).clamp(1, FARTHEST);
        Probes { words: Vec::new(), stride, pairs: vec![0; PAIRS], buckets: vec![Vec::new()] }
    }

    /// Returns whether a word is long enough for the set.
    pub(super) fn fits(&self, word: &str) -> bool {
        word.len() > self.stride
    }

    /// Puts a word in, with the next number; one that is too short is never found.
    pub(super) fn add(&mut self, word: &str, case: Case) {
        let word = word.as_bytes();
        let number = self.words.len();
        self.words.push((word.into(), case));
        if word.len() <= self.stride {
            return;
        }
        for (at, two) in word.windows(2).take(self.stride).enumerate() {
            let bucket = &mut self.pairs[pair(two[0], two[1])];
            if *bucket == 0 {
                *bucket = self.buckets.len() as u16;
                self.buckets.push(Vec::new());
            }
            let other = if at + 2 < word.len() { at + 2 } else { 0 };
            let other = (other, FOLD[usize::from(word[other])]);
            self.buckets[usize::from(*bucket)].push(Entry { number, before: at, other });
        }
    }

    /// Returns the length of the longest word.
    pub(super) fn longest(&self) -> usize {
        self.words.iter().map(|(word, _)| word.len()).max().unwrap_or_default()
    }

    /// Returns the place and the number of each word, in the order in which they start.
    pub(super) fn find(&self, text: &str) -> Vec<(usize, usize)> {
        let bytes = text.as_bytes();
        let pairs = self.pairs.as_slice();
        let mut found = Vec::new();
        let mut at = self.stride;
        while at < bytes.len() {
            let bucket = pairs[pair(bytes[at - 1], bytes[at])];
            if bucket != 0 {
                self.hits(usize::from(bucket), bytes, at - 1, &mut found);
            }
            at += self.stride;
        }
        found.sort_unstable();
        found
    }

    fn hits(&self, bucket: usize, bytes: &[u8], at: usize, found: &mut Vec<(usize, usize)>) {
        for entry in &self.buckets[bucket] {
            let Some(start) = at.checked_sub(entry.before) else { continue };
            let Some(other) = bytes.get(start + entry.other.0) else { continue };
            if FOLD[usize::from(*other)] != entry.other.1 {
                continue;
            }
            let (word, case) = &self.words[entry.number];
            if begins(&bytes[start..], word, *case) {
                found.push((start, entry.number));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Probes};

    fn probes<'a>(shortest: usize, words: impl Iterator<Item = (&'a str, Case)>) -> Probes {
        let mut probes = Probes::new(shortest);
        words.for_each(|(word, case)| probes.add(word, case));
        probes
    }

    #[test]
    fn words_are_found_wherever_they_start() {
        let words = ["tulip", "tulips-and-more", "IPSWICH", "\u{e9}t\u{e9}s"];
        let cases = [Case::Exact, Case::Exact, Case::Folded, Case::Exact];
        for shortest in 0..6 {
            let probes = probes(shortest, words.into_iter().zip(cases));
            for before in 0..20 {
                let text = format!("{}tulips-and-more ipswich TULIP \u{e9}t\u{e9}stulip", " ".repeat(before));
                let expected = [(0, 0), (0, 1), (16, 2), (30, 3), (36, 0)];
                assert_eq!(probes.find(&text), expected.map(|(at, word)| (at + before, word)), "{shortest}");
            }
        }
    }

    #[test]
    fn what_is_too_short_is_never_found() {
        let probes = probes(2, ["", "a", "ab"].into_iter().map(|word| (word, Case::Exact)));
        assert!(probes.fits("ab") && !probes.fits("a"));
        assert_eq!(probes.find("a ab"), [(2, 2)]);
        assert_eq!(Probes::new(0).find("a ab"), []);
    }
}
