//! Clients that wait for more than was recorded.

use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};

use super::client::{Client, End, get};
use super::notebook::Notebook;
use super::stage::Stage;
use crate::wire::Limits;

/// Returns a recording whose client stopped after two events.
fn stopped_after_two(stage_url: &str, url: &str) -> Vec<(Call, Outcome)> {
    let chunk = |text: &str| Chunk { bytes: text.as_bytes().to_vec(), at: Some(Duration::ZERO) };
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let chunks = vec![chunk("data: 1\n\n"), chunk("data: 2\n\n")];
    let reply = Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: Some(Truncation::Client) };
    vec![(asked(stage_url, url), Outcome::Reply(reply))]
}

fn asked(path: &str, url: &str) -> Call {
    let host = url.strip_prefix("http://").unwrap().to_owned();
    Call::http("GET", &format!("{url}{path}"), vec![("host".to_owned(), host)], Vec::new())
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
fn a_client_that_no_longer_gives_up_fails_the_test() {
    let url = "http://upstream.example";
    let error = TransportError { class: TransportClass::Timeout, message: String::new() };
    let limits = Limits { hold: Duration::from_millis(5), ..Limits::default() };
    let stage = Stage::limited(limits, Notebook::replay(vec![(asked("/", url), Outcome::Error(error))]));
    let gateway = stage.url(url);
    assert!(Client::connect(&gateway).ask(get(&gateway)).is_err());
    assert!(stage.notebook.failure().contains("recorded up to event 0"));
}
