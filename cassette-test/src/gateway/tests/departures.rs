//! Clients that leave before a reply is complete.

use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use cassette_core::reply::{Outcome, TransportClass, TransportError, Truncation};

use super::PATIENCE;
use super::client::{Client, get};
use super::stage::Stage;
use super::story::{only_reply, proven};
use super::upstream::{Upstream, chunked};

/// Returns an upstream that streams these events and then says nothing until its connection ends, and where it tells of that.
fn silent_after(events: &'static [&'static str]) -> (Upstream, std::sync::mpsc::Receiver<()>) {
    let (sender, gone) = channel();
    let upstream = Upstream::start(move |line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream"));
        events.iter().for_each(|event| line.chunk(event));
        line.wait_for_end();
        sender.send(()).unwrap();
    });
    (upstream, gone)
}

/// Reads so many frames and hangs up.
fn read(url: &str, count: usize) -> Vec<Vec<u8>> {
    let mut client = Client::connect(url);
    client.send(get(url));
    client.head().unwrap();
    (0..count).map(|_| client.frame().unwrap()).collect()
}

#[test]
fn a_client_that_stops_half_way_ends_the_upstreams_call_too() {
    let (upstream, gone) = silent_after(&["data: 1\n\n", "data: 2\n\n"]);
    let (seen, written) = proven(upstream, 1, |url| read(url, 2));
    gone.recv_timeout(PATIENCE).unwrap();
    assert_eq!(seen.concat(), b"data: 1\n\ndata: 2\n\n");
    let reply = only_reply(&written);
    assert_eq!((reply.chunks.len(), reply.truncated), (2, Some(Truncation::Client)));
}

#[test]
fn a_client_that_hangs_up_at_the_providers_last_word_has_all() {
    for last in ["data: [DONE]\n\n", "event: message_stop\ndata: {}\n\n"] {
        let upstream = Upstream::start(move |line| {
            line.request().unwrap();
            line.send(chunked("text/event-stream"));
            line.chunk("data: 1\n\n");
            line.chunk(last);
            line.wait_for_end();
        });
        let (_, written) = proven(upstream, 1, |url| read(url, 2));
        assert_eq!(only_reply(&written).truncated, None);
    }
}

#[test]
fn a_client_that_gives_up_before_the_reply_gives_up_again() {
    let (sender, asked_for) = channel();
    let sender = Mutex::new(sender);
    let upstream = Upstream::start(move |line| {
        line.request().unwrap();
        sender.lock().unwrap().send(()).unwrap();
        line.wait_for_end();
    });
    let stage = Stage::live();
    let url = stage.url(&upstream.url);
    let mut client = Client::connect(&url);
    client.send(get(&url));
    asked_for.recv_timeout(PATIENCE).unwrap();
    drop(client);
    let written = stage.notebook.written(1);
    let expected = TransportError {
        class: TransportClass::Timeout,
        message: "the program stopped waiting for the reply".to_owned(),
    };
    assert_eq!(written[0].1, Outcome::Error(expected));

    let replay = Stage::replay(written);
    let url = replay.url(&upstream.url);
    let mut client = Client::connect(&url);
    client.send(get(&url));
    drop(client);
    replay.gateways.stop();
    replay.notebook.assert_content();
}

#[test]
fn stopping_ends_a_stream_that_runs_and_files_nothing() {
    let (upstream, gone) = silent_after(&["data: 1\n\n"]);
    let stage = Stage::live();
    let url = stage.url(&upstream.url);
    let mut client = Client::connect(&url);
    client.send(get(&url));
    client.head().unwrap();
    client.frame().unwrap();
    let start = std::time::Instant::now();
    stage.gateways.stop();
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(stage.notebook.filed(), 0, "its client had not left");
    assert!(client.frame().is_err());
    gone.recv_timeout(PATIENCE).unwrap();
    stage.gateways.stop();
}

#[test]
fn stopping_ends_a_call_that_waits_and_files_nothing() {
    let (sender, asked_for) = channel();
    let sender = Mutex::new(sender);
    let upstream = Upstream::start(move |line| {
        line.request().unwrap();
        sender.lock().unwrap().send(()).unwrap();
        line.wait_for_end();
    });
    let stage = Stage::live();
    let url = stage.url(&upstream.url);
    let mut client = Client::connect(&url);
    client.send(get(&url));
    asked_for.recv_timeout(PATIENCE).unwrap();
    stage.gateways.stop();
    assert_eq!(stage.notebook.filed(), 0, "its client had not given up");
    assert!(client.head().is_err());
}

#[test]
fn a_client_that_left_just_before_the_stop_has_left() {
    let (upstream, _gone) = silent_after(&["data: 1\n\n"]);
    let stage = Stage::live();
    read(&stage.url(&upstream.url), 1);
    stage.gateways.stop();
    assert_eq!(stage.notebook.reply().truncated, Some(Truncation::Client));
}
