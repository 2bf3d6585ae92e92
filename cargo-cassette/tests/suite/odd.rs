//! A recording that was not taken over, whose reason is none: it is refused by file, line and member, and nothing is settled.

use crate::project::Project;
use crate::recordings::{answer, ask};

/// Returns a project in which this is why a recording is pending.
fn project(pending: &str) -> Project {
    let project = Project::new();
    project.record("cassettes/.pending/fares.json", &[(ask("How much?"), answer("c", "A lot."))]);
    let text = project.read("cassettes/.pending/fares.json");
    let text = text.replacen("  \"interactions\"", &format!("  \"pending\": {pending},\n  \"interactions\""), 1);
    project.write("cassettes/.pending/fares.json", text);
    project.write(
        "cassettes/trains.json",
        project.read("cassettes/.pending/fares.json").replacen("pending", "earlier", 1),
    );
    project
}

#[test]
fn a_reason_of_an_odd_kind_is_named_where_it_stands() {
    let said = |project: &Project, what: &str| {
        for words in [
            &["status"][..],
            &["review"],
            &["lint", "--files"],
            &["accept", "fares"],
            &["show", "cassettes/.pending/fares.json"],
        ] {
            let told = project.run(words);
            assert!(told.contains(what) && told.contains("fares") && !told.starts_with("exit 0"), "{words:?}: {told}");
        }
        assert!(
            project.path("cassettes/.pending/fares.json").exists() && !project.path("cassettes/fares.json").exists()
        );
    };
    let told = "`pending.why` in the head is not a text that says something";
    said(&project("{\n    \"what\": [],\n    \"why\": {\"failed\": true}\n  }"), &format!("line 10: {told}"));
    said(&project("{\"why\": 7}"), &format!("line 8: {told}"));
    said(&project("[\"failed\"]"), "line 8: `pending` in the head is not an object");
    said(
        &project("{\"why\": \"leak\", \"masked\": 1}"),
        "line 8: `pending.masked` in the head is not `true` or `false`",
    );
}

#[test]
fn facts_of_an_odd_kind_are_named_where_they_stand() {
    for file in ["cassettes/.pending/fares.json", "cassettes/trains.json"] {
        let project = project("{\"why\": \"failed\"}");
        let text = project.read(file).replacen("  \"interactions\"", "  \"meta\": [7],\n  \"interactions\"", 1);
        project.write(file, text);
        for words in [&["status"][..], &["lint", "--files"], &["show", file]] {
            let told = project.run(words);
            assert!(
                told.contains("`meta` in the head is not an object") && !told.starts_with("exit 0"),
                "{words:?}: {told}"
            );
        }
    }
}
