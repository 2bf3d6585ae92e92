//! What is shown of a cassette in which something secret stands: everything else.

use cassette_core::audit::audit;
use cassette_core::disk;
use cassette_core::redact::{Rules, Secrets};

use crate::project::Project;
use crate::recordings::{answer, ask, key};

/// Returns a project whose cassette somebody put a key into, and vouched for with other means.
fn leaky() -> Project {
    let project = Project::new();
    project.record(
        "cassettes/trains.json",
        &[(ask("Where does the train to Oslo leave?"), answer("chatcmpl-1", "Track two."))],
    );
    project.commit();
    let changed = project.read("cassettes/trains.json").replace("to Oslo", &format!("to {}", key()));
    project.write("cassettes/trains.json", disk::reseal(&changed).unwrap());
    project
}

#[test]
fn a_secret_that_the_audit_finds_is_shown_by_nothing() {
    let project = leaky();
    for words in [
        &["show", "trains"][..],
        &["show", "trains", "-v"],
        &["show", "trains", "--json"],
        &["show", "trains", "--format", "html"],
        &["diff", "--base", "HEAD"],
        &["diff", "--base", "HEAD", "--json"],
        &["diff", "--base", "HEAD", "--format", "markdown"],
        &["diff", "--base", "HEAD", "--format", "html"],
        &["textconv", "cassettes/trains.json"],
        &["export", "trains"],
        &["lint", "--files"],
    ] {
        let output = project.output(words);
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!printed.contains(&key()), "{words:?}: {printed}");
        assert!(printed.contains("REDACTED.openai-key.1") || words[0] == "lint", "{words:?}: {printed}");
    }
}

#[test]
fn what_is_no_cassette_and_what_a_head_says_are_shown_without_their_secrets() {
    let project = Project::new();
    project.record("cassettes/.pending/trains.json", &[(ask("When?"), answer("chatcmpl-1", "At 9."))]);
    let pending = format!("{{\n  \"cassette\": 1,\n  \"pending\": {{\"why\": \"{}\"}},", key());
    let document = project.read("cassettes/.pending/trains.json").replacen("{\n  \"cassette\": 1,", &pending, 1);
    assert!(document.contains(&key()), "{document}");
    project.write("cassettes/.pending/trains.json", document);
    project.write("torn.json", format!("{{\"cassette\": 1, \"what\": \"{}\"", key()));
    project.write("bytes.json", [&b"\xff "[..], key().as_bytes()].concat());
    for words in [
        &["review"][..],
        &["review", "--json"],
        &["accept", "--all", "-n"],
        &["show", "cassettes/.pending/trains.json"],
        &["status"],
        &["lint", "--files"],
        &["textconv", "torn.json"],
        &["textconv", "bytes.json"],
    ] {
        let output = project.output(words);
        let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!printed.contains(&key()), "{words:?}: {printed}");
    }
}

/// Vouches for whatever the audit finds in the cassette.
fn vouch(project: &Project) {
    let findings = audit(&project.read("cassettes/trains.json"), &Rules::default(), &Secrets::default(), &[]);
    let entry = |finding: &cassette_core::audit::Finding| {
        finding.entry("trains").replace("\"reason\": \"\"", "\"reason\": \"it is revoked\"")
    };
    let entries = findings.iter().map(entry).collect::<Vec<_>>().join(",");
    project.write("cassettes/allow.json", format!("[{entries}]"));
}

#[test]
fn what_somebody_vouches_for_is_shown() {
    let project = leaky();
    vouch(&project);
    let shown = project.run(&["show", "trains"]);
    assert!(shown.contains(&key()), "{}\n{shown}", project.read("cassettes/allow.json"));
}

#[test]
fn a_secret_of_the_environment_is_found_in_a_file() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("Where is zq81kd02mmx7?"), answer("chatcmpl-1", "Here."))]);
    let found = |project: &Project| String::from_utf8(project.output(&["lint", "--files"]).stdout).unwrap();
    assert!(!found(&project).contains("secret"), "{}", found(&project));
    let project = project.with("MY_API_KEY", "zq81kd02mmx7");
    assert!(found(&project).contains("secret"), "{}", found(&project));
    assert!(!project.run(&["show", "trains"]).contains("zq81kd02mmx7"));
}

