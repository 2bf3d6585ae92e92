//! Tests that were renamed, or their cassettes, so that what was recorded goes by another name.

use cassette_core::name::is_pattern;
use cassette_core::spelling::distance;

use crate::registry::{Claim, Owned};
use crate::shelf::{Shelf, Spot};
use crate::typed::typed;
use crate::workspace::real;

/// A test without a recording, and the cassette that was most likely its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renamed<'a> {
    /// The test.
    pub test: &'a Owned,
    /// The cassette that is nobody's.
    pub old: &'a Spot,
    /// Where the test looks for it.
    pub new: Spot,
}

impl Renamed<'_> {
    /// Returns what to type so that the test finds its recording.
    #[must_use]
    pub fn moving(&self) -> String {
        let dir = |spot: &Spot| spot.shown.rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned());
        let (old, new) = (dir(self.old), dir(&self.new));
        let made = if old == new { String::new() } else { format!("mkdir -p {} && ", typed(&new)) };
        format!("{made}mv {} {}", typed(&self.old.shown), typed(&self.new.shown))
    }
}

/// Returns for each test of which nothing is recorded the cassette that most likely was its own: one that is nobody's, in the same
/// directory and of the same program. A cassette is given to one test, the one that is called most like the test that recorded it.
pub fn renamed<'a>(nobodys: &'a [(&'a Shelf, Spot)], missing: impl Iterator<Item = &'a Owned>) -> Vec<Renamed<'a>> {
    let recorded = |(shelf, spot): &'a (&'a Shelf, Spot)| {
        let head = spot.open().ok()?.head;
        Some((*shelf, spot, head.test?, head.package))
    };
    let nobodys: Vec<_> = nobodys.iter().filter_map(recorded).collect();
    let mut pairs = Vec::new();
    for test in missing.filter(|test| matches!(test.claim, Claim::Records | Claim::Shares)) {
        let may_be_its = |package: &Option<String>| package.as_ref().is_none_or(|package| *package == test.package);
        for (shelf, spot, by, _) in nobodys.iter().filter(|it| may_be_its(&it.3) && !is_pattern(&test.cassette)) {
            let ((of, before), (program, now)) = (split(by), split(&test.test));
            let far = distance(before, now);
            if real(&shelf.dir) == real(&test.dir) && of == program && far * 2 <= before.len().max(now.len()) {
                pairs.push((far, &spot.name, &test.test, Renamed { test, old: spot, new: shelf.spot(&test.cassette) }));
            }
        }
    }
    pairs.sort_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)));
    let mut found: Vec<Renamed<'_>> = Vec::new();
    for (.., pair) in pairs {
        if !found.iter().any(|it| it.test == pair.test || it.old == pair.old) {
            found.push(pair);
        }
    }
    found
}

/// Splits a test's path into its program and its name there.
fn split(test: &str) -> (&str, &str) {
    test.split_once("::").unwrap_or((test, ""))
}
