//! Whether the tests were asked that may own a cassette.

use std::collections::BTreeSet;
use std::path::Path;

use cassette_core::rerun::is_doc_test;
use cassette_core::tape::Head;

use crate::registry::{Owned, Registry};
use crate::tenants::{Package, Tenants};
use crate::workspace::real;

/// Whether the program of a test was asked what it owns.
pub(super) enum Asked {
    Answered,
    Silent,
    /// It answered, and was built without these features.
    Without(Vec<String>),
    Not,
    /// It is of a package that is none of this workspace, or nobody knows of which.
    Foreign,
}

/// The test programs of a workspace, by package.
pub(super) struct Programs<'a> {
    registry: &'a Registry,
    all: Vec<(&'a Package, BTreeSet<String>)>,
}

impl Programs<'_> {
    pub(super) fn of(registry: &Registry) -> Programs<'_> {
        let Tenants { asked, others, .. } = &registry.tenants;
        let all = asked.iter().chain(others).map(|package| (package, package.crates())).collect();
        Programs { registry, all }
    }

    /// Returns whether the test that recorded into this directory has told that it has a cassette, this one or another.
    pub(super) fn have(&self, dir: &Path, head: &Head) -> bool {
        self.told().any(|owned| self.is_recorder(owned, dir, head))
    }

    /// Returns whether this is the test that recorded into this directory. Packages may have tests of one name, and a head that names no
    /// package speaks of the one there.
    pub(super) fn is_recorder(&self, owned: &Owned, dir: &Path, head: &Head) -> bool {
        head.test.as_ref() == Some(&owned.test)
            && self.packages(dir, head).iter().any(|package| package.name == owned.package)
    }

    /// Returns what all tests told.
    pub(super) fn told(&self) -> impl Iterator<Item = &Owned> {
        self.registry.owned.iter().chain(&self.registry.besides)
    }

    /// Returns whether the program was asked whose test recorded into this directory: that of the package which the head names, or else
    /// the program of this name in the package there, else, since a test may name another's directory, each of this name.
    pub(super) fn asked(&self, dir: &Path, head: &Head) -> Asked {
        let program = program(head);
        // No list of tests has what rustdoc makes of an example.
        if is_doc_test(program) {
            return Asked::Not;
        }
        let around = self.registry.tenants.around(dir);
        match &head.package {
            Some(_) if self.named(head).is_none() => return Asked::Foreign,
            Some(_) => {}
            // By a link it may be another package's directory too.
            None if [around, self.registry.tenants.around(&real(dir))]
                .into_iter()
                .flatten()
                .any(|(_, asked)| !asked) =>
            {
                return Asked::Not;
            }
            None if self.is_shared(dir) => return Asked::Foreign,
            None => {}
        }
        let holders = self.holders(dir, head);
        let packages = self.packages(dir, head);
        if packages.iter().any(|package| self.registry.tenants.others.contains(package)) {
            return Asked::Not;
        }
        let answered = |package: &&Package| {
            self.registry.answered.iter().any(|(dir, name)| *dir == package.dir && name == program)
        };
        // Where no program is called so any more, it was removed with its tests, or they are in another one of the package.
        let is_silent = holders.is_some_and(|holders| !holders.iter().all(answered));
        if is_silent || packages.iter().any(|package| self.registry.mute.contains(&package.dir)) {
            return Asked::Silent;
        }
        let is_of = |feature: &&String| {
            let of = feature.split('/').next();
            packages.iter().any(|package| of == Some(&*package.name))
        };
        let off: Vec<_> = self.registry.off.iter().filter(is_of).cloned().collect();
        if off.is_empty() { Asked::Answered } else { Asked::Without(off) }
    }

    /// Returns the packages whose test may have recorded into this directory.
    pub(super) fn packages(&self, dir: &Path, head: &Head) -> Vec<&Package> {
        let around = || self.registry.tenants.around(dir).map(|(package, _)| package);
        self.holders(dir, head)
            .unwrap_or_else(|| self.named(head).map(|(package, _)| *package).or_else(around).into_iter().collect())
    }

    /// Returns the packages that have a program which is called as the test's is.
    fn holders(&self, dir: &Path, head: &Head) -> Option<Vec<&Package>> {
        let has_it = |(_, crates): &&(&Package, BTreeSet<String>)| crates.contains(program(head));
        if head.package.is_some() {
            return self.named(head).filter(has_it).map(|(package, _)| vec![*package]);
        }
        let around = self.registry.tenants.around(dir);
        let own = self.all.iter().find(|it| around.is_some_and(|(package, _)| package == it.0)).filter(has_it);
        let holders: Vec<_> = match own {
            Some(own) => vec![own.0],
            None => self.all.iter().filter(has_it).map(|(package, _)| *package).collect(),
        };
        (!holders.is_empty()).then_some(holders)
    }

    /// Returns the package that the head names.
    fn named(&self, head: &Head) -> Option<&(&Package, BTreeSet<String>)> {
        self.all.iter().find(|(package, _)| head.package.as_ref() == Some(&package.name))
    }

    /// Returns whether several packages may keep their cassettes in a directory: it lies in none, or another's tests are known to, or have
    /// it said in their settings.
    fn is_shared(&self, dir: &Path) -> bool {
        let Some((package, _)) = self.registry.tenants.around(dir) else { return true };
        let here = real(dir);
        let is_anothers = |(other, _): &(&Package, _)| *other != package && here.starts_with(real(&other.cassettes));
        self.registry.owned.iter().any(|owned| owned.package != package.name && real(&owned.dir) == here)
            || self.all.iter().any(is_anothers)
    }
}

/// Returns the name of the program of the test that the head names.
fn program(head: &Head) -> &str {
    head.test.as_deref().and_then(|test| test.split("::").next()).unwrap_or_default()
}
