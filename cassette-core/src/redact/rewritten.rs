//! A body whose messages are written anew, and where its places then are.

use std::ops::Range;

/// A body that is made of another one, stretch by stretch.
#[derive(Default)]
pub(super) struct Rewritten {
    bytes: Vec<u8>,
    /// What was put in: where it was before, and where it is now.
    put: Vec<(Range<usize>, Range<usize>)>,
    copied: usize,
}

impl Rewritten {
    /// Puts this in place of a stretch behind all that were put in before.
    pub(super) fn put(&mut self, old: &[u8], range: Range<usize>, by: &[u8]) {
        self.bytes.extend_from_slice(&old[self.copied..range.start]);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(by);
        self.copied = range.end;
        self.put.push((range, start..self.bytes.len()));
    }

    /// Returns the bytes, and where each of these places of the old body is in them: one within a message is as far from its
    /// beginning, or at its end.
    pub(super) fn finish(mut self, old: &[u8], places: &[usize]) -> (Vec<u8>, Vec<usize>) {
        self.bytes.extend_from_slice(&old[self.copied..]);
        let place = |place: &usize| {
            let before = self.put.partition_point(|(range, _)| range.start < *place);
            match before.checked_sub(1).map(|i| &self.put[i]) {
                None => *place,
                Some((range, now)) if *place >= range.end => now.end + place - range.end,
                Some((range, now)) => (now.start + place - range.start).min(now.end),
            }
        };
        let places = places.iter().map(place).collect();
        (self.bytes, places)
    }
}
