//! What must not reach a file, however it comes.

#![expect(clippy::disallowed_methods, reason = "the test is the person who writes the allow list")]

use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::redact::Rules;
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::{FileStore, MemoryStore, Store};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, plan, run};

fn posting(body: &str) -> cassette_core::call::Call {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    cassette_core::call::Call::http("POST", "https://api.example.com/v1", headers, body.as_bytes().to_vec())
}

#[test]
fn a_number_may_be_a_secret() {
    let store = MemoryStore::default();
    let rules = Rules { values: vec!["4155550123".into()], pii: true, ..Rules::default() };
    let environment = vec![("BANK_PASSWORD".to_owned(), "8273645190".to_owned())];
    let recording = Plan { rules, environment, ..plan(&store, Mode::Record) };
    let calls = [posting(r#"{"account":4155550123,"card":4111111111111111,"pin":8273645190}"#)];
    let (_, verdict) = run(recording, &calls, counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    let leaked: Vec<_> =
        ["4155550123", "4111111111111111", "8273645190"].into_iter().filter(|number| text.contains(number)).collect();
    assert!(leaked.is_empty(), "{leaked:?}");
}

#[test]
fn a_short_value_does_not_refuse_what_the_file_itself_says() {
    let store = MemoryStore::default();
    let rules = Rules { values: vec!["200".into()], ..Rules::default() };
    let recording = Plan { rules, ..plan(&store, Mode::Record) };
    let (_, verdict) = run(recording, &[posting(r#"{"pin":200}"#)], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(text.contains(r#""status": 200"#) && text.contains(r#""pin": "REDACTED.value.1""#), "{text}");
}

#[test]
fn one_cassette_does_not_vouch_for_another() {
    let opaque = |_: &cassette_core::call::Call| {
        let mut outcome = crate::bench_of_calls::reply(200, "");
        if let cassette_core::reply::Outcome::Reply(reply) = &mut outcome {
            reply.chunks[0].bytes = b"\x00\x01\x02\xff\xfe of no known kind".to_vec();
        }
        outcome
    };
    let record = |list: &str| {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("allow.json"), list).unwrap();
        let store = Arc::new(FileStore::new(dir.path(), "cassettes")) as Arc<dyn Store>;
        let recording = Plan { store, ..plan(&MemoryStore::default(), Mode::Record) };
        let (_, verdict) = run(recording, &[ask("bell")], opaque, BodyEnd::Passed);
        verdict.reports.first().map(ToString::to_string).unwrap_or_default()
    };
    let told = record("[]");
    let entry = told.lines().last().unwrap().trim().replace(r#""reason": """#, r#""reason": "a bell""#);
    assert!(entry.starts_with(&format!(r#"{{"cassette": "{NAME}", "path": "#)), "{told}");
    assert_eq!(record(&format!("[{entry}]")), "");
    assert_ne!(record(&format!("[{}]", entry.replace(NAME, "planes"))), "");
}
