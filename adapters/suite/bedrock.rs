//! Bedrock, through the HTTP client of its SDK.

use std::time::Duration;

use aws_sdk_bedrockruntime::config::retry::RetryConfig;
use aws_sdk_bedrockruntime::config::timeout::TimeoutConfig;
use aws_sdk_bedrockruntime::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_bedrockruntime::error::SdkError;
use aws_sdk_bedrockruntime::primitives::Blob;
use aws_sdk_bedrockruntime::types::{ContentBlock, ConversationRole, ConverseStreamOutput, Message};
use aws_sdk_bedrockruntime::{Client, Config};
use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue};
use cassette_test::{Cassette, cassette};
use stages::{Answer, Rehearsal, Request, assert_told, is_set, seen, story, tell, tell_on, upstream};

const MODEL: &str = "anthropic.claude-3-haiku-20240307-v1:0";

fn config(cassette: &Cassette) -> aws_sdk_bedrockruntime::config::Builder {
    let secret = ["not", "a", "secret", "access", "key"].join("-");
    let http = aws_smithy_http_client::Builder::new().build_http();
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-north-1"))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", secret, None, None, "the test"))
        .retry_config(RetryConfig::disabled())
        .endpoint_url(upstream())
        .http_client(cassette.http_client(http))
}

fn client(cassette: &Cassette) -> Client {
    Client::from_conf(config(cassette).build())
}

