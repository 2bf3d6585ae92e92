//! Cassettes that are missing, damaged, newer, in conflict or edited by hand.

use cassette_test::{Cassette, cassette};

use crate::asking::{must_ask, timetable, towns};
use stages::{Rehearsal, assert_told, seen};

const STORY: &str = "files::it_reads";

#[cassette("read")]
#[test]
#[ignore]
fn it_reads(cassette: Cassette) {
    seen("the body has begun");
    seen(towns().iter().map(|town| must_ask(&cassette, town)).collect::<Vec<_>>().join("\n"));
}

/// Edits what was recorded, and expects the replay to fail before the body begins, and to pass once the test was recorded
/// anew.
#[track_caller]
fn check(name: &str, edit: impl Fn(&str) -> String) {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss");
    let live = rehearsal.passes(STORY, "record");
    rehearsal.edit("read", edit);
    let edited = rehearsal.file("read");
    let played = rehearsal.play(STORY, "replay");
    assert!(!played.passed, "{}", played.printed);
    assert_eq!(played.seen, "", "the body does not begin: {}", played.printed);
    assert_told!(name, played.told);
    rehearsal.fails(STORY, "record");
    assert_eq!(rehearsal.file("read"), edited, "neither writes anything");
    rehearsal.passes(STORY, "refresh");
    assert_eq!(rehearsal.passes(STORY, "replay").seen, live.seen);
}

#[test]
fn there_is_none() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    let played = rehearsal.play(STORY, "replay");
    assert_eq!((played.passed, played.seen.as_str()), (false, ""), "the body does not begin: {}", played.printed);
    assert_told!("missing", played.told);
    assert!(!rehearsal.stage.cassettes().exists(), "a replay leaves nothing behind");
}

#[test]
fn it_was_cut_short() {
    check("torn", |text| text[..text.len() / 2].to_owned());
}

#[test]
fn it_is_empty() {
    check("empty", |_| String::new());
}

#[test]
fn it_is_in_conflict() {
    let head = "<<<<<<< HEAD\n  \"recorded\": \"2026-01-01\",\n=======\n";
    check("conflicted", |text| {
        let at = text.find("  \"recorded\"").unwrap();
        let end = at + text[at..].find('\n').unwrap() + 1;
        format!("{}{head}{}>>>>>>> theirs\n{}", &text[..at], &text[at..end], &text[end..])
    });
}

#[test]
fn an_answer_was_edited_by_hand() {
    check("edited_answer", |text| text.replacen("Voss leaves at 09:04", "Voss leaves at 09:14", 1));
}

#[test]
fn a_request_was_edited_by_hand() {
    check("edited_request", |text| text.replacen("next train to Voss?", "next train to Oslo?", 1));
}

#[test]
fn a_member_was_added_that_nobody_knows() {
    check("unknown_member", |text| text.replacen("      \"kind\"", "      \"mood\": 1,\n      \"kind\"", 1));
}

/// Nothing records over what a newer version wrote.
#[track_caller]
fn check_newer(name: &str, from: &str, to: &str) {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    rehearsal.passes(STORY, "record");
    rehearsal.edit("read", |text| text.replacen(from, to, 1));
    let edited = rehearsal.file("read");
    assert_told!(name, rehearsal.fails(STORY, "replay"));
    for mode in ["record", "refresh"] {
        rehearsal.fails(STORY, mode);
        assert_eq!(rehearsal.file("read"), edited, "{mode} leaves it alone");
    }
}

#[test]
fn it_is_of_a_newer_format() {
    check_newer("newer", "\"cassette\": 1", "\"cassette\": 7");
}

#[test]
fn it_needs_what_is_not_there_yet() {
    check_newer("needy", "\"needs\": []", "\"needs\": [\"holograms\"]");
}

#[test]
fn a_checkout_with_other_line_ends_is_the_same() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss");
    let live = rehearsal.passes(STORY, "record");
    rehearsal.edit("read", |text| text.replace('\n', "\r\n"));
    assert_eq!(rehearsal.passes(STORY, "replay").seen, live.seen);
    let edited = rehearsal.file("read");
    rehearsal.passes(STORY, "record");
    assert_eq!(rehearsal.file("read"), edited, "nothing changed");
}
