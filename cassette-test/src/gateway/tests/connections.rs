//! Connections: kept, shared, parallel and odd ones.

use super::client::{Client, End, get};
use super::sessions::session;
use super::stage::Stage;
use super::story::proven;
use super::upstream::{Upstream, whole};
use crate::gateway::Gateways;
use crate::options::Pace;

/// Returns an upstream that answers with the path it was asked for.
fn echo() -> Upstream {
    Upstream::start(|line| {
        while let Some(request) = line.request() {
            let path = request.head.split(' ').nth(1).unwrap().to_owned();
            line.send(whole("text/plain", &[path.as_bytes(), b" ", &request.body].concat()));
        }
    })
}

#[test]
fn a_connection_is_kept_for_a_hundred_calls() {
    let (seen, _) = proven(echo(), 100, |url| {
        let mut client = Client::connect(url);
        (0..100).map(|n| client.ask(get(&format!("{url}/{n}"))).unwrap().text()).collect::<Vec<_>>()
    });
    assert_eq!(seen, (0..100).map(|n| format!("/{n} ")).collect::<Vec<_>>());
}

#[test]
fn calls_in_parallel_keep_their_answers() {
    proven(echo(), 32 * 4, |url| {
        std::thread::scope(|scope| {
            for n in 0..32 {
                scope.spawn(move || {
                    let mut client = Client::connect(url);
                    for m in 0..4 {
                        let seen = client.ask(get(&format!("{url}/{n}/{m}"))).unwrap();
                        assert_eq!(seen.text(), format!("/{n}/{m} "));
                    }
                });
            }
        });
    });
}

#[test]
fn requests_sent_at_once_are_answered_in_order() {
    let (seen, _) = proven(echo(), 2, |url| {
        let mut client = Client::connect(url);
        client.send([get(&format!("{url}/1")), get(&format!("{url}/2"))].concat());
        [client.reply(false).unwrap().text(), client.reply(false).unwrap().text()]
    });
    assert_eq!(seen, ["/1 ", "/2 "]);
}

#[test]
fn a_client_that_asks_before_it_sends_is_told_to_go_on() {
    let (seen, written) = proven(echo(), 1, |url| {
        let mut client = Client::connect(url);
        client.send("POST /v1 HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n");
        let go_on = client.head().unwrap().status;
        client.send("hello");
        (go_on, client.reply(false).unwrap().text())
    });
    assert_eq!(seen, (100, "/v1 hello".to_owned()));
    assert_eq!(written[0].0.body, b"hello");
}

#[test]
fn a_chunked_request_is_one_body() {
    let (seen, written) = proven(echo(), 1, |url| {
        let request =
            "POST /v1 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
        Client::connect(url).ask(request).unwrap().text()
    });
    assert_eq!(seen, "/v1 hello");
    assert_eq!(written[0].0.headers, [("host".to_owned(), "x".to_owned())]);
}

#[test]
fn a_client_that_breaks_off_its_request_makes_no_call() {
    let upstream = echo();
    let stage = Stage::live();
    let url = stage.url(&upstream.url);
    let mut client = Client::connect(&url);
    client.send("POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhe");
    drop(client);
    assert_eq!(Client::connect(&url).ask(get(&url)).unwrap().end, End::Complete);
    assert_eq!(stage.notebook.written(1).len(), 1);
    stage.notebook.assert_content();
}

#[test]
fn one_server_has_one_address() {
    let stage = Stage::live();
    let first = stage.url("https://api.openai.com/v1");
    assert!(first.starts_with("http://127.0.0.1:") && first.ends_with("/v1"), "{first}");
    assert_eq!(stage.url("HTTPS://API.OPENAI.COM:443/v1"), first);
    assert_eq!(stage.url("https://api.openai.com/v1/"), format!("{first}/"));
    assert_eq!(format!("{}/v1", stage.url("https://api.openai.com")), first);
    assert_ne!(stage.url("http://api.openai.com/v1"), first);
    assert_ne!(stage.url("https://api.anthropic.com/v1"), first);
}

#[test]
fn a_session_in_mode_off_lets_a_call_through() {
    let upstream = Upstream::answering(whole("text/plain", b"ok"));
    let session = session();
    let gateways = Gateways::new(Pace::Instant);
    let url = gateways.base_url(&session, &upstream.url).unwrap();
    assert_eq!(Client::connect(&url).ask(get(&url)).unwrap().text(), "ok");
    assert_eq!(session.failure(), None);
}
