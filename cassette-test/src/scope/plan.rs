//! What a session is opened with.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cassette_core::env;
use cassette_core::files::real;
use cassette_core::ledger::VARIABLE;
use cassette_core::name::{Name, NameError, is_pattern};
use cassette_core::policy::Repeat;
use cassette_core::report::{Refused, Report};
use cassette_core::session::{Cassettes, Home, Outages, Pinned, Plan};
use cassette_core::store::FileStore;
use cassette_core::tape::Origin;

use super::{Scope, Settled};
use crate::options::Allowed;

impl Scope {
    /// Returns where the cassette is forked from another one.
    pub(super) fn origin(&self, arguments: &[(&str, &dyn fmt::Display)]) -> Result<Option<Origin>, Arc<Report>> {
        let Some((cassette, at)) = &self.settled.options.fork else { return Ok(None) };
        let name = if is_pattern(cassette) { Name::of_pattern(cassette, arguments) } else { Name::parse(cassette) };
        let name = name.map_err(|error| misnamed(cassette, error))?;
        Ok(Some(Origin { cassette: name.as_str().to_owned(), at: *at }))
    }

    /// Returns what this test asks for.
    pub(super) fn plan(&self, name: &str) -> Plan {
        let Settled { mode, serving, options, directory, place, tests, .. } = &self.settled;
        let inside = || directory.strip_prefix(&place.manifest_dir).unwrap_or(directory).display().to_string();
        let shown = options.shown.clone().unwrap_or_else(inside);
        let store = Arc::new(FileStore::new(directory, shown));
        let is_alone = !is_pattern(&self.label) && self.site.is_some_and(|site| site.ident == site.function);
        Plan {
            order: serving.order,
            fuzziness: serving.fuzziness.clone(),
            repeat: if options.repeat == Allowed::Yes { Repeat::Last } else { Repeat::Never },
            unused: options.unused,
            requests: options.requests.unwrap_or_default(),
            purse: self.settled.purse.clone(),
            outages: if options.allow_errors == Allowed::Yes { Outages::Allow } else { Outages::Refuse },
            stamp: options.stamp.clone(),
            rules: options.rules(),
            environment: env::of_secrets(),
            package: place.rerun.target.is_cargos().then(|| place.rerun.package.clone()),
            home: home(directory, &place.manifest_dir),
            cassettes: if is_alone { Cassettes::One } else { Cassettes::Several },
            known_tests: tests.clone(),
            ignored_tests: self.settled.ignored.clone(),
            fork_recorder: self.settled.fork_recorder.clone(),
            pinned: self.pinned(name),
            given_dir: if options.dir.is_none() { given_dir(directory, &place.manifest_dir) } else { None },
            from_here: way(&place.manifest_dir, env::var("PWD").as_deref().map(Path::new)),
            by: concat!("cassette-test ", env!("CARGO_PKG_VERSION")).to_owned(),
            ..Plan::new(name, store, *mode, place.test.clone(), place.rerun.clone())
        }
    }

    /// Returns what in the source settles the mode.
    fn pinned(&self, name: &str) -> Option<Pinned> {
        let Settled { options, place, recorder, .. } = &self.settled;
        // The command takes its mode anew each time.
        let mode = options.mode.filter(|_| place.rerun.target.is_cargos())?;
        let by = match self.site {
            Some(_) => format!("mode = \"{mode}\""),
            None => format!(".mode(Mode::{mode:?})"),
        };
        let dir = options.dir.as_ref().map_or(String::new(), |dir| format!(", dir = {:?}", dir.display().to_string()));
        Some(Pinned { by, plain: format!("#[cassette({name:?}{dir})]"), owner: recorder.clone() })
    }
}

/// Returns the report of a name that is none.
pub(crate) fn misnamed(name: &str, error: NameError) -> Arc<Report> {
    let what = format!("`{name}` is no cassette's name");
    Arc::new(Report::Refused(Refused::new(what, error.to_string())))
}

/// Returns the directory of the cassettes as it has to be typed, where the command has named it for this run alone: of who typed that
/// command no variable has it.
fn given_dir(directory: &Path, package: &Path) -> Option<String> {
    let is_given = |name| env::var(name).is_some_and(|value| !value.is_empty());
    let inside = directory.strip_prefix(package).unwrap_or(directory);
    (is_given(VARIABLE) && is_given("CASSETTE_DIR")).then(|| inside.display().to_string())
}

/// Returns whose this directory is, however it is spelled.
fn home(directory: &Path, package: &Path) -> Home {
    if real(directory).starts_with(real(package)) { Home::Own } else { Home::Shared }
}

/// Returns the way to the package's directory from where somebody has typed the command: cargo starts a test in that directory, and
/// leaves in `PWD` what a shell wrote there. Where that does not lie above it, the way is the whole path.
fn way(package: &Path, here: Option<&Path>) -> PathBuf {
    let Some(here) = here.filter(|here| here.is_absolute()) else { return PathBuf::new() };
    let way = package.strip_prefix(here).map(Path::to_owned);
    way.or_else(|_| real(package).strip_prefix(real(here)).map(Path::to_owned)).unwrap_or_else(|_| package.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use cassette_core::session::Home;

    use super::{home, way};

    #[test]
    fn a_directory_beside_the_package_is_shared_however_it_is_spelled() {
        let home = |directory: &str| home(Path::new(directory), Path::new("/work/trains/fares"));
        assert_eq!([home("/work/trains/fares/cassettes"), home("/work/trains/fares")], [Home::Own; 2]);
        assert_eq!([home("/work/trains/shared"), home("/work/trains/fares/../shared")], [Home::Shared; 2]);
    }

    #[test]
    fn what_is_advised_is_typed_where_the_person_stands() {
        let check = |here: Option<&str>, expected: &str| {
            assert_eq!(
                way(Path::new("/work/trains/crates/fares"), here.map(Path::new)),
                Path::new(expected),
                "{here:?}"
            );
        };
        check(Some("/work/trains/crates/fares"), "");
        check(Some("/work/trains"), "crates/fares");
        check(Some("/work/trains/crates/fares/src"), "/work/trains/crates/fares");
        check(Some("/elsewhere"), "/work/trains/crates/fares");
        check(Some("."), "");
        check(None, "");
    }
}
