//! Replies that end before they are complete, and who ended them.

use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};

use super::PATIENCE;
use super::client::{Client, End, get};
use super::notebook::Notebook;
use super::story::{Stage, only_reply, proven};
use super::upstream::{Upstream, chunked};
use crate::gateway::thread::Limits;

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

/// Returns a recording whose client stopped after two events.
fn stopped_after_two(stage_url: &str, url: &str) -> Vec<(Call, Outcome)> {
    let chunk = |text: &str| Chunk { bytes: text.as_bytes().to_vec(), at: Duration::ZERO };
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let chunks = vec![chunk("data: 1\n\n"), chunk("data: 2\n\n")];
    let reply = Reply { status: 200, headers, chunks, truncated: Some(Truncation::Client) };
    vec![(asked(stage_url, url), Outcome::Reply(reply))]
}

fn asked(path: &str, url: &str) -> Call {
    let host = url.strip_prefix("http://").unwrap().to_owned();
    Call::http("GET", &format!("{url}{path}"), vec![("host".to_owned(), host)], Vec::new())
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
fn a_client_that_waits_for_more_than_was_recorded_fails_when_the_test_ends() {
    let url = "http://upstream.example";
    let stage = Stage::replay(stopped_after_two("/v1", url));
    let gateway = stage.url(&format!("{url}/v1"));
    let mut client = Client::connect(&gateway);
    client.send(get(&gateway));
    client.head().unwrap();
    client.frame().unwrap();
    client.frame().unwrap();
    stage.gateways.stop();
    assert!(client.frame().is_err());
    assert_eq!(
        stage.notebook.failure(),
        "cassette truncated: interaction 1 of `trains`, GET http://upstream.example/v1, was recorded up to event 2, \
         where the program stopped reading; now it waits for more\n\
         help: to record all of it, CASSETTE_MODE=refresh cargo test -p demo --lib tests::it_talks -- --exact"
    );
}

#[test]
fn a_client_does_not_wait_for_ever() {
    let url = "http://upstream.example";
    let limits = Limits { hold: Duration::from_millis(5), ..Limits::default() };
    let stage = Stage::limited(limits, Notebook::replay(stopped_after_two("", url)));
    let gateway = stage.url(url);
    let call = get(&gateway);
    let stage_call = Client::connect(&gateway).ask(call);
    // The request is for `/`, which was not recorded.
    assert_eq!(stage_call.unwrap().head.status, 404);

    let stage = Stage::limited(limits, Notebook::replay(stopped_after_two("/", url)));
    let gateway = stage.url(url);
    let seen = Client::connect(&gateway).ask(get(&gateway)).unwrap();
    assert_eq!((seen.text(), seen.end), ("data: 1\n\ndata: 2\n\n".to_owned(), End::Broken));
    assert!(stage.notebook.failure().contains("now it waits for more"));
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
fn a_client_that_no_longer_gives_up_fails_the_test() {
    let url = "http://upstream.example";
    let error = TransportError { class: TransportClass::Timeout, message: String::new() };
    let limits = Limits { hold: Duration::from_millis(5), ..Limits::default() };
    let stage = Stage::limited(limits, Notebook::replay(vec![(asked("/", url), Outcome::Error(error))]));
    let gateway = stage.url(url);
    assert!(Client::connect(&gateway).ask(get(&gateway)).is_err());
    assert!(stage.notebook.failure().contains("recorded up to event 0"));
}

#[test]
fn stopping_ends_a_stream_that_runs_and_files_it() {
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
    let reply = stage.notebook.reply();
    assert_eq!((reply.chunks.len(), reply.truncated), (1, Some(Truncation::Client)));
    assert!(client.frame().is_err());
    gone.recv_timeout(PATIENCE).unwrap();
    stage.gateways.stop();
}
