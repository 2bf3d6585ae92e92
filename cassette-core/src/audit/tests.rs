//! What the audit finds in a file, and what it leaves alone.

use super::{Allowed, audit, mask};
use crate::redact::coding::base64::{Spelling, encode};
use crate::redact::{Rules, Secrets};

fn key() -> String {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-")
}

fn file(body: &str) -> String {
    format!(
        r#"{{"cassette": 1, "interactions": [{{"kind": "http", "name": "POST https://a.test", "request": {{"headers": [["content-type", "text/plain"]], "body": {body}}}}}]}}"#
    )
    .replace("KEY", &key())
}

/// Audits a file with this request body, in which `KEY` stands for a credential; expects `path rule` of each finding.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let text = file(body);
    let findings = audit(&text, &Rules::default(), &Secrets::default(), &[]);
    let short = |path: &str| path.strip_prefix("interactions[0].request.body").map(str::to_owned);
    let found: Vec<String> =
        findings.iter().map(|f| format!("{} {}", short(&f.path).unwrap_or_default(), f.rule)).collect();
    assert_eq!(found, expected);
    assert!(findings.iter().all(|finding| finding.interaction == Some(0) && !finding.shown.contains(&key()[5..])));
    let masked = mask(&text, &findings);
    assert!(!masked.contains(&key()), "{masked}");
    assert!(audit(&masked, &Rules::default(), &Secrets::default(), &[]).is_empty(), "{masked}");
}

#[test]
fn a_finding_names_its_place() {
    check(r#"{"json": {"messages": [{"content": "x KEY"}]}}"#, &[".json.messages[0].content openai-key"]);
    check(r#"{"json": {"a b": "KEY"}}"#, &[r#".json["a b"] openai-key"#]);
    check(r#"{"json": {"KEY": {"spend": "KEY"}}}"#, &[".json.*[0] openai-key", ".json.*[0].spend openai-key"]);
    check(r#"{"text": "a%253DKEY"}"#, &[".text openai-key"]);
    check(r#"{"json": {"password": "hunter3-Zq9"}}"#, &[".json.password password"]);
    check(r#"{"json": {"password": "REDACTED.password.1", "n": 1}}"#, &[]);
}

#[test]
fn pieces_are_joined() {
    let key = key();
    let (head, tail) = key.split_at(12);
    let body = format!(r#"{{"events": [{{"data": {{"delta": "{head}"}}}}, {{"data": {{"delta": "{tail}"}}}}]}}"#);
    check(&body, &[".events[0].data.delta openai-key", ".events[1].data.delta openai-key"]);
}

#[test]
fn bytes_are_looked_into() {
    let plain = Spelling { url: false, padded: true };
    let body = |bytes: &[u8]| format!(r#"{{"base64": "{}"}}"#, encode(bytes, plain));
    check(&body(format!("a={}", key()).as_bytes()), &[".base64 openai-key"]);
    check(&body(b"\x00\x01\x02\xff\xfe nothing known"), &[".base64 opaque-body"]);
    check(&body(b"\x89PNG\r\n\x1a\n\xff\xff"), &[]);
}

#[test]
fn what_the_user_vouches_for_is_left_out() {
    let text = file(r#"{"json": {"a": "KEY"}}"#);
    let entry = |rule: &str| Allowed {
        path: "interactions[0].request.body.json.a".into(),
        rule: rule.into(),
        reason: "a test".into(),
    };
    assert!(audit(&text, &Rules::default(), &Secrets::default(), &[entry("openai-key")]).is_empty());
    assert_eq!(audit(&text, &Rules::default(), &Secrets::default(), &[entry("jwt")]).len(), 1);
}

#[test]
fn what_is_no_document_is_searched_as_it_stands() {
    let findings = audit(&format!("torn {} line", key()), &Rules::default(), &Secrets::default(), &[]);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].interaction, None);
}
