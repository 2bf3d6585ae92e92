//! `cassette.toml`, as the command reads it: the same code as the tests'.

use crate::project::Project;
use crate::recordings::{answer, ask};

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
