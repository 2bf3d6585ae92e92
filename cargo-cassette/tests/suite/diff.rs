//! What changed: `diff`.

use cassette_core::call::Call;
use cassette_core::reply::Outcome;

use crate::project::{Project, document};
use crate::recordings::{answer, ask, chat, conversation, json};

fn before() -> Vec<(Call, Outcome)> {
    vec![
        (ask("When does the next train to Bergen leave?"), answer("chatcmpl-1", "At 09:04, from track 2.")),
        (ask("What does it cost?"), answer("chatcmpl-2", "449 kroner.")),
        (ask("May I bring a bicycle on board?"), answer("chatcmpl-3", "Yes, with a ticket.")),
        (ask("Which carriage has the restaurant?"), answer("chatcmpl-4", "The fourth.")),
    ]
}

/// Returns the same conversation, later: a call more, one moved with another prompt, an answer changed, other ids.
fn after() -> Vec<(Call, Outcome)> {
    vec![
        (ask("When does the next train to Bergen leave?"), answer("chatcmpl-a", "At 09:14, from track 2.")),
        (ask("Is there a window seat left?"), answer("chatcmpl-b", "Two.")),
        (ask("May I bring a bicycle on board?"), answer("chatcmpl-e", "Yes, with a ticket.")),
        (ask("Which carriage has the restaurant?"), answer("chatcmpl-c", "The fourth.")),
        (ask("What does it cost for two?"), answer("chatcmpl-d", "898 kroner.")),
    ]
}

fn repository() -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &before());
    project.record("cassettes/gone.json", &before()[..1]);
    project.record("cassettes/same/one.json", &before()[1..]);
    project.write("src/lib.rs", "");
    project.commit();
    project.record("cassettes/trains.json", &after());
    std::fs::remove_file(project.path("cassettes/gone.json")).unwrap();
    project.record("cassettes/new.json", &before()[2..3]);
    project.write("src/lib.rs", "// changed");
    project
}

#[test]
fn an_inserted_call_shifts_no_other_and_a_moved_one_is_recognised() {
    let project = Project::new();
    project.record("cassettes/trains.json", &before());
    project.record("cassettes/later.json", &after());
    insta::assert_snapshot!(project.run(&["diff", "trains", "later"]));
    insta::assert_snapshot!(project.run(&["diff", "later", "trains", "--format", "json"]));
}

#[test]
fn a_recording_of_the_same_conversation_is_the_same() {
    let project = Project::new();
    let again = before().into_iter().enumerate().map(|(i, (call, _))| {
        let texts = ["At 09:04, from track 2.", "449 kroner.", "Yes, with a ticket.", "The fourth."];
        (call, answer(&format!("chatcmpl-again-{i}"), texts[i]))
    });
    project.record("cassettes/trains.json", &before());
    project.record("cassettes/again.json", &again.collect::<Vec<_>>());
    insta::assert_snapshot!(project.run(&["diff", "trains", "again"]));
}

#[test]
fn since_a_revision_the_whole_directory() {
    insta::assert_snapshot!(repository().run(&["diff", "--base", "HEAD"]));
    insta::assert_snapshot!(repository().run(&["diff", "--base", "HEAD", "--format", "markdown"]));
}

#[test]
fn since_a_revision_one_cassette_and_from_a_directory_below() {
    insta::assert_snapshot!(repository().within("src").run(&["diff", "--base", "HEAD", "new"]));
    insta::assert_snapshot!(repository().run(&["diff", "--base", "HEAD", "same/one"]));
    insta::assert_snapshot!(repository().run(&["diff", "--base", "HEAD", "nowhere"]));
}

