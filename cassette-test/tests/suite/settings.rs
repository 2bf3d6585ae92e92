//! What the environment settles, and what it may not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cassette_core::ledger::Entry;
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
    check("unknown_guard", "off", &[("CASSETTE_GUARD", "on")]);
    check("unknown_budget", "plain", &[("CASSETTE_BUDGET", "fifty")]);
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
fn ci_explores_nothing_whoever_asks_for_it() {
    check("ci_ordered", "plain", &[("CASSETTE_ORDER", "ordered"), ("CI", "true")]);
    check("ci_fuzzy_strict", "strict", &[("CASSETTE_ORDER", "fuzzy:0.9"), ("CI", "true"), ("CASSETTE_ALLOW_CI", "1")]);
    check("ci_builder", "exploring", &[("CI", "true")]);
    check("fuzzy_of_sixty", "plain", &[("CASSETTE_ORDER", "fuzzy:60"), ("CASSETTE_MODE", "off")]);
}

/// A package's directory that goes with it, with a `cassette.toml`.
struct Package(std::path::PathBuf);

impl Package {
    #[expect(clippy::disallowed_methods, reason = "this is no cassette")]
    fn saying(name: &str, settings: &str) -> Package {
        let dir = std::env::temp_dir().join(format!("cassette-settings-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("cassette.toml"), settings).unwrap();
        Package(dir)
    }

    /// Returns the environment under which the tests of this binary are that package's.
    fn environment<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let own = [("CARGO_PKG_NAME", "cassette-test"), ("CARGO_MANIFEST_DIR", self.0.to_str().unwrap())];
        own.into_iter().chain(more.iter().copied()).collect()
    }

    #[track_caller]
    fn check(&self, name: &str, test: &str, more: &[(&str, &str)]) {
        let told = told(&format!("settings::of::{test}"), &self.environment(more));
        assert_snapshot!(name, told.replace(self.0.to_str().unwrap(), "[PACKAGE]"));
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn settings_that_cannot_be_followed_fail_every_test_whatever_it_says() {
    let package = Package::saying("wrong", "dir = \"here\"\nredact_fields = [\"a\"]\n");
    package.check("settings_unknown_key", "plain", &[]);
    package.check("settings_unknown_key_off", "off", &[]);
    package.check("settings_unknown_key_builder", "unguarded", &[]);
    Package::saying("several", "mode = \"record\"\norder = \"fuzzy\"\n").check("settings_several", "plain", &[]);
    Package::saying("torn", "dir = \n").check("settings_torn", "plain", &[]);
}

#[test]
fn the_directory_is_the_attributes_then_the_environments_then_the_settings() {
    let package = Package::saying("dir", "dir = \"here\"\n");
    package.check("settings_dir", "plain", &[]);
    package.check("settings_dir_environment", "plain", &[("CASSETTE_DIR", "there")]);
    package.check("settings_dir_attribute", "apart", &[("CASSETTE_DIR", "there")]);
}

#[test]
fn the_guard_and_the_budget_may_be_the_settings() {
    Package::saying("guard", "guard = \"strict\"\n").check("settings_guard", "unguarded", &[]);
    let budget = Package::saying("budget", "budget = \"1\"\nprices_file = \"none.toml\"\n");
    budget.check("settings_prices_file", "off", &[]);
}

#[test]
fn a_session_that_ends_is_written_into_the_ledger() {
    let file = std::env::temp_dir().join(format!("cassette-book-{}", std::process::id()));
    let environment = [("CASSETTE_LEDGER", file.to_str().unwrap())];
    assert!(child::run("settings::of::off", &environment).passed);
    let entries = cassette_core::ledger::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let [Entry::Began(began), Entry::Ended(ended)] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((&*began.cassette, &began.test), ("off", &ended.test));
    assert_eq!((ended.cassette.as_str(), ended.mode.as_str(), ended.failed), ("off", "off", false));
    assert_eq!(ended.test, "suite::settings::of::off");
}

#[test]
fn a_session_in_code_is_not_strict_by_itself() {
    check("strict_builder", "guarded", &[]);
    check("strict_builder_environment", "unguarded", &[("CASSETTE_GUARD", "strict")]);
}

#[test]
fn two_tests_that_record_one_file_are_refused_by_name() {
    check("shared", "shared", &[("CASSETTE_MODE", "record")]);
}

#[test]
fn recording_tests_take_turns_and_replaying_ones_do_not() {
    let together = |mode| {
        let ended = child::run_at_once("settings::turns::", &[("CASSETTE_MODE", mode)]);
        assert!(ended.text.contains("at most "), "{mode}: {}", ended.text);
        ["at most 2", "at most 3"].iter().any(|met| ended.text.contains(met))
    };
    assert!(!together("refresh"));
    assert!(!together("record"));
    assert!(together("off"));
}

mod turns {
    use super::*;

    static INSIDE: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);

    /// Stays for a while, and says how many were inside with it.
    #[expect(clippy::print_stderr, reason = "the parent reads it")]
    fn stay() {
        let inside = INSIDE.fetch_add(1, Ordering::SeqCst) + 1;
        let most = MOST.fetch_max(inside, Ordering::SeqCst).max(inside);
        std::thread::sleep(Duration::from_millis(300));
        INSIDE.fetch_sub(1, Ordering::SeqCst);
        eprintln!("at most {} at once", most.max(MOST.load(Ordering::SeqCst)));
    }

    #[cassette("turns/one")]
    #[test]
    #[ignore]
    fn one() {
        stay();
    }

    #[cassette("turns/two")]
    #[tokio::test]
    #[ignore]
    async fn two() {
        stay();
    }

    #[test]
    #[ignore]
    fn three() {
        let session = Cassette::builder("turns/three").open().unwrap();
        let inner = Cassette::builder("turns/inner").open().unwrap();
        stay();
        let _ = (inner.finish(), session.finish());
    }
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

    #[cassette("strict", order = "strict")]
    #[test]
    #[ignore]
    fn strict() {}

    #[test]
    #[ignore]
    fn exploring() {
        let opened = Cassette::builder("exploring").order(cassette_test::Order::Fuzzy).open();
        panic!("{}", opened.unwrap_err());
    }

    #[test]
    #[ignore]
    fn guarded() {
        let opened = Cassette::builder("guarded").mode(Mode::Replay).guard(cassette_test::Guard::Strict).open();
        panic!("{}", opened.unwrap_err());
    }

    #[test]
    #[ignore]
    fn unguarded() {
        panic!("{}", Cassette::builder("guarded").mode(Mode::Replay).open().unwrap_err());
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

#[test]
fn a_binary_tells_what_it_owns_without_running_a_test() {
    let file = std::env::temp_dir().join(format!("cassette-registry-{}.json", std::process::id()));
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let listed = command.arg("--list").env("CASSETTE_REGISTRY", &file).output().unwrap();
    let list = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(listed.status.success());
    let list = cassette_test::Json::parse(&list).unwrap();
    let names: Vec<_> = list.elements().iter().filter_map(|test| test.get("test")?.as_str()).collect();
    assert!(names.iter().any(|name| name == "suite::settings::of::plain"), "{names:?}");
    let plain = list.elements().iter().find(|test| {
        test.get("test").is_some_and(|name| name.as_str().as_deref() == Some("suite::settings::of::plain"))
    });
    assert_eq!(plain.and_then(|plain| plain.get("package")?.as_str()).as_deref(), Some("cassette-test"));
    let plain = plain.unwrap();
    assert_eq!(plain.get("mode"), Some(&cassette_test::Json::Null), "the environment says");
    assert_eq!(plain.get("shares"), Some(&false.into()));
}
