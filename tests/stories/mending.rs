//! The command that a report prints, run in a shell: it mends what it is printed for.
//!
//! The tests are those of a package of its own, outside of this workspace: one in each place where a test can stand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use stages::{Answer, Provider, skipped};

const TESTS: [&str; 11] = [
    "cargo test -p departure-board --bin departure-board tests::it_asks -- --exact",
    "cargo test -p platforms --lib lines::tests::it_asks -- --exact",
    "cargo test -p platforms --test by_hand it_opens_its_own -- --exact",
    "cargo test -p platforms --test suite morning::it_asks -- --exact",
    "cargo test -p timetable --lib lines::tests::it_asks -- --exact",
    "cargo test -p timetable --test all-day it_asks -- --exact",
    "cargo test -p timetable --test all-day it_asks_at_night -- --exact --ignored",
    "cargo test -p timetable --test all-day it_asks_for::case_1 -- --exact",
    "cargo test -p timetable --test all-day it_asks_for::case_2_evening -- --exact",
    "cargo test -p timetable --test all-day it_asks_of::hour_1___noon__ -- --exact",
    "cargo test -p timetable --test all-day it_opens_its_own -- --exact",
];

const WORKSPACE: &str = r#"
[workspace]
resolver = "3"
members = ["platforms", "departure-board"]

[workspace.dependencies]
cassette-test = { path = "CHECKOUT/cassette-test" }
rstest = { version = "0.29.0", default-features = false }
ureq = { version = "3.5.2", default-features = false }

# As in the checkout, so that what was built there serves here too.
[profile.dev.package."*"]
debug = 0

[profile.test]
incremental = false
"#;

const PACKAGE: &str = r#"
[package]
name = "NAME"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
ureq.workspace = true

[dev-dependencies]
cassette-test.workspace = true
rstest.workspace = true
"#;

const LIB: &str = r#"
pub mod lines {
    pub fn ask(base: &str, hour: &str) {
        let question = format!("{{\"question\":\"When is the next train to {} {hour}?\"}}", std::env::var("STORY_TOWN").unwrap());
        ureq::post(format!("{base}/ask")).content_type("application/json").send(question).unwrap();
    }

    #[cfg(test)]
    mod tests {
        use cassette_test::{Cassette, cassette};

        #[cassette("NAME/unit")]
        #[test]
        fn it_asks(cassette: Cassette) {
            super::ask(&cassette.base_url(std::env::var("STORY_UPSTREAM").unwrap()), "today");
        }
    }
}
"#;

const BIN: &str = r#"
fn main() {}

#[cfg(test)]
mod tests {
    use cassette_test::{Cassette, cassette};

    #[cassette("bin")]
    #[test]
    fn it_asks(cassette: Cassette) {
        let base = cassette.base_url(std::env::var("STORY_UPSTREAM").unwrap());
        let town = std::env::var("STORY_TOWN").unwrap();
        ureq::get(format!("{base}/board/{town}")).call().unwrap();
    }
}
"#;

const TESTS_OF_LIB: &str = r#"
use cassette_test::{Cassette, cassette};
use rstest::rstest;

fn base(cassette: &Cassette) -> String {
    cassette.base_url(std::env::var("STORY_UPSTREAM").unwrap())
}

#[cassette("plain")]
#[test]
fn it_asks(cassette: Cassette) {
    timetable::lines::ask(&base(&cassette), "today");
}

#[cassette("ignored")]
#[test]
#[ignore = "trains at night are rare"]
fn it_asks_at_night(cassette: Cassette) {
    timetable::lines::ask(&base(&cassette), "tonight");
}

#[cassette("cases")]
#[rstest]
#[case("at noon")]
#[case::evening("this evening")]
fn it_asks_for(cassette: Cassette, #[case] hour: &str) {
    timetable::lines::ask(&base(&cassette), hour);
}

#[cassette("of/{hour}")]
#[rstest]
fn it_asks_of(cassette: Cassette, #[values("noon")] hour: &str) {
    timetable::lines::ask(&base(&cassette), hour);
}

#[test]
fn it_opens_its_own() {
    let session = Cassette::builder("opened").open().unwrap();
    timetable::lines::ask(&base(&session), "tomorrow");
    session.finish().unwrap();
}
"#;

const BY_HAND: &str = r#"
use cassette_test::Cassette;

#[test]
fn it_opens_its_own() {
    let session = Cassette::builder("opened").open().unwrap();
    platforms::lines::ask(&session.base_url(std::env::var("STORY_UPSTREAM").unwrap()), "tomorrow");
    session.finish().unwrap();
}
"#;

const SUITE: &str = r#"
mod morning;
"#;

const MORNING: &str = r#"
use cassette_test::{Cassette, cassette};

#[cassette("morning")]
#[test]
fn it_asks(cassette: Cassette) {
    platforms::lines::ask(&cassette.base_url(std::env::var("STORY_UPSTREAM").unwrap()), "this morning");
}
"#;

