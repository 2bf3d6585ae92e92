//! The cassette of a test that is no more, where another test's is missing: often it is the same test, and was renamed.

use super::Plan;
use crate::disk;
use crate::spelling::distance;

/// A cassette whose test is no more.
pub(super) struct Orphan {
    /// Its file.
    pub(super) file: String,
    /// The test that recorded it.
    pub(super) test: String,
}

impl Plan {
    /// Returns the cassette that was most likely this test's: an annotated test of the same program recorded it, which is none of
    /// its tests any more. What this very test recorded under another name may be another case's.
    pub(super) fn orphan(&self) -> Option<Orphan> {
        if !self.is_registered() {
            return None;
        }
        let program = self.test.split("::").next();
        let is_orphan = |test: &String| test.split("::").next() == program && !self.known_tests.contains(test);
        let of = |name: String| {
            let tape = disk::read(&self.store.load(&name).ok()??).ok()?;
            let test = tape.head.test.filter(|test| tape.head.registered && is_orphan(test))?;
            let far = distance(&test, &self.test);
            let is_like = far * 2 <= test.len().max(self.test.len());
            is_like.then(|| (far, Orphan { file: self.store.place(&name), test }))
        };
        let likest =
            self.store.names().into_iter().filter_map(of).min_by(|a, b| (a.0, &a.1.file).cmp(&(b.0, &b.1.file)));
        likest.map(|(_, orphan)| orphan)
    }
}