#[test]
fn a_cassette_that_was_renamed_is_one_cassette() {
    let project = repository();
    project.git(&["mv", "cassettes/same/one.json", "cassettes/same/other.json"]);
    insta::assert_snapshot!(project.run(&["diff", "--base", "HEAD", "same/other"]));
    insta::assert_snapshot!(project.run(&["diff", "--base", "HEAD", "--format", "markdown", "same/one"]));
    let told = project.run(&["diff", "--base", "HEAD", "--json"]);
    assert!(told.contains("\"state\": \"renamed\",\n      \"was\": \"same/one\""), "{told}");

    // Nobody has told git of it, and a call came with it; what asks something else is another cassette.
    let project = repository();
    std::fs::remove_file(project.path("cassettes/same/one.json")).unwrap();
    project.record("cassettes/other.json", &before());
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.contains("other  renamed, was same/one, "), "{told}");
    assert!(told.contains("gone  removed, with 1 call\n") && told.contains("new  added, with 1 call\n"), "{told}");
    assert!(project.run(&["diff", "--base", "HEAD", "--format", "html"]).contains("renamed, was same/one"));
}

#[test]
fn of_a_cassette_with_many_calls_the_first_are_shown() {
    let project = Project::new();
    project.commit_empty();
    let calls: Vec<_> = (0..11).map(|i| (ask(&format!("Question {i}?")), answer("c", "Yes."))).collect();
    project.record("cassettes/many.json", &calls);
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(
        told.contains("Question 7?") && !told.contains("Question 8?") && told.contains("  … 3 more calls\n"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_listed_and_stops_nothing() {
    let project = repository();
    project.record("cassettes/secret.json", &before()[..1]);
    project.link("nowhere.json", "cassettes/dangling.json");
    let Some(project) = project.nobodys() else { return };
    project.allow("cassettes/secret.json", 0o000);
    let told = project.run(&["diff", "--base", "HEAD"]);
    project.allow("cassettes/secret.json", 0o644);
    insta::assert_snapshot!(told);
}

#[test]
fn a_file_that_cannot_be_read_is_told_and_stops_nothing() {
    let project = repository();
    project.write("cassettes/same/one.json", "<<<<<<< HEAD\n{\n  \"cassette\": 1\n");
    insta::assert_snapshot!(project.run(&["diff", "--base", "HEAD", "same/one", "new"]));
}

#[test]
fn tools_settings_and_endings_are_told_as_what_they_are() {
    let project = Project::new();
    let mut both = conversation().into_iter();
    let (first, second) = (both.next().unwrap(), both.next().unwrap());
    let edited =
        |call: &Call, from: &str, to: &str| chat(&String::from_utf8(call.body.clone()).unwrap().replace(from, to));
    let other_call = |outcome: &Outcome| {
        let Outcome::Reply(reply) = outcome else { panic!("it is a reply") };
        let mut reply = reply.clone();
        reply.status = 203;
        let body = String::from_utf8(reply.body()).unwrap();
        reply.chunks[0].bytes =
            body.replace("Bergen", "Oslo").replace("\"completion_tokens\":18", "\"completion_tokens\":19").into_bytes();
        Outcome::Reply(reply)
    };
    project.record("cassettes/trains.json", &[first.clone(), second.clone()]);
    let changed = (edited(&first.0, "\"temperature\":0.5", "\"temperature\":0.7"), other_call(&first.1));
    let whole = match &second.1 {
        Outcome::Reply(reply) => Outcome::Reply(cassette_core::reply::Reply { truncated: None, ..reply.clone() }),
        other => other.clone(),
    };
    project
        .record("cassettes/later.json", &[changed, (edited(&second.0, "Looks a train up.", "Finds a train."), whole)]);
    insta::assert_snapshot!(project.run(&["diff", "trains", "later"]));
}

#[test]
fn a_comment_is_never_longer_than_it_may_be() {
    let project = Project::new();
    project.commit_empty();
    let text = "word ".repeat(400);
    for i in 0..120 {
        let calls: Vec<_> =
            (0..4).map(|n| (ask(&format!("Question {n} of {i}? {text}")), answer("chatcmpl-1", &text))).collect();
        project.record(&format!("cassettes/many/{i:03}.json"), &calls);
    }
    let output = project.output(&["diff", "--base", "HEAD", "--format", "markdown"]);
    let comment = String::from_utf8(output.stdout).unwrap();
    assert!(comment.chars().count() <= 65_000, "{}", comment.chars().count());
    assert!(comment.chars().count() > 60_000, "{}", comment.chars().count());
    assert_eq!(comment.matches("<details>").count(), comment.matches("</details>").count());
    assert_eq!(comment.matches("```").count() % 2, 0);
    insta::assert_snapshot!(comment.lines().last().unwrap());

    let project = Project::new();
    project.commit_empty();
    let calls: Vec<_> = (0..60).map(|n| (ask(&format!("Question {n}? {text}")), answer("chatcmpl-1", &text))).collect();
    project.record("cassettes/one.json", &calls);
    let comment =
        String::from_utf8(project.output(&["diff", "--base", "HEAD", "--format", "markdown"]).stdout).unwrap();
    assert!((60_000..=65_000).contains(&comment.chars().count()), "{}", comment.chars().count());
    insta::assert_snapshot!(comment.lines().rev().take(4).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_block_cannot_be_left_by_what_is_in_it() {
    let project = Project::new();
    project.commit_empty();
    project.record("cassettes/a`<b>.json", &[(ask("```\\n</details><img src=x>"), answer("chatcmpl-1", "````"))]);
    insta::assert_snapshot!(project.run(&["diff", "--base", "HEAD", "--format", "markdown"]));
}

#[test]
fn what_cannot_be_compared_says_what_to_type() {
    insta::assert_snapshot!(repository().run(&["diff", "trains"]));
    insta::assert_snapshot!(repository().run(&["diff", "--base", "no-such-branch"]));
    insta::assert_snapshot!(repository().run(&["diff", "--base=--output=stolen"]));
    assert!(!repository().path("stolen").exists());
    let project = Project::new();
    project.record("cassettes/trains.json", &before());
    insta::assert_snapshot!(project.run(&["diff", "--base", "HEAD"]));
    project.write("cassettes/cut.json", &document(&before())[..400]);
    insta::assert_snapshot!(project.run(&["diff", "trains", "cut"]));
    insta::assert_snapshot!(repository().with("PATH", "/nowhere").run(&["diff", "--base", "HEAD"]));
}

#[test]
fn what_came_to_the_base_since_is_no_change_of_the_branch() {
    let project = Project::new();
    project.git(&["init", "-q", "-b", "main"]);
    project.record("cassettes/trains.json", &before());
    project.commit();
    project.git(&["branch", "changed"]);
    project.record("cassettes/newone.json", &before()[..1]);
    project.commit();
    project.git(&["checkout", "-q", "changed"]);
    assert_eq!(project.run(&["diff", "--base", "main"]), "exit 0\n--- stdout\nnothing differs from main\n");
    project.record("cassettes/trains.json", &before()[..3]);
    let told = project.run(&["diff", "--base", "main"]);
    assert!(told.contains("trains  3 calls, were 4: 1 removed, 3 as before"), "{told}");
    assert!(!told.contains("newone"), "{told}");
}

#[test]
fn of_a_call_that_only_moved_it_is_told_what_it_asks() {
    let project = Project::new();
    project.record("cassettes/trains.json", &before());
    project.record("cassettes/later.json", &[&before()[1..], &before()[..1]].concat());
    let told = project.run(&["diff", "trains", "later"]);
    assert!(told.contains("         asks  When does the next train to Bergen leave?\n"), "{told}");
    project.git(&["init", "-q"]);
    project.commit();
    project.record("cassettes/trains.json", &[&before()[1..], &before()[..1]].concat());
    let comment = project.run(&["diff", "--base", "HEAD", "--format", "markdown"]);
    assert!(comment.contains("\n  asks: When does the next train to Bergen leave?\n"), "{comment}");
}

#[test]
fn another_spelling_is_not_said_to_change_with_every_recording() {
    let project = Project::new();
    let said = r#"{"id":"c","model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"At nine."},"finish_reason":"stop"}]}"#;
    project.record("cassettes/a.json", &[(ask("When?"), json(200, said))]);
    project.record("cassettes/b.json", &[(ask("When?"), json(200, &said.replace(":", ": ")))]);
    let told = project.run(&["diff", "a", "b"]);
    assert_eq!(
        told,
        "exit 0\n--- stdout\nnothing differs from a but 1 reply that says the same and is spelled otherwise\n"
    );
    project.record("cassettes/b.json", &[(ask("When?"), json(200, &said.replace("\"id\":\"c\"", "\"id\":\"d\"")))]);
    let told = project.run(&["diff", "a", "b"]);
    assert!(told.ends_with("but 1 place that changes with every recording\n"), "{told}");
}

/// Returns a workspace of two packages, each with cassettes, and on a branch of it.
fn of_two_packages() -> Project {
    let project = Project::bare();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"alpha\", \"beta\"]\n");
    for member in ["alpha", "beta"] {
        project.write(&format!("{member}/Cargo.toml"), format!("[package]\nname = \"{member}\"\n"));
        project.record(&format!("{member}/cassettes/trains.json"), &before());
        project.record(&format!("{member}/cassettes/fares.json"), &before()[1..]);
        project.record(&format!("{member}/cassettes/again/fares.json"), &before()[1..]);
    }
    project.commit();
    project
}

#[test]
fn what_a_package_kept_that_is_no_more_is_removed() {
    let project = of_two_packages();
    std::fs::remove_dir_all(project.path("beta")).unwrap();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"alpha\"]\n");
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.starts_with("exit 1\n") && told.ends_with("3 cassettes differ from HEAD\n"), "{told}");
    assert!(told.contains("\nbeta/cassettes/trains.json  removed, with 4 calls\n"), "{told}");
    let comment = project.run(&["diff", "--base", "HEAD", "--format", "markdown"]);
    assert!(comment.contains("<code>beta/cassettes/fares.json</code>: removed, with 3 calls"), "{comment}");
    let named = project.run(&["diff", "--base", "HEAD", "trains"]);
    assert!(
        named.ends_with("1 cassette differs from HEAD\n") && named.contains("beta/cassettes/trains.json  removed"),
        "{named}"
    );
    // From within a package that stays it is no other's business.
    let within = project.within("alpha");
    assert_eq!(within.run(&["diff", "--base", "HEAD"]), "exit 0\n--- stdout\nnothing differs from HEAD\n");
}

#[test]
fn a_package_that_moved_has_what_it_had() {
    let project = of_two_packages();
    std::fs::create_dir(project.path("crates")).unwrap();
    project.git(&["mv", "alpha", "crates/alpha"]);
    project.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"beta\"]\n");
    project.record("crates/alpha/cassettes/trains.json", &after());
    // A cassette whose every prompt changed is in the place of its own.
    project.record("crates/alpha/cassettes/again/fares.json", &[(ask("Where is it?"), answer("c", "Here."))]);
    for (here, up) in [("", ""), ("crates/alpha", "../../")] {
        let project = of(&project, here);
        let told = project(&["diff", "--base", "HEAD"]);
        let renamed: Vec<_> = told.lines().filter(|line| line.contains("renamed, was ")).collect();
        let own = if here.is_empty() { "crates/alpha/" } else { "" };
        for name in ["again/fares", "fares", "trains"] {
            let line = format!("{own}cassettes/{name}.json  renamed, was {up}alpha/cassettes/{name}.json, ");
            assert!(renamed.iter().any(|it| it.starts_with(&line)), "{line}\n{told}");
        }
        assert!(told.ends_with("3 cassettes differ from HEAD\n"), "{told}");
        assert!(told.contains("\n                 + \"At 09:14, from track 2.\"\n"), "{told}");
    }
}

/// Returns what runs the command somewhere in a project.
fn of(project: &Project, here: &str) -> impl Fn(&[&str]) -> String {
    let here = project.path(here);
    move |words| {
        let mut command = project.command(words);
        let output = command.current_dir(&here).output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

#[test]
fn a_directory_that_settings_or_tests_name_otherwise_has_what_it_had() {
    let project = Project::new();
    project.record("cassettes/trains.json", &before());
    project.write("tests/suite.rs", "#[cassette(\"own\", dir = \"tests/tapes\")]\n#[test]\nfn own() {}\n");
    project.record("tests/tapes/own.json", &before()[..2]);
    project.commit();
    // What a test keeps elsewhere is compared too.
    project.record("tests/tapes/own.json", &before()[..1]);
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.contains("\ntests/tapes/own.json  1 call, were 2: 1 removed, 1 as before, "), "{told}");
    // And where it said so then alone.
    project.write("tests/suite.rs", "#[cassette(\"own\")]\n#[test]\nfn own() {}\n");
    std::fs::remove_file(project.path("tests/tapes/own.json")).unwrap();
    project.record("cassettes/own.json", &before()[..2]);
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.contains("\ncassettes/own.json  renamed, was tests/tapes/own.json, 2 calls"), "{told}");
    assert!(told.ends_with("1 cassette differs\n"), "{told}");
    project.write("cassette.toml", "dir = \"tests/recorded\"\n");
    std::fs::rename(project.path("cassettes"), project.path("tests/recorded")).unwrap();
    let told = project.run(&["diff", "--base", "HEAD", "trains"]);
    assert!(
        told.contains("\ntests/recorded/trains.json  renamed, was cassettes/trains.json, 4 calls: 4 as before\n"),
        "{told}"
    );
    assert!(told.ends_with("1 cassette differs\n"), "{told}");
}

#[test]
fn what_of_the_base_cannot_be_looked_at_is_told() {
    let project = of_two_packages();
    project.write("beta/cassette.toml", "dirs = 1\n");
    project.commit();
    std::fs::remove_file(project.path("beta/cassette.toml")).unwrap();
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.starts_with("exit 1\n--- stdout\nnot looked at: what beta/cassette.toml said then: "), "{told}");
    assert!(told.ends_with("\nnothing differs of what was looked at from HEAD\n"), "{told}");
    let comment = project.run(&["diff", "--base", "HEAD", "--format", "markdown"]);
    assert!(comment.contains("Nothing of what was looked at differs from `HEAD`.\n\nNot looked at: `"), "{comment}");
    let json = project.run(&["diff", "--base", "HEAD", "--json"]);
    assert!(json.contains("\"same\": false") && json.contains("beta/cassette.toml said then"), "{json}");
    assert!(
        project.run(&["diff", "--base", "HEAD", "--format", "html"]).contains("nothing differs of what was looked at")
    );
    // Where there is no manifest that says which packages there were.
    project.write("alpha/Cargo.toml", "[package\n");
    project.commit();
    project.write("alpha/Cargo.toml", "[package]\nname = \"alpha\"\n");
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(
        told.contains("not looked at: where packages kept their cassettes then: could not read alpha/Cargo.toml"),
        "{told}"
    );
}

