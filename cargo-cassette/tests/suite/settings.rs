//! `cassette.toml`, as the command reads it: the same code as the tests'.

use cassette_core::settings::KEYS;

use crate::project::Project;
use crate::recordings::{answer, ask, key};

fn recorded(file: &str) -> Project {
    let project = Project::new();
    project.record(file, &[(ask("When?"), answer("c", "At 9."))]);
    project
}

#[test]
fn the_directory_is_what_the_file_says_unless_the_environment_does() {
    let project = recorded("recordings/trains.json");
    project.write("cassette.toml", "dir = \"recordings\"\n");
    insta::assert_snapshot!(project.run(&["list"]));
    insta::assert_snapshot!(project.run(&["status"]));
    insta::assert_snapshot!(project.with("CASSETTE_DIR", "elsewhere").run(&["list"]));
}

#[test]
fn a_file_that_is_wrong_is_listed_as_such_and_stops_what_would_look_in_the_wrong_place() {
    let project = recorded("cassettes/trains.json");
    project.write("cassette.toml", "\ndirs = \"recordings\"\n");
    for words in [&["list"][..], &["list", "--json"], &["status"], &["lint", "--files"], &["show", "trains"]] {
        insta::assert_snapshot!(project.run(words));
    }
}

#[test]
fn a_workspaces_file_is_each_members() {
    let project = recorded("a/recordings/trains.json");
    project.write("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n");
    project.write("a/Cargo.toml", "[package]\nname = \"a\"\n");
    project.write("cassette.toml", "dir = \"recordings\"\nguard = \"loose\"\n");
    let project = project.within("a");
    insta::assert_snapshot!(project.run(&["list"]));
    project.write("cassette.toml", "dir = \"recordings\"\n");
    insta::assert_snapshot!(project.run(&["list"]));
}

#[test]
fn prices_and_the_age_of_a_recording() {
    let project = recorded("cassettes/trains.json");
    project.write("cassette.toml", "prices_file = \"prices.toml\"\nmax_age = \"7d\"\n");
    project.write(
        "prices.toml",
        "checked = \"2026-11-01\"\n[[maker]]\nname = \"ours\"\nsource = \"https://models.example.com\"\n[maker.models]\ngpt-4o-mini = { input = \"1000\", output = \"0\" }\n",
    );
    insta::assert_snapshot!(project.run(&["stats"]));
    insta::assert_snapshot!(project.run(&["lint", "--files"]));
}

#[test]
fn a_table_of_prices_that_is_not_there_is_told_with_who_names_it() {
    let project = recorded("cassettes/trains.json");
    project.write("cassette.toml", "max_age = \"7d\"\n\nprices_file = \"prices.toml\"\n");
    insta::assert_snapshot!(project.run(&["stats"]));
    project.write("prices.toml", "checked = 1\n");
    insta::assert_snapshot!(project.run(&["stats"]));
    assert!(project.run(&["stats", "--no-cost"]).starts_with("exit 0"));

    // The workspace's, named for a member.
    project.write("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n");
    project.write("a/Cargo.toml", "[package]\nname = \"a\"\n");
    project.record("a/cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    std::fs::remove_file(project.path("prices.toml")).unwrap();
    let told = project.within("a").run(&["stats"]);
    assert!(told.contains("error: ../cassette.toml:3: could not read ") && told.contains("prices.toml"), "{told}");
}

/// Every verb that says what a run would go by.
const VERBS: [&[&str]; 9] = [
    &["status"],
    &["status", "--json"],
    &["list"],
    &["list", "--json"],
    &["lint", "--files"],
    &["lint", "--files", "--json"],
    &["lint", "--files", "--format", "github"],
    &["show", "trains"],
    &["stats"],
];

/// Runs every verb, none of which prints the key.
fn is_hidden(project: &Project, what: &str) -> String {
    let told: Vec<_> = VERBS.iter().map(|verb| (verb, project.run(verb))).collect();
    for (verb, told) in &told {
        assert!(!told.contains(&key()), "{what}, {verb:?}: {told}");
    }
    told.into_iter().map(|(_, told)| told).collect()
}

#[test]
fn a_credential_in_the_place_of_a_setting_is_printed_by_nobody() {
    for name in ["MODE", "ORDER", "DIR", "BUDGET", "GUARD", "ALLOW_HOSTS", "LEDGER", "BREAK_AT", "ALLOW_CI"] {
        let project = recorded("cassettes/trains.json").with(&format!("CASSETTE_{name}"), &key());
        assert!(is_hidden(&project, name).contains("REDACTED.openai-key.1"), "{name}");
    }
    let project = recorded("cassettes/trains.json").with("CI", &key());
    is_hidden(&project, "CI");
    let project = recorded("cassettes/trains.json").with("SOURCE_DATE_EPOCH", &key());
    is_hidden(&project, "SOURCE_DATE_EPOCH");
    // A directory that is there, and is called so.
    let project = recorded(&format!("{}/trains.json", key())).with("CASSETTE_DIR", &key());
    is_hidden(&project, "a directory");
}

#[test]
fn a_credential_in_the_settings_file_is_printed_by_nobody() {
    let project = recorded("cassettes/trains.json");
    for value in [format!("\"{}\"", key()), format!("[\"{}\"]", key()), format!("[\"a[{}\"]", key()), key()] {
        let all: String = KEYS.iter().map(|(name, _)| format!("{name} = {value}\n")).collect();
        project.write("cassette.toml", &all);
        is_hidden(&project, &all);
    }
    // What is no mistake is what runs go by.
    for name in ["dir", "prices_file", "allow_hosts", "redact_value"] {
        project.write("cassette.toml", format!("{name} = \"{}\"\n", key()));
        is_hidden(&project, name);
    }
    project.write("cassette.toml", format!("\"{0}\" = 1\n\"{0}\" = 2\n", key()));
    is_hidden(&project, "twice");
    for text in [format!("{} = 1\n", key()), format!("[{}]\na = 1\n", key())] {
        project.write("cassette.toml", &text);
        let told = is_hidden(&project, &text);
        assert!(told.contains("REDACTED."), "{text}: {told}");
    }
}
