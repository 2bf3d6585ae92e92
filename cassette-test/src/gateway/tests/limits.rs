//! Replies that cannot be kept, and requests that just can.

use std::time::Duration;

use cassette_core::reply::Truncation;

use super::client::{Client, End, get};
use super::notebook::Notebook;
use super::stage::Stage;
use super::upstream::{Upstream, chunked, whole};
use crate::wire::Limits;

#[test]
fn a_request_of_just_the_limit_is_sent() {
    let upstream = Upstream::answering(whole("text/plain", b"ok"));
    let stage = Stage::limited(Limits { request: 1000, ..Limits::default() }, Notebook::live());
    let url = stage.url(&upstream.url);
    let body = "x".repeat(1000);
    let seen = Client::connect(&url).ask(format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{body}"));
    assert_eq!(seen.unwrap().text(), "ok");
}

#[test]
fn a_head_of_too_many_lines_is_told_with_what_to_do() {
    let upstream = Upstream::answering(whole("text/plain", b"ok"));
    let stage = Stage::live();
    let url = stage.url(&upstream.url);
    let lines = (0..100).map(|i| format!("x-{i}: 1\r\n")).collect::<String>();
    let seen = Client::connect(&url).ask(format!("GET / HTTP/1.1\r\nhost: x\r\n{lines}\r\n"));
    assert_eq!(seen.unwrap().head.status, 431);
    assert_eq!(
        stage.notebook.failure(),
        format!(
            "cassette wiring: a client of {} sent what is no HTTP/1.1 request: message head is too large\n\
             help: send no more than 100 header lines, and a shorter head",
            upstream.url
        )
    );
}

#[test]
fn a_request_that_never_ends_is_told_and_answered() {
    let limits = Limits { hold: Duration::from_millis(20), ..Limits::default() };
    let stage = Stage::limited(limits, Notebook::live());
    let url = stage.url("http://upstream.example");
    let head = "POST /talk?key=hunter2 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n";
    let seen = Client::connect(&url).ask(head).unwrap();
    assert_eq!(seen.head.status, 501);
    assert_eq!(
        stage.notebook.failure(),
        "cassette wiring: POST http://upstream.example/talk?key=REDACTED was begun and not ended: nothing more of it came for 0 \
         seconds\n\
         help: a request is read to its end before it is answered, so no stream in both directions can be recorded; let the \
         client end what it sends"
    );
}

#[test]
fn a_reply_that_is_too_long_is_not_recorded() {
    let upstream = Upstream::start(|line| {
        line.request().unwrap();
        line.send(chunked("text/plain"));
        (0..3).for_each(|_| line.chunk(vec![b'x'; 400]));
        line.wait_for_end();
    });
    let stage = Stage::limited(Limits { reply: 1000, ..Limits::default() }, Notebook::live());
    let url = stage.url(&upstream.url) + "/?key=hunter2";
    let seen = Client::connect(&url).ask(get(&url)).unwrap();
    assert_eq!(seen.end, End::Broken);
    assert_eq!(
        stage.notebook.failure(),
        format!(
            "cassette wiring: the reply to GET {}/?key=REDACTED is longer than 1000 bytes\n\
             help: a reply of this size cannot be recorded; ask for less, or call the upstream outside the cassette",
            upstream.url
        )
    );
    assert_eq!(stage.notebook.reply().truncated, Some(Truncation::Upstream));
}

#[test]
fn a_body_that_is_not_what_its_coding_says_is_told() {
    let answer = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 20\r\n\r\n{\"plain\":\"after all\"}";
    let upstream = Upstream::answering(answer);
    let stage = Stage::live();
    let url = stage.url(&upstream.url) + "/?key=hunter2";
    assert_eq!(Client::connect(&url).ask(get(&url)).unwrap().end, End::Broken);
    let failure = stage.notebook.failure();
    assert!(failure.contains("/?key=REDACTED is not coded as its content-encoding says"), "{failure}");
}
