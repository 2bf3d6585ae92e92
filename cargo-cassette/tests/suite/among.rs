//! Cassettes that lie among other files, `dir = "tests"`: what is not this framework's is nobody's business here.

use cassette_core::disk;

use crate::project::{Project, document};
use crate::recordings::{answer, ask, conversation};

/// A digest, as the name of a long leaf has it.
const DIGEST: &str = "d267c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040";

/// What somebody keeps beside the cassettes.
const OTHERS: [(&str, &str); 8] = [
    ("tests/data.json", "{\"fares\": [1, 2]}\n"),
    ("tests/broken.json", "{\"fares\": [1, 2,}\n"),
    ("tests/commented.json", "// fares\n{}\n"),
    ("tests/schema.json5", "{fares: 1}\n"),
    ("tests/data.json.snap", "{\"fares\": [1, 2]}\n"),
    ("tests/blobs/logo.png", "a picture"),
    ("tests/blobs/day.json", "[]\n"),
    ("tests/blobs/archive/d267c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040.png", "another"),
];

/// Returns a package with a cassette among other files.
fn among() -> Project {
    let project = Project::new();
    project.write("cassette.toml", "dir = \"tests\"\n");
    project.record("tests/trains.json", &conversation());
    for (file, text) in OTHERS {
        project.write(file, text);
    }
    project
}

fn are_there(project: &Project) {
    for (file, text) in OTHERS {
        assert_eq!(project.read(file), text, "{file}");
    }
}

#[test]
fn nothing_of_anybody_elses_is_removed_or_said_to_be() {
    let project = among();
    let leaf = format!("tests/blobs/{DIGEST}.png");
    project.write(&leaf, "nobody's");
    let told = [project.run(&["compact", "--dry-run"]), project.run(&["compact"])];
    insta::assert_snapshot!(told.join("\n"));
    assert!(!project.path(&leaf).exists());
    are_there(&project);
    for verb in [&["scrub"][..], &["stats"], &["list"], &["status"], &["recover"], &["lint", "--files"]] {
        let told = project.run(verb);
        assert!(told.starts_with("exit 0") && !told.contains("rm "), "{verb:?}: {told}");
    }
    are_there(&project);
}

#[test]
fn what_never_was_a_cassette_is_called_so() {
    let project = among();
    insta::assert_snapshot!(
        [
            project.run(&["list"]),
            project.run(&["status"]),
            project.run(&["lint", "--files"]),
            project.run(&["show", "data"]),
            project.run(&["delete", "data"]),
            project.run(&["delete", "broken", "--dry-run"]),
            project.run(&["compact", "data"]),
            project.run(&["scrub", "broken"]),
            project.run(&["seal", "data"]),
            project.run(&["fork", "data", "--at", "1", "fork"]),
            project.run(&["export", "data"]),
        ]
        .join("\n")
    );
    are_there(&project);
    let recorded = r#"{"version":1,"interactions":[{"request":{"method":"GET","uri":"https://a.test/","body":null,"headers":{}},"response":{"status":{"code":200,"message":"OK"},"headers":{},"body":{"string":"x"}}}]}"#;
    project.write("rec.json", recorded);
    let told = project.run(&["import", "rec.json", "--name", "data", "--force"]);
    assert!(told.starts_with("exit 1") && told.contains("which is not a cassette, and stays"), "{told}");
    are_there(&project);
}

#[test]
fn a_change_of_another_document_is_no_difference() {
    let project = among();
    project.commit();
    project.write("tests/data.json", "{\"fares\": [3]}\n");
    project.write("tests/new.json", "{}\n");
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.starts_with("exit 0") && !told.contains("data"), "{told}");
}

#[test]
fn what_was_a_cassette_is_missed() {
    let project = among();
    project.commit();
    project.write("tests/trains.json", "{}\n");
    let told = project.run(&["lint", "--files"]);
    assert!(
        told.contains("tests/trains.json: unreadable: it is not a cassette, and the last commit has one"),
        "{told}"
    );
    assert!(told.contains("git checkout HEAD -- tests/trains.json\n") && !told.contains("rm "), "{told}");
    assert!(project.run(&["diff", "--base", "HEAD"]).contains("now: it is not a cassette"));
    let torn = document(&[(ask("When?"), answer("c", "At nine."))]);
    project.write("tests/trains.json", &torn[..40]);
    assert!(project.run(&["lint", "--files"]).contains("trains.json: unreadable: line"), "a torn one is one");
    assert!(disk::read(torn.as_bytes()).is_ok());
}
