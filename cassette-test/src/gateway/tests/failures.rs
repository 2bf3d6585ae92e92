//! Upstreams that fail.

use std::io;
use std::net::TcpListener;

use cassette_core::reply::{Outcome, TransportClass, Truncation};

use super::client::{Client, End, get};
use super::story::{only_reply, proven};
use super::upstream::{Upstream, chunked};

/// Asks once, expects no reply, and returns how the connection ended.
fn refused(url: &str) -> io::ErrorKind {
    Client::connect(url).ask(get(url)).unwrap_err().kind()
}

/// Proves that an upstream like this fails alike twice, as a failure of this class.
#[track_caller]
fn check(upstream: Upstream, class: TransportClass, seen: io::ErrorKind) {
    let (kind, written) = proven(upstream, 1, refused);
    assert_eq!(kind, seen);
    match &written[0].1 {
        Outcome::Error(error) => {
            assert_eq!(error.class, class, "{error:?}");
            assert!(!error.message.is_empty());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_upstream_that_closes_without_a_reply_is_closed() {
    let upstream = Upstream::start(|line| drop(line.request()));
    check(upstream, TransportClass::Closed, io::ErrorKind::UnexpectedEof);
}

#[test]
fn an_upstream_that_resets_is_a_reset() {
    let upstream = Upstream::start(|line| line.reset());
    check(upstream, TransportClass::Reset, io::ErrorKind::ConnectionReset);
}

#[test]
fn an_upstream_that_speaks_something_else_is_closed() {
    let upstream = Upstream::answering("220 smtp.example ESMTP\r\n\r\n");
    check(upstream, TransportClass::Closed, io::ErrorKind::UnexpectedEof);
}

#[test]
fn an_upstream_that_is_down_is_no_connection() {
    let mut upstream = Upstream::answering("");
    // The server was there, and its port is free again.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    upstream.url = format!("http://{port}");
    let (kind, written) = proven(upstream, 1, refused);
    assert_eq!(kind, io::ErrorKind::ConnectionReset);
    assert!(matches!(&written[0].1, Outcome::Error(error) if error.class == TransportClass::Connect), "{written:?}");
}

#[test]
fn a_name_that_nobody_has_is_a_dns_failure() {
    let mut upstream = Upstream::answering("");
    // No label is longer than 63 characters (RFC 1035, section 2.3.4), so nobody has to be asked.
    upstream.url = format!("http://{}.invalid", "a".repeat(64));
    let (_, written) = proven(upstream, 1, refused);
    assert!(matches!(&written[0].1, Outcome::Error(error) if error.class == TransportClass::Dns), "{written:?}");
}

#[test]
fn a_stream_that_breaks_is_broken_again_after_its_last_chunk() {
    let upstream = Upstream::start(|line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream"));
        line.chunk("data: 1\n\n");
        line.chunk("data: 2\n\n");
    });
    let (seen, written) = proven(upstream, 1, |url| {
        let seen = Client::connect(url).ask(get(url)).unwrap();
        (seen.text(), seen.end)
    });
    assert_eq!(seen, ("data: 1\n\ndata: 2\n\n".to_owned(), End::Broken));
    assert_eq!(only_reply(&written).truncated, Some(Truncation::Upstream));
}

#[test]
fn a_body_shorter_than_its_length_is_broken_again() {
    let upstream = Upstream::start(|line| {
        line.request().unwrap();
        line.send("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n0123456789");
    });
    let (seen, written) = proven(upstream, 1, |url| {
        let seen = Client::connect(url).ask(get(url)).unwrap();
        (seen.text(), seen.end)
    });
    assert_eq!(seen, ("0123456789".to_owned(), End::Broken));
    assert_eq!(only_reply(&written).truncated, Some(Truncation::Upstream));
}

#[test]
fn a_reply_that_breaks_before_its_body_is_a_head_and_an_end() {
    let upstream = Upstream::start(|line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream"));
    });
    let (seen, written) = proven(upstream, 1, |url| {
        let seen = Client::connect(url).ask(get(url)).unwrap();
        (seen.head.status, seen.frames, seen.end)
    });
    assert_eq!(seen, (200, vec![], End::Broken));
    assert_eq!(only_reply(&written).chunks, []);
}
