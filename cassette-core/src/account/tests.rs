//! What is told of a cassette: tokens without overlap, money without rounding, and what is unknown as such.

use std::time::Duration;

use super::{Account, Price, Prices, Rate, account};
use crate::call::{Call, Kind};
use crate::key::Key;
use crate::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};
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
    let chunk = |at, bytes: &str| Chunk { bytes: bytes.as_bytes().to_vec(), at: Some(Duration::from_millis(at)) };
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
    let is_counted = tokens.starts_with("input") && (tokens.contains("output") || name.ends_with("embeddings"));
    assert_eq!((spent.unpriced, spent.uncounted), (usize::from(cost.is_none()), usize::from(!is_counted)));
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
fn what_has_a_price_and_no_count_is_told_apart() {
    let untold = |asked: &str, answered: &str| {
        let spent = of(vec![exchange(CHAT, asked, reply(200, answered))]).spent();
        (spent.unpriced, spent.untold)
    };
    let usage = r#"{"usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    assert_eq!(untold(ASKS, usage), (0, 0));
    assert_eq!(untold(ASKS, r#"{"usage":{"prompt_tokens":100}}"#), (1, 1));
    assert_eq!(untold(r#"{"model":"nobody-knows","messages":[]}"#, "{}"), (1, 0));
    assert_eq!(untold(ASKS, r#"{"usage":{"prompt_tokens":1001,"completion_tokens":5}}"#), (1, 0));
}

#[test]
fn what_was_sent_and_got_no_reply_may_have_cost_something() {
    let failed = |name: &str, class| {
        of(vec![exchange(name, ASKS, Outcome::Error(TransportError { class, message: "no answer".into() }))])
    };
    let sent = [TransportClass::Timeout, TransportClass::Reset, TransportClass::Closed];
    for class in [TransportClass::Connect, TransportClass::Tls, TransportClass::Dns].into_iter().chain(sent) {
        let account = failed(CHAT, class);
        assert_eq!((account.unanswered, account.spent().calls), (usize::from(sent.contains(&class)), 0), "{class:?}");
        assert_eq!(failed("POST https://timetable.example.com/", class).unanswered, 0, "it is no model's");
    }
}

#[test]
fn what_a_provider_does_beside_answering_has_no_known_price() {
    let cost = |name: &str, status| {
        let spent = of(vec![exchange(name, r#"{"completion_window":"24h"}"#, reply(status, r#"{"id":"x"}"#))]).spent();
        (spent.unpriced, spent.uncounted, spent.cost)
    };
    for name in [
        "POST https://api.openai.com/v1/batches",
        "POST https://api.x.ai/v1/videos/generations",
        "POST https://generativelanguage.googleapis.com/v1beta/models/veo:predictLongRunning",
    ] {
        assert_eq!(cost(name, 200), (1, 1, None), "{name}");
        assert_eq!(cost(name, 500), (0, 0, None), "{name} failed");
    }
    for name in [
        "GET https://api.openai.com/v1/batches/b",
        "POST https://api.openai.com/v1/batches/b/cancel",
        "POST https://api.openai.com/v1/files",
        "POST https://trains.example.com/v1/batches",
    ] {
        assert_eq!(cost(name, 200), (0, 0, None), "{name}");
    }
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
    assert_eq!((account.live, account.untimed, account.unanswered), (Some(Duration::from_millis(5 * 250)), 1, 1));
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

#[test]
fn what_is_asked_for_again_is_known_by_its_id_in_the_address() {
    let usage = r#"{"id":"resp_1","object":"response","model":"m","status":"cancelled","usage":{"input_tokens":100,"output_tokens":5}}"#;
    let begun = r#"{"id":"resp_1","object":"response","model":"m","status":"queued"}"#;
    let responses = "POST https://api.openai.com/v1/responses";
    let spent = of(vec![
        exchange(responses, r#"{"model":"m","input":"When?","background":true}"#, reply(200, begun)),
        exchange(&format!("{responses}/resp_1/cancel"), "", reply(200, usage)),
        // A service that gives everything one id answers twice all the same.
        exchange(responses, r#"{"model":"m","input":"When?"}"#, reply(200, usage)),
    ])
    .spent();
    assert_eq!((spent.calls, spent.tokens.input, spent.uncounted), (2, Some(200), 0));
}

/// Returns a stream, cut where somebody cut it.
fn stream(events: &[&str], truncated: Option<Truncation>) -> Outcome {
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let Outcome::Reply(whole) = reply(200, &body) else { unreachable!() };
    Outcome::Reply(Reply { truncated, ..whole })
}

#[test]
fn a_reply_that_says_nothing_was_paid_for_all_the_same() {
    let bodiless = || {
        Outcome::Reply(Reply {
            status: 200,
            headers: Vec::new(),
            chunks: Vec::new(),
            trailers: Vec::new(),
            truncated: None,
        })
    };
    let speech =
        exchange("POST https://api.openai.com/v1/audio/speech", r#"{"model":"m","input":"a"}"#, reply(200, "RIFF"));
    let account = of(vec![exchange(CHAT, ASKS, bodiless()), speech, exchange(CHAT, ASKS, reply(302, ""))]);
    let spent = account.spent();
    assert_eq!((spent.calls, spent.uncounted, spent.unpriced, spent.cost), (2, 2, 2, None));
    assert_eq!((account.live, account.untimed), (Some(Duration::from_millis(2 * 250)), 1));
}

#[test]
fn a_stream_that_broke_off_has_not_counted_its_answer() {
    let counted = |name: &str, events: &[&str], truncated| {
        let spent = of(vec![exchange(name, ASKS, stream(events, truncated))]).spent();
        (spent.tokens.input, spent.tokens.output, spent.uncounted, spent.cost.map(|cost| cost.to_string()))
    };
    let start =
        r#"{"type":"message_start","message":{"type":"message","usage":{"input_tokens":40,"output_tokens":1}}}"#;
    let end =
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":0,"output_tokens":50}}"#;
    let cut = (Some(40), None, 1, None);
    assert_eq!(counted(MESSAGES, &[start], Some(Truncation::Upstream)), cut);
    assert_eq!(counted(MESSAGES, &[start, r#"{"type":"error","error":{"type":"overloaded_error"}}"#], None), cut);
    assert_eq!(counted(MESSAGES, &[start, r#"{"type":"ping"}"#], None), cut, "nobody says that it was cut");
    let whole = (Some(40), Some(50), 0, Some("0.00058".to_owned()));
    assert_eq!(counted(MESSAGES, &[start, end], None), whole);
    assert_eq!(counted(MESSAGES, &[start, end], Some(Truncation::Client)), whole, "it had said that it ends");

    let so_far = |n: u64, rest: &str| {
        format!(
            r#"{{"choices":[{{"index":0,"delta":{{"content":"a"}}{rest}}}],"usage":{{"prompt_tokens":40,"completion_tokens":{n}}}}}"#
        )
    };
    let (one, last) = (so_far(1, ""), so_far(50, r#","finish_reason":"stop""#));
    assert_eq!(counted(CHAT, &[&one], Some(Truncation::Client)), cut);
    assert_eq!(counted(CHAT, &[&one, &last], None), whole, "counted twice is counted once");

    let account = of(vec![exchange(CHAT, ASKS, stream(&[&one], Some(Truncation::Upstream)))]);
    assert_eq!((account.errors, account.first_error.unwrap().what.as_str()), (1, "a broken reply"));
}

#[test]
fn what_costs_more_than_its_tokens_has_no_known_price() {
    let cost = |name: &str, asked: &str, answered: &str| {
        of(vec![exchange(name, asked, reply(200, answered))]).spent().cost.is_some()
    };
    let chat =
        |more: &str| cost(CHAT, ASKS, &format!(r#"{{"usage":{{"prompt_tokens":9,"completion_tokens":5{more}}}}}"#));
    assert!(chat(""));
    assert!(chat(r#","completion_tokens_details":{"audio_tokens":0}"#));
    assert!(!chat(r#","completion_tokens_details":{"audio_tokens":37}"#));
    assert!(!chat(r#","num_sources_used":3"#));
    assert!(!chat(r#","search_context_size":"low""#));
    let tier = |asked: &str, told: &str| {
        let usage = r#""usage":{"prompt_tokens":9,"completion_tokens":5}"#;
        cost(CHAT, &format!(r#"{{"model":"m","messages":[]{asked}}}"#), &format!("{{{usage}{told}}}"))
    };
    assert!(!tier(r#","service_tier":"auto""#, r#","service_tier":"priority""#), "what it was served as counts");
    assert!(tier(r#","service_tier":"priority""#, r#","service_tier":"default""#));
    assert!(!tier(r#","service_tier":"priority""#, r#","service_tier":null"#));
    let claude = |more: &str| {
        cost(MESSAGES, ASKS, &format!(r#"{{"type":"message","usage":{{"input_tokens":9,"output_tokens":5{more}}}}}"#))
    };
    assert!(claude(
        r#","service_tier":"standard","cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":0}"#
    ));
    assert!(!claude(r#","cache_creation":{"ephemeral_1h_input_tokens":3}"#));
    assert!(!claude(r#","server_tool_use":{"web_search_requests":1}"#));
    assert!(!claude(r#","service_tier":"batch""#));
    let gemini = |told: &str| {
        cost(GEMINI, "{}", &format!(r#"{{"usageMetadata":{{"promptTokenCount":9,"candidatesTokenCount":5{told}}}}}"#))
    };
    assert!(gemini(
        r#","promptTokensDetails":[{"modality":"TEXT","tokenCount":3},{"modality":"IMAGE","tokenCount":6}]"#
    ));
    assert!(!gemini(r#","promptTokensDetails":[{"modality":"AUDIO","tokenCount":6}]"#));
    assert!(!gemini(r#","candidatesTokensDetails":[{"modality":"IMAGE","tokenCount":6}]"#));
    assert!(!gemini(r#"},"candidates":[{"groundingMetadata":{"webSearchQueries":["trains"]}}],"x":{"#));
    let responses = |output: &str| {
        let told = format!(r#"{{"output":[{output}],"usage":{{"input_tokens":9,"output_tokens":5}}}}"#);
        cost("POST https://api.openai.com/v1/responses", r#"{"model":"m","input":"When?"}"#, &told)
    };
    assert!(responses(r#"{"type":"function_call"}"#));
    assert!(!responses(r#"{"type":"web_search_call"}"#));
}

#[test]
fn cohere_is_paid_for_what_it_bills() {
    let usage = r#"{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":10,"output_tokens":5},"tokens":{"input_tokens":70,"output_tokens":5}}}"#;
    check("POST https://api.cohere.com/v2/chat", ASKS, usage, "input 70, output 5", Some("0.00007"));
    let ranked = r#"{"results":[],"meta":{"billed_units":{"search_units":1}}}"#;
    check("POST https://api.cohere.com/v2/rerank", r#"{"model":"m","query":"q","documents":["a"]}"#, ranked, "", None);
}

#[test]
fn what_gemini_s_own_tools_read_is_read() {
    let usage = r#"{"usageMetadata":{"promptTokenCount":100,"toolUsePromptTokenCount":50,"candidatesTokenCount":30}}"#;
    check(GEMINI, "{}", usage, "input 150, output 30", Some("0.0006"));
}

#[test]
fn a_model_without_a_name_is_called_so_and_has_no_price() {
    let usage = r#"{"model":" ","usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    let mut prices = prices();
    prices.set("", Price::default());
    for asked in [r#"{"model":"","messages":[]}"#, r#"{"model":" ","messages":[]}"#, r#"{"messages":[]}"#] {
        let account =
            account(&Tape { interactions: vec![exchange(CHAT, asked, reply(200, usage))], ..Tape::default() }, &prices);
        assert_eq!(account.models.keys().collect::<Vec<_>>(), ["unnamed"], "{asked}");
        assert_eq!((account.spent().cost, account.unpriced_models()), (None, vec!["unnamed"]));
    }
}

#[test]
fn no_sum_is_cut_off() {
    let most = u64::MAX;
    let usage = format!(r#"{{"usage":{{"prompt_tokens":{most},"completion_tokens":{most}}}}}"#);
    let mut prices = Prices::default();
    prices.set(
        "m",
        Price { input: Rate::per_million("999999").unwrap(), output: Rate::per_million("1"), ..Price::default() },
    );
    let exchanges = vec![exchange(CHAT, ASKS, reply(200, &usage)), exchange(CHAT, ASKS, reply(200, &usage))];
    let spent = account(&Tape { interactions: exchanges, ..Tape::default() }, &prices).spent();
    assert_eq!(spent.tokens.input, Some(2 * u128::from(most)));
    assert_eq!(spent.cost.unwrap().rounded(0), "36893488147419103230");
    assert_eq!(spent.cost.unwrap().times(most), None, "what cannot be told is not told");

    let long = |at: u64| {
        let Outcome::Reply(mut whole) = reply(200, "{}") else { unreachable!() };
        whole.chunks[1].at = Some(Duration::from_secs(at));
        exchange("GET https://timetable.example.com/", "", Outcome::Reply(whole))
    };
    let account = of(vec![long(most), long(1), long(most)]);
    assert_eq!((account.live, account.untimed), (Some(Duration::from_secs(most)), 2));
    let twice = account.clone().and(account);
    assert_eq!((twice.live, twice.untimed), (Some(Duration::from_secs(most)), 7));
}

#[test]
fn a_time_that_nobody_measured_is_not_known() {
    let untimed = || {
        let Outcome::Reply(mut whole) = reply(200, "{}") else { unreachable!() };
        whole.chunks.iter_mut().for_each(|chunk| chunk.at = None);
        exchange("GET https://timetable.example.com/", "", Outcome::Reply(whole))
    };
    let timed = || exchange("GET https://timetable.example.com/", "", reply(200, "{}"));
    let told = |exchanges| {
        let account = of(exchanges);
        (account.live.map(|live| live.as_millis()), account.untimed)
    };
    assert_eq!(told(vec![untimed(), untimed()]), (None, 2));
    assert_eq!(told(vec![untimed(), timed()]), (Some(250), 1));
    assert_eq!(told(Vec::new()), (None, 0));
    let within = |interaction: Interaction| Interaction { within: Some(0), ..interaction };
    assert_eq!(
        told(vec![timed(), within(timed()), within(untimed())]),
        (Some(250), 0),
        "it is part of the first one's time"
    );
    assert_eq!(told(vec![untimed(), within(timed())]), (Some(250), 1));
}

#[test]
fn a_model_may_stand_in_a_form() {
    let body = "--b\r\ncontent-disposition: form-data; name=\"model\"\r\n\r\nm\r\n--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\nRIFF\r\n--b--\r\n";
    let headers = vec![("content-type".to_owned(), "multipart/form-data; boundary=b".to_owned())];
    let call = Call::http("POST", "https://api.openai.com/v1/audio/transcriptions", headers, body.into());
    let told = exchange(CHAT, "", reply(200, r#"{"text":"At 09:04."}"#));
    let account = of(vec![Interaction { asked: Asked::Whole(call), ..told }]);
    assert_eq!(account.models.keys().collect::<Vec<_>>(), ["m"]);
}

/// Returns a call of a function that a model is behind, and what it gave.
fn of_function(outcome: Outcome) -> Interaction {
    let call = Call::function(Kind::Llm, "guide::answer", b"{}".to_vec());
    Interaction { asked: Asked::Whole(call), ..exchange(CHAT, "", outcome) }
}

#[test]
fn what_a_function_asked_of_a_model_is_not_known_and_never_nothing() {
    let value = |text: &str| Outcome::Reply(Reply::value(text.as_bytes().to_vec(), Duration::from_millis(100)));
    let told = |exchanges: Vec<Interaction>| {
        let account = of(exchanges);
        let spent = account.spent();
        assert_eq!(account.kinds.contains_key("model"), account.calls > account.kinds["llm"]);
        (spent.calls, spent.uncounted, spent.unpriced, spent.untold, spent.cost.map(|cost| cost.to_string()))
    };
    let unknown = (1, 1, 1, 1, None);
    for text in ["\"At 09:04.\"", "null", r#"{"input_tokens":9,"output_tokens":5}"#, r#"[{"choices":[]}]"#] {
        assert_eq!(told(vec![of_function(value(text))]), unknown, "{text}");
    }
    // It may have failed at what a model had answered.
    let failure = Outcome::Reply(Reply::failure(b"\"no such train\"".to_vec(), Duration::ZERO));
    assert_eq!(told(vec![of_function(failure)]), unknown);
    let given_up = of(vec![of_function(Outcome::Error(TransportError::given_up()))]);
    assert_eq!((given_up.unanswered, given_up.models.len()), (1, 0));
    assert_eq!(of(vec![of_function(value("1"))]).models.keys().collect::<Vec<_>>(), ["guide::answer"]);
    let stream = Reply {
        headers: vec![("content-type".into(), "application/x-ndjson".into())],
        ..match value("1") {
            Outcome::Reply(reply) => reply,
            Outcome::Error(_) => unreachable!(),
        }
    };
    assert_eq!(told(vec![of_function(Outcome::Reply(stream))]), unknown);

    // A tool is no model; what is asked within a function is counted by itself.
    let tool = Call::function(Kind::Tool, "search", Vec::new());
    let account = of(vec![Interaction { asked: Asked::Whole(tool), ..exchange(CHAT, "", value("1")) }]);
    assert_eq!(account.spent().calls, 0);
    let usage = r#"{"usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    let within = Interaction { within: Some(0), ..exchange(CHAT, ASKS, reply(200, usage)) };
    let counted = (1, 0, 0, 0, Some("0.00025".to_owned()));
    assert_eq!(told(vec![of_function(value("1")), within.clone()]), counted);
    let beside = Interaction { within: None, ..within };
    assert_eq!(told(vec![of_function(value("1")), beside]), (2, 1, 1, 1, Some("0.00025".to_owned())));
}

#[test]
fn a_function_that_gives_a_provider_s_reply_is_counted_by_it() {
    let told = |text: &str| {
        let value = Reply::value(text.as_bytes().to_vec(), Duration::from_millis(100));
        let account = of(vec![of_function(Outcome::Reply(value))]);
        let spent = account.spent();
        let model = account.models.keys().next().cloned().unwrap_or_default();
        (model, spent.tokens.input, spent.tokens.output, spent.cost.map(|cost| cost.to_string()))
    };
    let of_m = |input, output, cost: &str| ("m".to_owned(), Some(input), Some(output), Some(cost.to_owned()));
    let chat =
        r#"{"model":"m","choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    assert_eq!(told(chat), of_m(100, 5, "0.00025"));
    let responses = r#"{"object":"response","status":"completed","model":"m","usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":40},"output_tokens":5}}"#;
    assert_eq!(told(responses), of_m(60, 5, "0.00019"));
    let messages = r#"{"type":"message","model":"m","stop_reason":"end_turn","usage":{"input_tokens":100,"cache_read_input_tokens":40,"output_tokens":5}}"#;
    assert_eq!(told(messages), of_m(100, 5, "0.00027"));
    let gemini = r#"{"modelVersion":"m","candidates":[],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":5,"thoughtsTokenCount":5}}"#;
    assert_eq!(told(gemini), of_m(100, 10, "0.0003"));
    let nameless = r#"{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    assert_eq!(told(nameless), ("guide::answer".to_owned(), Some(100), Some(5), None));
}
