//! One recording of each format, written for these tests, and what becomes of it.

use std::fmt::Write as _;
use std::path::Path;

use cassette_core::call::Header;
use cassette_core::reply::Outcome;

use super::{Exchange, Format, import};

/// Imports a text and compares the format and the exchanges, a line each, or the refusal.
#[track_caller]
fn check(text: &str, expected: &str) {
    check_bytes(text.as_bytes(), expected);
}

#[track_caller]
fn check_bytes(bytes: &[u8], expected: &str) {
    assert_eq!(shown(bytes), expected.lines().map(str::trim).collect::<Vec<_>>().join("\n"));
}

fn shown(bytes: &[u8]) -> String {
    match import(Path::new("recording"), bytes) {
        Ok(imported) => {
            let exchanges = imported.exchanges.iter().map(exchange);
            [imported.format.to_string()].into_iter().chain(exchanges).collect::<Vec<_>>().join("\n")
        }
        Err(refusal) => format!("refused: {refusal}"),
    }
}

fn exchange(exchange: &Exchange) -> String {
    let Exchange { call, reply, line, note } = exchange;
    let mut out = format!("{}: {}", line.unwrap_or_default(), call.name);
    headers(&mut out, &call.headers);
    if !call.body.is_empty() {
        write!(out, " `{}`", call.body.escape_ascii()).unwrap();
    }
    match reply {
        Outcome::Reply(reply) => {
            write!(out, " -> {}", reply.status).unwrap();
            headers(&mut out, &reply.headers);
            for chunk in &reply.chunks {
                write!(out, " `{}`", chunk.bytes.escape_ascii()).unwrap();
                if let Some(at) = chunk.at {
                    write!(out, "@{}", at.as_millis()).unwrap();
                }
            }
        }
        Outcome::Error(error) => write!(out, " -> {}: {}", error.class.as_str(), error.message).unwrap(),
    }
    if let Some(note) = note {
        write!(out, " ({note})").unwrap();
    }
    out
}

fn headers(out: &mut String, headers: &[Header]) {
    headers.iter().for_each(|(name, value)| write!(out, " [{name}: {}]", value.escape_debug()).unwrap());
}

#[test]
fn vcrpy() {
    check(
        "interactions:
- request:
    body: '{\"a\": 1}'
    headers:
      ? !!python/object/new:multidict._multidict.istr
      - Accept
      : - '*/*'
      Content-Length: ['8']
    method: post
    uri: https://a.test/x?y=%20
  response:
    body: {string: !!binary /wBo}
    headers:
      Set-Cookie: [a=1, b=2]
      X-Name: !!binary w6k=
    status: {code: 201, message: Created}
version: 1
",
        "vcrpy
         2: POST https://a.test/x?y=%20 [accept: */*] `{\\\"a\\\": 1}` -> 201 [set-cookie: a=1] [set-cookie: b=2] [x-name: Ã©] `\\xff\\x00h`",
    );
    check("interactions: []\nversion: 1\n", "vcrpy");
    check(
        "interactions:\n- request: {body: '', headers: {}, method: GET, uri: http://a.test/}\n  response: {content: hi, headers: {}, http_version: HTTP/1.1, status_code: 200}\n",
        "vcrpy\n2: GET http://a.test/ -> 200 `hi`",
    );
    check(
        "requests:\n- {body: null, headers: {}, method: GET, uri: http://a.test/}\nresponses:\n- {body: {string: hi}, headers: {}, status: {code: 200}}\n",
        "vcrpy\n2: GET http://a.test/ -> 200 `hi`",
    );
    check(
        "requests:\n- {body: null, headers: {}, method: GET, uri: http://a.test/}\nresponses: []\n",
        "refused: vcrpy: line 3: there are 1 requests and 0 responses",
    );
}

