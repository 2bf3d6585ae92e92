//! What `cassette.toml` says holds for a test as if its attribute said it, and a budget holds over processes.

use std::fs;

use cassette_core::ledger::{self, Entry};
use cassette_test::{Cassette, cassette};
use reqwest::blocking::Client;
use stages::{Answer, Rehearsal, Request, seen, var};

use crate::told::base;

#[cassette("settings")]
#[test]
#[ignore = "told by the teller"]
fn order_a_ticket(cassette: Cassette) {
    let body = format!(r#"{{"customer":"K-4711-0815","nonce":"{}","to":"Bergen"}}"#, var("STORY_NONCE"));
    let request = Client::new().post(format!("{}/tickets", base(&cassette))).body(body);
    let answer = request.header("content-type", "application/json").send().unwrap().text().unwrap();
    seen(answer);
}

/// Returns a rehearsal whose package is its own directory, with these settings.
#[expect(clippy::disallowed_methods, reason = "this is no cassette")]
fn rehearsal(settings: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Rehearsal {
    let rehearsal = Rehearsal::of(answer);
    let dir = rehearsal.stage.cassettes().parent().unwrap().to_owned();
    fs::write(dir.join("cassette.toml"), settings).unwrap();
    rehearsal.with("CARGO_PKG_NAME", "stories").with("CARGO_MANIFEST_DIR", dir.to_str().unwrap())
}

#[test]
fn what_is_hidden_and_ignored_for_all_tests() {
    let settings = "redact_field = \"customer\"\nignore = \"nonce\"\nkeep_header = \"x-served-by\"\n";
    let story = "settings::order_a_ticket";
    let answer = |_: &Request| Answer::json(200, r#"{"seat":7}"#).with("x-served-by", "n1");
    let recording = rehearsal(settings, answer).with("STORY_NONCE", "one");
    recording.passes(story, "record");
    let file = fs::read_to_string(recording.stage.cassettes().join("settings.json")).unwrap();
    assert!(!file.contains("K-4711-0815") && file.contains("REDACTED.") && file.contains("\"n1\""), "{file}");
    let replayed = recording.with("STORY_NONCE", "two").passes(story, "replay");
    assert_eq!(replayed.seen, r#"{"seat":7}"#);
}

#[cassette("budget")]
#[test]
#[ignore = "told by the teller"]
fn ask_twice(cassette: Cassette) {
    for prompt in ["Bergen", "Oslo"] {
        let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"{prompt}"}}]}}"#);
        let request = Client::new().post(format!("{}/chat/completions", base(&cassette))).body(body);
        request.header("content-type", "application/json").send().unwrap();
    }
}

#[test]
fn a_budget_holds_over_processes_that_keep_one_ledger() {
    let answer = |_: &Request| {
        Answer::json(
            200,
            r#"{"id":"c","object":"chat.completion","model":"gpt-4o-mini","choices":[],"usage":{"prompt_tokens":1000000,"completion_tokens":0}}"#,
        )
    };
    let story = "settings::ask_twice";
    let alone = rehearsal("", answer).with("CASSETTE_BUDGET", "0.40");
    alone.passes(story, "record");
    alone.passes(story, "refresh");
    let ledger = alone.stage.cassettes().parent().unwrap().join("ledger");
    let together = alone.with("CASSETTE_LEDGER", ledger.to_str().unwrap());
    together.passes(story, "refresh");
    let told = together.fails(story, "refresh");
    assert!(
        told.contains("cassette budget: call 2 of `budget` did not go live: $0.45 are spent of a budget of $0.4"),
        "{told}"
    );
    assert_eq!(together.asked(), 7);
    let ended = ledger::read(&ledger).unwrap().into_iter().filter_map(|entry| match entry {
        Entry::Ended(ended) => Some((ended.recorded, ended.pending.is_some(), ended.failed, ended.cost.to_string())),
        _ => None,
    });
    assert_eq!(ended.collect::<Vec<_>>(), [(2, false, false, "0.3".to_owned()), (0, true, true, "0.15".to_owned())]);
}

#[cassette_test::llm]
fn answer(prompt: &str) -> f64 {
    if prompt == "Bergen" { 7.5 } else { f64::NAN }
}

#[cassette_test::tool]
fn departure(town: &str) -> usize {
    town.len()
}

#[cassette("own-model")]
#[test]
#[ignore = "told by the teller"]
fn ask_a_model_of_its_own() {
    answer("Bergen");
    // What cannot be written was paid for all the same.
    answer("Oslo");
    departure("Voss");
}

#[test]
fn what_a_model_of_its_own_cost_is_unknown_where_nothing_is_recorded_too() {
    let alone = rehearsal("", |_: &Request| Answer::json(200, "{}"));
    let ledger = alone.stage.cassettes().parent().unwrap().join("ledger");
    let told = alone.with("CASSETTE_LEDGER", ledger.to_str().unwrap());
    told.passes("settings::ask_a_model_of_its_own", "off");
    let own = ledger::read(&ledger).unwrap().into_iter().filter_map(|entry| match entry {
        Entry::Spent(spending) => Some((spending.own, spending.cost.to_string())),
        _ => None,
    });
    assert_eq!(own.collect::<Vec<_>>(), [(1, "0".to_owned()), (1, "0".to_owned())]);
    assert!(!told.stage.cassettes().exists());
}
