//! What a client makes of a miss, where the test lets it see the error: it gives up at once, after one call.

use ::genai::adapter::AdapterKind;
use cassette_test::{Cassette, cassette};
use stages::{seen, var};

use crate::told::{Way, record};
use crate::{async_openai, aws, genai, rig, services};

fn way() -> Way {
    if var("STORY_WAY") == "streamed" { Way::Streamed } else { Way::Whole }
}

/// Writes down what the client made of its calls: nothing but success while recording.
fn note<T, E: std::fmt::Display>(cassette: &Cassette, outcome: Result<T, E>) {
    let outcome = outcome.map_or_else(|error| error.to_string(), |_| "answered".to_owned());
    seen(format!("calls: {}, {outcome}", cassette.calls().len()));
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn rig_asks(cassette: Cassette) {
    note(&cassette, rig::hold(rig::openai(&cassette).chat("gpt-4o-mini"), way()).await);
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn genai_asks(cassette: Cassette) {
    let asked = genai::Asked::of(&cassette, AdapterKind::OpenAI, "gpt-4o-mini", "api.openai.com", "/v1/");
    note(&cassette, genai::hold(asked, way()).await);
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn async_openai_asks(cassette: Cassette) {
    note(&cassette, async_openai::in_chat(async_openai::client(&cassette), way()).await);
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn aws_asks(cassette: Cassette) {
    note(&cassette, aws::hold(aws::client(&cassette), way()).await);
}

#[test]
fn aws_gives_up_at_once() {
    for way in ["whole", "streamed"] {
        let recorded = record("misses::aws_asks", &[("STORY_WAY", way)], 3, services::bedrock);
        assert_eq!(recorded.live.seen, "calls: 3, answered");
        let replayed = recorded.replay("misses::aws_asks", "Oslo");
        assert!(!replayed.passed, "the test fails all the same:\n{}", replayed.printed);
        assert!(replayed.seen.starts_with("calls: 1, "), "{}", replayed.seen);
    }
}

#[test]
fn a_client_that_sees_a_miss_gives_up_at_once() {
    for story in ["misses::rig_asks", "misses::genai_asks", "misses::async_openai_asks"] {
        for way in ["whole", "streamed"] {
            let recorded = record(story, &[("STORY_WAY", way)], 3, services::chat);
            assert_eq!(recorded.live.seen, "calls: 3, answered");
            let replayed = recorded.replay(story, "Oslo");
            assert!(!replayed.passed, "the test fails all the same:\n{}", replayed.printed);
            assert!(replayed.seen.starts_with("calls: 1, "), "{}", replayed.seen);
            // The error that the client shows holds the whole report.
            assert!(replayed.seen.contains("messages[1].content"), "{way}: {}", replayed.seen);
        }
    }
}
