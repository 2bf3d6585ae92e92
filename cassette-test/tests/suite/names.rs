//! Names that hold secrets. What looks like one is assembled here, so that no file of this project holds any.

use std::path::PathBuf;

use cassette_test::{Cassette, cassette};
use insta::assert_snapshot;

use crate::child::{self, Ended, told};

/// A directory for cassettes, gone once it is dropped.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        Dir(std::env::temp_dir().join(format!("cassette-names-{name}-{}", std::process::id())))
    }

    /// Runs a test whose cassette is named by this, where a key and this password stand in the environment.
    fn run(&self, test: &str, mode: &str, (name, password): (&str, &str)) -> Ended {
        let dir = self.0.to_str().unwrap();
        child::run(
            &format!("names::of::{test}"),
            &[
                ("CASSETTE_DIR", dir),
                ("CASSETTE_MODE", mode),
                ("NAMED", name),
                ("TIMETABLE_API_KEY", &known()),
                ("DB_PASSWORD", password),
            ],
        )
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns a key that nothing but its shape gives away.
fn shaped() -> String {
    ["sk", "proj", "Q7mTz2LxV9cKdR4wYb1NfH8sJgP3aEuXo6Bi"].join("-")
}

/// Returns a key that is known because it stands in the environment.
fn known() -> String {
    ["qweRTY", "uiop", "4711", "asdf"].join("-")
}

/// Returns by what a cassette is to be named.
#[expect(clippy::disallowed_methods, reason = "the test that runs this one says it so")]
fn named() -> String {
    std::env::var("NAMED").unwrap()
}

mod of {
    use super::*;

    #[test]
    #[ignore]
    fn a_builder() {
        let name = format!("by/{}", named());
        match Cassette::builder(&name).open() {
            Ok(session) => {
                session.value("now", || 5);
                session.finish().unwrap();
            }
            Err(report) => panic!("{report}"),
        }
    }

    #[test]
    #[ignore]
    fn a_fork() {
        match Cassette::builder("forked").fork(format!("by/{}", named()), 1).open() {
            Ok(_) => panic!("the body ran"),
            Err(report) => panic!("{report}"),
        }
    }

    #[cassette("forked/{key}", fork("of/{key}", at = 1))]
    #[rstest::rstest]
    #[case(named())]
    #[ignore]
    fn a_forks_pattern(#[case] key: String, cassette: Cassette) {
        cassette.value(&key.len().to_string(), || 5);
        panic!("the body ran");
    }

    #[cassette("of/{key}")]
    #[rstest::rstest]
    #[case(named())]
    #[ignore]
    fn a_pattern(#[case] key: String, cassette: Cassette) {
        cassette.value(&key.len().to_string(), || 5);
        assert_eq!(key, "timetable", "the body ran");
    }
}

#[test]
fn no_secret_becomes_a_files_name() {
    // A slash is no letter of a name's part, and the end of a long argument is left out.
    let slashed = format!("{}/{}", known(), shaped());
    let long = format!("{} {}", "a".repeat(99), shaped());
    for (test, name) in [
        ("a_builder", shaped()),
        ("a_builder", known()),
        ("a_builder", format!("{} no name", known())),
        ("a_pattern", shaped()),
        ("a_pattern", known()),
        ("a_pattern", slashed),
        ("a_pattern", long.clone()),
        ("a_fork", shaped()),
        ("a_fork", known()),
        ("a_forks_pattern", shaped()),
        ("a_forks_pattern", known()),
        ("a_forks_pattern", long),
    ] {
        let dir = Dir::new("secret");
        for mode in ["record", "refresh", "replay"] {
            let ended = dir.run(test, mode, (&name, "none"));
            let told = ended.text;
            assert!(
                !ended.passed && told.contains("a secret would stand in a cassette's name"),
                "{test} {mode}: {told}"
            );
            assert!(!told.contains(&shaped()) && !told.contains(&known()) && !told.contains("the body ran"), "{told}");
            assert!(!dir.0.exists(), "{test} {mode}: nothing is written");
        }
    }
    for test in ["a_builder", "a_pattern"] {
        let environment = [("CASSETTE_MODE", "record"), ("NAMED", &*shaped())];
        assert_snapshot!(test, told(&format!("names::of::{test}"), &environment));
    }
}

#[test]
fn a_word_of_a_name_that_is_a_password_somewhere_is_replayed_there() {
    for test in ["a_builder", "a_pattern"] {
        let dir = Dir::new(test);
        for (mode, password, passes) in [
            ("record", "none", true),
            ("replay", "timetable", true),
            ("off", "timetable", true),
            ("refresh", "timetable", false),
        ] {
            let ended = dir.run(test, mode, ("timetable", password));
            assert_eq!(ended.passed, passes, "{test} {mode}: {}", ended.text);
        }
    }
}
