//! A cassette as the conversation that it is: `show`.

use cassette_core::reply::{Outcome, Truncation};

use crate::project::{Project, digests, document};
use crate::recordings::{answer, ask, conversation, json, pieces};

fn project() -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    project
}

#[test]
fn a_conversation_reads_as_one() {
    insta::assert_snapshot!(project().run(&["show", "trains"]));
}

#[test]
fn everything_that_was_recorded() {
    insta::assert_snapshot!(project().run(&["show", "trains", "--verbose"]));
}

#[test]
fn one_interaction_alone() {
    insta::assert_snapshot!(project().run(&["show", "cassettes/trains.json", "2"]));
    insta::assert_snapshot!(project().run(&["show", "trains", "9"]));
}

#[test]
fn a_conversation_for_programs() {
    insta::assert_snapshot!(project().run(&["show", "trains", "--json", "1"]));
}

#[test]
fn a_body_comes_out_byte_for_byte() {
    let project = Project::new();
    let body = "line one\r\nREDACTED.x.1 is no placeholder\u{1b}[0m";
    project.record(
        "cassettes/trains.json",
        &[(ask("When?"), pieces(200, "text/plain", &[body])), conversation().remove(3)],
    );
    let output = project.output(&["show", "trains", "1", "--raw"]);
    assert_eq!((output.status.code(), output.stdout.as_slice(), output.stderr.len()), (Some(0), body.as_bytes(), 0));
    insta::assert_snapshot!(project.run(&["show", "trains", "--raw"]));
    insta::assert_snapshot!(project.run(&["show", "trains", "2", "--raw"]));
}

#[test]
fn what_was_recorded_cannot_drive_the_terminal() {
    let project = Project::new();
    let text = r"\u001b]0;title\u0007\u001b[2Jgone \u202eesrever\u202c\tafter";
    project.record("cassettes/trains.json", &[(ask(text), answer("chatcmpl-1", text))]);
    insta::assert_snapshot!(project.run(&["show", "trains", "--color", "never"]));
    let output = project.output(&["show", "trains", "-v", "--color", "always"]);
    let out = String::from_utf8(output.stdout).unwrap();
    let escapes: std::collections::BTreeSet<_> =
        out.split('\u{1b}').skip(1).map(|rest| rest.split('m').next().unwrap()).collect();
    assert!(
        escapes.iter().all(|escape| escape.starts_with('[') && escape[1..].bytes().all(|b| b.is_ascii_digit())),
        "{escapes:?}"
    );
}

#[test]
fn long_texts_are_cut_unless_all_is_asked_for() {
    let project = Project::new();
    let lines: String = (1..=40).map(|i| format!("line {i}\\n")).collect();
    let wide = format!(r#"{{"token":"{}","at":"09:04"}}"#, "0123456789 ".repeat(50));
    project.record(
        "cassettes/trains.json",
        &[
            (ask("When?"), answer("chatcmpl-1", &lines)),
            (
                cassette_core::call::Call::http("GET", "https://timetable.example.com/", vec![], vec![]),
                json(200, &wide),
            ),
        ],
    );
    insta::assert_snapshot!(project.run(&["show", "trains"]));
    let all = String::from_utf8(project.output(&["show", "trains", "-v"]).stdout).unwrap();
    assert!(all.contains("line 40\n") && all.contains(&"0123456789 ".repeat(50)));
}

#[test]
fn a_text_of_one_endless_line_is_cut_too() {
    let project = Project::new();
    project.commit_empty();
    let long = "At nine or so. ".repeat(600);
    project.record("cassettes/trains.json", &[(ask(&long), answer("chatcmpl-1", &long))]);
    let told = project.run(&["show", "trains"]);
    assert!(told.len() < 8_000, "{} bytes", told.len());
    assert_eq!(told.matches("… 6,000 more characters, shown with -v\n").count(), 2, "{told}");
    let all = String::from_utf8(project.output(&["show", "trains", "-v"]).stdout).unwrap();
    assert_eq!(all.matches(long.trim_end()).count(), 2);

    // Beside something else there is no option that shows more.
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert_eq!(told.matches("… 6,000 more characters\n").count(), 2, "{told}");
}

#[test]
fn a_file_that_cannot_be_read_says_what_to_do() {
    let project = Project::new();
    let sound = document(&conversation());
    project.write("cassettes/edited.json", sound.replace("never guess", "always guess"));
    project.write("cassettes/newer.json", sound.replace("\"needs\": []", "\"needs\": [\"holograms\"]"));
    insta::assert_snapshot!(project.run(&["show", "edited"]));
    insta::assert_snapshot!(project.run(&["show", "newer"]));
}

#[test]
fn what_is_kept_as_digests_is_told_as_such() {
    let project = Project::new();
    let exchanges = [(ask("Where?"), answer("c", "There.")), (ask("When?"), answer("d", "At 9."))];
    project.write("cassettes/trains.json", digests(&exchanges));
    insta::assert_snapshot!(project.run(&["show", "trains"]));
    insta::assert_snapshot!(project.run(&["list"]));
    project.commit();
    let changed = [(ask("Where to?"), answer("c", "There.")), (ask("When?"), answer("d", "At 10."))];
    project.write("cassettes/trains.json", digests(&changed));
    insta::assert_snapshot!(project.run(&["diff", "--base", "HEAD"]));
}

#[test]
fn what_was_asked_within_a_function_is_told_to_be() {
    let project = project();
    let text = project.read("cassettes/trains.json");
    let second = text.match_indices("\"key\": ").nth(1).unwrap().0;
    let marked = format!("{}\"within\": 1,\n      {}", &text[..second], &text[second..]);
    project.write("cassettes/trains.json", cassette_core::disk::reseal(&marked).unwrap());
    let shown = project.run(&["show", "trains"]);
    assert_eq!(shown.lines().filter(|line| line.ends_with(" · within 1")).count(), 1, "{shown}");
    assert!(shown.contains("\n  2  POST https://api.openai.com/v1/chat/completions · within 1\n"), "{shown}");
    assert!(project.run(&["show", "trains", "2", "--json"]).contains("\"within\": 1,"));
    assert!(project.run(&["show", "trains", "1", "--json"]).contains("\"within\": null,"));
    assert_eq!(project.run(&["show", "trains", "--format", "html"]).matches("within 1").count(), 1);
    assert!(project.run(&["textconv", "cassettes/trains.json"]).contains(" · within a function\n"));
}

#[test]
fn an_error_of_whose_body_nothing_was_read_has_no_empty_line() {
    let project = Project::new();
    let mut unread = pieces(503, "application/json", &[]);
    if let Outcome::Reply(reply) = &mut unread {
        reply.truncated = Some(Truncation::Left);
    }
    project.record("cassettes/outage.json", &[(ask("When?"), answer("c", "At nine.")), (ask("How much?"), unread)]);
    let told = project.run(&["show", "outage", "2"]);
    let ending = "     answered  503\n          cut  here: the program read nothing of what was answered\n";
    assert!(told.contains(ending) && !told.contains("error"), "{told}");
    let json = project.run(&["show", "outage", "2", "--json"]);
    assert!(json.contains("read nothing of what was answered") && !json.contains("\"error\""), "{json}");
}
