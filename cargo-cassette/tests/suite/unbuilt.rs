//! What does not build, since it would never run.

use std::path::Path;

use crate::built;

/// A test that is none, tests with the attributes in either order, and a function that a test calls.
const SUITE: &str = r#"
use cassette_test::{Cassette, cassette};

#[cassette("never")]
fn never(_cassette: Cassette) {}

#[cassette("below")]
#[test]
fn above(_cassette: Cassette) {}

#[test]
#[cassette("above")]
fn below() {}

#[cassette("called")]
fn called() {}

#[test]
fn calls() {
    called();
}
"#;

#[test]
fn a_function_that_nothing_makes_a_test_of_does_not_build() {
    let project = built::package("unbuilt", "\"replay\"", "");
    project.write("tests/suite.rs", SUITE);
    let cargo = Path::new(env!("CARGO"));
    let output = project.program(cargo).args(["test", "--no-run", "--quiet", "--color", "never"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let (told, _) = told.split_once("error: could not compile").unwrap();
    insta::assert_snapshot!("never_runs", told);
}
