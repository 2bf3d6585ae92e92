//! Whether the tests were asked that may own a cassette.

use std::collections::BTreeSet;
use std::path::Path;

use cassette_core::rerun::is_doc_test;

use crate::registry::Registry;
use crate::tenants::{Package, Tenants};
use crate::workspace::real;

/// Whether the program of a test was asked what it owns.
pub(super) enum Asked {
    Answered,
    Silent,
    /// It answered, and was built without these features.
    Without(Vec<String>),
    Not,
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

    /// Returns whether a test of this path has told that it has a cassette.
    pub(super) fn have(&self, test: &str) -> bool {
        self.registry.owned.iter().chain(&self.registry.besides).any(|owned| owned.test == test)
    }

    /// Returns whether the program was asked whose test recorded into this directory: the program of this name in the package
    /// there, else, since a test may name another's directory, each of this name.
    pub(super) fn asked(&self, dir: &Path, test: &str) -> Asked {
        let program = test.split("::").next().unwrap_or_default();
        // No list of tests has what rustdoc makes of an example.
        if is_doc_test(program) {
            return Asked::Not;
        }
        let around = self.registry.tenants.around(dir);
        // By a link it may be another package's directory too.
        if [around, self.registry.tenants.around(&real(dir))].into_iter().flatten().any(|(_, asked)| !asked) {
            return Asked::Not;
        }
        let has_it = |(_, crates): &&(&Package, BTreeSet<String>)| crates.contains(program);
        let own = self.all.iter().find(|it| around.is_some_and(|(package, _)| package == it.0)).filter(has_it);
        let holders: Vec<_> = match own {
            Some(own) => vec![own.0],
            None => self.all.iter().filter(has_it).map(|(package, _)| *package).collect(),
        };
        if holders.iter().any(|package| self.registry.tenants.others.contains(package)) {
            return Asked::Not;
        }
        let answered = |package: &&Package| {
            self.registry.answered.iter().any(|(dir, name)| *dir == package.dir && name == program)
        };
        let packages = match (holders.is_empty(), around) {
            // No program is called so any more: it was removed with its tests, or they are in another one of the package. Of a
            // directory that lies in no package nobody knows who uses it.
            (true, Some((package, _))) => vec![package],
            (true, None) => return Asked::Not,
            (false, _) if holders.iter().all(answered) => holders,
            (false, _) => return Asked::Silent,
        };
        if packages.iter().any(|package| self.registry.mute.contains(&package.dir)) {
            return Asked::Silent;
        }
        let is_of = |feature: &&String| {
            let of = feature.split('/').next();
            packages.iter().any(|package| of == Some(&*package.name))
        };
        let off: Vec<_> = self.registry.off.iter().filter(is_of).cloned().collect();
        if off.is_empty() { Asked::Answered } else { Asked::Without(off) }
    }
}
