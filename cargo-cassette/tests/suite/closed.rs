//! Directories and files that may not be read: they are listed as bad, and the rest is shown.

use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;

use crate::project::Project;
use crate::recordings::{answer, ask};

fn project() -> Option<Project> {
    let project = Project::new();
    let calls = [(ask("When?"), answer("chatcmpl-1", "At 09:04."))];
    project.record("cassettes/trains.json", &calls);
    project.record("cassettes/fares/day.json", &calls);
    project.recording("maps", &calls, Mode::Record, BodyEnd::Panicked);
    project.nobodys()
}

/// Runs what lists and what mends, and returns all that it did.
fn all(project: &Project) -> String {
    let verbs: [&[&str]; 11] = [
        &["list"],
        &["list", "--json"],
        &["status"],
        &["lint", "--files"],
        &["stats", "--no-cost"],
        &["review"],
        &["recover"],
        &["scrub"],
        &["compact"],
        &["accept", "--all", "--dry-run"],
        &["serve", "cassettes", "--", "true"],
    ];
    verbs.iter().map(|words| format!("$ {}\n{}\n", words.join(" "), project.run(words))).collect()
}

#[test]
fn a_directory_that_nobody_may_read_is_listed_as_bad_and_the_rest_is_shown() {
    let Some(project) = project() else { return };
    project.allow("cassettes/fares", 0);
    let told = all(&project);
    project.allow("cassettes/fares", 0o755);
    insta::assert_snapshot!(told);
}

#[test]
fn what_nobody_may_read_of_what_is_pending_is_listed_as_bad() {
    let Some(project) = project() else { return };
    project.run(&["init"]);
    project.allow("cassettes/.pending", 0);
    let verbs: [&[&str]; 4] = [&["status"], &["lint", "--files"], &["review"], &["reject", "--all"]];
    let told: String = verbs.iter().map(|words| format!("$ {}\n{}\n", words.join(" "), project.run(words))).collect();
    project.allow("cassettes/.pending", 0o755);
    insta::assert_snapshot!(told);
}

#[test]
fn names_that_may_be_read_are_no_files_that_may() {
    let Some(project) = project() else { return };
    project.allow("cassettes/fares", 0o444);
    let told = project.run(&["list"]);
    project.allow("cassettes/fares", 0o755);
    insta::assert_snapshot!(told);
}

#[test]
fn a_directory_of_cassettes_that_nobody_may_read_stops_no_other() {
    let project = Project::bare();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n");
    for member in ["a", "b"] {
        project.write(&format!("{member}/Cargo.toml"), format!("[package]\nname = \"{member}\"\n"));
        project.record(&format!("{member}/cassettes/trains.json"), &[(ask("When?"), answer("c", "At 09:04."))]);
    }
    let Some(project) = project.nobodys() else { return };
    project.allow("a/cassettes", 0);
    let told = project.run(&["list"]);
    project.allow("a/cassettes", 0o755);
    insta::assert_snapshot!(told);
}

#[test]
fn a_file_that_nobody_may_read_may_name_any_blob() {
    let Some(project) = project() else { return };
    let blob = "cassettes/blobs/d267c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040.png";
    project.write(blob, "a picture");
    project.allow("cassettes/fares/day.json", 0);
    let told = project.run(&["lint", "--files"]);
    assert!(
        !told.contains(".png") && told.contains("cassettes/fares/day.json: unreadable: could not be read"),
        "{told}"
    );
    project.run(&["compact"]);
    assert!(project.path(blob).is_file());
    project.allow("cassettes/fares/day.json", 0o644);
    assert!(project.run(&["lint", "--files"]).contains(blob));
}

#[test]
fn a_link_that_leads_nowhere_is_a_file_that_cannot_be_read() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 09:04."))]);
    project.link("nowhere.json", "cassettes/lost.json");
    insta::assert_snapshot!(project.run(&["list"]) + &project.run(&["lint", "--files"]));
    let told = ["show", "export", "delete"].map(|verb| project.run(&[verb, "lost"])).concat();
    insta::assert_snapshot!("a_link_that_leads_nowhere_is_named_and_removed", told);
    assert!(!project.path("cassettes/lost.json").is_symlink());
}

#[test]
fn a_name_is_near_in_capitals_and_never_by_two_letters() {
    let project = Project::new();
    for name in ["trains", "no"] {
        project.record(&format!("cassettes/{name}.json"), &[(ask("When?"), answer("c", "At 09:04."))]);
    }
    let told = project.run(&["show", "TRAINS"]) + &project.run(&["delete", "nodir/fares"]);
    insta::assert_snapshot!("near", told);
}

#[test]
fn a_pipe_is_no_recording_and_no_cassette_and_nobody_waits_for_it() {
    let project = Project::new();
    let calls = [(ask("When?"), answer("c", "At 09:04."))];
    project.record("cassettes/trains.json", &calls);
    project.write("in/notes.txt", "no recording");
    project.run(&["export", "trains", "-o", "in/trains.har"]);
    for pipe in ["in/pipe.har", "cassettes/pipe.json"] {
        assert!(project.program("mkfifo".as_ref()).arg(pipe).status().unwrap().success());
    }
    // Whoever opened it would wait for somebody to write into it.
    let soon = |words: &str| project.sh(&format!("timeout 20 cargo cassette {words}"));
    insta::assert_snapshot!(soon("import in/pipe.har") + &soon("import in") + &soon("list") + &soon("show pipe"));
}

#[test]
fn a_cassette_in_a_directory_that_nobody_may_read_is_not_taken_for_missing() {
    let Some(project) = project() else { return };
    project.allow("cassettes/fares", 0);
    let told: Vec<_> = [
        &["show", "fares/day"][..],
        &["diff", "fares/day", "trains"],
        &["delete", "fares/day"],
        &["stats", "fares/day"],
    ]
    .into_iter()
    .map(|words| project.run(words))
    .collect();
    project.allow("cassettes/fares", 0o755);
    insta::assert_snapshot!(told.join("\n"));
    assert!(project.path("cassettes/fares/day.json").is_file());
}

#[test]
fn what_was_removed_before_one_could_not_be_is_told_to_programs_too() {
    let Some(project) = project() else { return };
    project.allow("cassettes/fares", 0o555);
    let told = project.run(&["delete", "trains", "fares/day", "--json"]);
    project.allow("cassettes/fares", 0o755);
    assert!(told.starts_with("exit 2\n") && told.contains("error: "), "{told}");
    assert!(told.contains("\"file\": \"cassettes/trains.json\",\n      \"outcome\": \"removed\"\n"), "{told}");
    assert!(!told.contains("day.json\"") && project.path("cassettes/fares/day.json").is_file(), "{told}");
}
