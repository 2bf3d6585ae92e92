//! The cassette that was most likely a test's where it has none: the test was renamed, or its cassette.

use super::Plan;
use super::plan::Cassettes;
use crate::disk;
use crate::spelling::distance;

/// A cassette under a name at which nobody looks any more.
pub(super) struct Orphan {
    /// Its file.
    pub(super) file: String,
    /// The test that recorded it.
    pub(super) test: String,
}

impl Plan {
    /// Returns the cassette that was most likely this test's: one that it recorded itself under another name, if it has no more than
    /// one, or an annotated test of the same program that is called like it, and is none of its tests any more.
    pub(super) fn orphan(&self) -> Option<Orphan> {
        if !self.is_registered() {
            return None;
        }
        let of = |name: String| {
            let tape = disk::read(&self.store.load(&name).ok()??).ok()?;
            let test = tape.head.test.filter(|_| tape.head.registered && tape.head.package == self.told_package())?;
            let far = self.far(&test)?;
            Some((far, Orphan { file: self.store.place(&name), test }))
        };
        let likest =
            self.store.names().into_iter().filter_map(of).min_by(|a, b| (a.0, &a.1.file).cmp(&(b.0, &b.1.file)));
        likest.map(|(_, orphan)| orphan)
    }

    /// Returns how far a test's name is from this one's, if it may have been this test.
    fn far(&self, test: &str) -> Option<usize> {
        if test == self.test {
            return (self.cassettes == Cassettes::One).then_some(0);
        }
        let [(program, before), (other, now)] =
            [test, &self.test].map(|test| test.split_once("::").unwrap_or((test, "")));
        if program != other || self.known_tests.iter().any(|known| known == test) {
            return None;
        }
        let far = distance(before, now);
        (far * 2 <= before.len().max(now.len())).then_some(far)
    }

    /// Returns what to do about a cassette of another test's; that one may be no more, which this program cannot know of another one.
    pub(super) fn handing_over(&self, owner: &str, apart: &str) -> String {
        if let Some(package) = self.package.as_ref().filter(|_| owner == unnamed_package(&self.test)) {
            let Plan { name, test, .. } = self;
            return format!(
                "if it is this test's, and lay elsewhere before, cargo cassette seal {name} --owner {test} --package {package}; else {apart}"
            );
        }
        if is_a_command(owner) {
            let Plan { name, test, .. } = self;
            return format!(
                "if it is this test's now, hand it over: cargo cassette seal {name} --owner {test}; else give this test a cassette of its own"
            );
        }
        match self.known_tests.iter().any(|test| test == owner) {
            true => apart.to_owned(),
            false => {
                format!("{apart}; where {owner} is no test any more, see how it is handed over: cargo cassette lint")
            }
        }
    }
}

/// Returns whether what owns a cassette is a command that recorded it for a program: it never ceases to be there, and takes no attributes.
pub(super) fn is_a_command(owner: &str) -> bool {
    owner.starts_with("cargo-cassette::")
}

/// Returns how a test is called that has recorded a cassette where one package alone keeps its own, so that the head names none.
pub(super) fn unnamed_package(test: &str) -> String {
    format!("{test} of a package that it does not name")
}
