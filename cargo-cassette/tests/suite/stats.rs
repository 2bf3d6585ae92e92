//! What recordings took: `stats`.

use std::time::Duration;

use cassette_core::call::{Call, Kind};
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError};

use crate::project::Project;
use crate::recordings::{answer, ask, chat, conversation, json};

fn project() -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    let unknown = r#"{"model":"nobody-knows","messages":[]}"#;
    let counted = json(200, r#"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}"#);
    project.record("cassettes/fares/day.json", &[(ask("How much?"), answer("c", "A lot.")), (chat(unknown), counted)]);
    project
}

#[test]
fn tokens_time_and_cost_with_what_is_unknown_as_such() {
    insta::assert_snapshot!(project().run(&["stats"]));
    insta::assert_snapshot!(project().run(&["stats", "--json"]));
}

#[test]
fn prices_may_be_given_and_left_out() {
    let project = project();
    insta::assert_snapshot!(project.run(&["stats", "fares/day", "--price", "nobody-knows=1/2.5", "--runs", "1000"]));
    insta::assert_snapshot!(project.run(&["stats", "--no-cost"]));
    project.write(
        "prices.toml",
        "checked = \"2026-11-01\"\n[[maker]]\nname = \"us\"\nsource = \"https://example.com\"\n[maker.models]\nnobody-knows = { input = \"1\", output = \"2\" }\ngpt-4o-mini = { input = \"100\", output = \"100\" }\n",
    );
    insta::assert_snapshot!(project.run(&["stats", "fares/day", "--prices-file", "prices.toml"]));
}

#[test]
fn a_price_that_no_model_goes_by_is_told() {
    let project = project();
    let words = ["stats", "fares/day", "--price", "nobody-knows=1/2.5", "--price", "gpt4omini=1/10"];
    for words in [&words[..], &[&words[..], &["--json"]].concat()] {
        let told = project.run(words);
        let note = "no model that answered goes by the price that was given for gpt4omini\n";
        assert!(told.starts_with("exit 0\n") && told.contains(note), "{told}");
    }
    assert!(!project.run(&words[..4]).contains("goes by"));
}

#[test]
fn what_is_no_price_is_named() {
    let project = project();
    insta::assert_snapshot!(project.run(&["stats", "--price", "gpt-4o-mini=0.15"]));
    project.write("prices.toml", "checked = \"2026-11-01\"\n[[maker]]\nname = \"us\"\n");
    insta::assert_snapshot!(project.run(&["stats", "--prices-file", "prices.toml"]));
    insta::assert_snapshot!(project.run(&["stats", "--prices-file", "none.toml"]));
    insta::assert_snapshot!(project.run(&["stats", "--no-cost", "--price", "a=1/2"]));
}

#[test]
fn a_bad_file_is_named_and_stops_nothing() {
    let project = project();
    project.write("cassettes/bad.json", "{");
    insta::assert_snapshot!(project.run(&["stats"]));
    insta::assert_snapshot!(Project::new().with("CASSETTE_DIR", "none").run(&["stats"]));

    // Where nothing else is unknown, the sums are the least that they may be.
    let project = Project::new();
    project.record("cassettes/fares.json", &[(ask("How much?"), answer("c", "A lot."))]);
    let whole = project.run(&["stats"]);
    project.write("cassettes/bad.json", "{");
    let told = project.run(&["stats"]);
    for sum in ["cost live       $0.000007", "live time       100 ms", "a replay saves  $0.000007, 100 ms"] {
        assert!(whole.contains(sum) && !told.contains(sum), "{told}");
    }
    assert!(told.contains("cost live       at least $0.000007; 1 cassette not counted"), "{told}");
    assert!(told.contains("live time       at least 100 ms; unknown of 1 cassette"), "{told}");
    assert!(told.contains("a replay saves  at least $0.000007, at least 100 ms"), "{told}");
}

/// Returns a reply without a body.
fn bodiless(status: u16) -> Outcome {
    Outcome::Reply(Reply { status, headers: Vec::new(), chunks: Vec::new(), trailers: Vec::new(), truncated: None })
}

