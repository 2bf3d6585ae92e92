//! What the gateway does not do, and how it says so.

use std::sync::Arc;

#[cfg(feature = "http2")]
use cassette_core::call::Call;
#[cfg(feature = "http2")]
use cassette_core::reply::{Outcome, Reply};

use super::client::{Client, get};
use super::notebook::Notebook;
use super::stage::Stage;
use crate::wire::Desk;
use crate::wire::Limits;

const URL: &str = "https://api.openai.com/v1";

/// Sends these bytes to a gateway of [`URL`]; returns the status of the answer, if there is one, and the failure latched.
fn refused(request: &str) -> (Option<u16>, String) {
    let stage = Stage::replay(Vec::new());
    let url = stage.url(URL);
    let seen = Client::connect(&url).ask(request);
    (seen.ok().map(|seen| seen.head.status), stage.notebook.failure())
}

#[test]
fn websocket_is_refused_by_name() {
    let request = "GET /v1/realtime?model=x HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: WebSocket\r\n\r\n";
    let expected = "cassette wiring: a client asked to speak WebSocket to https://api.openai.com/v1/realtime\n\
                    help: WebSocket is not supported yet; use the service's HTTP interface in this test";
    assert_eq!(refused(request), (Some(501), expected.to_owned()));
}

#[test]
fn a_gateway_is_no_proxy() {
    let expected = |target| {
        format!(
            "cassette wiring: a client takes the gateway of https://api.openai.com for a proxy: it asked for {target}\n\
             help: name no gateway in a proxy setting; give the client its URL as base URL, one for each upstream"
        )
    };
    let connect = "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n";
    assert_eq!(refused(connect), (Some(501), expected("example.com:443")));
    let connect = "CONNECT joe:hunter2@example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n";
    assert_eq!(refused(connect), (Some(501), expected("example.com:443")));
    let absolute = "GET http://joe:hunter2@example.com/a HTTP/1.1\r\nhost: example.com\r\n\r\n";
    assert_eq!(refused(absolute), (Some(501), expected("example.com")));
    let (status, text) = refused("OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n");
    assert_eq!(status, Some(501));
    assert!(text.contains("asked OPTIONS for `*`"), "{text}");
}

#[cfg(not(feature = "http2"))]
#[test]
fn http_2_is_refused_by_the_name_of_its_feature() {
    let expected = "cassette wiring: a client of https://api.openai.com speaks HTTP/2 to the gateway, and cassette-test was built \
                    without the feature `http2`\n\
                    help: cassette-test = { version = \"..\", features = [\"http2\"] }";
    assert_eq!(refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), (None, expected.to_owned()));
}

#[cfg(feature = "http2")]
#[test]
fn http_2_begins_with_its_connection() {
    let expected = "cassette wiring: a client of https://api.openai.com changed to HTTP/2 in the middle of a connection\n\
                    help: let it speak HTTP/2 from the first byte of a connection, or HTTP/1.1";
    let call = Call::http("GET", &format!("{URL}/x"), vec![("host".to_owned(), "x".to_owned())], Vec::new());
    let reply = Reply { status: 204, headers: Vec::new(), chunks: Vec::new(), trailers: Vec::new(), truncated: None };
    let stage = Stage::replay(vec![(call, Outcome::Reply(reply))]);
    let url = stage.url(URL);
    let mut client = Client::connect(&url);
    client.send("GET /v1/x HTTP/1.1\r\nhost: x\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assert_eq!(client.reply(false).unwrap().head.status, 204);
    assert_eq!((client.reply(false).is_err(), stage.notebook.failure().as_str()), (true, expected));
}

#[test]
fn what_is_no_request_is_not_overlooked() {
    let (_, text) = refused("\u{16}\u{3}\u{1}\r\n\r\n");
    assert!(text.contains("sent what is no HTTP/1.1 request"), "{text}");
}

#[test]
fn a_call_that_fails_is_answered_in_the_providers_shape() {
    let stage = Stage::replay(Vec::new());
    let url = stage.url(URL);
    let seen = Client::connect(&url).ask(get(&url)).unwrap();
    assert_eq!((seen.head.status, seen.head.header("x-should-retry")), (404, Some("false")));
    assert_eq!(seen.head.header("x-cassette-error"), Some("wiring"));
    assert_eq!(
        seen.text(),
        r#"{"error":{"message":"cassette wiring: GET https://api.openai.com/v1 is unknown\nhelp: record it","type":"cassette_wiring","param":null,"code":"cassette_wiring"}}"#
    );
}

#[test]
fn a_request_that_is_too_long_is_refused() {
    let limits = Limits { request: 1000, ..Limits::default() };
    let expected = "cassette wiring: POST https://api.openai.com/v1?key=REDACTED sends more than 1000 bytes\n\
                    help: a request of this size cannot be recorded; send less, or call the upstream outside the cassette";
    let chunk = format!("3e9\r\n{}\r\n0\r\n\r\n", "x".repeat(1001));
    for body in [
        format!("content-length: 1001\r\n\r\n{}", "x".repeat(1001)),
        "content-length: 1000000\r\n\r\n".to_owned(),
        format!("transfer-encoding: chunked\r\n\r\n{chunk}"),
    ] {
        let stage = Stage::limited(limits, Notebook::live());
        let url = stage.url(URL);
        let seen = Client::connect(&url).ask(format!("POST /v1?key=hunter2 HTTP/1.1\r\nhost: x\r\n{body}")).unwrap();
        assert_eq!(seen.head.status, 413);
        assert_eq!(stage.notebook.failure(), expected);
    }
}

#[test]
fn an_address_is_refused_when_the_gateway_has_stopped() {
    let stage = Stage::live();
    let known = stage.url(URL);
    stage.gateways.stop();
    for url in [URL, "https://api.anthropic.com"] {
        let desk = Arc::clone(&stage.notebook);
        let address = stage.gateways.address(None, url, || Arc::new(desk) as Arc<dyn Desk>);
        assert_eq!(
            address.unwrap_err().to_string(),
            format!(
                "cassette wiring: the gateway has no address for {}: it was stopped\n\
                 help: ask for it while the test runs, and see that a socket on 127.0.0.1 can be bound",
                url.trim_end_matches("/v1")
            )
        );
    }
    assert!(std::net::TcpStream::connect(super::client::authority(&known)).is_err());
}

#[test]
fn a_panic_in_the_gateway_fails_the_test() {
    let stage = Stage::live();
    let url = stage.url(URL);
    let seen = Client::connect(&url).ask("GET / HTTP/1.1\r\nhost: x\r\nx-panic: begin\r\n\r\n");
    assert!(seen.is_err());
    assert!(stage.notebook.failure().contains("the gateway panicked"));
}
