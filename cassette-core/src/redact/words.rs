//! Finding any of many words in a text, fast where nothing is optimised.
//!
//! `cargo test` runs this crate without optimisation, where an automaton costs a hundred times what it does in release
//! and milliseconds to build. A look at each pair of bytes costs a few nanoseconds, and the table is filled at once.

/// The number of pairs of seven-bit bytes.
pub(super) const PAIRS: usize = 1 << 14;

/// Letters in lower case, and nothing above seven bits.
pub(super) const FOLD: [u8; 256] = {
    let mut fold = [0; 256];
    let mut i = 0;
    while i < 256 {
        fold[i] = (i as u8).to_ascii_lowercase() & 0x7f;
        i += 1;
    }
    fold
};

/// A set of words, each of two bytes or more.
#[derive(Clone)]
pub(crate) struct Words {
    /// For each pair of bytes the bucket of the words that begin with it, or 0.
    starts: Vec<u8>,
    /// For each bucket a bit for each third byte that one of its words has.
    thirds: Vec<u128>,
    /// The words of each bucket, and whether case counts in each.
    buckets: Vec<Vec<Word>>,
}

/// A word with its number.
type Word = (usize, Box<[u8]>, Case);

/// Whether upper and lower case are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// They differ.
    Exact,
    /// They are.
    Folded,
}

impl Words {
    /// Returns the set of these words, numbered in their order.
    pub(crate) fn new<'a>(words: impl Iterator<Item = (&'a str, Case)>) -> Words {
        let mut set = Words { starts: vec![0; PAIRS], thirds: vec![0], buckets: vec![Vec::new()] };
        for (number, (word, case)) in words.enumerate().filter(|(_, (word, _))| word.len() > 1) {
            let pair = pair(word.as_bytes()[0], word.as_bytes()[1]);
            // Where there are more beginnings than buckets, the last bucket takes the rest.
            if set.starts[pair] == 0 && set.buckets.len() < 256 {
                set.buckets.push(Vec::new());
                set.thirds.push(0);
            }
            if set.starts[pair] == 0 {
                set.starts[pair] = (set.buckets.len() - 1) as u8;
            }
            let bucket = usize::from(set.starts[pair]);
            set.thirds[bucket] |= word.as_bytes().get(2).map_or(u128::MAX, |third| 1 << FOLD[usize::from(*third)]);
            set.buckets[bucket].push((number, word.as_bytes().into(), case));
        }
        set
    }

    /// Calls `hit` with the place and the number of each word, in the order in which they start, until it says stop.
    pub(crate) fn find(&self, text: &str, mut hit: impl FnMut(usize, usize) -> bool) {
        let bytes = text.as_bytes();
        let starts = self.starts.as_slice();
        let Some(first) = bytes.first() else { return };
        let mut previous = (FOLD[*first as usize] as usize) << 7;
        let mut at = 1;
        while at < bytes.len() {
            let current = FOLD[bytes[at] as usize] as usize;
            let bucket = starts[previous | current];
            if bucket != 0 && self.hits(bucket as usize, &bytes[at - 1..], |word| hit(at - 1, word)) {
                return;
            }
            previous = current << 7;
            at += 1;
        }
    }
}

impl Words {
    /// Calls `hit` with each word of the bucket that the bytes begin with, until it says stop.
    fn hits(&self, bucket: usize, bytes: &[u8], mut hit: impl FnMut(usize) -> bool) -> bool {
        // One look at the third byte spares most of the comparisons.
        let third = if bytes.len() > 2 { FOLD[bytes[2] as usize] } else { 0 };
        (self.thirds[bucket] >> third) & 1 == 1
            && self.buckets[bucket].iter().any(|(number, word, case)| begins(bytes, word, *case) && hit(*number))
    }
}

/// Returns whether the bytes begin with this word.
pub(super) fn begins(bytes: &[u8], word: &[u8], case: Case) -> bool {
    bytes.get(..word.len()).is_some_and(|start| match case {
        Case::Exact => start == word,
        Case::Folded => start.eq_ignore_ascii_case(word),
    })
}

/// Returns the number of a pair of bytes, whatever their case.
pub(super) fn pair(first: u8, second: u8) -> usize {
    usize::from(FOLD[usize::from(first)]) << 7 | usize::from(FOLD[usize::from(second)])
}

#[cfg(test)]
mod tests {
    use super::{Case, Words};

    #[test]
    fn words_are_found_where_they_start() {
        let words = [("key", Case::Folded), ("ke", Case::Exact), ("\u{e9}t\u{e9}", Case::Exact), ("AKIA", Case::Exact)];
        let words = Words::new(words.into_iter());
        let mut found = Vec::new();
        words.find("KEY key akia AKIA \u{e9}t\u{e9} ke", |at, word| {
            found.push((at, word));
            false
        });
        assert_eq!(found, [(0, 0), (4, 0), (4, 1), (13, 3), (18, 2), (24, 1)]);
    }

    #[test]
    fn a_search_stops_when_told() {
        let words = Words::new([("ab", Case::Exact)].into_iter());
        let mut count = 0;
        words.find("ababab", |_, _| {
            count += 1;
            count == 2
        });
        assert_eq!(count, 2);
    }
}
