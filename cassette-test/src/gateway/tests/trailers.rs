//! Headers that come after a body, over HTTP/1.1.

use super::client::{Client, authority};
use super::story::{only_reply, proven};
use super::upstream::Upstream;

/// Returns an upstream that says what is to come, and then sends these lines after its body.
fn upstream(announced: &'static str, sent: &'static str) -> Upstream {
    Upstream::start(move |line| {
        let head = line.request().unwrap().head;
        let asked =
            if head.contains("\r\nte: trailers\r\n") && head.contains("\r\nconnection: te\r\n") { "yes" } else { "no" };
        line.send(format!("HTTP/1.1 200 OK\r\n{announced}x-asked: {asked}\r\ntransfer-encoding: chunked\r\n\r\n"));
        line.chunk("one");
        line.send(format!("0\r\n{sent}\r\n"));
        line.wait_for_end();
    })
}

/// Asks, and returns whether trailers were asked for upstream, what was announced, and what came.
fn ask(url: &str, te: &str) -> (Option<String>, Option<String>, Vec<String>) {
    let mut client = Client::connect(url);
    let seen = client.ask(format!("GET / HTTP/1.1\r\nhost: {}\r\n{te}\r\n", authority(url))).unwrap();
    let header = |name| seen.head.header(name).map(str::to_owned);
    (header("x-asked"), header("trailer"), client.trailers)
}

#[test]
fn what_is_announced_is_given_on_and_kept() {
    let announced = "trailer: X-Sum, x-late\r\n";
    let (seen, written) = proven(upstream(announced, "x-sum: 1\r\nx-late: 2\r\nx-more: 3\r\n"), 1, |url| {
        ask(url, "te: trailers\r\nconnection: te\r\n")
    });
    let lines = ["x-sum: 1", "x-late: 2"].map(str::to_owned).to_vec();
    assert_eq!(seen, (Some("yes".to_owned()), Some("x-sum, x-late".to_owned()), lines));
    let kept = [("x-sum", "1"), ("x-late", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(only_reply(&written).trailers, kept);
}

#[test]
fn a_client_that_takes_none_is_given_none() {
    let (seen, _) = proven(upstream("trailer: x-sum\r\n", "x-sum: 1\r\n"), 1, |url| ask(url, ""));
    assert_eq!(seen, (Some("no".to_owned()), Some("x-sum".to_owned()), Vec::new()));
}

#[test]
fn what_is_not_announced_is_no_part_of_the_reply() {
    let (seen, written) = proven(upstream("", "x-sum: 1\r\n"), 1, |url| ask(url, "te: trailers\r\nconnection: te\r\n"));
    assert_eq!(seen, (Some("yes".to_owned()), None, Vec::new()));
    assert_eq!(only_reply(&written).trailers, []);
}
