//! Where a test stands: its package, its target, its own name.

use std::path::{Path, PathBuf};

use cassette_core::env;
use cassette_core::rerun::{Rerun, Target, is_doc_test};

use crate::settings;
use crate::site::Site;

/// Where a test stands.
#[derive(Clone, Debug)]
pub(crate) struct Whereabouts {
    /// The test's whole path, `crate::module::function`.
    pub(crate) test: String,
    /// How to run it again.
    pub(crate) rerun: Rerun,
    /// The package's directory.
    pub(crate) manifest_dir: PathBuf,
}

impl Whereabouts {
    /// Returns where an annotated test stands.
    pub(crate) fn of_site(site: &Site) -> Whereabouts {
        let (krate, module) = site.module.split_once("::").unwrap_or((site.module, ""));
        let target = match site.binary {
            Some(name) => Target::Bin(name.to_owned()),
            None if is_doc_test(krate) => Target::Doc,
            None if site.integration => Target::Test(integration(krate, site.file)),
            None => Target::Lib,
        };
        let name = if module.is_empty() { site.ident.to_owned() } else { format!("{module}::{}", site.ident) };
        Whereabouts {
            test: site.path(),
            rerun: Rerun { package: site.package.to_owned(), target, test: name, ignored: site.ignored },
            manifest_dir: manifest_dir(site.package, site.manifest_dir),
        }
    }

    /// Returns where the annotated function stands that runs on this thread. One that nothing makes a test of is called by a test, whose
    /// name libtest gave the thread: that runs it again.
    pub(crate) fn of_running(site: &Site) -> Whereabouts {
        let mut place = Whereabouts::of_site(site);
        let thread = std::thread::current();
        if let Some(name) = thread.name().filter(|name| *name != "main" && Whereabouts::is_a_tests_thread()) {
            name.clone_into(&mut place.rerun.test);
        }
        place
    }

    /// Returns the test's path, with its target before it where the package's library may have a test of the same path.
    pub(crate) fn unique_path(&self) -> String {
        let Rerun { package, target, .. } = &self.rerun;
        let is_packages = self.test.split("::").next() == Some(&package.replace('-', "_"));
        let target = match target {
            Target::Bin(_) => "bin::",
            Target::Example(_) => "example::",
            Target::Test(_) if is_packages => "test::",
            _ => "",
        };
        format!("{target}{}", self.test)
    }

