//! A program whose prompts may not be committed: what it asks is kept as digests, and nothing else is different.

use std::fs;
use std::path::Path;

use cassette_test::{Cassette, Requests, cassette};
use stages::{Answer, Rehearsal, Request, assert_told, seen};

use crate::asking::{must_ask, towns};

const STORY: &str = "digests::it_asks_discreetly";
const IN_CODE: &str = "digests::it_asks_discreetly_in_code";

#[cassette("discreet", requests = "digest")]
#[test]
#[ignore]
fn it_asks_discreetly(cassette: Cassette) {
    let answers: Vec<_> = towns().iter().map(|town| must_ask(&cassette, town)).collect();
    let asked =
        cassette.calls().iter().map(|call| String::from_utf8_lossy(&call.body).into_owned()).collect::<Vec<_>>();
    assert!(towns().iter().zip(&asked).all(|(town, asked)| asked.contains(town)), "the run knows its own prompts");
    seen(answers.join("\n"));
}

#[test]
#[ignore]
fn it_asks_discreetly_in_code() {
    let session = Cassette::builder("discreet").requests(Requests::Digest).open().unwrap();
    let answers: Vec<_> = towns().iter().map(|town| must_ask(&session, town)).collect();
    seen(answers.join("\n"));
    session.finish().unwrap();
}

/// Answers without repeating the question.
fn laconic(request: &Request) -> Answer {
    Answer::json(200, &format!(r#"{{"answer":"To this question of {} bytes: 09:04."}}"#, request.body.len()))
}

/// Returns every file that a run leaves behind, as one text.
fn left(dir: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        all.push_str(&if path.is_dir() { left(&path) } else { fs::read_to_string(&path).unwrap_or_default() });
    }
    all
}

#[track_caller]
fn check(story: &str) -> Rehearsal {
    let rehearsal = Rehearsal::of(laconic).with("STORY_ASKS", "Bergen,Trondheim");
    let live = rehearsal.passes(story, "record");
    assert_eq!(rehearsal.passes(story, "replay").seen, live.seen);
    rehearsal.passes(story, "refresh");
    let rehearsal = rehearsal.with("STORY_ASKS", "Trondheim,Bergen");
    rehearsal.passes(story, "replay");
    let all = left(&rehearsal.stage.cassettes());
    assert!(all.contains("To this question of"), "replies are kept in full");
    for said in ["Bergen", "Trondheim", "timetable", "When is", "gpt-4o-mini"] {
        assert!(!all.contains(said), "`{said}` is in {all}");
    }
    rehearsal
}

#[test]
fn nothing_of_a_prompt_is_left_behind_and_it_replays() {
    let rehearsal = check(STORY).with("STORY_ASKS", "Trondheim,Voss");
    assert_told!("digests_another_question", rehearsal.fails(STORY, "replay"));
    rehearsal.passes(STORY, "record");
    rehearsal.passes(STORY, "replay");
}

#[test]
fn a_session_in_code_keeps_digests_too() {
    check(IN_CODE);
}
