//! Addresses of gateways, whose ports differ from run to run: in what a program sends, and in what it is given.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE};
use cassette_core::call::Call;
use cassette_core::matching::Matching;
use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{codes, counting, file, make, plan, reply, tool, value};

#[test]
fn what_a_request_says_of_a_gateway_it_says_of_its_server() {
    let store = MemoryStore::default();
    let played = |mode, port: u16| {
        let session = Session::open(plan(&store, mode)).unwrap();
        session.note_gateway(([127, 0, 0, 1], port).into(), "https://api.example.com");
        let text = |name: &str, body: String| {
            let headers = vec![("content-type".to_owned(), "text/plain".to_owned())];
            Call::http("POST", name, headers, body.into_bytes())
        };
        let query = format!("https://a.test/x?next=http%3A%2F%2F127.0.0.1%3a{port}%2Fy&at=http://127.0.0.1:{port}/z");
        let asks =
            [text(&query, String::new()), text("https://a.test/y", format!("call http://127.0.0.1:{port}/called"))];
        make(&session, &asks, counting()).into_iter().for_each(|got| drop(got.unwrap()));
        assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    };
    played(Mode::Record, 4100);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(text.contains("next=https%3A%2F%2Fapi.example.com%2Fy&at=https://api.example.com/z"), "{text}");
    assert!(text.contains("call https://api.example.com/called"), "{text}");
    played(Mode::Replay, 4200);
}

