//! What does not build, since it would never run.

use std::path::Path;

use crate::built;

/// Tests that are none, whatever is said round them; tests with the attributes in either order, public and with items in their
/// bodies; and functions that a test calls, or of which it is said that nothing does.
const SUITE: &str = r#"
use cassette_test::{Cassette, cassette};

#[cassette("never")]
fn never(_cassette: Cassette) {}

#[cassette("never_public")]
pub fn never_public(_cassette: Cassette) {}

pub mod public {
    #[cassette_test::cassette("never_within")]
    pub fn never_within() {}

    #[cassette_test::cassette("called_from_without")]
    pub fn called_from_without() {}
}

#[allow(unused)]
mod allowed {
    #[cassette_test::cassette("never_allowed")]
    pub fn never_allowed() -> Result<(), String> {
        Ok(())
    }

    #[test]
    #[cassette_test::cassette("within")]
    fn within() {
        struct Answer {
            of: u8,
        }
    }
}

#[cassette("never_with_items")]
fn never_with_items() {
    struct Answer;
    let _ = Answer;
}

#[cassette("below")]
#[test]
fn above(_cassette: Cassette) {}

#[test]
#[cassette("above")]
pub fn below() {}

#[cassette("called")]
fn called() {}

#[test]
fn calls() {
    called();
    public::called_from_without();
}

#[allow(dead_code)]
#[cassette("spared")]
pub fn spared() {}
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