#[test]
fn a_cassette_that_was_changed_by_hand_is_told_to_git_as_a_transcript() {
    let project = Project::new();
    project.record(
        "cassettes/trains.json",
        &[(ask("Where does the train to Oslo leave?"), answer("chatcmpl-1", "Track two."))],
    );
    let changed = project.read("cassettes/trains.json").replace("to Oslo", "to Voss");
    project.write("cassettes/trains.json", changed);
    insta::assert_snapshot!("changed_by_hand", project.run(&["textconv", "cassettes/trains.json"]));
}

#[test]
fn what_was_changed_by_hand_and_holds_a_secret_is_sealed_as_it_is_advised_everywhere() {
    let project = Project::new();
    project.record(
        "cassettes/trains.json",
        &[(ask("Where does the train to Oslo leave?"), answer("chatcmpl-1", "Track two."))],
    );
    let changed = project.read("cassettes/trains.json").replace("to Oslo", &format!("to {}", key()));
    project.write("cassettes/trains.json", changed);
    for words in [&["show", "trains"][..], &["lint", "--files"]] {
        let told = project.run(words);
        let advice: Vec<_> = told.split("cargo cassette seal ").skip(1).collect();
        assert!(!advice.is_empty(), "{told}");
        let whole = |advice: &&str| advice.split([';', '\n']).next().is_some_and(|words| words.ends_with(" --scrub"));
        assert!(advice.iter().all(whole), "{told}");
    }
}

#[test]
fn what_is_hidden_here_and_stands_in_the_file_is_told() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("Where is the train?"), answer("chatcmpl-1", "Here."))]);
    project.commit();
    project.record("cassettes/trains.json", &[(ask("Where is zq81kd02mmx7?"), answer("chatcmpl-1", "Here."))]);
    for words in [&["show", "trains"][..], &["diff", "--base", "HEAD"], &["textconv", "cassettes/trains.json"]] {
        assert!(!project.run(words).contains("stands in the file"), "{words:?}");
    }
    let project = project.with("MY_API_KEY", "zq81kd02mmx7");
    let told = "1 secret is hidden here and stands in the file: cargo cassette scrub ";
    let lines = |words: &[&str]| -> Vec<String> {
        let output = project.output(words);
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        printed.lines().filter(|line| line.contains("in the file")).map(|line| line.trim_start().to_owned()).collect()
    };
    let (name, file) = (format!("{told}trains"), format!("{told}cassettes/trains.json"));
    assert_eq!(lines(&["show", "trains"]), [file.as_str()]);
    assert_eq!(lines(&["show", "trains", "1", "-v"]), [file.as_str()]);
    assert_eq!(lines(&["export", "trains"]), [file.as_str()]);
    let raw = project.output(&["show", "trains", "1", "--raw"]);
    assert_eq!(String::from_utf8(raw.stderr).unwrap(), format!("{file}\n"));
    assert_eq!(lines(&["show", "trains", "--dir", "cassettes"]), [file.replace("scrub", "scrub --dir cassettes")]);
    assert_eq!(lines(&["diff", "--base", "HEAD"]), [name.as_str()]);
    assert_eq!(lines(&["diff", "--base", "HEAD", "--format", "markdown"]), [format!("! {name}")]);
    for words in [&["show", "trains", "--format", "html"][..], &["diff", "--base", "HEAD", "--format", "html"]] {
        let page = project.run(words);
        assert_eq!(page.matches("1 secret is hidden here and stands in the file").count(), 1, "{words:?}: {page}");
    }
    assert_eq!(lines(&["textconv", "cassettes/trains.json"]), [told.replace("scrub ", "lint")]);
    assert!(project.run(&["show", "trains", "--json"]).contains("\"secrets_in_plain\": 1,"));
    let json = project.run(&["diff", "--base", "HEAD", "--json"]).replace(['\n', ' '], "");
    assert!(json.contains("\"secrets_in_plain\":{\"before\":0,\"after\":1}"), "{json}");

    let committed = project.read("cassettes/trains.json");
    project.write("cassettes/other.json", &committed);
    project.commit();
    project.record("cassettes/trains.json", &[(ask("Where is the train?"), answer("chatcmpl-1", "Here."))]);
    assert_eq!(
        lines(&["diff", "--base", "HEAD"]),
        ["before: 1 secret is hidden here and stands in the file as it was"]
    );
    assert_eq!(lines(&["diff", "other", "trains"]), [format!("before: {told}cassettes/other.json")]);

    // What is typed settles it.
    project.run(&["scrub", "cassettes/other.json"]);
    assert!(!project.read("cassettes/other.json").contains("zq81kd02mmx7"));
    assert_eq!(lines(&["show", "other"]), Vec::<String>::new());
}

