//! Bodies that come whole, and those that are none.

use std::io::Write;

use cassette_core::reply::Outcome;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::client::{Client, End, get};
use super::stage::Stage;
use super::story::{only_reply, proven};
use super::upstream::{Upstream, chunked, whole};

#[test]
fn json_comes_back_with_its_length() {
    let body = br#"{"id":"chatcmpl-1","choices":[]}"#;
    let upstream = Upstream::answering(whole("application/json", body));
    let (seen, written) = proven(upstream, 1, |url| Client::connect(url).ask(get(url)).unwrap());
    assert_eq!(seen.head.header("content-length"), Some("32"));
    assert_eq!((seen.frames.concat(), seen.end), (body.to_vec(), End::Complete));
    let reply = only_reply(&written);
    assert_eq!(reply.headers, [("content-type".to_owned(), "application/json".to_owned())]);
    assert_eq!(reply.chunks.len(), 1);
}

#[test]
fn a_body_that_the_network_cut_is_one_chunk() {
    let body = vec![b'x'; 300_000];
    let upstream = Upstream::answering(whole("application/json", &body));
    let (seen, written) = proven(upstream, 1, |url| Client::connect(url).ask(get(url)).unwrap());
    assert_eq!(seen.frames.concat(), body);
    assert_eq!(only_reply(&written).chunks.len(), 1);
}

#[test]
fn every_byte_value_comes_back() {
    let body: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let upstream = Upstream::answering(whole("application/octet-stream", &body));
    let (seen, _) = proven(upstream, 1, |url| Client::connect(url).ask(get(url)).unwrap());
    assert_eq!(seen.frames.concat(), body);
}

#[test]
fn an_empty_body_has_a_length_and_no_chunk() {
    let upstream = Upstream::answering("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");
    let (seen, written) = proven(upstream, 1, |url| Client::connect(url).ask(get(url)).unwrap());
    assert_eq!((seen.head.status, seen.head.header("content-length")), (202, Some("0")));
    assert_eq!(only_reply(&written).chunks, []);
}

#[test]
fn a_reply_without_a_body_leaves_the_connection_usable() {
    let upstream = Upstream::start(|line| {
        while let Some(request) = line.request() {
            line.send(match request.head.split(' ').next().unwrap() {
                "HEAD" => "HTTP/1.1 200 OK\r\ncontent-length: 12345\r\n\r\n",
                "DELETE" => "HTTP/1.1 204 No Content\r\n\r\n",
                _ => "HTTP/1.1 304 Not Modified\r\netag: \"a\"\r\n\r\n",
            });
        }
    });
    let (seen, _) = proven(upstream, 3, |url| {
        let mut client = Client::connect(url);
        ["HEAD", "DELETE", "GET"].map(|method| {
            let seen = client.ask(get(url).replacen("GET", method, 1)).unwrap();
            (seen.head.status, seen.head.header("content-length").map(str::to_owned), seen.frames)
        })
    });
    assert_eq!(seen, [(200, Some("12345".to_owned()), vec![]), (204, None, vec![]), (304, None, vec![])]);
}

#[test]
fn a_body_that_is_coded_unasked_is_recorded_plain() {
    let body = "{\"text\":\"Bergen\"}".repeat(100);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(body.as_bytes()).unwrap();
    let coded = gzip.finish().unwrap();
    let mut answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
        coded.len()
    )
    .into_bytes();
    answer.extend(coded);
    let (seen, written) = proven(Upstream::answering(answer), 1, |url| {
        let seen = Client::connect(url).ask(get(url)).unwrap();
        (seen.head.header("content-encoding").map(str::to_owned), seen.text())
    });
    assert_eq!(seen, (None, body.clone()));
    let reply = only_reply(&written);
    assert_eq!((reply.header("content-encoding"), reply.body()), (None, body.into_bytes()));
}

#[test]
fn a_coded_stream_comes_out_event_by_event() {
    let (sender, turns) = std::sync::mpsc::channel();
    let turns = std::sync::Mutex::new(turns);
    let upstream = Upstream::start(move |line| {
        line.request().unwrap();
        line.send(chunked("text/event-stream").replace("\r\n\r\n", "\r\ncontent-encoding: gzip\r\n\r\n"));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        for n in 0..5 {
            gzip.write_all(format!("data: {n}\n\n").as_bytes()).unwrap();
            gzip.flush().unwrap();
            line.chunk(std::mem::take(gzip.get_mut()));
            turns.lock().unwrap().recv().unwrap();
        }
        gzip.try_finish().unwrap();
        line.chunk(std::mem::take(gzip.get_mut()));
        line.send("0\r\n\r\n");
    });
    let (seen, written) = proven(upstream, 1, |url| {
        let mut client = Client::connect(url);
        client.send(get(url));
        client.head().unwrap();
        let frames: Vec<Vec<u8>> = std::iter::repeat_with(|| {
            let frame = client.frame().unwrap();
            // There is nobody to be told in the replay.
            let _ = sender.send(());
            frame
        })
        .take_while(|frame| !frame.is_empty())
        .collect();
        frames
    });
    assert_eq!(seen, (0..5).map(|n| format!("data: {n}\n\n").into_bytes()).collect::<Vec<_>>());
    assert_eq!(only_reply(&written).chunks.len(), 5);
}

#[test]
fn an_unknown_coding_is_left_alone() {
    let answer = "HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 3\r\n\r\n\x01\x02\x03";
    let (seen, written) = proven(Upstream::answering(answer), 1, |url| Client::connect(url).ask(get(url)).unwrap());
    assert_eq!((seen.head.header("content-encoding"), seen.frames.concat()), (Some("br"), vec![1, 2, 3]));
    assert_eq!(only_reply(&written).header("content-encoding"), Some("br"));
}

#[test]
fn a_body_that_was_edited_is_framed_anew() {
    let upstream = Upstream::answering(whole("text/plain", b"ok"));
    let (_, mut written) = proven(upstream, 1, |url| Client::connect(url).ask(get(url)).unwrap().text());
    let (call, Outcome::Reply(reply)) = &mut written[0] else { panic!("{written:?}") };
    let server = call.name.trim_start_matches("GET ").to_owned();
    reply.chunks[0].bytes = b"edited".to_vec();
    for (name, value) in [("content-length", "2"), ("transfer-encoding", "chunked"), ("connection", "close")] {
        reply.headers.push((name.to_owned(), value.to_owned()));
    }
    let stage = Stage::replay(written);
    let url = stage.url(&server);
    let seen = Client::connect(&url).ask(get(&url)).unwrap();
    assert_eq!((seen.head.header("content-length"), seen.text()), (Some("6"), "edited".to_owned()));
}

#[test]
fn a_status_that_ends_no_reply_is_not_served() {
    let upstream = Upstream::answering(whole("text/plain", b"ok"));
    let (_, mut written) = proven(upstream, 1, |url| Client::connect(url).ask(get(url)).unwrap().text());
    let (call, Outcome::Reply(reply)) = &mut written[0] else { panic!("{written:?}") };
    let server = call.name.trim_start_matches("GET ").to_owned();
    reply.status = 103;
    let stage = Stage::replay(written);
    let url = stage.url(&server);
    assert_eq!(Client::connect(&url).ask(get(&url)).unwrap().head.status, 404);
    assert!(stage.notebook.failure().contains("interaction 1 was recorded with status 103"));
}
