//! Functions that the program gives up: recorded where the test allows errors, and let be given up again.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use cassette_test::{Call, Cassette, cassette};
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::time::{sleep, timeout};

use super::effects::{Counting, effect, word};
use crate::asking::question;
use crate::told::base;
use stages::{assert_told, is_set, seen};

/// How long a program of these waits.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is never awaited to its end.
const EVER: Duration = Duration::from_secs(3600);

#[cassette_test::tool]
async fn departs(town: &str, after: u64) -> String {
    effect(town);
    sleep(Duration::from_millis(after)).await;
    format!("from {town} at 09:04")
}

#[cassette("given-up", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_falls_back() {
    let far = timeout(PATIENCE, departs("Bergen", 3_600_000)).await;
    let near = departs("Oslo", 0).await;
    seen(format!("{} {near}", far.is_err()));
}

#[cassette("given-up", mode = "replay", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_falls_back_at_once() {
    seen(departs("Oslo", 0).await);
}

#[cassette("given-up", mode = "replay", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_waits_on() {
    seen(departs("Bergen", 3_600_000).await);
}

#[test]
fn what_a_program_gave_up_it_gives_up_again() {
    let counting = Counting::new();
    assert_eq!(counting.comes_back("given_up::it_falls_back").0, "true from Oslo at 09:04");
    let file: serde_json::Value = serde_json::from_str(&counting.rehearsal.file("given-up")).unwrap();
    let error = serde_json::json!({"class": "timeout", "message": "the program stopped waiting for the reply"});
    assert_eq!(
        (&file["interactions"][0]["error"], &file["interactions"][0]["pace"]),
        (&error, &serde_json::Value::Null)
    );
    assert_told!("unasked", counting.fails("given_up::it_falls_back_at_once", "replay"));
    // Who waits in earnest is told of it.
    let start = Instant::now();
    assert_told!("awaited", counting.fails("given_up::it_waits_on", "replay"));
    assert!(start.elapsed() >= Duration::from_secs(9), "it was held");
    counting.passes("given_up::it_falls_back", "refresh");
    let again: serde_json::Value = serde_json::from_str(&counting.rehearsal.file("given-up")).unwrap();
    assert_eq!(again, file, "nothing changed");
}

#[cassette("given-up-by-a-clock", allow_errors)]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_falls_back_by_a_paused_clock() {
    let start = tokio::time::Instant::now();
    let far = timeout(Duration::from_secs(60), departs("Bergen", 3_600_000)).await;
    seen(format!("{} {:?}", far.is_err(), start.elapsed()));
}

#[test]
fn a_paused_clock_gives_up_at_the_same_moment() {
    assert_eq!(Counting::new().comes_back("given_up::it_falls_back_by_a_paused_clock").0, "true 60s");
}

#[cassette("tried-again")]
#[tokio::test]
#[ignore]
async fn it_tries_again() {
    static TRIES: AtomicU8 = AtomicU8::new(0);
    let asked = || Call::tool("departs", &["Bergen"]);
    let live = || async {
        effect("try");
        if TRIES.fetch_add(1, Ordering::SeqCst) == 0 {
            sleep(EVER).await;
        }
        "09:04".to_owned()
    };
    let mut tries = 0;
    let at = loop {
        tries += 1;
        if let Ok(at) = timeout(PATIENCE, Cassette::current().call(asked(), live)).await {
            break at;
        }
    };
    seen(format!("{at} after {tries}"));
}

#[test]
fn what_is_answered_later_in_the_run_needs_no_leave() {
    assert_eq!(Counting::new().comes_back("given_up::it_tries_again").0, "09:04 after 2");
}

#[cassette("raced", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_races() {
    // Which is asked first, the program leaves to chance.
    let first = tokio::select! {
        near = departs("Oslo", 5) => near,
        far = departs("Bergen", 3_600_000) => far,
    };
    seen(format!("{first} {}", departs("Voss", 0).await));
}

#[cassette("hedged", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_hedges() {
    let mut first = Box::pin(departs("Bergen", 200));
    let found = match timeout(PATIENCE, &mut first).await {
        Ok(found) => found,
        Err(_) => tokio::select! {
            found = &mut first => found,
            found = departs("Oslo", 3_600_000) => found,
        },
    };
    seen(found);
}

#[test]
fn who_lost_a_race_need_not_be_asked_again() {
    for (story, cassette, asked) in
        [("it_races", "raced", vec!["Oslo", "Bergen", "Voss"]), ("it_hedges", "hedged", vec!["Bergen", "Oslo"])]
    {
        let counting = Counting::new();
        let story = format!("given_up::{story}");
        let (_, mut effects) = counting.comes_back(&story);
        effects.sort();
        let mut asked = asked;
        asked.sort_unstable();
        assert_eq!(effects, asked);
        let file = counting.rehearsal.file(cassette);
        assert_eq!(file.matches("stopped waiting").count(), 1, "the loser is kept, asked for or not: {file}");
        for _ in 0..8 {
            counting.passes(&story, "replay");
            counting.passes(&story, "record");
        }
        let strict =
            counting.rehearsal.play_with(&format!("functions::{story}"), "replay", &[("CASSETTE_ORDER", "strict")]);
        assert!(strict.passed, "{}", strict.printed);
        assert_eq!(counting.rehearsal.file(cassette), file);
        assert_eq!(counting.effects().len(), effects.len(), "nothing is done");
    }
}

