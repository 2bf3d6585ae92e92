use std::fs;
use std::path::Path;

use super::{KEYS, load, read};
use crate::policy::{Order, Requests, Strictness};

/// Checks what is said of a text, a line for each mistake.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mistakes = read(text).map(|_| Vec::new()).unwrap_or_else(|mistakes| mistakes);
    let told: Vec<_> = mistakes.iter().map(|mistake| format!("{mistake}; {}", mistake.help)).collect();
    assert_eq!(told.join("\n"), expected);
}

#[test]
fn every_key_is_read() {
    let text: String = KEYS.iter().map(|(key, example)| format!("{key} = {example}\n")).collect();
    let settings = read(&text).unwrap();
    assert_eq!(settings.dir.as_deref(), Some(Path::new("tests/cassettes")));
    assert_eq!(
        (settings.order, settings.guard, settings.requests, settings.pii),
        (Some(Order::Strict), Some(Strictness::Strict), Some(Requests::Digest), true)
    );
    assert_eq!(settings.allow_hosts, ["127.0.0.2", "metrics.internal"]);
    assert_eq!(
        [&settings.redact_field, &settings.redact_header, &settings.redact_value].map(|list| list.len()),
        [1, 1, 1]
    );
    assert_eq!([&settings.keep_header, &settings.ignore, &settings.match_header].map(|list| list.len()), [1, 1, 1]);
    assert_eq!(settings.budget.unwrap().to_string(), "0.5");
    assert_eq!((settings.prices_file.as_deref(), settings.max_age), (Some(Path::new("prices.toml")), Some(90)));
    assert_eq!(read("").unwrap(), super::Settings::default());
}

#[test]
fn every_mistake_is_told_with_its_line() {
    check(
        "# ours\ndirs = \"x\"\n\nguard = \"strikt\"\nredact-field = [\"a\"]\n[trains]\n",
        ":2: there is no key `dirs`; did you mean `dir`?\n\
         :4: `guard` is `plain` or `strict`; write `guard = \"strict\"`\n\
         :5: there is no key `redact-field`; did you mean `redact_field`?\n\
         :6: there is no key `trains`; the keys are allow_hosts, budget, dir, guard, ignore, keep_header, match_header, \
         max_age, order, pii, prices_file, redact_field, redact_header, redact_value, requests",
    );
    check(
        "mode = \"record\"",
        ":1: there is no key `mode`; the mode is asked for run by run: CASSETTE_MODE=record cargo test",
    );
    check(
        "order = \"fuzzy\"",
        ":1: `order` is no exploring order: set CASSETTE_ORDER=fuzzy for one run; write `order = \"strict\"`",
    );
    check(
        "allow_hosts = [\n  \"a\",\n  3,\n]",
        ":3: `allow_hosts` is a list of texts, none of them empty; \
         write `allow_hosts = [\"127.0.0.2\", \"metrics.internal\"]`",
    );
    check(
        "redact_field = [\"\"]",
        ":1: `redact_field` is a list of texts, none of them empty; write `redact_field = [\"customer_number\"]`",
    );
    check(
        "redact_field = [\"ssn\", \"-\"]",
        ":1: `redact_field` has a name in it that is none; write `redact_field = [\"customer_number\"]`",
    );
    check("pii = \"yes\"", ":1: `pii` is `true` or `false`; write `pii = true`");
    check("dir = \"\"", ":1: `dir` is a text; write `dir = \"tests/cassettes\"`");
    check("budget = -1", ":1: `budget` is an amount of dollars; write `budget = \"0.50\"`");
    check("max_age = 90", ":1: `max_age` is a number of days or weeks; write `max_age = \"90d\"`");
    check(
        "ignore = [\"messages[x]\"]",
        ":1: `ignore` names no path: `messages[x]` is no path: at character 10, a position, `*` or a quoted name should \
         stand here; write `ignore = [\"**.request_id\"]`",
    );
    let help = "mend the line: a setting is written `key = value`, text in quotes";
    check("\ndir = cassettes\n", &format!(":2: string values must be quoted, expected literal string; {help}"));
    check("dir = \"a\"\ndir = \"b\"\n", &format!(":2: duplicate key; {help}"));
}

#[test]
fn amounts_and_lists_have_two_forms() {
    for text in ["budget = \"0.25\"", "budget = 0.25"] {
        assert_eq!(read(text).unwrap().budget.unwrap().to_string(), "0.25", "{text}");
    }
    assert_eq!(read("budget = 2").unwrap().budget.unwrap().to_string(), "2");
    assert_eq!(read("redact_field = \"a\"").unwrap().redact_field, ["a"]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "these are no cassettes")]
fn the_packages_file_goes_over_the_workspaces() {
    let dir = tempfile::tempdir().unwrap();
    let (root, package) = (dir.path().join("root"), dir.path().join("root/crates/trains"));
    fs::create_dir_all(&package).unwrap();
    let write = |file: &Path, text: &str| fs::write(file, text).unwrap();
    // Above the workspace, and between it and the package: neither counts.
    write(&dir.path().join("cassette.toml"), "nothing = 1");
    write(&root.join("crates/cassette.toml"), "nothing = 1");
    write(&root.join("Cargo.toml"), "[workspace]\nmembers = [\"crates/*\"]\n");
    write(&root.join("cassette.toml"), "dir = \"a\"\nguard = \"strict\"\nignore = [\"x\"]\nprices_file = \"p.toml\"\n");
    write(&package.join("Cargo.toml"), "[package]\nname = \"trains\"\n");
    write(&package.join("cassette.toml"), "dir = \"b\"\nignore = [\"y\"]\n");
    let settings = load(&package).unwrap();
    assert_eq!((settings.dir, settings.guard), (Some("b".into()), Some(Strictness::Strict)));
    assert_eq!(settings.ignore, ["x", "y"]);
    assert_eq!(settings.prices_file, Some(root.join("p.toml")));
    write(&root.join("cassette.toml"), "a = 1");
    write(&package.join("cassette.toml"), "\nb = 1");
    let told: Vec<_> = load(&package).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["../../cassette.toml:1: there is no key `a`", "cassette.toml:2: there is no key `b`"]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "these are no cassettes")]
fn a_file_that_cannot_be_read_is_a_mistake() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(load(dir.path()).unwrap(), super::Settings::default());
    fs::write(dir.path().join("cassette.toml"), b"dir = \"\xff\"").unwrap();
    let mistakes = load(dir.path()).unwrap_err();
    assert_eq!(mistakes[0].to_string(), "cassette.toml: it could not be read: stream did not contain valid UTF-8");
}

#[test]
fn a_credential_in_the_place_of_a_key_is_not_told() {
    let key = ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat();
    let told = read(&format!("{key} = 1\n")).unwrap_err();
    assert_eq!(told[0].what, "there is no key `REDACTED.openai-key.1`");
    assert!(!told[0].help.contains(&key));
}
