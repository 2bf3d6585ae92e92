//! A test that holds a program to the tools it offers, whatever its prompt says.

use cassette_test::{Cassette, cassette};
use serde_json::json;
use stages::{Answer, Rehearsal, Request, assert_told, seen, var};

use crate::told::base;

#[cassette("tool-wiring", match_on(tools))]
#[test]
#[ignore]
fn it_offers_its_tools(cassette: Cassette) {
    let tool = |name: &str, argument: &str| {
        let parameters = json!({"type": "object", "properties": {argument: {"type": "string"}}});
        json!({"type": "function", "function": {"name": name, "parameters": parameters}})
    };
    let body = json!({
        "model": "gpt-4o-mini",
        "messages": [{"role": "user", "content": var("STORY_PROMPT")}],
        "tools": [tool("departures", &var("STORY_ARGUMENT")), tool("platform", "train")],
    });
    let url = format!("{}/chat/completions", base(&cassette));
    seen(ureq::post(url).send_json(body).unwrap().body_mut().read_to_string().unwrap());
}

fn calls_a_tool(_: &Request) -> Answer {
    let call = r#"{"id":"call_1","type":"function","function":{"name":"departures","arguments":"{}"}}"#;
    Answer::json(200, &format!(r#"{{"choices":[{{"message":{{"role":"assistant","tool_calls":[{call}]}}}}]}}"#))
}

#[test]
fn a_changed_prompt_is_served_and_a_changed_tool_is_not() {
    let story = "wiring::it_offers_its_tools";
    let rehearsal = Rehearsal::of(calls_a_tool).with("STORY_PROMPT", "When?").with("STORY_ARGUMENT", "city");
    let live = rehearsal.passes(story, "record").seen;
    let asked = rehearsal.asked();
    let other_prompt = rehearsal.with("STORY_PROMPT", "Which train goes to Bergen next?");
    assert_eq!(other_prompt.passes(story, "replay").seen, live);
    let other_tool = other_prompt.with("STORY_ARGUMENT", "town");
    assert_told!("another_tool", other_tool.fails(story, "replay"));
    assert_eq!(other_tool.asked(), asked, "nothing went live");
}
