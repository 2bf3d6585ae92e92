//! What is told of a cassette: tokens without overlap, money without rounding, and what is unknown as such.

use std::time::Duration;

use super::{Account, Price, Prices, Rate, account};
use crate::call::Call;
use crate::key::Key;
use crate::reply::{Chunk, Outcome, Reply, TransportClass, TransportError};
use crate::tape::{Asked, Interaction, Tape};

const CHAT: &str = "POST https://api.openai.com/v1/chat/completions";
const MESSAGES: &str = "POST https://api.anthropic.com/v1/messages";
const GEMINI: &str = "POST https://generativelanguage.googleapis.com/v1beta/models/m:generateContent";
const ASKS: &str = r#"{"model":"m","messages":[]}"#;

fn exchange(name: &str, body: &str, outcome: Outcome) -> Interaction {
    let (method, url) = name.split_once(' ').unwrap();
    let call = Call::http(method, url, Vec::new(), body.as_bytes().to_vec());
    Interaction { key: Key::over([]), asked: Asked::Whole(call), within: None, overlaps: false, outcome }
}

fn reply(status: u16, body: &str) -> Outcome {
    let chunk = |at, bytes: &str| Chunk { bytes: bytes.as_bytes().to_vec(), at: Duration::from_millis(at) };
    let (head, tail) = body.split_at(body.len() / 2);
    Outcome::Reply(Reply {
        status,
        headers: Vec::new(),
        chunks: vec![chunk(100, head), chunk(250, tail)],
        trailers: Vec::new(),
        truncated: None,
    })
}

/// Input at $2, answers at $10, cached at $0.50, written to a cache at $2.50 a million.
fn prices() -> Prices {
    let rate = |text| Rate::per_million(text).unwrap();
    let mut prices = Prices::default();
    let price = Price {
        input: rate("2"),
        output: Some(rate("10")),
        cached: Some(rate("0.5")),
        cache_written: Some(rate("2.5")),
        up_to: Some(1_000),
    };
    prices.set("m", price);
    prices.set("embeds", Price { input: rate("0.02"), ..Price::default() });
    prices
}

fn of(exchanges: Vec<Interaction>) -> Account {
    account(&Tape { interactions: exchanges, ..Tape::default() }, &prices())
}

/// Checks the tokens of one call, each kind that is known, and what it costs.
#[track_caller]
fn check(name: &str, asked: &str, answered: &str, tokens: &str, cost: Option<&str>) {
    let spent = of(vec![exchange(name, asked, reply(200, answered))]).spent();
    let told: Vec<_> = spent.tokens.kinds().iter().filter_map(|(kind, n)| Some(format!("{kind} {}", (*n)?))).collect();
    assert_eq!((told.join(", ").as_str(), spent.cost.map(|cost| cost.to_string()).as_deref()), (tokens, cost));
    assert_eq!((spent.unpriced, spent.uncounted), (usize::from(cost.is_none()), usize::from(tokens.is_empty())));
}

#[test]
fn what_providers_count_within_and_beside_is_one() {
    let usage = r#"{"usage":{"prompt_tokens":100,"completion_tokens":50,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens_details":{"reasoning_tokens":20}}}"#;
    // 40 at 2, 60 at 0.5, 50 at 10.
    check(CHAT, ASKS, usage, "input 40, cached 60, output 50, reasoning 20", Some("0.00061"));
    let usage = r#"{"type":"message","usage":{"input_tokens":40,"cache_read_input_tokens":60,"cache_creation_input_tokens":10,"output_tokens":50}}"#;
    check(MESSAGES, ASKS, usage, "input 40, cached 60, cache_written 10, output 50", Some("0.000635"));
    let usage = r#"{"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,"candidatesTokenCount":30,"thoughtsTokenCount":20}}"#;
    check(GEMINI, "{}", usage, "input 40, cached 60, output 50, reasoning 20", Some("0.00061"));
    let usage =
        r#"{"usage":{"prompt_tokens":100,"completion_tokens":30,"completion_tokens_details":{"reasoning_tokens":20}}}"#;
    check(
        "POST https://api.x.ai/v1/chat/completions",
        ASKS,
        usage,
        "input 100, output 50, reasoning 20",
        Some("0.0007"),
    );
    check(
        "POST https://api.openai.com/v1/embeddings",
        r#"{"model":"embeds","input":"a"}"#,
        r#"{"data":[],"usage":{"prompt_tokens":100,"total_tokens":100}}"#,
        "input 100",
        Some("0.000002"),
    );
}

