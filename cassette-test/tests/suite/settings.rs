//! What the environment settles, and what it may not.

use cassette_test::{Cassette, Mode, cassette};
use insta::assert_snapshot;

use crate::child::{self, told};

#[track_caller]
fn check(name: &str, test: &str, environment: &[(&str, &str)]) {
    assert_snapshot!(name, told(&format!("settings::of::{test}"), environment));
}

#[test]
fn a_mode_that_is_none_fails_every_test_whatever_it_says() {
    check("unknown_mode", "plain", &[("CASSETTE_MODE", "rec")]);
    check("unknown_mode_off", "off", &[("CASSETTE_MODE", "Replay")]);
    check("unknown_order", "plain", &[("CASSETTE_MODE", "off"), ("CASSETTE_ORDER", "loose")]);
}

#[test]
fn ci_calls_nothing_live_unless_it_is_told_to() {
    check("ci_off", "plain", &[("CASSETTE_MODE", "off"), ("CI", "true")]);
    check("ci_attribute", "off", &[("CI", "1")]);
    for environment in
        [[("CI", "1"), ("CASSETTE_ALLOW_CI", "1")], [("CI", "false"), ("A", "")], [("CI", ""), ("A", "")]]
    {
        let ended = child::run("settings::of::off", &environment);
        assert!(ended.passed, "{environment:?}: {}", ended.text);
    }
    let ended = child::run("settings::of::allowed", &[("CI", "1")]);
    assert!(ended.passed, "{}", ended.text);
}

#[test]
fn two_tests_that_record_one_file_are_refused_by_name() {
    check("shared", "shared", &[("CASSETTE_MODE", "record")]);
}

mod of {
    use super::*;

    #[cassette("plain")]
    #[test]
    #[ignore]
    fn plain() {}

    #[cassette("off", mode = "off")]
    #[test]
    #[ignore]
    fn off(cassette: Cassette) {
        assert_eq!(cassette.mode(), Mode::Off);
    }

    #[test]
    #[ignore]
    fn allowed() {
        Cassette::builder("allowed").mode(Mode::Off).allow_ci().open().unwrap().finish().unwrap();
    }

    #[cassette("shared")]
    #[test]
    #[ignore]
    fn shared() {}

    #[cassette("shared")]
    #[test]
    #[ignore]
    fn sharing() {}

    #[cassette("shared", dir = "elsewhere")]
    #[test]
    #[ignore]
    fn apart() {}
}
