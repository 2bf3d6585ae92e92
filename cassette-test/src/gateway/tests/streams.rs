//! Bodies that come in pieces.

use std::sync::Mutex;
use std::sync::mpsc::channel;

use cassette_core::reply::Reply;

use super::client::{Client, End, get};
use super::story::{only_reply, proven};
use super::upstream::{Upstream, chunked};

/// Streams these chunks in step with the client, and proves that each arrives as it was sent, recorded and replayed.
#[track_caller]
fn check(content_type: &'static str, chunks: &[Vec<u8>]) -> Reply {
    let (sender, taken) = channel();
    let taken = Mutex::new(taken);
    let sent = chunks.to_vec();
    let upstream = Upstream::start(move |line| {
        line.request().unwrap();
        line.send(chunked(content_type));
        for chunk in &sent {
            line.chunk(chunk);
            taken.lock().unwrap().recv().unwrap();
        }
        line.send("0\r\n\r\n");
    });
    let (seen, written) = proven(upstream, 1, |url| {
        let mut client = Client::connect(url);
        client.send(get(url));
        let head = client.head().unwrap();
        let mut frames = Vec::new();
        loop {
            let frame = client.frame().unwrap();
            if frame.is_empty() {
                return (head, frames);
            }
            frames.push(frame);
            // There is nobody to be told in the replay.
            let _ = sender.send(());
        }
    });
    assert_eq!(seen.0.header("content-type"), Some(content_type));
    assert_eq!(seen.1, chunks);
    let reply = only_reply(&written).clone();
    assert_eq!(reply.chunks.iter().map(|chunk| chunk.bytes.clone()).collect::<Vec<_>>(), chunks);
    assert!(reply.chunks.is_sorted_by_key(|chunk| chunk.at));
    assert_eq!(reply.truncated, None);
    reply
}

#[test]
fn events_keep_their_boundaries() {
    let event =
        |n: usize| format!("data: {{\"n\":{n},\"text\":\"{}\"}}\n\n", "x".repeat(50 + n * 7 % 200)).into_bytes();
    check("text/event-stream", &(0..100).map(event).collect::<Vec<_>>());
}

#[test]
fn an_event_cut_inside_a_character_is_cut_there_again() {
    let text = "data: Blåbærsyltetøy\n\n".as_bytes();
    check("text/event-stream", &text.chunks(3).map(<[u8]>::to_vec).collect::<Vec<_>>());
}

#[test]
fn lines_of_json_keep_their_boundaries() {
    check("application/x-ndjson", &(0..20).map(|n| format!("{{\"n\":{n}}}\n").into_bytes()).collect::<Vec<_>>());
}

#[test]
fn binary_frames_keep_their_boundaries() {
    check("application/vnd.amazon.eventstream", &(1..20).map(|n| vec![n; usize::from(n) * 100]).collect::<Vec<_>>());
}

#[test]
fn a_stream_of_one_event_has_a_length_when_it_is_replayed() {
    let upstream = Upstream::start(|line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream"));
        line.chunk("data: [DONE]\n\n");
        line.send("0\r\n\r\n");
    });
    let (seen, _) = proven(upstream, 1, |url| {
        let seen = Client::connect(url).ask(get(url)).unwrap();
        (seen.text(), seen.end)
    });
    assert_eq!(seen, ("data: [DONE]\n\n".to_owned(), End::Complete));
}

#[test]
fn a_burst_arrives_whole() {
    let events: Vec<String> = (0..200).map(|n| format!("data: {{\"n\":{n}}}\n\n")).collect();
    let sent = events.clone();
    let upstream = Upstream::start(move |line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream"));
        sent.iter().for_each(|event| line.chunk(event));
        line.send("0\r\n\r\n");
    });
    let (seen, _) = proven(upstream, 1, |url| Client::connect(url).ask(get(url)).unwrap().text());
    assert_eq!(seen, events.concat());
}
