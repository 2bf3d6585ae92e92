//! Runs that explore: a program that has drifted is answered with what is recorded all the same, and says so.

use std::process::Command;

use cassette_test::{Call, Cassette, Json, Order, cassette};

use crate::asking::{must_ask, timetable, towns};
use stages::{Rehearsal, assert_told, seen, var};

#[cassette("exploring")]
#[test]
#[ignore]
fn it_asks(cassette: Cassette) {
    seen(towns().iter().map(|town| must_ask(&cassette, town)).collect::<Vec<_>>().join("\n"));
}

const STORY: &str = "exploring::it_asks";

/// Records what is asked for these towns, and lets the program ask for those.
fn drifted(recorded: &str, asked: &str, order: &str) -> Rehearsal {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", recorded);
    rehearsal.passes(STORY, "record");
    rehearsal.with("STORY_ASKS", asked).with("CASSETTE_ORDER", order)
}

#[test]
fn an_ordered_run_answers_by_position_and_says_what_drifted() {
    let rehearsal = drifted("Bergen,Voss,Oslo", "Bergen,Myrdal,Voss", "ordered");
    let asked = rehearsal.asked();
    let before = rehearsal.file("exploring");
    let replayed = rehearsal.passes(STORY, "replay");
    let leaving: Vec<_> =
        ["Bergen", "Voss", "Oslo"].map(|town| replayed.seen.find(&format!("to {town} leaves"))).into();
    assert!(leaving.is_sorted() && leaving.iter().all(Option::is_some), "{}", replayed.seen);
    assert_eq!((rehearsal.asked(), rehearsal.file("exploring")), (asked, before), "nothing is called or written");
    assert_told!("ordered", replayed.told);
}

#[test]
fn a_fuzzy_run_answers_what_is_alike_and_no_other_question() {
    let rehearsal = drifted("Bergen,Voss", "Voss station,Bergen", "fuzzy");
    let replayed = rehearsal.passes(STORY, "replay");
    assert!(replayed.seen.starts_with(r#"{"answer":"The train to Voss leaves"#), "{}", replayed.seen);
    assert_told!("fuzzy", replayed.told);
    let exacting = rehearsal.with("CASSETTE_ORDER", "fuzzy:0.99:4");
    assert_told!("fuzzy_exacting", exacting.fails(STORY, "replay"));
}

#[test]
fn what_a_run_explored_is_told_past_libtest() {
    let rehearsal = drifted("Bergen", "Voss", "ordered");
    let told = rehearsal.stage.command(STORY, "replay").unwrap();
    let mut quiet = Command::new(told.get_program());
    quiet.args(told.get_args().filter(|argument| *argument != "--nocapture"));
    quiet.env_clear().envs(told.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ended = quiet.output().unwrap();
    assert!(ended.status.success());
    assert_told!("past_libtest", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn ci_has_none_of_it() {
    let rehearsal = drifted("Bergen", "Bergen", "fuzzy").with("CI", "true");
    assert_told!("in_ci", rehearsal.fails(STORY, "replay"));
    assert!(rehearsal.with("CASSETTE_ORDER", "").play(STORY, "replay").passed);
}

#[test]
#[ignore]
fn it_asks_as_it_likes() {
    let likes =
        |recorded: &str, incoming: &str| f64::from(u8::from(recorded.contains("Voss") && incoming.contains("Oslo")));
    let builder = Cassette::builder("exploring").order(Order::Fuzzy).threshold(1.0).window(2).similarity(likes);
    let session = builder.open().unwrap();
    seen(towns().iter().map(|town| must_ask(&session, town)).collect::<Vec<_>>().join("\n"));
    session.finish().unwrap();
}

#[test]
fn a_session_in_code_has_a_similarity_of_its_own_and_prints_what_it_served() {
    let rehearsal = drifted("Bergen,Voss", "Oslo,Bergen", "strict");
    let replayed = rehearsal.passes("exploring::it_asks_as_it_likes", "replay");
    assert!(replayed.seen.starts_with(r#"{"answer":"The train to Voss leaves"#), "{}", replayed.seen);
    assert_told!("own_similarity", replayed.told);
}

/// Takes a question for another one's that ends in as many letters.
fn as_long(recorded: &Call, incoming: &Call) -> bool {
    let asked = |call: &Call| Json::parse(std::str::from_utf8(&call.body).ok()?).ok();
    let length = |call| Some(asked(call)?.get("messages")?.elements().last()?.get("content")?.as_str()?.len());
    length(recorded) == length(incoming)
}

#[cassette("matched", matcher(as_long))]
#[test]
#[ignore]
fn it_asks_by_its_own_measure(cassette: Cassette) {
    assert!(!var("STORY_ASKS").is_empty());
    seen(towns().iter().map(|town| must_ask(&cassette, town)).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_matcher_of_one_s_own_records_and_replays() {
    let story = "exploring::it_asks_by_its_own_measure";
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Oslo,Bergen");
    rehearsal.passes(story, "record");
    let asked = rehearsal.asked();
    let rehearsal = rehearsal.with("STORY_ASKS", "Myrdal,Voss");
    let before = rehearsal.file("matched");
    let recorded = rehearsal.passes(story, "record");
    let replayed = rehearsal.passes(story, "replay");
    assert_eq!((recorded.seen, asked, before), (replayed.seen.clone(), rehearsal.asked(), rehearsal.file("matched")));
    assert!(replayed.seen.starts_with(r#"{"answer":"The train to Bergen leaves"#), "{}", replayed.seen);
    assert_told!("own_matcher", replayed.told);
    let told = rehearsal.with("STORY_ASKS", "Trondheim").fails(story, "replay");
    assert!(
        told.contains("\n  the test's matcher was asked about 2 recordings, and takes none for this call's\n"),
        "{told}"
    );
}
