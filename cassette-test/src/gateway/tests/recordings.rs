//! The gateway, a session and a cassette: recorded, saved, loaded and replayed with the upstream gone.

use std::fmt::Debug;
use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session};
use cassette_core::store::MemoryStore;

use super::client::{Client, get};
use super::upstream::{Upstream, chunked, whole};
use crate::gateway::Gateways;
use crate::options::Pace;

/// Plays `act` in this mode and returns what it saw; the test must pass.
#[track_caller]
fn play<T>(store: &MemoryStore, mode: Mode, url: &str, act: impl FnOnce(&str) -> T) -> T {
    let test = "demo::it_talks".to_owned();
    let rerun = Rerun { package: "demo".to_owned(), target: Target::Lib, test: "it_talks".to_owned(), ignored: false };
    let session = Arc::new(Session::open(Plan::new("talk", Arc::new(store.clone()), mode, test, rerun)).unwrap());
    let gateways = Gateways::new(Pace::Instant);
    let seen = act(&gateways.base_url(&session, url).unwrap());
    gateways.stop();
    let verdict = session.finish(BodyEnd::Passed);
    assert!(verdict.reports.is_empty(), "{mode}: {}", verdict.reports[0]);
    seen
}

/// Proves that what was recorded is replayed from the file.
#[track_caller]
fn check<T: Debug + PartialEq>(upstream: Upstream, act: impl Fn(&str) -> T) -> T {
    let store = MemoryStore::default();
    let seen = play(&store, Mode::Record, &upstream.url, &act);
    let url = upstream.url.clone();
    drop(upstream);
    assert_eq!(play(&store, Mode::Replay, &url, &act), seen);
    seen
}

/// Returns a request that posts JSON.
fn post(url: &str, body: &str) -> String {
    let head = get(url).replacen("GET", "POST", 1);
    let length = body.len();
    format!("{}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}", head.trim_end())
}

#[test]
fn json_lives_in_a_cassette() {
    let upstream = Upstream::start(|line| {
        while let Some(request) = line.request() {
            line.send(whole("application/json", &[b"{\"you\": ", &*request.body, b"}"].concat()));
        }
    });
    let seen = check(upstream, |url| {
        let mut client = Client::connect(url);
        ["{\"n\":1}", "{\"n\": 2}"].map(|body| client.ask(post(&format!("{url}/v1/chat"), body)).unwrap().text())
    });
    assert_eq!(seen, ["{\"you\": {\"n\":1}}", "{\"you\": {\"n\": 2}}"]);
}

#[test]
fn a_stream_lives_in_a_cassette() {
    let upstream = Upstream::start(|line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream"));
        (0..20).for_each(|n| line.chunk(format!("data: {{\"n\":{n}}}\n\n")));
        line.chunk("data: [DONE]\n\n");
        line.send("0\r\n\r\n");
    });
    let seen = check(upstream, |url| {
        let seen = Client::connect(url).ask(post(url, "{\"stream\":true}")).unwrap();
        (seen.text(), seen.end)
    });
    assert!(seen.0.ends_with("data: {\"n\":19}\n\ndata: [DONE]\n\n"), "{}", seen.0);
}

#[test]
fn a_client_that_stops_half_way_lives_in_a_cassette() {
    let upstream = Upstream::start(|line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream"));
        line.chunk("data: {\"n\":1}\n\n");
        line.wait_for_end();
    });
    let seen = check(upstream, |url| {
        let mut client = Client::connect(url);
        client.send(get(url));
        client.head().unwrap();
        client.frame().unwrap()
    });
    assert_eq!(seen, b"data: {\"n\":1}\n\n");
}

#[test]
fn a_call_that_was_not_recorded_is_a_mismatch() {
    let store = MemoryStore::default();
    let upstream = Upstream::answering(whole("application/json", b"{}"));
    play(&store, Mode::Record, &upstream.url, |url| Client::connect(url).ask(post(url, "{\"n\":1}")).unwrap());
    let rerun = Rerun { package: "demo".to_owned(), target: Target::Lib, test: "it_talks".to_owned(), ignored: false };
    let plan = Plan::new("talk", Arc::new(store), Mode::Replay, "demo::it_talks", rerun);
    let session = Arc::new(Session::open(plan).unwrap());
    let gateways = Gateways::new(Pace::Instant);
    let url = gateways.base_url(&session, &upstream.url).unwrap();
    let seen = Client::connect(&url).ask(post(&url, "{\"n\":2}")).unwrap();
    assert_eq!((seen.head.status, seen.head.header("x-cassette-error")), (404, Some("mismatch")));
    assert!(session.failure().is_some());
}