#[test]
fn an_argument_that_speaks_of_a_gateway_speaks_of_its_server() {
    let store = MemoryStore::default();
    let played = |mode, port: u16| {
        let session = Session::open(plan(&store, mode)).unwrap();
        session.note_gateway(([127, 0, 0, 1], port).into(), "https://api.example.com");
        let told = format!(r#"{{"url":"http://127.0.0.1:{port}/x","other":"http://127.0.0.1:41001/y"}}"#);
        make(&session, &[tool("fetch", &told)], counting()).into_iter().for_each(|got| drop(got.unwrap()));
        assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    };
    played(Mode::Record, 4100);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(
        text.contains(r#""url": "https://api.example.com/x""#) && text.contains("http://127.0.0.1:41001/y"),
        "{text}"
    );
    played(Mode::Replay, 4200);
}

#[test]
fn a_value_that_names_a_gateway_is_not_recorded() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    session.note_gateway(([127, 0, 0, 1], 4100).into(), "https://api.example.com");
    let _ = make(&session, &[tool("made", "{}")], |_| value(r#""http://127.0.0.1:4100/made""#));
    let verdict = session.finish(BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    assert_eq!(file(&store), None);
}

/// Records and replays what a program asks that has a gateway at this port, and returns the file.
fn at_two_ports(asks: impl Fn(u16) -> Vec<Call>) -> String {
    let store = MemoryStore::default();
    for (mode, port) in [(Mode::Record, 41001), (Mode::Replay, 52002), (Mode::Replay, 1080)] {
        let headers = vec!["referer".to_owned(), "x-from".to_owned()];
        let matching = Matching { headers, ..Matching::default() };
        let session = Session::open(Plan { matching, ..plan(&store, mode) }).unwrap();
        session.note_gateway(([127, 0, 0, 1], port).into(), "https://api.example.com");
        session.note_gateway(([127, 0, 0, 1], port + 1).into(), "http://localhost:11434");
        let asks = asks(port);
        make(&session, &asks, counting()).into_iter().for_each(|got| drop(got.unwrap()));
        let reports = session.finish(BodyEnd::Passed).reports;
        assert!(reports.is_empty(), "{mode:?}: {}", reports[0]);
    }
    String::from_utf8(file(&store).unwrap()).unwrap()
}

fn sent(content_type: &str, body: impl Into<Vec<u8>>) -> Call {
    let headers = vec![("content-type".to_owned(), content_type.to_owned())];
    Call::http("POST", "https://a.test/x", headers, body.into())
}

#[test]
fn a_gateway_is_its_server_however_it_is_written() {
    let asks = |port: u16| {
        let at = format!("http://127.0.0.1:{port}");
        let twice = format!("http%253A%252F%252F127.0.0.1%253A{port}%252Fcb");
        let get = |url: String| Call::http("GET", &url, Vec::new(), Vec::new());
        let with_referer = Call {
            headers: vec![("referer".into(), format!("{at}/page")), ("x-from".into(), format!("localhost:{port}"))],
            ..get("https://a.test/z".to_owned())
        };
        vec![
            sent("application/json", format!(r#"{{"cb":"http:\/\/127.0.0.1:{port}\/cb"}}"#)),
            sent("application/json", format!(r#"{{"inner":"{{\"cb\":\"http:\\/\\/127.0.0.1:{port}\\/cb\"}}"}}"#)),
            sent("application/json", format!(r#"{{"host":"127.0.0.1:{port}","ws":"ws://LocalHost:{port}/s","both":["//127.0.0.1:{port}/a","{at}"]}}"#)),
            sent("application/json", format!(r#"{{"state":"{}"}}"#, BASE64.encode(format!(r#"{{"back":"{at}/cb"}}"#)))),
            sent("text/plain", format!("at 127.0.0.1:{}, not at 1127.0.0.1:41001 or 127.0.0.1:410010", port + 1)),
            get(format!("https://a.test/proxy/http%3A%2F%2F127.0.0.1%3A{port}/x?next={twice}")),
            get(format!("https://a.test/y?state={}%3D", URL_SAFE.encode(format!("b={at}/cb?a")).trim_end_matches('='))),
            with_referer,
            sent("multipart/form-data; boundary=b", [
                format!("--b\r\ncontent-disposition: form-data; name=\"cb\"\r\n\r\n{at}/cb\r\n--b\r\n").as_bytes(),
                b"content-disposition: form-data; name=\"i\"\r\ncontent-type: image/png\r\n\r\n\x89PNG\xff\r\n--b--\r\n",
            ].concat()),
            sent("application/json", packed(&format!(r#"{{"cb":"{at}/cb"}}"#))),
        ]
    };
    let text = at_two_ports(asks);
    assert!(!text.contains("41001,") && !text.contains("LocalHost"), "{text}");
    insta::assert_snapshot!(
        text.lines()
            .filter(|line| !["\"key\"", "\"seal\"", "\"recorded\""].iter().any(|name| line.contains(name)))
            .collect::<Vec<_>>()
            .join("\n")
    );
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_gateway_that_nothing_can_stand_for_is_refused_before_it_is_paid_for() {
    let at = "http://127.0.0.1:41001/cb";
    let message = [&[0x0a, at.len() as u8][..], at.as_bytes()].concat();
    for body in [message.clone(), [b"\xff\xfe".to_vec(), message].concat()] {
        let store = MemoryStore::default();
        let session = Session::open(plan(&store, Mode::Record)).unwrap();
        session.note_gateway(([127, 0, 0, 1], 41001).into(), "https://api.example.com");
        let Step::Fail(report) = session.begin(sent("application/x-protobuf", body)) else { panic!("it went live") };
        session.finish(BodyEnd::Passed);
        insta::allow_duplicates! { insta::assert_snapshot!(report.to_string()) };
        assert_eq!(file(&store), None);
    }
}

#[test]
fn a_gateway_that_a_reply_named_is_its_server_on_every_run() {
    let store = MemoryStore::default();
    for (mode, port) in [(Mode::Record, 41001u16), (Mode::Replay, 52002), (Mode::Replay, 53003)] {
        let session = Session::open(plan(&store, mode)).unwrap();
        session.note_gateway(([127, 0, 0, 1], port).into(), "https://api.example.com");
        session.note_gateway(([127, 0, 0, 1], port + 1).into(), "https://other.example.com");
        let job = sent("application/json", format!(r#"{{"cb":"http://127.0.0.1:{port}/cb"}}"#));
        let got = make(&session, &[job], |_| reply(200, &format!("it goes to http://127.0.0.1:{port}/cb")));
        let Ok(Outcome::Reply(given)) = got.into_iter().next().unwrap() else { panic!("it was not answered") };
        let given = String::from_utf8(given.body()).unwrap();
        assert_eq!(given, r#"{"answer":"it goes to http://127.0.0.1:41001/cb"}"#, "the bytes are the recorded ones");
        let ask = sent(
            "application/json",
            format!(r#"{{"is it done":"{}"}}"#, &given[r#"{"answer":"it goes to "#.len()..given.len() - 2]),
        );
        make(&session, &[ask], |_| reply(200, "done")).into_iter().for_each(|got| drop(got.unwrap()));
        assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    }
}