#[test]
fn what_nobody_measured_counted_or_named_is_unknown_and_never_zero() {
    let project = Project::new();
    let recording = "interactions:\n- request:\n    method: GET\n    uri: https://a.test/\n    headers: {}\n    body: null\n  response:\n    status: {code: 200, message: OK}\n    headers: {}\n    body: {string: hi}\nversion: 1\n";
    project.write("old.yaml", recording);
    assert!(project.run(&["import", "old.yaml"]).starts_with("exit 0"));
    assert!(!project.read("cassettes/old.json").contains("pace"), "nobody knows when it came");
    let most = u64::MAX;
    let counted =
        json(200, &format!(r#"{{"choices":[],"usage":{{"prompt_tokens":{most},"completion_tokens":{most}}}}}"#));
    let nameless = chat(r#"{"model":" ","messages":[]}"#);
    project.record(
        "cassettes/odd.json",
        &[
            (ask("When?"), bodiless(200)),
            (ask("Why?"), counted.clone()),
            (ask("Who?"), counted),
            (nameless, json(200, r#"{"choices":[],"usage":{"prompt_tokens":21,"completion_tokens":7}}"#)),
        ],
    );
    insta::assert_snapshot!(project.run(&["stats"]));
    insta::assert_snapshot!(project.run(&["stats", "old", "--runs", "3"]));
    insta::assert_snapshot!(project.run(&["stats", "odd", "--runs", "18446744073709551615"]));
    project.write("cassettes/bad.json", "{");
    let told = project.run(&["stats", "--json"]);
    assert!(told.contains("\"complete\": false") && told.contains("\"live_ms\": null"), "{told}");
    assert!(told.contains("\"input\": 36893488147419103251"), "{told}");
}

#[test]
fn of_calls_that_failed_text_and_json_say_the_same() {
    let project = Project::new();
    let chunk = Chunk { bytes: b"{}".to_vec(), at: Some(Duration::ZERO) };
    let refused = Outcome::Reply(Reply { chunks: vec![chunk], ..reply(bodiless(503)) });
    let timeout = Outcome::Error(TransportError { class: TransportClass::Timeout, message: "no answer".to_owned() });
    project.record("cassettes/refused.json", &[(ask("When?"), refused)]);
    project.record("cassettes/lost.json", &[(ask("When?"), timeout)]);
    for words in [&["stats", "refused"][..], &["stats", "refused", "--runs", "0"], &["stats", "lost"], &["stats"]] {
        let json = project.run(&[words, &["--json"]].concat());
        let members = ["\"cost\"", "\"input\"", "\"live_ms\"", "\"unanswered\""];
        let told = json.lines().map(str::trim).filter(|line| members.iter().any(|name| line.starts_with(name)));
        // The sum stands before each cassette's.
        let told: Vec<_> = told.take(members.len()).collect();
        insta::assert_snapshot!(format!("{}{}", project.run(words), told.join("\n")));
    }
}

fn reply(outcome: Outcome) -> Reply {
    let Outcome::Reply(reply) = outcome else { panic!("it is no reply: {outcome:?}") };
    reply
}

#[test]
fn an_answer_that_counts_nothing_has_a_price_all_the_same() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), json(200, r#"{"choices":[]}"#))]);
    insta::assert_snapshot!(project.run(&["stats"]));
    let told = project.run(&["stats", "--json"]);
    assert!(told.contains("\"unpriced\": 1,") && told.contains("\"untold\": 1\n"), "{told}");

    // An amount of less than a millionth is told with all its digits, and none as none.
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "A"))]);
    let told = project.run(&["stats", "--price", "gpt-4o-mini=0.000001/0.000001"]);
    assert!(told.contains("cost live       $0.000000000022\n"), "{told}");
    let told = project.run(&["stats", "--price", "gpt-4o-mini=0/0"]);
    assert!(told.contains("cost live       $0\n"), "{told}");
}

#[test]
fn what_functions_asked_of_models_is_unknown_and_never_nothing() {
    let project = Project::new();
    let function = |name: &str| Call::function(Kind::Llm, name, b"{}".to_vec());
    let value = |text: &str| Outcome::Reply(Reply::value(text.as_bytes().to_vec(), Duration::from_millis(30)));
    let own = (function("guide::answer"), value("\"At 9.\""));
    project.record("cassettes/own.json", &[own.clone(), (function("guide::ask"), value("1"))]);
    insta::assert_snapshot!(project.run(&["stats", "own"]));
    let json = project.run(&["stats", "own", "--json"]);
    assert!(
        json.contains("\"complete\": false") && json.contains("\"unpriced\": 2") && !json.contains("\"cost\": 0"),
        "{json}"
    );
    let counted = r#"{"model":"gpt-4o-mini","choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2}}"#;
    project.record(
        "cassettes/mixed.json",
        &[own, (function("guide::whole"), value(counted)), (ask("When?"), answer("c", "A"))],
    );
    insta::assert_snapshot!(project.run(&["stats", "mixed"]));
    assert!(project.run(&["stats", "own", "--no-cost", "--json"]).contains("\"complete\": false"));
    // Of a test that has only asked over HTTP everything is known.
    project.record("cassettes/seen.json", &[(ask("When?"), answer("c", "A"))]);
    assert!(project.run(&["stats", "seen", "--json"]).contains("\"complete\": true"));
}

#[test]
fn what_is_named_twice_is_counted_once() {
    let project = project();
    let once = project.run(&["stats", "trains"]);
    assert_eq!(
        project.run(&["stats", "trains", "./cassettes/trains.json", "cassettes/../cassettes/trains.json"]),
        once
    );
    let told = project.run(&["delete", "trains", "cassettes/trains.json"]);
    assert_eq!(told, "exit 0\n--- stdout\nremoves cassettes/trains.json\n");
}

#[test]
fn a_version_that_is_spelled_with_a_dot_has_the_price_of_the_one_with_a_hyphen() {
    let project = Project::new();
    let counted = json(200, r#"{"choices":[],"usage":{"prompt_tokens":1000000,"completion_tokens":0}}"#);
    for (name, model) in
        [("a", "anthropic/claude-haiku-4.5"), ("b", "claude-haiku-4-5"), ("c", "anthropic/claude-haiku-4.9")]
    {
        let call = chat(&format!(r#"{{"model":"{model}","messages":[]}}"#));
        project.record(&format!("cassettes/{name}.json"), &[(call, counted.clone())]);
    }
    let cost = |name: &str| {
        let told = project.run(&["stats", name]);
        told.lines().find_map(|line| line.strip_prefix("cost live ").map(|cost| cost.trim().to_owned())).unwrap()
    };
    assert_eq!(cost("a"), cost("b"));
    assert!(cost("a").starts_with('$'), "{}", cost("a"));
    assert!(cost("c").contains("unknown") || cost("c").contains("without a price"), "{}", cost("c"));
}