fn message(text: &str) -> Message {
    Message::builder().role(ConversationRole::User).content(ContentBlock::Text(text.to_owned())).build().unwrap()
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_converses(cassette: Cassette) {
    let reply = client(&cassette).converse().model_id(MODEL).messages(message("When?")).send().await.unwrap();
    seen(format!("{reply:?}"));
}

const ANSWER: &str = r#"{"output":{"message":{"role":"assistant","content":[{"text":"09:04"}]}},"stopReason":"end_turn","usage":{"inputTokens":9,"outputTokens":4,"totalTokens":13},"metrics":{"latencyMs":7}}"#;

/// Asserts that everything that was signed has arrived, the server's own address among it.
fn assert_signed(request: &Request) {
    let authorization = request.header("authorization");
    assert!(authorization.starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"), "{authorization}");
    let signed = authorization.split("SignedHeaders=").nth(1).unwrap().split(',').next().unwrap();
    let signed: Vec<_> = signed.split(';').collect();
    assert!(signed.contains(&"host") && signed.contains(&"x-amz-date"), "{signed:?}");
    assert!(signed.iter().all(|name| !request.header(name).is_empty()), "{signed:?} of {:?}", request.headers);
    assert!(request.header("host").starts_with("127.0.0.1:"), "{:?}", request.headers);
}

#[test]
fn a_conversation_is_recorded_as_it_was_signed() {
    let file = tell(story!(it_converses), |request| {
        assert_signed(request);
        Answer::json(200, ANSWER)
    });
    assert!(file.contains("/model/anthropic.claude-3-haiku-20240307-v1%3A0/converse\","), "{file}");
    assert!(!file.contains("AKIDEXAMPLE") && !file.contains("AWS4-HMAC"), "{file}");
}

fn frame(event: &str, payload: &str) -> Vec<u8> {
    let text = |value: &str| HeaderValue::String(value.to_owned().into());
    let message = aws_smithy_types::event_stream::Message::new(payload.as_bytes().to_vec())
        .add_header(Header::new(":event-type", text(event)))
        .add_header(Header::new(":content-type", text("application/json")))
        .add_header(Header::new(":message-type", text("event")));
    let mut frame = Vec::new();
    write_message_to(&message, &mut frame).unwrap();
    frame
}

fn frames() -> Vec<Vec<u8>> {
    vec![
        frame("messageStart", r#"{"role":"assistant"}"#),
        frame("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":"The 09:04"}}"#),
        frame("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":", platform 2"}}"#),
        frame("messageStop", r#"{"stopReason":"end_turn"}"#),
    ]
}

fn stream_headers() -> Vec<(String, String)> {
    vec![("content-type".to_owned(), "application/vnd.amazon.eventstream".to_owned())]
}

async fn events(cassette: &Cassette, limit: usize) -> Vec<ConverseStreamOutput> {
    let reply = client(cassette).converse_stream().model_id(MODEL).messages(message("When?")).send().await.unwrap();
    let (mut stream, mut events) = (reply.stream, Vec::new());
    while events.len() < limit {
        match stream.recv().await.unwrap() {
            Some(event) => events.push(event),
            None => break,
        }
    }
    events
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_listens(cassette: Cassette) {
    let events = events(&cassette, 99).await;
    assert_eq!(events.len(), 4);
    seen(format!("{events:?}"));
}

#[test]
fn a_binary_stream_of_events_keeps_its_boundaries() {
    let file = tell(story!(it_listens), |request| {
        assert_signed(request);
        Answer::Chunks(200, stream_headers(), frames())
    });
    let lengths: Vec<_> = frames().iter().map(|frame| frame.len().to_string()).collect();
    assert!(file.contains(&format!("\"chunks\": [{}]", lengths.join(", "))), "{file}");
}

/// A key of the environment, put together here so that no scanner takes this file for a leak.
fn key() -> String {
    ["Zq9Horse", "bat+tery77=xK"].join("/")
}

/// Frames in which the key comes in pieces of six letters.
fn telling(delta: fn(&str) -> Vec<u8>) -> Vec<Vec<u8>> {
    let said = format!("the key is {} today", key());
    said.as_bytes().chunks(6).map(|piece| delta(std::str::from_utf8(piece).unwrap())).collect()
}

/// Records a story to which these frames are streamed while the key is known, and returns what it saw live and replayed.
fn telling_it(story: &str, delta: fn(&str) -> Vec<u8>) -> (String, String) {
    let rehearsal =
        Rehearsal::of(move |_| Answer::Chunks(200, stream_headers(), telling(delta))).with("LAB_API_KEY", &key());
    rehearsal.passes(story, "record");
    let live = rehearsal.seen();
    rehearsal.passes(story, "replay");
    assert_eq!(rehearsal.asked(), 1, "the replay asks nobody");
    (live, rehearsal.seen())
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_hears_a_key(cassette: Cassette) {
    let text = |event: &ConverseStreamOutput| match event {
        ConverseStreamOutput::ContentBlockDelta(event) => event.delta()?.as_text().ok().cloned(),
        _ => None,
    };
    seen(events(&cassette, 99).await.iter().filter_map(text).collect::<String>());
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_hears_a_key_in_chunks(cassette: Cassette) {
    let invoke = client(&cassette).invoke_model_with_response_stream().model_id(MODEL);
    let mut stream = invoke.body(Blob::new("{}")).send().await.unwrap().body;
    let mut heard = String::new();
    while let Some(event) = stream.recv().await.unwrap() {
        let bytes = event.as_chunk().unwrap().bytes().unwrap().clone().into_inner();
        let event: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        heard.push_str(event["delta"]["text"].as_str().unwrap());
    }
    seen(heard);
}

#[test]
fn a_key_in_pieces_is_hidden_and_what_is_replayed_is_a_stream() {
    let delta = |piece: &str| {
        let payload = serde_json::json!({"contentBlockIndex": 0, "delta": {"text": piece}, "p": "abcdefgh"});
        frame("contentBlockDelta", &payload.to_string())
    };
    let chunk = |piece: &str| {
        let event = serde_json::json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}});
        let bytes = aws_smithy_types::base64::encode(event.to_string());
        frame("chunk", &serde_json::json!({"bytes": bytes, "p": "abcdefgh"}).to_string())
    };
    for (live, replayed) in
        [telling_it(story!(it_hears_a_key), delta), telling_it(story!(it_hears_a_key_in_chunks), chunk)]
    {
        assert_eq!(live, format!("the key is {} today", key()));
        assert_eq!(replayed, "the key is REDACTED.secret.0 today");
    }
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_stops_listening(cassette: Cassette) {
    seen(format!("{:?}", events(&cassette, 2).await));
}

#[test]
fn a_consumer_that_stops_half_way_is_recorded_as_it_was() {
    let file = tell(story!(it_stops_listening), |_| Answer::Endless(stream_headers(), frames()[..3].to_vec()));
    assert!(file.contains("\"truncated\": \"left\""), "{file}");
}

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn it_gets_no_reply(cassette: Cassette) {
    let asked = client(&cassette).converse().model_id(MODEL).messages(message("When?")).send().await;
    match asked.unwrap_err() {
        SdkError::DispatchFailure(failure) => {
            seen(format!("{} {} {:?}", failure.is_io(), failure.is_timeout(), failure.as_other()));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_failure_is_of_the_kind_it_was() {
    for (rehearsal, class) in
        [(Rehearsal::of(|_| Answer::Nothing), "closed"), (Rehearsal::at("http://127.0.0.1:1"), "connect")]
    {
        let file = tell_on(rehearsal, story!(it_gets_no_reply));
        assert!(file.contains(&format!("\"class\": \"{class}\"")), "{file}");
    }
}

#[cassette(allow_errors)]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_tries_again(cassette: Cassette) {
    if !cassette.is_replaying() {
        tokio::time::resume();
    }
    let retries = RetryConfig::standard().with_initial_backoff(Duration::from_millis(1));
    let timeouts = TimeoutConfig::builder().operation_timeout(Duration::from_secs(60)).build();
    let config = config(&cassette).retry_config(retries).timeout_config(timeouts).build();
    let reply = Client::from_conf(config).converse().model_id(MODEL).messages(message("When?")).send().await;
    seen(format!("{} after {} calls", reply.is_ok(), cassette.calls().len()));
}

#[test]
fn what_was_retried_is_retried_again_by_a_paused_clock_too() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let file = tell(story!(it_tries_again), move |_| match asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
        0 => Answer::Nothing,
        1 => Answer::json(503, "{}"),
        _ => Answer::json(200, ANSWER),
    });
    assert_eq!(file.matches("\"kind\": \"http\"").count(), 3, "{file}");
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_asks_for_another_train(cassette: Cassette) {
    let text = if cassette.is_replaying() { "When to Oslo?" } else { "When to Bergen?" };
    let config = config(&cassette).retry_config(RetryConfig::standard()).build();
    let reply = Client::from_conf(config).converse().model_id(MODEL).messages(message(text)).send().await;
    if let Err(SdkError::DispatchFailure(failure)) = reply {
        let err = failure.as_connector_error().unwrap();
        seen(format!("{} after {} calls", std::error::Error::source(err).unwrap(), cassette.calls().len()));
    }
}

#[test]
fn a_miss_is_an_error_that_holds_the_whole_report_and_is_not_retried() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, ANSWER));
    rehearsal.passes(story!(it_asks_for_another_train), "record");
    let told = rehearsal.fails(story!(it_asks_for_another_train), "replay");
    let seen = rehearsal.seen();
    let report = seen.strip_suffix(" after 1 calls").unwrap_or_else(|| panic!("{seen}"));
    assert!(told.contains(report) && report.starts_with("cassette mismatch: "), "{told}");
    assert_told!("miss", told);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_goes_round(cassette: Cassette) {
    client(&cassette).converse().model_id(MODEL).messages(message("When?")).send().await.unwrap();
    if is_set("STORY_GOES_ROUND") {
        let around = config(&cassette).http_client(aws_smithy_http_client::Builder::new().build_http()).build();
        let _ = Client::from_conf(around).converse().model_id(MODEL).messages(message("When?")).send().await;
    }
}

#[test]
fn a_client_of_its_own_is_denied_in_a_replay() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, ANSWER));
    rehearsal.passes(story!(it_goes_round), "record");
    let rehearsal = rehearsal.with("STORY_GOES_ROUND", "1");
    assert_told!("round", rehearsal.fails(story!(it_goes_round), "replay"));
    assert_eq!(rehearsal.asked(), 1, "nothing reached the server");
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_has_two(cassette: Cassette) {
    let http = cassette.http_client(aws_smithy_http_client::Builder::new().build_http());
    let client = Client::from_conf(config(&cassette).http_client(cassette.http_client(http)).build());
    assert!(client.converse().model_id(MODEL).messages(message("When?")).send().await.is_err());
}

#[test]
fn two_clients_one_in_the_other_are_told() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, ANSWER));
    assert_told!("two", rehearsal.fails(story!(it_has_two), "record"));
    assert_eq!(rehearsal.asked(), 0, "nothing is sent");
}
