//! Calls that were not recorded, functions that panic, and functions without a cassette.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::Duration;

use cassette_test::{Call, ErrorKind, ReplayedError, cassette};

use super::effects::{Counting, effect, word};
use crate::asking::must_ask;
use stages::{assert_told, seen};

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is told and forgotten")]
enum Failed {
    Town,
    Replayed(ReplayedError),
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed")
    }
}

impl From<ReplayedError> for Failed {
    fn from(error: ReplayedError) -> Failed {
        match error.kind {
            ErrorKind::Recorded => Failed::Town,
            _ => Failed::Replayed(error),
        }
    }
}

#[cassette_test::tool]
async fn departures(town: &str) -> Result<u8, Failed> {
    effect(town);
    match town {
        "Nowhere" => Err(Failed::Town),
        town => Ok(town.len() as u8),
    }
}

#[cassette_test::tool]
async fn distance(town: &str) -> u8 {
    effect(town);
    town.len() as u8
}

#[cassette_test::tool]
fn platform(town: &str) -> io::Result<u8> {
    effect(town);
    Ok(town.len() as u8)
}

fn town() -> String {
    word("STORY_TOWN")
}

#[cassette("abandoned")]
#[tokio::test]
#[ignore]
async fn it_tries_for_ever() {
    let mut tries = 0;
    while departures(&town()).await.is_err() {
        tries += 1;
        seen(format!("{tries} tries"));
        tokio::time::sleep(Duration::from_secs(3600)).await;
    }
    distance(&town()).await;
}

#[cassette("erring", on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_sees_the_error() {
    let failed = departures(&town()).await;
    let Err(Failed::Replayed(error)) = failed else { return };
    let platform = platform(&town()).map_err(|error| error.to_string().lines().next().map(str::to_owned));
    seen(format!("{:?}\n{error}\n{platform:?}", error.code));
}

#[cassette("spawned")]
#[tokio::test(flavor = "multi_thread")]
#[ignore]
async fn it_asks_in_a_task(cassette: cassette_test::Cassette) {
    let failed = tokio::spawn(cassette.scope(async { departures(&town()).await })).await.unwrap();
    let distance = tokio::spawn(cassette.scope(async { distance(&town()).await })).await;
    seen(format!("{} {}", failed.is_err(), distance.is_err()));
}

#[cassette("blocked-on")]
#[tokio::test(flavor = "multi_thread")]
#[ignore]
async fn it_blocks_on_a_function() {
    let within = || tokio::runtime::Handle::current().block_on(async { distance(&town()).await });
    seen(format!("{}", tokio::task::block_in_place(within)));
}

#[cassette("synchronous")]
#[test]
#[ignore]
fn it_does_not_wait() {
    let platform = platform(&town());
    seen(format!("{platform:?}"));
}

/// Records a story with one town and replays it with another.
#[track_caller]
fn check(name: &str, story: &str, cassette: &str) -> Counting {
    let counting = Counting::new().with("STORY_TOWN", "Bergen");
    counting.passes(&format!("misses::{story}"), "record");
    counting.passes(&format!("misses::{story}"), "replay");
    let (effects, file) = (counting.effects(), counting.rehearsal.file(cassette));
    let counting = counting.with("STORY_TOWN", "Oslo");
    assert_told!(name, counting.fails(&format!("misses::{story}"), "replay"));
    assert_eq!((counting.effects(), counting.rehearsal.file(cassette)), (effects, file), "nothing is done or written");
    counting
}

#[test]
fn a_body_that_would_try_for_ever_is_abandoned() {
    check("abandoned", "it_tries_for_ever", "abandoned");
}

#[test]
fn a_body_that_asks_for_it_sees_the_error_and_fails_all_the_same() {
    let counting = check("erring", "it_sees_the_error", "erring");
    let played = counting.rehearsal.play("functions::misses::it_sees_the_error", "replay");
    assert!(!played.passed);
    assert!(
        played.seen.starts_with("Some(\"mismatch\")\ncassette mismatch: `erring` holds no recording of call 1"),
        "{}",
        played.seen
    );
    assert!(played.seen.ends_with("Err(Some(\"cassette mismatch: `erring` holds no recording of call 1, tool functions::misses::departures\"))"), "{}", played.seen);
}