#[cassette("asked-again")]
#[tokio::test]
#[ignore]
async fn it_asks_the_loser_again() {
    let first = tokio::select! {
        biased;
        near = departs("Oslo", 5) => near,
        far = departs("Bergen", 200) => far,
    };
    seen(format!("{first} {}", departs("Bergen", 200).await));
}

#[cassette("asked-again-of-many")]
#[tokio::test]
#[ignore]
async fn it_asks_those_that_came_late_again() {
    let mut all = stream::iter([("Oslo", 5), ("Bergen", 200), ("Voss", 200)])
        .map(|(town, after)| departs(town, after))
        .buffer_unordered(3);
    let first = all.next().await;
    drop(all);
    seen(format!("{first:?} {} {}", departs("Voss", 200).await, departs("Bergen", 200).await));
}

#[cassette("given-up-beside", allow_errors)]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_gives_up_beside_one_that_answers() {
    let far = timeout(PATIENCE, departs("Bergen", 200));
    let (near, far) = tokio::join!(departs("Oslo", 5), far);
    seen(format!("{near} {} {}", far.is_err(), departs("Bergen", 200).await));
}

#[test]
fn who_lost_a_race_may_be_asked_again_and_who_was_too_slow_is_held_first() {
    for (story, cassette, losers) in [
        ("it_asks_the_loser_again", "asked-again", 1),
        ("it_asks_those_that_came_late_again", "asked-again-of-many", 2),
        ("it_gives_up_beside_one_that_answers", "given-up-beside", 0),
    ] {
        let counting = Counting::new();
        let story = format!("given_up::{story}");
        counting.comes_back(&story);
        let file = counting.rehearsal.file(cassette);
        assert_eq!(file.matches("since another one had come").count(), losers, "{story}: {file}");
        for _ in 0..4 {
            counting.passes(&story, "replay");
            counting.passes(&story, "record");
        }
        assert_eq!(counting.rehearsal.file(cassette), file, "{story}");
    }
}

/// A hedge whose first request is answered at once on replay: the second is never put.
#[test]
fn a_loser_that_nobody_asked_is_told() {
    let counting = Counting::new();
    counting.passes("given_up::it_hedges", "record");
    let told = counting.passes("given_up::it_hedges", "replay").told;
    assert_told!("lost", told);
}

#[cassette("given-up-run", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_falls_back_and_goes_on() {
    fall_back().await;
}

#[cassette("given-up-fork", fork("given-up-run", at = 2), allow_errors)]
#[tokio::test]
#[ignore]
async fn it_forks_behind_what_it_gave_up() {
    fall_back().await;
}

#[cassette("given-up-live", fork("given-up-run", at = 2))]
#[tokio::test]
#[ignore]
async fn it_forks_without_leave() {
    fall_back().await;
}

async fn fall_back() {
    let far = timeout(PATIENCE, departs("Bergen", 3_600_000)).await;
    let near = departs("Oslo", 0).await;
    let late = match is_set("STORY_LATE") {
        true => timeout(PATIENCE, departs("Voss", 3_600_000)).await.is_err().to_string(),
        false => departs("Voss", 0).await,
    };
    seen(format!("{} {near} {late}", far.is_err()));
}

#[test]
fn what_was_given_up_before_a_fork_is_given_up_again_and_behind_it_another_may_be() {
    let counting = Counting::new();
    counting.passes("given_up::it_falls_back_and_goes_on", "record");
    assert_eq!(counting.effects(), ["Bergen", "Oslo", "Voss"]);
    let counting = counting.with("STORY_LATE", "1");
    let live = counting.passes("given_up::it_forks_behind_what_it_gave_up", "record");
    assert_eq!((live.seen.as_str(), counting.effects().len()), ("true from Oslo at 09:04 true", 4));
    let file: serde_json::Value = serde_json::from_str(&counting.rehearsal.file("given-up-fork")).unwrap();
    let classes = file["interactions"].as_array().unwrap().iter().map(|one| one["error"]["class"].as_str());
    assert_eq!(classes.collect::<Vec<_>>(), [Some("timeout"), None, Some("timeout")]);
    for _ in 0..3 {
        let replayed = counting.passes("given_up::it_forks_behind_what_it_gave_up", "replay");
        assert_eq!((replayed.seen.as_str(), counting.effects().len()), (live.seen.as_str(), 4));
    }
    counting.passes("given_up::it_forks_behind_what_it_gave_up", "refresh");
    // Before the fork no leave is needed, behind it as ever.
    let told = counting.fails("given_up::it_forks_without_leave", "record");
    assert_told!("fork_without_leave", told);
    let counting = Counting::new();
    counting.passes("given_up::it_falls_back_and_goes_on", "record");
    counting.passes("given_up::it_forks_without_leave", "record");
    counting.passes("given_up::it_forks_without_leave", "replay");
}