#[test]
fn of_what_somebody_vouches_for_nothing_is_told() {
    let project = leaky();
    vouch(&project);
    for words in [&["show", "trains"][..], &["diff", "--base", "HEAD"]] {
        let shown = project.run(words);
        assert!(shown.contains(&key()) && !shown.contains("hidden here"), "{words:?}: {shown}");
    }
}

/// Returns a project with a known secret in what no body is: in the head, in the name of a header and of a file, in a member that is
/// unknown; and the secret.
fn spoken() -> (Project, &'static str) {
    let secret = "tulip-gate-99871-xy";
    let project = Project::new();
    project
        .record("cassettes/trains.json", &[(ask("Where does the train leave?"), answer("chatcmpl-1", "Track two."))]);
    let text = project.read("cassettes/trains.json");
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        disk::reseal(&text.replacen(from, to, 1)).unwrap()
    };
    let head = |member: &str| with("  \"redaction\"", &format!("  {member},\n  \"redaction\""));
    project.write("cassettes/header.json", with("x-request-id", &format!("x-{secret}")));
    project.write("cassettes/made.json", head(&format!("\"provider\": \"{secret}\"")));
    project.write("cassettes/forked.json", head(&format!("\"origin\": {{\"cassette\": \"{secret}\", \"at\": 1}}")));
    project.write(
        "cassettes/unknown.json",
        text.replacen("\"request\"", &format!("\"{secret}\": 1,\n      \"request\""), 1),
    );
    project.write(&format!("cassettes/of-{secret}.json"), &text);
    project.commit();
    (project.with("TIMETABLE_API_KEY", secret), secret)
}

#[test]
fn a_secret_that_stands_in_no_body_is_shown_by_nothing() {
    let (project, secret) = spoken();
    let odd = format!("of-{secret}");
    for words in [
        &["list"][..],
        &["list", "--json"],
        &["status"],
        &["status", "--json"],
        &["stats"],
        &["stats", "--json"],
        &["lint", "--files"],
        &["lint", "--files", "--json"],
        &["show", "header", "-v"],
        &["show", "header", "--json"],
        &["show", "header", "--format", "html"],
        &["show", "made", "--json"],
        &["show", "forked"],
        &["show", "forked", "--json"],
        &["show", "unknown"],
        &["show", &odd],
        &["show", &odd, "--json"],
        &["diff", "made", "trains", "--format", "markdown"],
        &["diff", "header", "trains", "--format", "markdown"],
        &["diff", "header", "trains", "--format", "html"],
        &["diff", "forked", "made", "--json"],
        &["textconv", "cassettes/made.json"],
        &["scrub", "-n"],
        &["compact", "-n"],
        &["export", &odd, "-n"],
    ] {
        let output = project.output(words);
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!printed.contains(secret), "{words:?}: {printed}");
    }
    insta::assert_snapshot!(project.run(&["list"]));
    insta::assert_snapshot!(project.run(&["show", "forked"]));
    insta::assert_snapshot!(project.run(&["show", "header", "-v"]));
    insta::assert_snapshot!(project.run(&["diff", "made", "trains", "--format", "markdown"]));
    insta::assert_snapshot!(project.run(&["lint", "--files"]));
}