#[test]
fn a_body_that_was_stored_parsed_is_refused_by_its_line() {
    check(
        "interactions:
- request:
    headers: {}
    method: POST
    parsed_body:
      a: 1
    uri: https://a.test/
  response: {status: {code: 200}, headers: {}}
",
        "refused: vcrpy: line 6: the body was stored parsed, and the bytes that were sent are lost",
    );
}

#[test]
fn vcrpy_before_version_1() {
    check(
        "- request: !!python/object:vcr.request.Request
    body: null
    headers: !!python/object/apply:__builtin__.frozenset
    - - !!python/tuple [accept, '*/*']
    host: a.test
    method: GET
    path: /ip
    port: 8080
    protocol: http
  response:
    body: {string: !!python/unicode \"hi\\n\"}
    headers: [!!python/unicode \"X-A: b: c\\r\\n\", !!python/unicode \"content-length: 3\\r\\n\"]
    status: {code: 200, message: OK}
",
        "vcrpy 0\n1: GET http://a.test:8080/ip [accept: */*] -> 200 [x-a: b: c] `hi\\n`",
    );
}

#[test]
fn vcr_and_its_family() {
    check(
        "---
http_interactions:
- request:
    method: get
    uri: <API_BASE>/x
    body: {encoding: US-ASCII, string: ''}
  response:
    status: {code: 200, message: OK}
    headers: {Content-Type: [audio/mpeg]}
    body:
      encoding: ASCII-8BIT
      string: !binary |-
        /wBo
recorded_with: VCR 6.4.0
",
        "Ruby VCR
         3: GET http://api-base.invalid/x -> 200 [content-type: audio/mpeg] `\\xff\\x00h` (the recording hides its host; http://api-base.invalid stands for <API_BASE>)",
    );
    check(
        "http_interactions:\n- request: {method: POST, uri: 'https://a.test/', body: {fields: {file: x}}}\n  response: {status: 200, body: {string: hi}}\nrecorded_with: VCR-vcr/2.0.0\n",
        "refused: R vcr: line 2: the form was stored as fields, and the bytes that were sent are lost",
    );
    let betamax = |body: &str| {
        format!(
            r#"{{"http_interactions": [{{"request": {{"method": "GET", "uri": "http://a.test/"}}, "response": {{"status": {{"code": 200}}, "body": {body}}}}}], "recorded_with": "betamax/0.4.2"}}"#
        )
    };
    check(&betamax(r#"{"base64_string": "/wBo"}"#), "betamax\n1: GET http://a.test/ -> 200 `\\xff\\x00h`");
    check(
        &betamax(r#"{"encoding": "ISO-8859-1", "string": "é"}"#),
        "refused: betamax: line 1: the body was decoded from `ISO-8859-1`",
    );
    check(
        "\n-\n    request: {method: GET, url: 'http://a.test/', headers: {Host: a.test}}\n    response: {status: 301, headers: {Location: '/'}, body: hi, curl_info: {total_time: 0.25}}\n",
        "php-vcr\n3: GET http://a.test/ [host: a.test] -> 301 [location: /] `hi`@250",
    );
}

#[test]
fn httpmock() {
    check(
        "when:
  path: /v1/x
  method: POST
  query_param:
  - {name: q, value: a b}
  header:
  - {name: Accept, value: '*/*'}
  body: hi
then:
  status: 200
  header: []
  body: /wBo
  body_encoding: base64
---
when: {path: /, method: GET, query_param: []}
then: {status: 204}
",
        "httpmock
         1: POST http://unknown.invalid/v1/x?q=a%20b [accept: */*] `hi` -> 200 `\\xff\\x00h` (the recording names no host; http://unknown.invalid stands for it)
         15: GET http://unknown.invalid/ -> 204 (the recording names no host; http://unknown.invalid stands for it)",
    );
    check(
        "when:\n  path: /\n  body_matches: .*\nthen:\n  status: 200\n",
        "refused: httpmock: line 3: `body_matches` is a pattern, and the request is not known",
    );
}

#[test]
fn go_recorders() {
    check(
        "---
version: 1
interactions:
- request: {body: '', form: {}, headers: {Accept: ['*/*']}, url: 'https://a.test/', method: GET}
  response: {body: hi, headers: {}, status: 200 OK, code: 200, duration: 1.5s}
- request: {body: '', form: {a: ['1']}, headers: {}, url: 'https://a.test/', method: POST}
  response: {body: '', headers: {}, status: 200 OK, code: 200}
",
        "refused: go-vcr: line 6: the form was stored as fields, and the bytes that were sent are lost",
    );
    check(
        "version: 2\ninteractions:\n- id: 0\n  request: {body: a, headers: {}, url: 'https://a.test/', method: POST}\n  response: {body: !!binary /wBo, headers: {}, status: 200 OK, code: 200, duration: 1.5s}\n",
        "go-vcr\n3: POST https://a.test/ `a` -> 200 `\\xff\\x00h`@1500",
    );
    check("version: 2\ninteractions: []\n", "go-vcr");
    check(
        r#"{"Tracks": [{"Request": {"Method": "POST", "URL": {"Scheme": "https", "Host": "a.test", "Path": "/x", "RawQuery": "a=1"}, "Body": "aGk="}, "Response": {"StatusCode": 200, "Header": {"X": ["y"]}, "Body": "aG8="}}]}"#,
        "govcr\n1: POST https://a.test/x?a=1 `hi` -> 200 [x: y] `ho`",
    );
    let request = "POST https://a.test/x HTTP/1.1\r\nHost: a.test\r\nUser-Agent: go\n\r\nhi";
    let response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n2\r\nho\r\n1;a=b\r\n!\r\n0\r\n\r\n";
    let pair = format!("{} {}\n{request}{response}", request.len(), response.len());
    check(
        &format!("httprr trace v1\n{pair}{pair}"),
        "httprr
         2: POST https://a.test/x [host: a.test] [user-agent: go] `hi` -> 200 [x: y] `ho!`
         17: POST https://a.test/x [host: a.test] [user-agent: go] `hi` -> 200 [x: y] `ho!`",
    );
    check("httprr trace v1\n5 900\nGET /", "refused: httprr: line 2: the recording is cut off");
}

#[test]
fn a_version_that_nobody_knows_is_not_taken_for_one_that_is() {
    let go = |version: &str| {
        format!(
            "version: {version}\ninteractions:\n- request: {{method: GET, url: 'https://a.test/', headers: {{}}, body: ''}}\n  response: {{code: 200, status: 200 OK, headers: {{}}, body: hi}}\n"
        )
    };
    for version in ["1", "2"] {
        check(&go(version), "go-vcr\n3: GET https://a.test/ -> 200 `hi`");
    }
    check(&go("5"), "refused: go-vcr: line 1: its version is 5, and only 1 and 2 are known");
    check(&go("[]"), "refused: go-vcr: line 1: its version is no number, and only 1 and 2 are known");
}

#[test]
fn what_a_browser_asked_nobody_for_is_left_out_of_an_archive() {
    let good = r#"{"request": {"method": "GET", "url": "https://a.test/"}, "response": {"status": 200, "content": {"text": "hi"}}}"#;
    let entries = [
        r#"{"request": {"method": "GET", "url": "data:image/png;base64,AAAA"}, "response": {"status": 200, "content": {"size": 3}}}"#,
        r#"{"_webSocketMessages": [], "request": {"method": "GET", "url": "https://a.test/ws"}, "response": {"status": 101}}"#,
        r#"{"request": {"method": "GET", "url": "WSS://a.test/ws"}, "response": {"status": 101}}"#,
        good,
        r#"{"request": {"method": "GET", "url": "https://b.test/"}, "response": {"status": 0, "_error": "net::ERR_BLOCKED_BY_CLIENT"}}"#,
        r#"{"request": {"method": "GET", "url": "https://b.test/"}, "response": {"status": 0}}"#,
        r#"{"request": {"method": "GET", "url": "chrome-extension://b/x.js"}, "response": {"status": 200}}"#,
    ];
    let archive = format!("{{\"log\": {{\"entries\": [\n{}\n]}}}}", entries.join(",\n"));
    let imported = import(Path::new("session.har"), archive.as_bytes()).unwrap();
    assert_eq!(imported.exchanges.len(), 1);
    let left_out: Vec<_> =
        imported.left_out.iter().map(|it| format!("{} {} {}", it.number, it.line, it.reason)).collect();
    let expected = [
        "1 2 its address begins with `data:`, where no server is asked",
        "2 3 it is a WebSocket, and no HTTP exchange",
        "3 4 it is a WebSocket, and no HTTP exchange",
        "5 6 the request was not answered: net::ERR_BLOCKED_BY_CLIENT",
        "6 7 the request was not answered",
        "7 8 its address begins with `chrome-extension:`, where no server is asked",
    ];
    assert_eq!(left_out, expected);
    check(
        &archive.replace(good, entries[0]),
        "refused: HAR: line 2: none of its 7 entries is an exchange of HTTP: the first, its address begins with `data:`, where no server is asked",
    );
    // What is an exchange, and not exact, is no less refused.
    check(&archive.replace("{\"text\": \"hi\"}", "{\"size\": 5}"), "refused: HAR: line 5: the body was not kept");
}

#[test]
fn har() {
    let archive = |response: &str, post: &str| {
        format!(
            "\u{feff}{{\"log\": {{\"entries\": [\n{{\"time\": 12.5, \"request\": {{\"method\": \"POST\", \"url\": \"https://a.test/\", \"headers\": [{{\"name\": \"Accept\", \"value\": \"a\"}}], \"postData\": {post}}},\n\"response\": {response}}}]}}}}"
        )
    };
    let reply = |content: &str| format!(r#"{{"status": 200, "headers": [], "content": {content}}}"#);
    let text = r#"{"mimeType": "text/plain", "text": "hi"}"#;
    check(
        &archive(&reply(r#"{"encoding": "base64", "text": "[\"/w==\", \"AGg=\"]"}"#), text),
        "HAR\n2: POST https://a.test/ [accept: a] `hi` -> 200 `\\xff` `\\x00h`@12",
    );
    check(
        &archive(&reply(r#"{"_isBinary": true, "text": "[\"ff0068\"]"}"#), text),
        "HAR\n2: POST https://a.test/ [accept: a] `hi` -> 200 `\\xff\\x00h`@12",
    );
    check(
        &archive(
            r#"{"status": 0, "headers": [], "content": {"size": 0}, "_error": "net::ERR_CONNECTION_RESET"}"#,
            text,
        ),
        "HAR\n2: POST https://a.test/ [accept: a] `hi` -> reset: net::ERR_CONNECTION_RESET",
    );
    check(&archive(&reply(r#"{"size": 5}"#), text), "refused: HAR: line 3: the body was not kept");
    for cut in [r#"{"size": 9, "text": "short"}"#, r#"{"size": 9, "text": "short", "comment": "truncated"}"#] {
        check(&archive(&reply(cut), text), "refused: HAR: line 3: the body was not kept whole: 5 bytes of 9");
    }
    // A mark of the byte order is counted, and not kept.
    check(
        &archive(&reply(r#"{"size": 8, "text": "short"}"#), text),
        "HAR\n2: POST https://a.test/ [accept: a] `hi` -> 200 `short`@12",
    );
    check(
        &archive(&reply(r#"{"text": "x"}"#), r#"{"params": [{"name": "a"}]}"#),
        "refused: HAR: line 2: the form was stored as fields, and the bytes that were sent are lost",
    );
    check(&archive("null", text), "refused: HAR: line 2: the request has no response");
    let ended = |error: &str, status: i32| {
        archive(&format!(r#"{{"status": {status}, "headers": [], "content": {{"size": 0}}, {error}}}"#), text)
    };
    for (error, class) in [("NAME_NOT_RESOLVED", "dns"), ("CERT_DATE_INVALID", "tls"), ("TIMED_OUT", "timeout")] {
        let error = format!("net::ERR_{error}");
        check(
            &ended(&format!(r#""_error": "{error}""#), 0),
            &format!("HAR\n2: POST https://a.test/ [accept: a] `hi` -> {class}: {error}"),
        );
    }
    check(
        &ended(r#""_failureText": "net::ERR_ABORTED""#, -1),
        "refused: HAR: line 2: the request was not answered: net::ERR_ABORTED",
    );
    check(&ended(r#""_error": null"#, 0), "refused: HAR: line 2: the request was not answered");
    check(
        &ended(r#""_error": "net::ERR_HTTP2_PROTOCOL_ERROR""#, 200),
        "refused: HAR: line 2: the reply broke off, and how far it came is not kept: net::ERR_HTTP2_PROTOCOL_ERROR",
    );
    check(
        "log:\n  entries:\n  - request:\n      method: POST\n      url: https://a.test/\n      postData:\n        textJSON:\n          a: 1\n",
        "refused: HAR: line 8: the body was stored parsed, and the bytes that were sent are lost",
    );
}

#[test]
fn one_exchange_a_file() {
    check(
        r#"{"request": {"method": "post", "url": "https://a.test/", "headers": {"authorization": "[REDACTED:authorization]"}, "body": {"b64": "aGk="}, "canonical_json": {}},
"response": {"status": 200, "headers": {"x": ["y"]}, "body": null}, "chunks": [{"b64": "aA==", "t_us": 20000}, {"b64": "bw=="}]}"#,
        "req_llm\n1: POST https://a.test/ [authorization: [REDACTED:authorization]] `hi` -> 200 [x: y] `h`@20 `o`",
    );
    check(
        "{\"request\": {\"method\": \"post\", \"url\": \"https://a.test/\", \"canonical_json\": {}},\n\"response\": {\"status\": 200,\n\"body\": {\"a\": 1}}}",
        "refused: req_llm: line 3: the body was stored parsed, and the bytes that were sent are lost",
    );
    check(
        r#"{"request": {"method": "POST", "url": "https://a.test/", "headers": {"A": "b"}, "body": "hi"}, "response": {"status": {"code": 404, "message": ""}, "headers": {}, "body": "base64:/wBo"}}"#,
        "test agent\n1: POST https://a.test/ [a: b] `hi` -> 404 `\\xff\\x00h`",
    );
    check(
        "{\n  meta: { host: 'https://a.test', },\n  req: { url: '/x', method: 'GET', headers: { accept: '*/*' }, body: '', },\n  res: { status: 200, headers: { 'content-type': ['image/png'] }, body: '/wBo', },\n}\n",
        "talkback\n1: GET https://a.test/x [accept: */*] -> 200 [content-type: image/png] `\\xff\\x00h`",
    );
    check(
        "{\n  meta: { host: 'https://a.test' },\n  req: { url: '/x', method: 'GET', headers: {} },\n  res: { status: 200, headers: { 'content-type': ['application/json'] },\n    body: { a: 1 } },\n}\n",
        "refused: talkback: line 5: the body was stored parsed, and the bytes that were sent are lost",
    );
}

#[test]
fn nock() {
    let tape = |body: &str, rest: &str| {
        format!(
            "[\n{{\"scope\": \"https://a.test:443\", \"method\": \"POST\", \"path\": \"/x\",\n\"body\": {body}, \"status\": 200, \"rawHeaders\": [\"X\", \"y\", \"X\", \"z\"], {rest}}}]"
        )
    };
    check(&tape("\"a=1\"", r#""response": "hi""#), "nock\n2: POST https://a.test/x `a=1` -> 200 [x: y] [x: z] `hi`");
    check(
        &tape("\"\"", r#""response": "ff0068", "responseIsBinary": true"#),
        "nock\n2: POST https://a.test/x -> 200 [x: y] [x: z] `\\xff\\x00h`",
    );
    check(
        &tape("\"\"", r#""response": "ff0068", "responseIsBinary": false"#),
        "nock\n2: POST https://a.test/x -> 200 [x: y] [x: z] `ff0068`",
    );
    check(
        &tape("\"\"", r#""response": ["ff", "0068"]"#),
        "nock\n2: POST https://a.test/x -> 200 [x: y] [x: z] `\\xff\\x00h`",
    );
    let parsed = "the body was stored parsed, and the bytes that were sent are lost";
    check(&tape("{\"a\": 1}", r#""response": "hi""#), &format!("refused: nock: line 3: {parsed}"));
    check(&tape("\"ff\"", r#""response": """#), "refused: nock: line 3: these digits are either the text or its bytes");
}

#[test]
fn wiremock() {
    let mapping = |request: &str, response: &str| {
        format!("{{\"request\": {{\"method\": \"POST\", {request}}},\n\"response\": {{\"status\": 200, {response}}}}}")
    };
    check(
        &mapping(
            r#""url": "/x", "headers": {"Accept": {"equalTo": "a"}}, "bodyPatterns": [{"equalToJson": "{ }"}]"#,
            r#""headers": {"X": ["y", "z"]}, "base64Body": "/wBo""#,
        ),
        "WireMock
         1: POST http://unknown.invalid/x [accept: a] `{ }` -> 200 [x: y] [x: z] `\\xff\\x00h` (the recording names no host; http://unknown.invalid stands for it)",
    );
    check(
        &mapping(r#""urlPattern": "/.*""#, r#""body": """#),
        "refused: WireMock: line 1: this is a pattern, and the request is not known",
    );
    check(
        &mapping(r#""url": "/x""#, r#""bodyFileName": "../../secret""#),
        "refused: WireMock: line 2: the body lies in `../../secret`, which is not in `__files` beside the mappings",
    );
    check(
        &mapping(r#""url": "/x""#, r#""jsonBody": {}"#),
        "refused: WireMock: line 2: the body was stored parsed, and the bytes that were sent are lost",
    );
}

#[test]
fn exvcr_and_hoverfly() {
    check(
        r#"[{"request": {"method": "get", "url": "http://a.test/", "headers": [], "request_body": ""},
"response": {"type": "ok", "binary": true, "body": "g20AAAAD/wBo", "headers": {"x": "y"}, "status_code": 200}},
{"request": {"method": "get", "url": "http://a.test/", "headers": [], "request_body": ""},
"response": {"type": "error", "binary": false, "body": "%Mint.TransportError{reason: :nxdomain}", "headers": [], "status_code": null}}]"#,
        "exvcr
         1: GET http://a.test/ -> 200 [x: y] `\\xff\\x00h`
         3: GET http://a.test/ -> dns: %Mint.TransportError{reason: :nxdomain}",
    );
    let pair = |matcher: &str| {
        format!(
            r#"{{"data": {{"pairs": [{{"request": {{"scheme": [{{"matcher": "exact", "value": "https"}}], "destination": [{{"matcher": "exact", "value": "a.test"}}],
"path": [{{"matcher": "{matcher}", "value": "/x"}}], "method": [{{"matcher": "exact", "value": "GET"}}], "query": {{}}}}, "response": {{"status": 200, "body": "aGk=", "encodedBody": true, "headers": {{}}}}}}]}}}}"#
        )
    };
    check(&pair("exact"), "hoverfly\n1: GET https://a.test/x -> 200 `hi`");
    check(&pair("glob"), "refused: hoverfly: line 2: this is a pattern, and the request is not known");
}

#[test]
fn cassetter_and_promptecho() {
    let cassette = |kind: &str, content: &str| {
        format!(
            "version: 1\ninteractions:\n- request: {{method: GET, uri: 'https://a.test/', body: {{type: none}}}}\n  response:\n    status: 200\n    headers: {{x: [y]}}\n    body:\n      type: {kind}\n      content: {content}\n"
        )
    };
    check(&cassette("text", "hi"), "cassetter\n3: GET https://a.test/ -> 200 [x: y] `hi`");
    check(&cassette("binary", "'ff0068'"), "cassetter\n3: GET https://a.test/ -> 200 [x: y] `\\xff\\x00h`");
    let parsed = "line 9: the body was stored parsed, and the bytes that were sent are lost";
    check(&cassette("json", "{a: 1}"), &format!("refused: cassetter: {parsed}"));
    let echo = |body: &str| {
        format!(
            "version: 1\nmatch_on: [model]\ninteractions:\n- request: {{method: GET, url: 'https://a.test/', match_key: k, body: {body}}}\n  response:\n    status: 200\n    headers: {{}}\n    streaming: true\n    events:\n    - 'data: 1'\n    - 'data: 2'\n"
        )
    };
    check(&echo("{}"), "promptecho\n4: GET https://a.test/ -> 200 `data: 1` `data: 2`");
    check(
        &echo("{model: m}"),
        "refused: promptecho: line 4: the body was stored parsed, and the bytes that were sent are lost",
    );
}

#[test]
fn what_cannot_be_replayed_is_refused_by_name() {
    let lost = "and the bytes of the exchange are lost";
    check(
        "{\"type\": \"header\", \"format_version\": 1}\n{}\n",
        &format!("refused: OpenProgram: line 1: the events of a provider layer were stored, {lost}"),
    );
    check_bytes(b"\x28\xb5\x2f\xfd....", &format!("refused: llmtivo: the answers of a framework were stored, {lost}"));
    check(
        "{\"a\": 1}\n{\"a\": 2}\n",
        "refused: raw chunks: line 1: these are the events of a reply without their framing, and without its request",
    );
    check("event: a\ndata: 1\n\n", "refused: raw events: line 1: this is a reply without its request");
    check(
        "{\"choices\": []}",
        "refused: raw JSON: line 1: this is JSON of no known recording: a reply without its request, or something else",
    );
    check(
        "version: 1\ninteractions:\n- request_sample: {raw: x}\n",
        "refused: gRPC transcript: line 3: messages of gRPC are no HTTP exchanges: their frames and trailers were not stored",
    );
    check(
        "interactions:\n- kind: message\n  direction: sent\n",
        "refused: WebSocket transcript: line 2: messages of a WebSocket are no HTTP exchanges, and they were stored parsed",
    );
    check(
        "{\"messages\":\n[{\"direction\": \"send\"}]}",
        "refused: stdio transcript: line 2: messages over standard input and output are no HTTP exchanges",
    );
    check(
        "{\"request\": {\"payload\": {}},\n\"response\": {\"body\":\n{\"__type__\": \"x\"}}}",
        "refused: llama-stack: line 3: the client's objects were stored, and the bytes of the reply are lost",
    );
    check("hello there", "refused: line 1: this is no known recording");
    check("{\"a\": \n", "refused: line 2: this is no JSON: a value is missing");
    check_bytes(b"a\nb\xff", "refused: line 2: the file is neither UTF-8 nor of a known binary format");
    check_bytes(b"\x1f\x8b\x08", "refused: the gzip of the file is damaged");
    check("", "refused: line 1: this is no known recording");
}

#[test]
fn a_trace_of_agent_rewind_is_told_by_what_it_is_called() {
    let refusal = import(Path::new("run.rewind"), b"{\"a\": 1}\n{\"a\": 2}\n").unwrap_err();
    assert_eq!(refusal.format, Some(Format::AgentRewind));
}
