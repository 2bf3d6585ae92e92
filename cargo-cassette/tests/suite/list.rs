//! Listing: `list`.

use crate::project::{Project, document};
use crate::recordings::{answer, ask, conversation};

/// Returns a package with a sound cassette or two, and every kind of file that is none.
fn mixed() -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    project.record("cassettes/fares/day.json", &[(ask("What does it cost?"), answer("chatcmpl-1", "A lot."))]);
    let sound = document(&[(ask("When?"), answer("chatcmpl-2", "At nine."))]);
    project.write("cassettes/bad/cut.json", &sound[..sound.len() / 2]);
    project.write("cassettes/bad/edited.json", sound.replace("At nine.", "At ten."));
    project.write(
        "cassettes/bad/conflict.json",
        sound.replace("  \"needs\": [],", "<<<<<<< HEAD\n  \"needs\": [],\n=======\n  \"needs\": [],\n>>>>>>> other"),
    );
    project.write("cassettes/bad/newer.json", sound.replace("\"cassette\": 1", "\"cassette\": 2"));
    project.write("cassettes/bad/other.json", "[1, 2]\n");
    project.write("cassettes/bad/packed.json.zst", "x");
    project.write("cassettes/allow.json", "[]\n");
    project.write("cassettes/.gitignore", ".pending/\n");
    project.write("cassettes/notes.txt", "no cassette\n");
    project
}

#[test]
fn a_bad_file_is_listed_and_stops_nothing() {
    insta::assert_snapshot!(mixed().run(&["list"]));
}

#[test]
fn a_list_for_programs() {
    insta::assert_snapshot!(mixed().run(&["list", "--json"]));
}

#[test]
fn nothing_but_sound_files_is_nothing_found() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    insta::assert_snapshot!(project.run(&["list"]));
}