#[test]
fn a_task_sees_an_error_or_ends() {
    let counting = check("spawned", "it_asks_in_a_task", "spawned");
    let played = counting.rehearsal.play("functions::misses::it_asks_in_a_task", "replay");
    assert!(!played.passed);
}

#[test]
fn a_runtime_within_the_body_does_not_hang() {
    check("blocked_on", "it_blocks_on_a_function", "blocked-on");
}

#[test]
fn a_body_that_does_not_wait_ends_where_it_asks() {
    let counting = check("synchronous", "it_does_not_wait", "synchronous");
    assert_eq!(counting.rehearsal.play("functions::misses::it_does_not_wait", "replay").seen, "");
}

#[cassette_test::tool]
fn explosive(fuse: u8) -> u8 {
    assert!(fuse > 3, "boom");
    fuse
}

#[cassette("explosive")]
#[test]
#[ignore]
fn it_blows_up() {
    explosive(7);
    let burst = catch_unwind(|| explosive(1));
    let message = burst.unwrap_err().downcast_ref::<&str>().map(|text| (*text).to_owned());
    seen(format!("{message:?}"));
}

#[cassette_test::tool]
async fn slow() -> u8 {
    tokio::time::sleep(Duration::from_secs(3600)).await;
    7
}

#[cassette("impatient")]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_does_not_wait_that_long() {
    let waited = tokio::time::timeout(Duration::from_secs(1), slow()).await;
    seen(format!("{}", waited.is_err()));
}

