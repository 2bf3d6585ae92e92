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

/// What drives a terminal by a byte: a title, a bell, the beginning of the line, a step back, another character set.
const DRIVING: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\r\u{8}\u{e}";

#[test]
fn nothing_that_names_or_describes_a_cassette_drives_a_terminal() {
    let escaped = DRIVING.chars().map(|c| if c.is_control() { format!("\\u{:04x}", u32::from(c)) } else { c.into() });
    let escaped: String = escaped.collect();
    let project = Project::new().with("CASSETTE_ORDER", DRIVING).with("CASSETTE_MODE", DRIVING);
    let body = format!(r#"{{"model":"m{escaped}","messages":[{{"role":"user","content":"{escaped}"}}]}}"#);
    let said = format!(r#"{{"error":{{"message":"{escaped}","type":"{escaped}"}}}}"#);
    project.record("cassettes/a.json", &[(chat(&body), json(200, &said))]);
    project.commit();
    let text = project.read("cassettes/a.json");
    let head = format!(
        "  \"test\": \"suite::{escaped}\",\n  \"package\": \"{escaped}\",\n  \"recorded\": \"{escaped}\",\n  \"by\": \"{escaped}\",\n  \"x{escaped}\": \"{escaped}\","
    );
    let start = text.find("  \"test\"").unwrap();
    let end = text.find("  \"redaction\"").unwrap();
    let marked = [&text[..start], &head, "\n", &text[end..]].concat();
    project.write("cassettes/marked.json", &marked);
    project.write("cassettes/edited.json", marked.replace("\"role\": \"user\"", "\"role\": \"system\""));
    project
        .write("cassettes/fields.json", marked.replace("\"redaction\"", &format!("\"{escaped}\": 1, \"redaction\"")));
    project.write("cassettes/newer.json", marked.replace("\"needs\": []", &format!("\"needs\": [\"{escaped}\"]")));
    project.write("cassettes/torn.json", format!("{{\"cassette\": 1, \"{DRIVING}"));
    project.write(&format!("cassettes/{DRIVING}.json"), &marked);
    project.write(&format!("cassettes/{DRIVING}.json.orig"), &marked);
    project.write(&format!("cassettes/.{DRIVING}.json"), &marked);
    project.write(&format!("cassettes/.pending/{DRIVING}.journal"), format!("{{\"{DRIVING}"));
    project.write(&format!("cassettes/.pending/{DRIVING}.txt"), "");
    project.write("cassettes/allow.json", format!("[{{\"{escaped}\": 1}}]"));
    project.write("cassette.toml", format!("\"{escaped}\" = 1\norder = \"{escaped}\"\nallow_hosts = \"{escaped}\"\n"));
    let har = format!(
        r#"{{"log":{{"entries":[{{"request":{{"method":"{escaped}","url":"https://a.test/{escaped}","headers":[{{"name":"{escaped}","value":"{escaped}"}}]}},"response":{{"status":0,"_error":"{escaped}"}}}},{{"request":{{"method":"{escaped}","url":"{escaped}:x"}},"response":{{"status":200}}}}]}}}}"#
    );
    project.write(&format!("{DRIVING}.har"), har);
    let (har, settings) = (format!("{DRIVING}.har"), "cassette.toml");
    let verbs: Vec<Vec<&str>> = VERBS.iter().map(|verb| verb.to_vec()).collect();
    let more: [&[&str]; 20] = [
        &["show", "marked"],
        &["show", "edited"],
        &["show", "fields"],
        &["show", "newer"],
        &["show", DRIVING],
        &["show", DRIVING, "--format", "html"],
        &["diff", "a", "marked"],
        &["diff", "a", "marked", "--format", "markdown"],
        &["diff", "--base", DRIVING],
        &["seal", "edited", "-n"],
        &["fork", "marked", "--at", "1", DRIVING],
        &["compact", "-n"],
        &["scrub", "-n"],
        &["recover", "-n"],
        &["import", &har],
        &["import", &har, "--json"],
        &["export", "marked", "-o", DRIVING, "-n"],
        &["delete", DRIVING, "-n"],
        &["stats", DRIVING, "--price", DRIVING],
        &["list", DRIVING],
    ];
    for verb in [&["list"][..], &["status"], &["lint", "--files"]] {
        assert!(project.run(verb).contains(r"\u{1b}]0;x"), "it is told: {verb:?}");
    }
    for _ in 0..2 {
        for verb in verbs.iter().map(Vec::as_slice).chain(more) {
            let told = project.run(verb);
            let driving: Vec<char> = told.chars().filter(|c| c.is_control() && *c != '\n').collect();
            assert!(driving.is_empty(), "{verb:?} prints {driving:?}: {told:?}");
        }
        // Once with settings that are wrong, and once without.
        std::fs::remove_file(project.path(settings)).unwrap_or_default();
    }
}
