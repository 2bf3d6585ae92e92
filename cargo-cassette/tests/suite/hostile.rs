//! What was recorded came from outside: no verb lets it drive a terminal, nor make a reader read another text.

use crate::project::Project;
use crate::recordings::{chat, json, pieces};

/// What a terminal would obey, and what turns a text around: a control sequence introducer of one character, an override of direction, an
/// isolate, a mark, a line separator, a tag, and the byte that deletes.
const HOSTILE: &str = "\u{9b}31mred\u{202e}txt.exe\u{2066}\u{200f}\u{2028}\u{e0041}\u{7f}";

fn project() -> Project {
    let project = Project::new();
    let ask =
        format!(r#"{{"model":"m{HOSTILE}","messages":[{{"role":"user","content":"{HOSTILE}"}}],"x{HOSTILE}":1}}"#);
    let said = format!(
        r#"{{"id":"c","model":"m{HOSTILE}","choices":[{{"index":0,"message":{{"role":"assistant","content":"{HOSTILE}"}},"finish_reason":"{HOSTILE}"}}]}}"#
    );
    let failed = format!(r#"{{"error":{{"message":"{HOSTILE}","type":"{HOSTILE}"}}}}"#);
    let body = format!("data: {HOSTILE}\n\n");
    let stream = pieces(200, "text/event-stream", &[&body]);
    project.record(
        "cassettes/a.json",
        &[(chat(&ask), json(200, &said)), (chat(&ask), json(500, &failed)), (chat(&ask), stream)],
    );
    project.commit();
    let changed = ask.replace("red", "blue");
    project.record("cassettes/a.json", &[(chat(&changed), json(200, &said.replace("red", "blue")))]);
    project.write("cassettes/torn.json", format!("{{\"cassette\": 1, \"{HOSTILE}\": ]"));
    let why = format!("  \"pending\": {{\"why\": \"{HOSTILE}\", \"what\": [\"{HOSTILE}\"]}},\n  \"interactions\"");
    let pending = project.read("cassettes/a.json").replacen("  \"interactions\"", &why, 1);
    project.write("cassettes/.pending/b.json", pending);
    project
}

/// Every verb that tells of what was recorded, in each of its ways.
const VERBS: [&[&str]; 22] = [
    &["list"],
    &["list", "--json"],
    &["status"],
    &["status", "--json"],
    &["stats"],
    &["stats", "--json"],
    &["show", "a", "-v"],
    &["show", "a", "--json"],
    &["show", "a", "--format", "html"],
    &["show", "torn"],
    &["diff", "--base", "HEAD"],
    &["diff", "--base", "HEAD", "--json"],
    &["diff", "--base", "HEAD", "--format", "markdown"],
    &["diff", "--base", "HEAD", "--format", "html"],
    &["lint", "--files"],
    &["lint", "--files", "--json"],
    &["lint", "--files", "--format", "github"],
    &["review"],
    &["review", "--json"],
    &["export", "a"],
    &["textconv", "cassettes/a.json"],
    &["textconv", "cassettes/torn.json"],
];

#[test]
fn no_verb_hands_on_what_drives_a_terminal() {
    let project = project();
    for verb in VERBS {
        let told = project.run(verb);
        let hidden: Vec<char> = told.chars().filter(|c| HOSTILE.contains(*c) && !c.is_ascii_graphic()).collect();
        assert!(hidden.is_empty(), "{verb:?} prints {hidden:?}: {told:?}");
        assert!(!told.contains("unexpected argument"), "{told}");
    }
    assert!(project.run(&["review"]).contains(r"not taken over: \u{9b}31mred"), "what is pending is read");
    // It is there all the same, for whoever parses it.
    let told = project.run(&["show", "a", "--json"]);
    assert!(told.contains(r"\u009b31mblue\u202etxt.exe\u2066\u200f\u2028\udb40\udc41\u007f"), "{told}");
}

#[test]
fn json_is_one_word_for_every_verb() {
    let project = project();
    for verb in [&["show", "a"][..], &["diff", "--base", "HEAD"], &["lint", "--files"]] {
        let with = |words: &[&str]| project.run(&[verb, words].concat());
        assert_eq!(with(&["--json"]), with(&["--format", "json"]), "{verb:?}");
        assert!(with(&["--json", "--format", "text"]).contains("cannot be used with"), "{verb:?}");
    }
}
