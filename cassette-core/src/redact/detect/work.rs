//! How much is done for one text before it is given up.

use std::cell::Cell;

/// What every text may cost: some tens of milliseconds where nothing is optimised.
const BASE: usize = 1 << 20;

/// What each byte may cost beside. A text that people or programs write costs two or three.
const PER_BYTE: usize = 8;

/// What each byte may cost in decodings of decodings.
const DECODED_PER_BYTE: usize = 16;

/// What each secret costs, since each may be looked for everywhere afterwards.
const FOUND: usize = 2048;

/// The rule of a text that was given up: it is hidden whole, since nobody knows what it holds.
pub(crate) const UNSEARCHED: &str = "unsearched";

/// A text was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spent;

/// The steps that are left for one text.
///
/// A text can be made so that each of its bytes begins something that has to be followed for a thousand more. What is
/// counted is steps, not time, so that every machine gives up the same texts.
#[derive(Debug)]
pub(crate) struct Work {
    left: Cell<usize>,
}

impl Work {
    /// Returns the steps for this text.
    pub(crate) fn on(text: &str) -> Work {
        Work { left: Cell::new(BASE + PER_BYTE * text.len()) }
    }

    /// Returns the bytes that may be decoded of this text, in all its encodings together.
    pub(crate) fn decoding(text: &str) -> Work {
        Work { left: Cell::new(BASE + DECODED_PER_BYTE * text.len()) }
    }

    /// Returns whether this text may hold so many secrets: with more, it is given up too.
    pub(crate) fn bears(text: &str, found: usize) -> bool {
        found.saturating_mul(FOUND) <= BASE + PER_BYTE * text.len()
    }

    /// Takes so many steps.
    pub(crate) fn spend(&self, steps: usize) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// Returns whether none is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}