#[test]
fn a_text_that_is_another_is_shown_or_it_is_said_where() {
    let project = Project::new();
    project.commit_empty();
    let asked = |text: &str| [(ask("When does the ferry leave?"), answer("c", text))];
    project.record("cassettes/ferry.json", &asked("It rains."));
    project.commit();
    let long = "The ferry leaves at ten. ".repeat(28);
    project.record("cassettes/ferry.json", &asked(long.trim()));
    let comment = project.run(&["diff", "--base", "HEAD", "--format", "markdown"]);
    assert!(comment.contains(long.trim()) && !comment.contains("cut"), "{comment}");
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.contains(&format!("+ {:?}\n", long.trim())) && !told.contains("help: "), "{told}");
    let longer = "The ferry leaves at ten. ".repeat(80);
    project.record("cassettes/ferry.json", &asked(longer.trim()));
    let told = project.run(&["diff", "--base", "HEAD", "ferry"]);
    let page = "cargo cassette diff --base HEAD ferry --format html > changes.html";
    assert!(
        told.contains(" more characters\n") && told.ends_with(&format!("\nhelp: all that was cut: {page}\n")),
        "{told}"
    );
    let comment = project.run(&["diff", "--base", "HEAD", "ferry", "--format", "markdown"]);
    assert!(comment.contains(&format!("\nLong texts are cut. All of them: `{page}`.\n")), "{comment}");
    let html = project.sh(&format!("{page}; cat changes.html"));
    // Both end in the same mark, which is no change.
    assert!(html.contains(longer.trim().trim_end_matches('.')), "{html}");
}
