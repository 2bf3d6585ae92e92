//! Headers both ways.

use std::sync::{Arc, Mutex};

use super::client::{Client, authority};
use super::story::{only_reply, proven};
use super::upstream::Upstream;

#[test]
fn a_request_reaches_the_upstream_as_it_was_sent() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&heads);
    let upstream = Upstream::start(move |line| {
        let request = line.request().unwrap();
        kept.lock().unwrap().push((request.head, request.body));
        line.send("HTTP/1.1 204 No Content\r\n\r\n");
    });
    let url = upstream.url.clone();
    let (_, written) = proven(upstream, 1, |gateway| {
        let host = authority(gateway);
        let head = format!(
            "POST /v1/chat%2Fx;p?q=%C3%A6&q=+%20 HTTP/1.1\r\nHost: {host}\r\nConnection: keep-alive, x-hop\r\nX-Hop: 1\r\n\
             Authorization: Bearer sk-1\r\nAccept-Encoding: gzip, br\r\nOrigin: http://{host}\r\n\
             Referer: http://localhost:{}/a?b\r\nX-Name: B\u{fc}cher\r\nX-Twice: 1\r\nX-Twice: 2\r\nContent-Length: 3\r\n\r\n",
            host.split(':').nth(1).unwrap()
        );
        let mut request: Vec<u8> = head.chars().map(|c| u8::try_from(c).unwrap()).collect();
        request.extend([0, 255, 10]);
        Client::connect(gateway).ask(request).unwrap()
    });
    let host = url.strip_prefix("http://").unwrap();
    let (head, body) = heads.lock().unwrap().remove(0);
    let mut lines: Vec<&str> = head.trim_end().split("\r\n").collect();
    lines[1..].sort_unstable();
    assert_eq!(
        lines,
        [
            "POST /v1/chat%2Fx;p?q=%C3%A6&q=+%20 HTTP/1.1",
            "authorization: Bearer sk-1",
            "content-length: 3",
            &format!("host: {host}"),
            &format!("origin: {url}"),
            &format!("referer: {url}/a?b"),
            "x-name: B\u{fc}cher",
            "x-twice: 1",
            "x-twice: 2",
        ]
    );
    assert_eq!(body, [0, 255, 10]);
    let call = &written[0].0;
    assert_eq!(call.name, format!("POST {url}/v1/chat%2Fx;p?q=%C3%A6&q=+%20"));
    assert_eq!(call.header("accept-encoding"), Some("gzip, br"));
    assert_eq!((call.header("host"), call.header("x-name")), (Some(host), Some("B\u{fc}cher")));
    assert_eq!(call.body, [0, 255, 10]);
}

#[test]
fn a_reply_keeps_its_headers_but_those_of_the_connection() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x-hop\r\nKeep-Alive: timeout=5\r\nX-Hop: 1\r\n\
                  Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Name: B\u{fc}cher\r\nX-Empty:\r\n\r\n";
    let answer: Vec<u8> = answer.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let (seen, written) = proven(Upstream::answering(answer), 1, |url| {
        Client::connect(url).ask("GET / HTTP/1.1\r\nhost: x\r\n\r\n").unwrap().head
    });
    let expected = [("set-cookie", "a=1"), ("set-cookie", "b=2"), ("x-name", "B\u{fc}cher"), ("x-empty", "")];
    let pairs = |headers: &[(String, String)]| -> Vec<(String, String)> {
        headers.iter().filter(|(name, _)| name != "content-length").cloned().collect()
    };
    let expected: Vec<_> = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    assert_eq!(only_reply(&written).headers, expected);
    assert_eq!(pairs(&seen.headers), expected);
}
