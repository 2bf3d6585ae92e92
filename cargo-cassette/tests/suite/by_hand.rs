//! A cassette that was changed by hand: it can be looked at before anybody vouches for it, and replays nothing until then.

use cassette_core::disk;

use crate::project::Project;
use crate::recordings::{answer, ask, key};

/// Returns a project with a cassette of two calls, committed, and then changed by hand in the second.
fn changed() -> Project {
    let project = recorded();
    project.commit();
    change(&project, "how much luggage", "how many bags");
    project
}

fn recorded() -> Project {
    let project = Project::new();
    let calls = [
        (ask("When?"), answer("chatcmpl-1", "At 09:04.")),
        (ask("And how much luggage?"), answer("chatcmpl-2", "Two bags.")),
    ];
    project.record("cassettes/luggage.json", &calls);
    project
}

fn change(project: &Project, from: &str, to: &str) {
    let text = project.read("cassettes/luggage.json");
    assert!(text.contains(from));
    project.write("cassettes/luggage.json", text.replace(from, to));
}

#[test]
fn it_is_shown_with_a_mark_on_top_and_where_it_was_changed() {
    let project = changed();
    insta::assert_snapshot!("show", project.run(&["show", "luggage"]));
    insta::assert_snapshot!("show_2", project.run(&["show", "luggage", "2"]));
    insta::assert_snapshot!("show_json", project.run(&["show", "luggage", "--json"]));
    let page = project.run(&["show", "luggage", "--format", "html"]);
    let top =
        "<p class=\"pending\">changed by hand, and not vouched for: interaction 2; until then it replays nothing</p>";
    assert!(page.starts_with("exit 1\n") && page.contains(top), "{page}");
    assert_eq!(page.matches("<span class=\"mark warn\">changed by hand</span>").count(), 1, "{page}");
    let told = project.answer(&["show", "luggage", "-i"], "q\n");
    assert!(told.contains("changed by hand, and not vouched for: interaction 2;"), "{told}");
    // What a program gets is nothing.
    let raw = project.run(&["show", "luggage", "2", "--raw"]);
    assert!(raw.starts_with("exit 2\n--- stderr\nerror: cassettes/luggage.json: line 60: "), "{raw}");
}

#[test]
fn what_was_changed_is_compared_with_what_it_was() {
    let project = changed();
    insta::assert_snapshot!("diff", project.run(&["diff", "--base", "HEAD"]));
    insta::assert_snapshot!("diff_markdown", project.run(&["diff", "--base", "HEAD", "--format", "markdown"]));
    insta::assert_snapshot!("diff_json", project.run(&["diff", "--base", "HEAD", "--json"]));
    let page = project.run(&["diff", "--base", "HEAD", "--format", "html"]);
    let top =
        "<p class=\"pending\">changed by hand, and not vouched for: interaction 2; until then it replays nothing</p>";
    assert!(page.starts_with("exit 1\n") && page.contains(top), "{page}");
    assert_eq!(page.matches("<span class=\"mark warn\">changed by hand</span>").count(), 1, "{page}");
    // Committed so, it differs from nothing, and is told all the same.
    project.git(&["commit", "-q", "-a", "-m", "by hand"]);
    change(&project, "\"interactions\"", "\"later\": 1,\n  \"interactions\"");
    insta::assert_snapshot!("diff_both", project.run(&["diff", "--base", "HEAD"]));
}

#[test]
fn a_seal_that_was_taken_away_vouches_for_nothing() {
    let project = recorded();
    let text = project.read("cassettes/luggage.json");
    let seal = text.lines().find(|line| line.contains("\"seal\"")).unwrap();
    project.write("cassettes/luggage.json", text.replace(&format!(",\n{seal}"), ""));
    let told = project.run(&["show", "luggage"]);
    assert!(told.starts_with("exit 1\n") && told.contains("not vouched for: interaction 1;"), "{told}");
    assert!(project.run(&["lint", "--files"]).contains(": edited: interaction 1 was changed"));
    assert!(project.run(&["seal", "luggage"]).starts_with("exit 0\n--- stdout\nseals cassettes/luggage.json\n"));
    assert!(project.run(&["show", "luggage"]).starts_with("exit 0"));
}

#[test]
fn what_would_be_vouched_for_is_shown_before() {
    let project = changed();
    insta::assert_snapshot!("seal_dry", project.run(&["seal", "luggage", "--dry-run"]));
    assert!(project.run(&["show", "luggage"]).starts_with("exit 1"), "nothing was sealed");
    // Git does not have it.
    let project = recorded();
    change(&project, "how much luggage", "how many bags");
    insta::assert_snapshot!("seal_dry_without_git", project.run(&["seal", "luggage", "--dry-run"]));
    // What is secret is not shown.
    let project = recorded();
    project.commit();
    change(&project, "how much luggage", &format!("how much luggage, with {}", key()));
    let told = project.run(&["seal", "luggage", "--dry-run", "--scrub"]);
    assert!(told.starts_with("exit 0") && told.contains("REDACTED.openai-key.1") && !told.contains(&key()), "{told}");
}

#[test]
fn nothing_that_serves_counts_or_writes_takes_it() {
    let project = changed();
    let text = project.read("cassettes/luggage.json");
    for words in [
        &["serve", "luggage", "--", "true"][..],
        &["export", "luggage"],
        &["fork", "luggage", "--at", "1", "began"],
        &["stats", "luggage"],
        &["list"],
        &["status"],
        &["scrub"],
        &["compact"],
    ] {
        let told = project.run(words);
        assert!(
            !told.starts_with("exit 0") && told.contains("the interaction is not what was sealed"),
            "{words:?}: {told}"
        );
    }
    assert_eq!(project.read("cassettes/luggage.json"), text);
    assert!(disk::read(text.as_bytes()).is_err());
}

#[test]
fn what_is_damaged_otherwise_is_not_shown() {
    for damage in [
        |text: &str| text[..300].to_owned(),
        |text: &str| text.replace("how much luggage", "how many bags").replace("\"kind\"", "\"king\""),
    ] {
        let project = recorded();
        project.write("cassettes/luggage.json", damage(&project.read("cassettes/luggage.json")));
        let told = project.run(&["show", "luggage"]);
        assert!(told.starts_with("exit 2\n--- stderr\nerror: "), "{told}");
    }
}
