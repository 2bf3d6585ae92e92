//! Which tests of this binary record a cassette, whether they spell its name or have it by default.

use cassette_core::mode::Mode;
use cassette_core::name::Name;

use super::{Builder, Test, registry};

impl Builder {
    /// Returns the other tests of this binary that record this file too, in no order that means anything.
    pub(super) fn recorders(&self) -> impl Iterator<Item = &'static Test> {
        let is_own = |other: &Test| self.test.is_some_and(|test| std::ptr::eq(other, test));
        let name = self.name.as_ref().ok().and_then(Option::as_ref);
        name.into_iter().flat_map(|name| self.recorders_of(name)).filter(move |other| !is_own(other))
    }

    /// Returns a test of this binary that records the cassette from which this one is forked.
    pub(super) fn fork_recorder(&self) -> Option<String> {
        let (origin, _) = self.options.fork.as_ref()?;
        let name = Name::parse(origin).ok()?;
        self.recorders_of(&name).map(|test| test.site.path()).min()
    }

    /// Returns the tests of this binary that record a file beside this one; one that says `mode = "replay"` never does.
    fn recorders_of(&self, name: &Name) -> impl Iterator<Item = &'static Test> {
        let directory = self.directory();
        registry::tests().filter(move |test| {
            let other = Builder::of_test(test);
            other.options.mode.is_none_or(Mode::records)
                && matches!(&other.name, Ok(Some(others)) if name == others)
                && other.directory() == directory
        })
    }
}
