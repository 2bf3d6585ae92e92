//! What git should know: `init`, and `textconv`, which git runs.

use crate::project::{Project, document};
use crate::recordings::{answer, ask, conversation};

#[test]
fn a_directory_is_prepared_once() {
    let project = Project::new();
    insta::assert_snapshot!(project.run(&["init"]));
    let files = || [project.read("cassettes/.gitattributes"), project.read("cassettes/.gitignore")];
    let written = files();
    insta::assert_snapshot!(written.join("--\n"));
    insta::assert_snapshot!(project.run(&["init"]));
    assert_eq!(files(), written);
}

#[test]
fn what_is_there_stays() {
    let project = Project::new();
    project.write("cassettes/.gitattributes", "*.txt text\nblobs/** -text");
    insta::assert_snapshot!(project.run(&["init"]));
    insta::assert_snapshot!(project.read("cassettes/.gitattributes"));
}

#[test]
fn git_shows_the_transcript_of_what_changed() {
    let project = Project::new();
    project.run(&["init"]);
    let first = || (ask("When does the next train to Bergen leave?"), answer("chatcmpl-1", "At 09:04."));
    project
        .record("cassettes/trains.json", &[first(), (ask("What does it cost?"), answer("chatcmpl-2", "449 kroner."))]);
    project.commit();
    let command = format!("'{}' textconv", env!("CARGO_BIN_EXE_cargo-cassette"));
    project.git(&["config", "diff.cassette.textconv", &command]);
    let last = (ask("What does it cost?"), answer("chatcmpl-9", "498 kroner."));
    project.record("cassettes/trains.json", &[first(), (ask("Is it on time?"), answer("chatcmpl-8", "It is.")), last]);
    let diff = project.git(&["diff", "--no-color"]);
    let told: Vec<_> = diff.lines().filter(|line| !line.starts_with("index ")).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_is_no_cassette_is_converted_into_itself() {
    let project = Project::new();
    project.record("sound.json", &conversation());
    insta::assert_snapshot!(project.run(&["textconv", "sound.json"]));
    let cut = document(&conversation())[..300].to_owned();
    project.write("cut.json", &cut);
    let output = project.output(&["textconv", "cut.json"]);
    assert_eq!((output.status.code(), output.stdout), (Some(0), cut.into_bytes()));
    insta::assert_snapshot!(project.run(&["textconv", "nowhere.json"]));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    for to in ["../../outside", "../inside"] {
        let project = Project::bare().within("project");
        project.write("project/Cargo.toml", "[package]\nname = \"timetable\"\nversion = \"0.1.0\"\n");
        project.link(to, "project/cassettes/.gitignore");
        project.write("project/inside", "*.log\n");
        let told = project.run(&["init"]);
        assert_eq!(
            told,
            "exit 2\n--- stdout\nas it was  cassettes\ncreated    cassettes/.gitattributes\n--- stderr\nerror: \
             cassettes/.gitignore is a link, which git does not follow, and what it leads to is not written\nhelp: remove it, \
             and prepare the directory again: rm cassettes/.gitignore && cargo cassette init\n"
        );
        assert!(!project.path("outside").exists());
        assert_eq!(project.read("project/inside"), "*.log\n");
    }
}