#[cassette_test::tool]
async fn asks(town: &str) -> bool {
    effect(town);
    let asked = reqwest::Client::new().post(format!("{}/chat/completions", base(&Cassette::current())));
    asked.json(&question(town)).send().await.is_ok()
}

#[cassette("given-up-within", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_gives_up_what_asks() {
    let far = timeout(Duration::from_millis(300), asks("Bergen")).await;
    seen(format!("{}", far.is_err()));
}

#[test]
fn what_it_asked_is_within_it() {
    let counting = Counting::answering(|_| {
        std::thread::sleep(Duration::from_millis(900));
        stages::Answer::Nothing
    });
    counting.comes_back("given_up::it_gives_up_what_asks");
    let file: serde_json::Value = serde_json::from_str(&counting.rehearsal.file("given-up-within")).unwrap();
    let facts = file["interactions"].as_array().unwrap().iter();
    let facts: Vec<_> =
        facts.map(|one| (one["kind"].clone(), one["within"].clone(), one["error"]["class"].clone())).collect();
    let facts = serde_json::to_string(&facts).unwrap();
    assert_eq!(facts, r#"[["tool",null,"timeout"],["http",1,"timeout"]]"#);
}

#[cassette_test::llm]
async fn spoken(text: &str) -> impl Stream<Item = String> + use<> {
    sleep(EVER).await;
    stream::iter([text.to_owned()])
}

#[cassette_test::llm]
async fn try_spoken(text: &str) -> std::io::Result<impl Stream<Item = String> + use<>> {
    sleep(EVER).await;
    Ok(stream::iter([text.to_owned()]))
}

#[cassette("given-up-streams", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_gives_up_streams() {
    let one = timeout(PATIENCE, async { spoken("one").await.collect::<Vec<_>>().await }).await;
    let other = timeout(PATIENCE, try_spoken("other")).await;
    seen(format!("{} {}", one.is_err(), other.is_err()));
}

#[test]
fn so_is_it_with_what_gives_a_stream_in_the_end() {
    assert_eq!(Counting::new().comes_back("given_up::it_gives_up_streams").0, "true true");
}

#[cassette("given-up-once", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_waits_no_more(cassette: Cassette) {
    let asked = Call::tool("departs", &["Bergen"]);
    if word("STORY_WAITS").is_empty() {
        let given = timeout(PATIENCE, cassette.call(asked, || async { sleep(EVER).await })).await;
        assert!(given.is_err());
    } else {
        cassette.call_blocking(asked, || ());
    }
}

#[test]
fn a_function_that_nobody_can_give_up_any_more_fails_at_once() {
    let counting = Counting::new();
    counting.passes("given_up::it_waits_no_more", "record");
    let start = Instant::now();
    assert_told!("blocking", counting.with("STORY_WAITS", "1").fails("given_up::it_waits_no_more", "replay"));
    assert!(start.elapsed() < Duration::from_secs(9), "it was not held");
}

#[cassette("left-alone", allow_errors)]
#[tokio::test]
#[ignore]
async fn it_leaves_a_task_alone(cassette: Cassette) {
    drop(tokio::spawn(cassette.scope(async { departs("Bergen", 3_600_000).await })));
    departs("Oslo", 5).await;
}

#[test]
fn what_outlives_its_test_was_given_up_by_nobody() {
    assert_told!("left_alone", Counting::new().fails("given_up::it_leaves_a_task_alone", "record"));
}

#[cassette_test::tool]
fn looks_up(town: &str) -> String {
    effect(town);
    std::thread::sleep(PATIENCE * 4);
    format!("{town} at 09:04")
}

#[cassette("given-up-blocking")]
#[tokio::test]
#[ignore]
async fn it_does_not_wait_for_a_thread(cassette: Cassette) {
    let found = tokio::task::spawn_blocking(cassette.scoped(|| looks_up("Bergen")));
    let patience = if is_set("STORY_WAITS") { EVER } else { PATIENCE };
    seen(format!("{:?}", timeout(patience, found).await.map(Result::unwrap).ok()));
}

#[test]
fn a_function_on_a_thread_of_its_own_runs_to_its_end_and_gives_that() {
    let counting = Counting::new();
    assert_eq!(counting.passes("given_up::it_does_not_wait_for_a_thread", "record").seen, "None");
    let counting = counting.with("STORY_WAITS", "1");
    let found = counting.passes("given_up::it_does_not_wait_for_a_thread", "replay").seen;
    assert_eq!((found.as_str(), counting.effects()), ("Some(\"Bergen at 09:04\")", vec!["Bergen".to_owned()]));
}
