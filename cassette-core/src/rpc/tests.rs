use std::time::Duration;

use super::{Message, What, asks, readdressed, replaced, settle, value};
use crate::call::Call;
use crate::json::{Json, Layout};
use crate::reply::{Chunk, Reply};

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

#[test]
fn a_message_is_what_its_members_say() {
    #[track_caller]
    fn check(text: &str, expected: Result<What, &str>) {
        assert_eq!(
            Message::read(text).map(|message| message.what).map_err(|why| why.to_owned()),
            expected.map_err(str::to_owned)
        );
    }
    let (id, method) = ("\"a\"".to_owned(), "tools/call".to_owned());
    check(r#"{"method":"tools/call","id":"a"}"#, Ok(What::Request { id: id.clone(), method }));
    check(r#"{"result":{"id":1},"id" : "a"}"#, Ok(What::Answer { id: id.clone() }));
    check(r#"{"error":{"code":1},"id":"a"}"#, Ok(What::Answer { id }));
    check(r#"{"method":"ping"}"#, Ok(What::Notice { method: "ping".to_owned() }));
    check(r#"[{"method":"ping"}]"#, Err("it is a batch of messages"));
    check(r#"{"id":1}"#, Err("it has neither a method nor an answer"));
    check("x", Err("it is no JSON: no value starts so at line 1, column 1"));
}

#[test]
fn a_value_is_found_where_it_stands_and_nowhere_else() {
    let text = r#" {"a":"\"id\":7","b":{"id":[1,{"id":2}]},"id" : 3 , "c":null}"#;
    let found = |path: &[&str]| value(text, path).map(|place| &text[place]);
    assert_eq!(found(&["id"]), Some("3"));
    assert_eq!(found(&["b", "id"]), Some(r#"[1,{"id":2}]"#));
    assert_eq!(found(&["c"]), Some("null"));
    assert_eq!(found(&["d"]), None);
    assert_eq!(found(&["a", "id"]), None);
    assert_eq!(replaced(r#"{"id":1,"x": 1.0}"#, &["id"], "\"new\""), r#"{"id":"new","x": 1.0}"#);
}

#[test]
fn only_what_ties_a_request_to_its_connection_is_left_out() {
    #[track_caller]
    fn check(request: &str, expected: &str) {
        let mut document = json(request);
        assert!(asks(&document));
        settle(&mut document);
        assert_eq!(document.print(Layout::Compact), expected);
    }
    check(
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"progressToken":7},"name":"a","arguments":{"id":7,"progressToken":1}}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a","arguments":{"id":7,"progressToken":1}}}"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"_meta":{"a":1,"progressToken":0},"clientInfo":{"name":"b","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialize","params":{"_meta":{"a":1},"clientInfo":{"name":"b"}}}"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":0,"method":"ping","params":{"_meta":{"traceparent":"00-a","tracestate":"b","baggage":"c"}}}"#,
        r#"{"jsonrpc":"2.0","method":"ping"}"#,
    );
    assert!(!asks(&json(r#"{"jsonrpc":"2.0","id":1,"method":"eth_call"}"#)));
    assert!(!asks(&json(r#"{"id":1,"method":"ping"}"#)));
}

#[track_caller]
fn check_reply(kind: &str, chunks: &[&str], request: &str, expected: Option<&[&str]>) {
    let chunks =
        chunks.iter().map(|chunk| Chunk { bytes: chunk.as_bytes().to_vec(), at: Some(Duration::ZERO) }).collect();
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    let reply = Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None };
    let call = Call::http("POST", "http://a/mcp", Vec::new(), request.as_bytes().to_vec());
    let served = readdressed(&reply, &call)
        .map(|reply| reply.chunks.into_iter().map(|chunk| String::from_utf8(chunk.bytes).unwrap()).collect::<Vec<_>>());
    let expected = expected.map(|chunks| chunks.iter().map(|chunk| (*chunk).to_owned()).collect());
    assert_eq!(served, expected);
}

const ASKED: &str =
    r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"a"}}"#;

#[test]
fn a_reply_is_addressed_to_the_request_it_is_served_to() {
    check_reply(
        "application/json",
        &[r#"{"result":{"id":1}, "id":1,"jsonrpc":"2.0"}"#],
        ASKED,
        Some(&[r#"{"result":{"id":1}, "id":12,"jsonrpc":"2.0"}"#]),
    );
    check_reply("application/json", &[r#"{"id":12,"result":{}}"#], ASKED, None);
    check_reply("application/json", &[r#"{"id":1,"result":{}}"#], r#"{"jsonrpc":"2.0","id":12,"method":"x"}"#, None);
    check_reply("text/plain", &["busy"], ASKED, None);
}

#[test]
fn so_are_the_events_of_a_stream_wherever_they_were_cut() {
    let progress = "event: message\ndata: {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1}}\n\n";
    let question = "data: {\"method\":\"sampling/createMessage\",\"id\":1}\r\n\r\n";
    let answer = "id: 1\ndata: {\"result\":{},\ndata: \"id\":1}\n\n";
    check_reply(
        "text/event-stream",
        &[progress, question, answer],
        ASKED,
        Some(&[
            "event: message\ndata: {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"t\"}}\n\n",
            question,
            "id: 1\ndata: {\"result\":{},\ndata: \"id\":12}\n\n",
        ]),
    );
    check_reply(
        "text/event-stream",
        &["data: {\"result\":{},\"id\":1", "00", "7}\n\n"],
        ASKED,
        Some(&["data: {\"result\":{},\"id\":12", "", "}\n\n"]),
    );
}
