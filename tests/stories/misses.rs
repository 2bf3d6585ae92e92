//! A replay that is asked for what was not recorded, or not asked for what was.

use std::time::{Duration, Instant};

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use cassette_test::{Cassette, cassette};

use crate::asking::{ask, must_ask, question, timetable, towns};
use crate::told::base;
use stages::{Rehearsal, assert_told, seen, var};

#[cassette("asked")]
#[test]
#[ignore]
fn it_asks(cassette: Cassette) {
    let answers: Vec<_> = towns().iter().map(|town| must_ask(&cassette, town)).collect();
    seen(answers.join("\n"));
}

#[cassette("shrugged")]
#[test]
#[ignore]
fn it_asks_and_shrugs(cassette: Cassette) {
    let answers: Vec<_> = towns().iter().map(|town| ask(&cassette, town)).collect();
    seen(answers.iter().map(|(status, body)| format!("{status} {body}")).collect::<Vec<_>>().join("\n"));
}

/// Records `story` with some towns and replays it with others.
#[track_caller]
fn check(name: &str, story: &str, recorded: &str, asked: &str) {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", recorded);
    rehearsal.passes(story, "record");
    rehearsal.passes(story, "replay");
    let state =
        |rehearsal: &Rehearsal| (rehearsal.asked(), ["asked", "shrugged"].map(|cassette| rehearsal.file(cassette)));
    let before = state(&rehearsal);
    let rehearsal = rehearsal.with("STORY_ASKS", asked);
    assert_told!(name, rehearsal.fails(story, "replay"));
    assert_eq!(state(&rehearsal), before, "a replay calls and writes nothing");
    rehearsal.passes(story, "record");
    rehearsal.passes(story, "replay");
}

#[test]
fn a_prompt_that_changed_by_one_word() {
    check("a_changed_word", "misses::it_asks", "Bergen,Voss", "Bergen,Oslo");
}

#[test]
fn a_call_too_many() {
    check("a_call_too_many", "misses::it_asks", "Bergen,Voss", "Bergen,Voss,Bergen");
}

#[test]
fn a_call_too_few() {
    check("a_call_too_few", "misses::it_asks", "Bergen,Voss,Oslo", "Voss");
}

#[test]
fn an_error_that_the_program_swallowed() {
    check("a_swallowed_error", "misses::it_asks_and_shrugs", "Bergen", "Oslo");
}

#[test]
fn every_call_after_a_miss_fails_with_the_first_report() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss");
    let story = "misses::it_asks_and_shrugs";
    rehearsal.passes(story, "record");
    let played = rehearsal.with("STORY_ASKS", "Oslo,Bergen,Hamar").play(story, "replay");
    let [first, second, third] = *played.seen.lines().collect::<Vec<_>>() else { panic!("{}", played.printed) };
    assert!(
        first.starts_with("404 {\"error\":{\"message\":\"cassette mismatch: `shrugged` holds no recording of call 1")
    );
    assert_eq!((first, first), (second, third), "also the one that was recorded");
    assert_told!("a_latched_miss", played.told);
}

#[cassette("idle")]
#[test]
#[ignore]
fn it_asks_nothing() {}

#[test]
fn a_run_without_calls() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "");
    assert_told!("no_calls_recording", rehearsal.fails("misses::it_asks_nothing", "record"));
    assert_eq!(rehearsal.file("idle"), "", "nothing is written");
    let rehearsal = rehearsal.with("STORY_ASKS", "Bergen");
    rehearsal.passes("misses::it_asks", "record");
    let rehearsal = rehearsal.with("STORY_ASKS", "");
    assert_told!("no_calls_replaying", rehearsal.fails("misses::it_asks", "replay"));
}

#[cassette("retried")]
#[tokio::test]
#[ignore]
async fn async_openai_backs_off(cassette: Cassette) {
    use async_openai::types::chat::{ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs};
    let config = OpenAIConfig::new().with_api_base(base(&cassette)).with_api_key("a-key-that-is-not-recorded");
    let question = ChatCompletionRequestUserMessageArgs::default().content(var("STORY_ASKS")).build().unwrap();
    let request =
        CreateChatCompletionRequestArgs::default().model("gpt-4o-mini").messages([question.into()]).build().unwrap();
    let answer = Client::with_config(config).chat().create(request).await;
    seen(format!("{}", answer.is_ok()));
    answer.unwrap();
}