    /// Returns where the test of this thread stands, as far as it can be told without the attribute.
    pub(crate) fn of_thread(known: Option<&Site>) -> Whereabouts {
        let krate = executable();
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("unnamed").to_owned();
        let package = env::var("CARGO_PKG_NAME").or_else(|| known.map(|site| site.package.to_owned()));
        let manifest_dir = env::var("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let manifest_dir = manifest_dir.or_else(|| known.map(|site| PathBuf::from(site.manifest_dir)));
        let package = package.unwrap_or_else(|| krate.clone());
        let target = match known.map(Whereabouts::of_site) {
            Some(place) => place.rerun.target,
            None if is_doc_test(&krate) => Target::Doc,
            None if is_example() => Target::Example(krate.clone()),
            None if krate == package.replace('-', "_") => Target::Lib,
            None => Target::Test(krate.clone()),
        };
        Whereabouts {
            test: format!("{krate}::{test}"),
            rerun: Rerun { package, target, test, ignored: false },
            manifest_dir: manifest_dir.unwrap_or_else(|| PathBuf::from(".")),
        }
    }

    /// Returns whether this thread bears a name that libtest may have given it: the path of a function.
    pub(crate) fn is_a_tests_thread() -> bool {
        let thread = std::thread::current();
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
        thread.name().is_some_and(|name| name.split("::").all(is_word))
    }

    /// Returns the directory of the cassettes: what the test says over `CASSETTE_DIR` over `cassette.toml` over `cassettes`.
    /// Settings that cannot be followed say nothing here: they fail the test before it opens anything.
    pub(crate) fn directory(&self, dir: Option<&Path>) -> PathBuf {
        let moved =
            dir.map(Path::to_owned).or_else(|| env::var("CASSETTE_DIR").filter(|dir| !dir.is_empty()).map(Into::into));
        let said = || settings::of(&self.manifest_dir).ok().and_then(|settings| settings.dir.clone());
        let dir = moved.or_else(said).unwrap_or_else(|| PathBuf::from("cassettes"));
        self.manifest_dir.join(dir)
    }
}

/// Returns the package's directory: where it is now, which may not be where it was compiled, if it is this package at all
/// that cargo speaks of: a tool that `cargo run` started may have started this binary.
fn manifest_dir(package: &str, compiled: &str) -> PathBuf {
    let here = env::var("CARGO_PKG_NAME").is_some_and(|name| name == package);
    let now = if here { env::var("CARGO_MANIFEST_DIR") } else { None };
    PathBuf::from(now.unwrap_or_else(|| compiled.to_owned()))
}

/// Returns the target's name, which a crate's name does not give away: `-` has become `_` in it.
fn integration(krate: &str, file: &str) -> String {
    let mut names = Path::new(file).iter().filter_map(|name| name.to_str());
    let name = names.by_ref().find(|name| *name == "tests").and_then(|_| names.next());
    let name = name.map(|name| name.trim_end_matches(".rs")).filter(|name| name.replace('-', "_") == krate);
    name.unwrap_or(krate).to_owned()
}

/// Returns the crate's name, as it stands in the name of the running binary.
fn executable() -> String {
    let stem = std::env::current_exe().ok().and_then(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let stem = stem.unwrap_or_default();
    let hashed = stem.rsplit_once('-').filter(|(_, hash)| hash.len() == 16);
    hashed.map_or(stem.as_str(), |(name, _)| name).replace('-', "_")
}

/// Returns whether the running binary is an example: cargo puts those into a folder of their own.
fn is_example() -> bool {
    let path = std::env::current_exe().ok();
    path.as_deref().and_then(Path::parent).is_some_and(|folder| folder.ends_with("examples"))
}

#[cfg(test)]
mod tests {
    use super::{Whereabouts, integration};
    use crate::site::Site;

    /// Returns which test is run again for a function `tests::body`, called on a thread of this name.
    fn run_again(thread: &str) -> String {
        const SITE: Site = Site {
            module: "suite::tests",
            ident: "body",
            function: "body",
            file: "tests/suite/tests.rs",
            line: 7,
            package: "timetable",
            manifest_dir: "/nowhere",
            binary: None,
            integration: true,
            ignored: false,
        };
        let thread = std::thread::Builder::new().name(thread.to_owned());
        let place = thread.spawn(|| Whereabouts::of_running(&SITE)).unwrap().join().unwrap();
        assert_eq!(place.test, "suite::tests::body", "whoever calls it, the cassette is its own");
        place.rerun.test
    }

    #[test]
    fn what_a_test_calls_is_run_again_by_that_test() {
        assert_eq!(run_again("tests::body"), "tests::body");
        assert_eq!(run_again("tests::calls_the_body"), "tests::calls_the_body");
        assert_eq!(run_again("main"), "tests::body", "with `--test-threads=1` nobody knows");
        assert_eq!(run_again("pool-1"), "tests::body");
    }

    #[test]
    fn a_target_is_named_as_its_file_is() {
        assert_eq!(integration("time_table", "tests/time-table.rs"), "time-table");
        assert_eq!(integration("time_table", "a/tests/time-table/main.rs"), "time-table");
        assert_eq!(integration("time_table", "a/tests/time_table/sub.rs"), "time_table");
        assert_eq!(integration("suite", "tests/suite/main.rs"), "suite");
        assert_eq!(integration("time_table", "time-table/tests/time_table.rs"), "time_table");
        assert_eq!(integration("suite", "generated.rs"), "suite");
    }
}
