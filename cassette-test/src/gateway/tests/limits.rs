//! Replies that cannot be kept, and requests that just can.

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