#[cassette("looped")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore]
async fn it_tries_again_for_minutes(cassette: Cassette) {
    let client = reqwest::Client::new();
    for _ in 0..3 {
        let reply = client.post(format!("{}/ask", base(&cassette))).json(&question(&var("STORY_ASKS"))).send();
        if reply.await.is_ok_and(|reply| reply.status().is_success()) {
            return seen("answered");
        }
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
}

const CHAT: &str = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1764400000,"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"At 09:04."},"finish_reason":"stop","logprobs":null}]}"#;

/// Replays a program that would try again for long, and expects it to be abandoned at once.
#[track_caller]
fn check_abandoned(name: &str, story: &str) {
    let rehearsal = Rehearsal::of(|_| stages::Answer::json(200, CHAT)).with("STORY_ASKS", "Bergen");
    assert_ne!(rehearsal.passes(story, "record").seen, "");
    let rehearsal = rehearsal.with("STORY_ASKS", "Oslo");
    let started = Instant::now();
    let played = rehearsal.play(story, "replay");
    assert!(!played.passed && started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!(played.seen, "", "the body does not go on");
    assert_told!(name, played.told);
}

#[test]
fn a_client_that_backs_off_is_abandoned_at_once() {
    check_abandoned("an_abandoned_client", "misses::async_openai_backs_off");
}

#[test]
fn a_loop_that_tries_again_is_abandoned_at_once() {
    check_abandoned("an_abandoned_loop", "misses::it_tries_again_for_minutes");
}

#[cassette("lenient", on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_goes_on_after_a_miss(cassette: Cassette) {
    let sent = reqwest::Client::new().post(format!("{}/ask", base(&cassette))).json(&question(&var("STORY_ASKS")));
    let reply = sent.send().await.unwrap();
    seen(format!("{} {:?}", reply.status().as_u16(), reply.headers().get("x-should-retry")));
}

#[test]
fn a_body_that_asks_for_the_error_sees_it_and_fails_all_the_same() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    rehearsal.passes("misses::it_goes_on_after_a_miss", "record");
    let played = rehearsal.with("STORY_ASKS", "Oslo").play("misses::it_goes_on_after_a_miss", "replay");
    assert_eq!((played.passed, played.seen.as_str()), (false, "404 Some(\"false\")"), "{}", played.printed);
    assert!(played.told.contains("cassette mismatch: `lenient` holds no recording of call 1"), "{}", played.told);
}

#[cassette("waiting")]
#[tokio::test]
#[ignore]
async fn it_waits_for_what_never_comes(cassette: Cassette) {
    let asked = std::thread::spawn(move || ask(&cassette, &var("STORY_ASKS")));
    if asked.join().unwrap().0 != 200 {
        std::future::pending::<()>().await;
    }
}

#[test]
fn a_body_that_waits_is_abandoned_whichever_thread_missed() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    rehearsal.passes("misses::it_waits_for_what_never_comes", "record");
    let told = rehearsal.with("STORY_ASKS", "Oslo").fails("misses::it_waits_for_what_never_comes", "replay");
    assert!(told.contains("cassette mismatch: `waiting` holds no recording of call 1"), "{told}");
}

#[cassette("tried")]
#[test]
#[ignore]
fn it_tries_again_and_again(cassette: Cassette) {
    let tries = if cassette.is_replaying() { var("STORY_TRIES").parse().unwrap() } else { 1 };
    (0..tries).any(|_| ask(&cassette, &var("STORY_ASKS")).0 == 200);
}

#[test]
fn a_program_that_tries_again_without_end_is_told_of_meanwhile() {
    let story = "misses::it_tries_again_and_again";
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    rehearsal.passes(story, "record");
    let mut rehearsal = rehearsal.with("STORY_ASKS", "Oslo");
    for (tries, times) in [("100", 0), ("250", 1)] {
        rehearsal = rehearsal.with("STORY_TRIES", tries);
        let told = rehearsal.fails(story, "replay");
        let line = "cassette `tried`: the test has failed and goes on, 100 calls have failed since\ncassette mismatch: `tried` ";
        assert_eq!(told.matches(line).count(), times, "{told}");
        assert!(times == 0 || told.find(line) < told.find("panicked at"), "{told}");
    }
}