#[test]
fn a_function_that_panics_or_is_given_up_without_leave_keeps_the_recording_pending() {
    for (story, cassette) in [("it_blows_up", "explosive"), ("it_does_not_wait_that_long", "impatient")] {
        let counting = Counting::new();
        assert_told!(cassette, counting.fails(&format!("misses::{story}"), "record"));
        assert_eq!(counting.rehearsal.file(cassette), "");
    }
    let pending = {
        let counting = Counting::new();
        let played = counting.rehearsal.play("functions::misses::it_blows_up", "record");
        assert_eq!(played.seen, "Some(\"boom\")", "the panic goes on as it was");
        counting.rehearsal.pending("explosive")
    };
    assert_eq!(pending.matches(r#""kind": "tool""#).count(), 1, "{pending}");
}

#[test]
#[ignore]
fn it_has_no_cassette() {
    let told = catch_unwind(AssertUnwindSafe(|| platform("Voss"))).unwrap_err();
    let told = told.downcast_ref::<String>().unwrap().clone();
    let bare = cassette_test::live_blocking(|| platform("Voss")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let waited = runtime.block_on(cassette_test::live(async { distance("Oslo").await }));
    seen(format!("{told}\n{bare} {waited}"));
}

#[test]
fn without_a_cassette_a_function_fails_beside_cassette_tests_unless_it_is_live() {
    let counting = Counting::new();
    assert_told!("no_cassette", counting.passes("misses::it_has_no_cassette", "replay").seen);
    assert_eq!(counting.effects(), ["Voss", "Oslo"]);
}

#[cassette("live-within")]
#[tokio::test]
#[ignore]
async fn it_runs_some_live(cassette: cassette_test::Cassette) {
    must_ask(&cassette, "Bergen");
    let waited = cassette_test::live(async { distance("Oslo").await + distance("Voss").await });
    let blocked = cassette_test::live_blocking(|| {
        cassette.call_blocking(Call::tool("hall", "Bergen"), || {
            effect("hall");
            1
        })
    });
    seen(format!("{} {blocked}", waited.await));
}

#[test]
fn what_runs_live_within_a_replay_is_told_by_its_summary_and_refused_under_a_strict_guard() {
    let counting = Counting::new();
    counting.passes("misses::it_runs_some_live", "record");
    let replayed = counting.passes("misses::it_runs_some_live", "replay");
    assert_told!("live_within", replayed.told);
    let once = ["hall", "Oslo", "Voss"];
    assert_eq!(counting.effects(), [once, once].concat(), "it runs in either mode");
    let strict = counting.with("CASSETTE_GUARD", "strict");
    assert_told!("live_within_strict", strict.fails("misses::it_runs_some_live", "replay"));
    assert_eq!(strict.effects().len(), 2 * once.len(), "nothing runs");
}

#[cassette("too-often")]
#[tokio::test]
#[ignore]
async fn it_asks_again(cassette: cassette_test::Cassette) {
    must_ask(&cassette, "Bergen");
    for _ in 0..word("STORY_TIMES").parse().unwrap() {
        distance("Bergen").await;
    }
}

#[test]
fn a_function_that_is_called_once_too_often_is_told() {
    let counting = Counting::new().with("STORY_TIMES", "2");
    counting.passes("misses::it_asks_again", "record");
    assert_told!("too_often", counting.with("STORY_TIMES", "3").fails("misses::it_asks_again", "replay"));
}

#[cassette_test::memory]
fn note(what: &str) -> usize {
    effect(what);
    what.len()
}

#[cassette_test::memory]
fn try_note(what: &str) -> std::io::Result<usize> {
    effect(what);
    Ok(what.len())
}

/// Notes that it is gone, and what it hears of that.
struct Noting(&'static str);

impl Drop for Noting {
    fn drop(&mut self) {
        let heard = match self.0 {
            "tried" => format!("{:?}", try_note(&word("STORY_NOTES")).map_err(|error| error.kind())),
            what => format!("{}", note(what)),
        };
        effect(&format!("heard {heard}"));
    }
}

#[cassette("torn-down")]
#[test]
#[ignore]
fn it_notes_its_end() {
    let (_one, _other) = (Noting("one"), Noting("other"));
    let _ = platform(&word("STORY_TOWN"));
}

#[cassette("torn-down-later")]
#[tokio::test]
#[ignore]
async fn it_notes_its_end_later() {
    let (_one, _other) = (Noting("one"), Noting("other"));
    distance(&word("STORY_TOWN")).await;
}

#[cassette("torn-down-tried")]
#[test]
#[ignore]
fn it_tries_to_note_its_end() {
    let (_one, _other) = (Noting("tried"), Noting("tried"));
    let _ = platform(&word("STORY_TOWN"));
}

#[test]
fn destructors_that_call_functions_do_not_end_the_process() {
    for (story, heard) in [
        ("it_notes_its_end", "heard 5,heard 3"),
        ("it_notes_its_end_later", "heard 5,heard 3"),
        ("it_tries_to_note_its_end", "heard Err(Other),heard Err(Other)"),
    ] {
        let counting = Counting::new().with("STORY_TOWN", "Voss").with("STORY_NOTES", "it ended");
        counting.passes(&format!("misses::{story}"), "record");
        let before = counting.effects().len();
        let counting = counting.with("STORY_TOWN", "Oslo").with("STORY_NOTES", "it never ended");
        let played = counting.rehearsal.play(&format!("functions::misses::{story}"), "replay");
        assert!(!played.passed && played.told.contains("cassette mismatch: "), "{}", played.printed);
        assert_eq!(counting.effects()[before..].join(","), heard, "{}", played.printed);
    }
}

static HANDLE: OnceLock<cassette_test::Cassette> = OnceLock::new();

#[cassette("handle-first")]
#[test]
#[ignore]
fn it_keeps_its_handle(cassette: cassette_test::Cassette) {
    cassette.value("one", || 1);
    let _ = HANDLE.set(cassette);
}

#[cassette("handle-second")]
#[tokio::test]
#[ignore]
async fn it_finds_the_handle_of_a_test_that_has_ended(cassette: cassette_test::Cassette) {
    cassette.value("one", || 1);
    let asked = cassette_test::Call::tool("find", &["Bergen"]);
    let found = HANDLE.get().unwrap().try_call(asked, || async { Ok::<u8, ReplayedError>(1) });
    seen(format!("{}", word("STORY_OUTLIVES") == "yes" && found.await.is_ok()));
}

/// As libtest runs them, each on a thread of its own.
#[test]
#[ignore]
fn one_handle_after_the_other() {
    std::thread::Builder::new().name("first".into()).spawn(it_keeps_its_handle).unwrap().join().unwrap();
    let second = std::thread::Builder::new().name("second".into());
    second.spawn(it_finds_the_handle_of_a_test_that_has_ended).unwrap().join().unwrap();
}

#[test]
fn a_handle_that_outlives_its_test_fails_whichever_test_has_it_then() {
    let counting = Counting::new();
    counting.comes_back("misses::one_handle_after_the_other");
    let counting = counting.with("STORY_OUTLIVES", "yes");
    assert_told!("outlived", counting.fails("misses::one_handle_after_the_other", "replay"));
}
