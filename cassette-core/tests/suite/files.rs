//! What a file may look like, and what is refused.

use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::session::{BodyEnd, Session};
use cassette_core::store::{MemoryStore, Store};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, plan, record, run};

fn dated(file: &[u8]) -> String {
    let text = std::str::from_utf8(file).unwrap();
    let date = text.lines().find(|line| line.contains("\"recorded\"")).unwrap();
    text.replace(date, "  \"recorded\": \"2026-11-29\",")
}

/// Returns the report of opening this text in replay.
fn refusal(text: &str) -> String {
    let store = MemoryStore::default();
    store.put(NAME, text.as_bytes());
    Session::open(plan(&store, Mode::Replay)).map_or_else(|report| report.to_string(), |_| "it opens".into())
}

#[test]
fn the_file_is_readable() {
    let store = MemoryStore::default();
    insta::assert_snapshot!(dated(&record(&store, &[ask("Bergen"), ask("Oslo")])));
}

#[test]
fn what_is_no_sound_cassette_is_refused_with_its_line() {
    let good = dated(&record(&MemoryStore::default(), &[ask("Bergen"), ask("Oslo")]));
    let cases = [
        ("empty", String::new()),
        ("cut short", good[..good.len() / 2].to_owned()),
        ("no cassette", "{}\n".to_owned()),
        ("newer", good.replace("\"cassette\": 1", "\"cassette\": 2")),
        ("unknown need", good.replace("\"needs\": []", "\"needs\": [\"blob\"]")),
        ("conflict", good.replace("    {\n", "<<<<<<< HEAD\n    {\n")),
        ("edited by hand", good.replace("answer 2", "answer 3")),
        ("unknown member", good.replace("      \"kind\"", "      \"colour\": \"red\",\n      \"kind\"")),
        (
            "two forms of a body",
            good.replace(
                "\"json\": {\n            \"answer\"",
                "\"text\": \"\",\n          \"json\": {\n            \"answer\"",
            ),
        ),
    ];
    let mut all = String::new();
    for (name, text) in cases {
        assert_ne!(text, good, "{name} changes the file");
        all.push_str(&format!("## {name}\n{}\n\n", refusal(&text)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn no_file_says_how_to_record_one() {
    let report = Session::open(plan(&MemoryStore::default(), Mode::Replay)).unwrap_err();
    insta::assert_snapshot!(report.to_string());
}

#[test]
fn a_refresh_mends_a_damaged_file() {
    let store = MemoryStore::default();
    store.put(NAME, b"<<<<<<< HEAD\n");
    let (_, verdict) = run(plan(&store, Mode::Refresh), &[ask("Bergen")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert!(disk::read(&file(&store).unwrap()).is_ok());
    assert_eq!(verdict.summary.damaged.as_deref(), Some("memory:.pending/trains.damaged.json"));
    assert_eq!(store.pending("trains.damaged").unwrap().as_deref(), Some(&b"<<<<<<< HEAD\n"[..]));
}

#[test]
fn white_space_and_line_ends_are_no_damage() {
    let good = dated(&record(&MemoryStore::default(), &[ask("Bergen")]));
    assert_eq!(refusal(&good.replace('\n', "\r\n")), "it opens");
    assert_eq!(refusal(&good.replace("  ", "\t")), "it opens");
}

#[test]
fn every_place_to_cut_a_file_is_found() {
    let good = dated(&record(&MemoryStore::default(), &[ask("Bergen")]));
    for end in 0..good.len() - 1 {
        assert!(disk::read(&good.as_bytes()[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn unknown_facts_in_the_head_are_kept() {
    let store = MemoryStore::default();
    let text =
        dated(&record(&store, &[ask("Bergen")])).replace("  \"redaction\"", "  \"colour\": \"red\",\n  \"redaction\"");
    store.put(NAME, text.as_bytes());
    run(plan(&store, Mode::Record), &[ask("Bergen"), ask("Oslo")], counting(), BodyEnd::Passed);
    assert!(String::from_utf8(file(&store).unwrap()).unwrap().contains("\"colour\": \"red\""));
}

#[test]
fn a_time_that_nobody_knows_stands_in_no_file() {
    let cut = |times: [Option<u64>; 3]| {
        let piece = |at: Option<u64>| Chunk { bytes: b"data: 1\n\n".to_vec(), at: at.map(Duration::from_millis) };
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        let chunks = times.map(piece).to_vec();
        Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
    };
    let check = |times: [Option<u64>; 3], line: Option<&str>| {
        let store = MemoryStore::default();
        let upstream = |_: &Call| cut(times);
        let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Bergen")], upstream, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        let text = String::from_utf8(file(&store).unwrap()).unwrap();
        let pace = text.lines().find(|line| line.contains("\"pace\"")).map(|line| line.trim().trim_end_matches(','));
        assert_eq!(pace, line);
        assert_eq!(*disk::read(text.as_bytes()).unwrap().interactions[0].outcome(), cut(times));
    };
    check([Some(10), Some(20), Some(420)], Some("\"pace\": [10, 20, 420]"));
    check([None, None, Some(420)], Some("\"pace\": [null, null, 420]"));
    check([None; 3], None);
}

#[test]
fn a_call_may_hold_a_secret_and_a_text_that_looks_like_its_placeholder() {
    let key = ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-");
    let asked = ask(&format!("REDACTED.openai-key.1 is no key, and {key} is one."));
    let store = MemoryStore::default();
    let recorded = dated(&record(&store, std::slice::from_ref(&asked)));
    assert!(recorded.contains("REDACTED..openai-key.1 is no key, and REDACTED.openai-key.1 is one."), "{recorded}");
    let (_, verdict) = run(plan(&store, Mode::Replay), &[asked], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}