#[test]
fn what_is_not_known_is_not_zero() {
    check(CHAT, ASKS, r#"{"choices":[]}"#, "", None);
    // Half of what has to be known.
    check(CHAT, ASKS, r#"{"usage":{"prompt_tokens":100}}"#, "input 100", None);
    let usage = r#"{"usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    check(CHAT, r#"{"model":"nobody-knows","messages":[]}"#, usage, "input 100, output 5", None);
    // At a price of its own, and beyond what the price is for.
    check(CHAT, r#"{"model":"m","messages":[],"service_tier":"flex"}"#, usage, "input 100, output 5", None);
    check(CHAT, r#"{"model":"m","messages":[],"service_tier":"auto"}"#, usage, "input 100, output 5", Some("0.00025"));
    check(CHAT, ASKS, r#"{"usage":{"prompt_tokens":1001,"completion_tokens":5}}"#, "input 1001, output 5", None);
}

#[test]
fn calls_errors_and_time_are_counted_and_what_only_counts_costs_nothing() {
    let usage = r#"{"usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    let timeout = Outcome::Error(TransportError { class: TransportClass::Timeout, message: "no answer".into() });
    let account = of(vec![
        exchange(CHAT, ASKS, reply(200, usage)),
        exchange(CHAT, ASKS, reply(429, r#"{"error":{"message":"Slow down."}}"#)),
        exchange(CHAT, ASKS, timeout),
        exchange("GET https://timetable.example.com/", "", reply(200, "{}")),
        exchange("POST https://api.anthropic.com/v1/messages/count_tokens", ASKS, reply(200, r#"{"input_tokens":7}"#)),
        exchange(CHAT, r#"{"model":"other","messages":[]}"#, reply(200, usage)),
    ]);
    assert_eq!(account.kinds.iter().map(|(kind, n)| format!("{kind} {n}")).collect::<Vec<_>>(), ["http 2", "model 4"]);
    let first = account.first_error.clone().unwrap();
    assert_eq!((account.errors, first.number, first.what.as_str()), (2, 2, "status 429"));
    assert_eq!((account.live, account.untimed), (Duration::from_millis(5 * 250), 1));
    assert_eq!(account.unpriced_models(), ["other"]);
    let spent = account.spent();
    assert_eq!((spent.calls, spent.tokens.input, spent.cost.unwrap().to_string().as_str()), (2, Some(200), "0.00025"));
    let twice = account.clone().and(account);
    assert_eq!((twice.calls, twice.errors, twice.spent().calls), (12, 4, 4));
    assert_eq!(twice.spent().cost.unwrap().to_string(), "0.0005");
}

#[test]
fn an_answer_that_is_asked_for_again_is_one() {
    let at = |status: &str, usage: &str| {
        reply(200, &format!(r#"{{"id":"run_1","object":"thread.run","model":"m","status":"{status}"{usage}}}"#))
    };
    let usage = r#","usage":{"prompt_tokens":100,"completion_tokens":5}"#;
    let run = "GET https://api.openai.com/v1/threads/t/runs/run_1";
    let spent = of(vec![
        exchange("POST https://api.openai.com/v1/threads/t/runs", r#"{"assistant_id":"a"}"#, at("queued", "")),
        exchange(run, "", at("in_progress", "")),
        exchange(run, "", at("completed", usage)),
        exchange(run, "", at("completed", usage)),
    ])
    .spent();
    assert_eq!((spent.calls, spent.tokens.input, spent.unpriced), (1, Some(100), 0));
}