/// A workspace of somebody else's.
struct Elsewhere {
    dir: tempfile::TempDir,
    target: PathBuf,
    upstream: String,
}

impl Elsewhere {
    fn new(upstream: &str) -> Elsewhere {
        let checkout = env!("CARGO_MANIFEST_DIR");
        let dir = tempfile::tempdir().unwrap();
        let package = |name: &str| PACKAGE.replace("NAME", name);
        let root = WORKSPACE.replace("CHECKOUT", checkout) + &package("timetable");
        for (path, text) in [
            ("Cargo.toml", root),
            ("src/lib.rs", LIB.replace("NAME", "timetable")),
            ("tests/all-day.rs", TESTS_OF_LIB.to_owned()),
            ("platforms/Cargo.toml", package("platforms")),
            ("platforms/src/lib.rs", LIB.replace("NAME", "platforms")),
            ("platforms/tests/by_hand.rs", BY_HAND.to_owned()),
            ("platforms/tests/suite/main.rs", SUITE.to_owned()),
            ("platforms/tests/suite/morning.rs", MORNING.to_owned()),
            ("departure-board/Cargo.toml", package("departure-board")),
            ("departure-board/src/main.rs", BIN.to_owned()),
        ] {
            write(&dir.path().join(path), &text);
        }
        fs::copy(Path::new(checkout).join("Cargo.lock"), dir.path().join("Cargo.lock")).unwrap();
        // `target/debug/deps/stories-..`
        let target = env::current_exe().unwrap().ancestors().nth(3).unwrap().to_owned();
        Elsewhere { dir, target, upstream: upstream.to_owned() }
    }

    /// Runs a command line in a shell, with this town in every prompt.
    fn shell(&self, line: &str, town: &str) -> (bool, String) {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.dir.path()).env_clear().envs(kept());
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
        command.env("STORY_UPSTREAM", &self.upstream).env("STORY_TOWN", town);
        let output = command.output().unwrap();
        let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.success(), texts.concat())
    }

    #[track_caller]
    fn passes(&self, line: &str, town: &str) -> String {
        let (passed, printed) = self.shell(line, town);
        assert!(passed, "`{line}` passes for {town}:\n{printed}");
        printed
    }

    /// Expects a run of everything, with this town in every prompt, to fail with a command for each test, each of which then
    /// mends its own.
    #[track_caller]
    fn mends(&self, everything: &str, town: &str, help: &str) {
        let (passed, printed) = self.shell(everything, town);
        assert!(!passed, "{printed}");
        let lines = printed.lines().map(str::trim);
        let helps = lines.filter_map(|line| line.strip_prefix(help));
        let commands: BTreeSet<_> = helps.map(str::to_owned).collect();
        let expected: BTreeSet<_> = TESTS.map(|test| format!("CASSETTE_MODE=record {test}")).into();
        assert_eq!(commands, expected, "{printed}");
        for command in commands {
            let printed = self.passes(&command, town);
            assert!(printed.contains("test result: ok. 1 passed"), "`{command}` runs its test:\n{printed}");
        }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        self.shell("cargo clean -p timetable -p platforms -p departure-board", "");
    }
}

const EVERYTHING: &str = "cargo test --workspace --no-fail-fast -- --include-ignored";
const CHANGED: &str = "help: if the change is meant, ";
const BY_NEXTEST: &str = "cargo nextest run --workspace --no-fail-fast --run-ignored all";

#[test]
fn the_printed_command_mends_what_it_is_printed_for() {
    let provider = Provider::start(|_| Answer::json(200, r#"{"answer":"At 09:04."}"#)).unwrap();
    let elsewhere = Elsewhere::new(&provider.url());
    elsewhere.mends(EVERYTHING, "Bergen", "help: record it: ");
    elsewhere.passes(EVERYTHING, "Bergen");
    elsewhere.mends(EVERYTHING, "Oslo", CHANGED);
    let (has_nextest, version) = elsewhere.shell("cargo nextest --version", "");
    if has_nextest {
        elsewhere.mends(BY_NEXTEST, "Voss", CHANGED);
    } else {
        skipped(&format!("there is no cargo-nextest here: {version}"));
    }
    drop(provider);
    match has_nextest {
        true => drop(elsewhere.passes(BY_NEXTEST, "Voss")),
        false => drop(elsewhere.passes(EVERYTHING, "Oslo")),
    }
}

#[expect(clippy::disallowed_methods, reason = "sources of a package, and no cassettes")]
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns what a shell needs to find cargo and what cargo has built.
#[expect(clippy::disallowed_methods, reason = "a shell is given what it needs of this program's environment")]
fn kept() -> Vec<(&'static str, std::ffi::OsString)> {
    let names = ["PATH", "HOME", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTFLAGS"];
    names.into_iter().filter_map(|name| Some((name, env::var_os(name)?))).collect()
}
