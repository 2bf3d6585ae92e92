//! A program that asks for trains to the towns in `STORY_ASKS`, and a provider that knows when they leave.

use cassette_test::Cassette;
use serde_json::{Value, json};
use stages::{Answer, Request, var};

use crate::told::base;

/// Returns the towns that the teller wants asked for.
pub(crate) fn towns() -> Vec<String> {
    var("STORY_ASKS").split(',').filter(|town| !town.is_empty()).map(str::to_owned).collect()
}

/// Returns what is asked for a town, its members sorted: so they are sent whichever features `serde_json` has.
pub(crate) fn question(town: &str) -> Value {
    json!({"messages": [
        {"content": "Answer from the timetable.", "role": "system"},
        {"content": format!("When is the next train to {town}?"), "role": "user"},
    ], "model": "gpt-4o-mini"})
}

/// Asks for a train, and returns the status and the body of the answer.
pub(crate) fn ask(cassette: &Cassette, town: &str) -> (u16, String) {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut reply = agent.post(format!("{}/chat/completions", base(cassette))).send_json(question(town)).unwrap();
    (reply.status().as_u16(), reply.body_mut().read_to_string().unwrap())
}

/// Asks for a train as a program does that has no plan for errors.
#[track_caller]
pub(crate) fn must_ask(cassette: &Cassette, town: &str) -> String {
    let (status, body) = ask(cassette, town);
    assert_eq!(status, 200, "the provider answers");
    body
}

/// Answers for the town that is asked for.
pub(crate) fn timetable(request: &Request) -> Answer {
    let asked: Value = serde_json::from_slice(&request.body).unwrap();
    let question = asked["messages"][1]["content"].as_str().unwrap();
    let town = question.trim_start_matches("When is the next train to ").trim_end_matches('?');
    Answer::json(200, &format!(r#"{{"answer":"The train to {town} leaves at 09:04."}}"#))
}
