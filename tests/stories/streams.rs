//! Streams, whose chunks come back as they came.

use std::io::Read;
use std::sync::mpsc;

use cassette_test::{Cassette, cassette};
use futures_util::StreamExt as _;
use stages::{Answer, Rehearsal, seen, tell};

use crate::told::base;

const EVENTS: [&str; 5] = [
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The 09:04\"}}]}\n\n",
    ": keep-alive\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\", platform 2\"}}]}\n\n",
    "data: [DONE]\n\n",
];

/// Reads a stream, chunk by chunk, up to so many.
async fn chunks(url: String, limit: usize) -> Vec<String> {
    let reply = reqwest::Client::new().get(url).send().await.unwrap();
    let stream = reply.bytes_stream().take(limit);
    stream.map(|chunk| String::from_utf8_lossy(&chunk.unwrap()).into_owned()).collect().await
}

#[cassette("events")]
#[tokio::test]
#[ignore]
async fn a_stream_of_events(cassette: Cassette) {
    let chunks = chunks(format!("{}/stream", base(&cassette)), 99).await;
    assert_eq!(chunks, EVENTS, "each event is one chunk");
    seen(chunks.join("|"));
}

#[test]
fn events_keep_their_boundaries() {
    let file = tell("streams::a_stream_of_events", |_| Answer::events(&EVENTS));
    assert!(
        file.contains(r#"            {"data": {"choices": [{"index": 0, "delta": {"content": "The 09:04"}}]}},"#),
        "{file}"
    );
    assert!(!file.contains("\"chunks\""), "each event was one chunk: {file}");
}

#[cassette("lines")]
#[tokio::test]
#[ignore]
async fn a_stream_of_lines(cassette: Cassette) {
    seen(chunks(format!("{}/lines", base(&cassette)), 99).await.join("|"));
}

#[test]
fn lines_and_split_events_keep_their_boundaries() {
    let chunks = ["{\"a\":1}\n{\"a\"", ":2}\n", "{\"a\":3}\n"].map(|chunk| chunk.as_bytes().to_vec()).to_vec();
    let headers = vec![("content-type".to_owned(), "application/x-ndjson".to_owned())];
    let file = tell("streams::a_stream_of_lines", move |_| Answer::Chunks(200, headers.clone(), chunks.clone()));
    assert!(file.contains("\"chunks\": [12, 4, 8]"), "{file}");
}

#[cassette("stopped")]
#[tokio::test]
#[ignore]
async fn a_reader_that_stops(cassette: Cassette) {
    seen(chunks(format!("{}/stream", base(&cassette)), 2).await.join("|"));
}

#[test]
fn a_consumer_that_stops_half_way_is_recorded_as_it_was() {
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let events: Vec<_> = EVENTS[..3].iter().map(|event| event.as_bytes().to_vec()).collect();
    let file = tell("streams::a_reader_that_stops", move |_| Answer::Endless(headers.clone(), events.clone()));
    assert!(file.contains("\"truncated\": \"client\""), "{file}");
}

#[cassette("broken", allow_errors)]
#[tokio::test]
#[ignore]
async fn a_stream_that_breaks(cassette: Cassette) {
    let reply = reqwest::Client::new().get(format!("{}/stream", base(&cassette))).send().await.unwrap();
    let ends: Vec<_> =
        reply.bytes_stream().map(|chunk| chunk.map(|bytes| bytes.len()).map_err(|_| "broken")).collect().await;
    seen(format!("{ends:?}"));
}

#[test]
fn a_connection_that_breaks_breaks_again() {
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let events: Vec<_> = EVENTS[..2].iter().map(|event| event.as_bytes().to_vec()).collect();
    let file = tell("streams::a_stream_that_breaks", move |_| Answer::Broken(headers.clone(), events.clone()));
    assert!(file.contains("\"truncated\": \"upstream\""), "{file}");
}

#[cassette("hung-up")]
#[tokio::test]
#[ignore]
async fn a_reader_that_hangs_up_at_the_last_event(cassette: Cassette) {
    let asked = serde_json::json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "when?"}]});
    let url = format!("{}/chat/completions", base(&cassette));
    let mut stream = reqwest::Client::new().post(url).json(&asked).send().await.unwrap().bytes_stream();
    while let Some(chunk) = stream.next().await {
        if chunk.unwrap().ends_with(b"data: [DONE]\n\n") {
            break;
        }
    }
    drop(stream);
    seen(cassette.transcript());
}

#[test]
fn a_stream_is_told_of_as_soon_as_its_last_event_was_read() {
    // The end of the body comes a little later than its last event.
    let story = "streams::a_reader_that_hangs_up_at_the_last_event";
    let mut rehearsal = Rehearsal::of(|_| Answer::events(&EVENTS));
    let live = rehearsal.play(story, "record").seen;
    assert!(live.ends_with("  assistant  The 09:04, platform 2\n"), "{live}");
    rehearsal.shut_down();
    assert_eq!(rehearsal.play(story, "replay").seen, live);
}

#[cassette("more")]
#[tokio::test]
#[ignore]
async fn a_reader_that_wants_more_than_it_did(cassette: Cassette) {
    // The teller has it read on only in replay.
    let limit = if cassette.is_replaying() { 99 } else { 2 };
    seen(chunks(format!("{}/stream", base(&cassette)), limit).await.join("|"));
}

#[test]
fn waiting_for_more_than_was_recorded_fails_naming_the_event() {
    let story = "streams::a_reader_that_wants_more_than_it_did";
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let events: Vec<_> = EVENTS[..2].iter().map(|event| event.as_bytes().to_vec()).collect();
    let mut rehearsal = Rehearsal::of(move |_| Answer::Endless(headers.clone(), events.clone()));
    rehearsal.passes(story, "record");
    rehearsal.shut_down();
    let told = rehearsal.fails(story, "replay");
    assert!(told.contains("was recorded up to event 2"), "{told}");
}

#[cassette("reading-on")]
#[test]
#[ignore]
fn a_thread_that_reads_on(cassette: Cassette) {
    let base = base(&cassette);
    ureq::get(format!("{base}/plain")).call().unwrap().body_mut().read_to_string().unwrap();
    let (url, (say, hear)) = (format!("{base}/stream"), mpsc::channel());
    std::thread::spawn(move || {
        let mut reader = ureq::get(url).call().unwrap().into_body().into_reader();
        reader.read_exact(&mut [0]).unwrap();
        say.send(()).unwrap();
        let _ = reader.read_to_end(&mut Vec::new());
    });
    hear.recv().unwrap();
}

#[test]
fn a_stream_that_its_test_does_not_wait_for_is_not_recorded() {
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let rehearsal = Rehearsal::of(move |request| match request.target.as_str() {
        "/v1/plain" => Answer::json(200, "{}"),
        _ => Answer::Endless(headers.clone(), vec![EVENTS[0].as_bytes().to_vec()]),
    });
    let told = rehearsal.fails("streams::a_thread_that_reads_on", "record");
    assert!(told.contains("under way"), "{told}");
    assert_eq!(rehearsal.file("reading-on"), "");
}
