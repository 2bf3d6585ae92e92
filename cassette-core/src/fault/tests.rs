//! Each fault by its table.

use std::time::Duration;

use super::{Fault, Faults, Met, enact, positions};
use crate::call::Call;
use crate::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};

fn call(url: &str) -> Call {
    Call::http("POST", url, Vec::new(), b"{}".to_vec())
}

fn recorded() -> Outcome {
    let chunk = |text: &str| Chunk { bytes: text.as_bytes().to_vec(), at: Some(Duration::ZERO) };
    let (chunks, trailers) = (["ab", "cde", "f"].map(chunk).to_vec(), vec![("x-end".to_owned(), "1".to_owned())]);
    Outcome::Reply(Reply { status: 200, headers: Vec::new(), chunks, trailers, truncated: None })
}

fn failed() -> Outcome {
    Outcome::Error(TransportError { class: TransportClass::Dns, message: "unknown".to_owned() })
}

/// Writes what a call meets: the status, the chunks, how it ends, and whether in silence.
fn told(fault: &Fault, outcome: &Outcome) -> String {
    let enacted = match enact(fault, &call("https://api.openai.com/v1/chat/completions"), outcome) {
        Ok(enacted) => enacted,
        Err(why) => return why,
    };
    let end = if enacted.stalls { ", silence" } else { "" };
    match enacted.outcome {
        Outcome::Error(error) => format!("{}{end}", error.class.as_str()),
        Outcome::Reply(Reply { status, chunks, trailers, truncated, .. }) => {
            let chunks: Vec<_> = chunks.iter().map(|chunk| chunk.bytes.escape_ascii().to_string()).collect();
            let by = match truncated {
                None => "",
                Some(Truncation::Client | Truncation::Left) => ", cut by client",
                Some(Truncation::Upstream) => ", cut by upstream",
            };
            format!("{status} {} +{}{by}{end}", chunks.join("|"), trailers.len())
        }
    }
}

#[test]
fn each_fault_makes_its_own_of_a_reply() {
    for (fault, expected) in [
        (Fault::status(500).body("x"), "500 x +0"),
        (Fault::status(204).body(""), "204  +0"),
        (Fault::reset(), "reset"),
        (Fault::stall(), "timeout, silence"),
        (Fault::stall_after(1), "200 ab +0, cut by client, silence"),
        (Fault::cut_after(0), "200  +0, cut by upstream"),
        (Fault::cut_after(2), "200 ab|cde +0, cut by upstream"),
        (Fault::cut_after(3), "200 ab|cde|f +0, cut by upstream"),
        (Fault::cut_after(4), "the recorded body has 3 chunks"),
        (Fault::garbage(2), r"200 ab|\xff\xff\xff|f +1"),
        (Fault::garbage(4), "the recorded body has 3 chunks"),
        (Fault::byte_by_byte(), "200 a|b|c|d|e|f +1"),
        (Fault::split_at(1), "200 a|bcdef +1"),
        (Fault::split_at(5), "200 abcde|f +1"),
        (Fault::split_at(0), "the recorded body has 6 bytes"),
        (Fault::split_at(6), "the recorded body has 6 bytes"),
    ] {
        assert_eq!(told(&fault, &recorded()), expected, "{fault}");
    }
}

#[test]
fn what_needs_a_body_needs_a_reply() {
    let none = "the recording is of a failure (dns), and has no body";
    for (fault, expected) in [
        (Fault::status(500).body("x"), "500 x +0"),
        (Fault::reset(), "reset"),
        (Fault::cut_after(0), none),
        (Fault::byte_by_byte(), none),
    ] {
        assert_eq!(told(&fault, &failed()), expected, "{fault}");
    }
}

#[test]
fn a_status_comes_in_the_providers_shape() {
    for (url, status, expected) in [
        (
            "https://api.openai.com/v1/chat/completions",
            429,
            r#"{"error":{"message":"status 429, a fault that the test planned","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
        ),
        (
            "https://api.anthropic.com/v1/messages",
            529,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"status 529, a fault that the test planned"}}"#,
        ),
        (
            "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent",
            503,
            r#"{"error":{"code":503,"message":"status 503, a fault that the test planned","status":"UNAVAILABLE"}}"#,
        ),
        (
            "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse",
            429,
            r#"{"message":"status 429, a fault that the test planned"}"#,
        ),
        ("https://ollama.com/api/chat", 500, r#"{"error":"status 500, a fault that the test planned"}"#),
    ] {
        let enacted = enact(&Fault::status(status).retry_after(2), &call(url), &recorded()).unwrap();
        let Outcome::Reply(reply) = enacted.outcome else { panic!("a status is a reply") };
        assert_eq!(String::from_utf8(reply.body()).unwrap(), expected, "{url}");
        assert_eq!(reply.header("retry-after"), Some("2"));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.header("x-amzn-errortype"), url.contains("bedrock").then_some("ThrottlingException"));
    }
}

#[test]
fn a_header_of_the_tests_own_takes_the_place_of_the_providers() {
    let fault = Fault::status(502).header("Content-Type", "text/html").body("<p>");
    let Outcome::Reply(reply) = enact(&fault, &call("https://x.example/"), &recorded()).unwrap().outcome else {
        panic!("a status is a reply")
    };
    assert_eq!(reply.headers, [("content-type".to_owned(), "text/html".to_owned())]);
}

#[test]
fn a_fault_that_is_none_is_refused() {
    for (fault, expected) in [
        (Fault::reset().at(0), "calls are counted from 1, and this fault is at call 0"),
        (Fault::reset().retry_after(2), "only the fault of a status has headers and a body of its own"),
        (Fault::stall().body("x"), "only the fault of a status has headers and a body of its own"),
        (Fault::status(0), "a reply has no status 0, but one from 200 to 599"),
        (Fault::status(199), "a reply has no status 199, but one from 200 to 599"),
        (Fault::status(600), "a reply has no status 600, but one from 200 to 599"),
        (Fault::status(500).header("a b", "1"), "`a b` is no header's name"),
        (Fault::status(500).header("a", "1\r\nb: 2"), "the value of `a` holds what no header may"),
        (Fault::garbage(0), "chunks are counted from 1, and this fault is at chunk 0"),
        (Fault::every_split(), "`every split` are many faults, which a sweep runs one by one"),
        (Fault::every_cut(), "`every cut` are many faults, which a sweep runs one by one"),
    ] {
        assert_eq!(Faults::default().plan(fault, 0), Err(expected.to_owned()));
    }
}

#[test]
fn a_fault_comes_in_time_and_alone() {
    let mut faults = Faults::default();
    assert_eq!(faults.plan(Fault::reset().at(3), 2), Ok(()));
    assert_eq!(faults.plan(Fault::byte_by_byte().at_each(), 9), Ok(()));
    let late = "call 2 had been made before the fault `reset` was planned for it".to_owned();
    assert_eq!(faults.plan(Fault::reset().at(2), 2), Err(late));
    let twice = "two faults are planned for call 3, `reset` and `stall`".to_owned();
    assert_eq!(faults.plan(Fault::stall().at(3), 2), Err(twice));
    let each = "two faults are planned for each call, `byte by byte` and `stall`".to_owned();
    assert_eq!(faults.plan(Fault::stall().at_each(), 2), Err(each));
    assert_eq!(
        faults.at(3, 7).map(|(_, fault)| fault.to_string()),
        Some("reset".to_owned()),
        "the call's own goes before"
    );
    assert_eq!(faults.at(4, 7).map(|(_, fault)| fault.to_string()), Some("byte by byte".to_owned()));
}

#[test]
fn a_recording_stays_open_until_it_is_served_whole() {
    let mut faults = Faults::default();
    for (fault, at) in [(Fault::reset(), 1), (Fault::byte_by_byte(), 2)] {
        let fault = fault.at(at);
        faults.plan(fault.clone(), 0).unwrap();
        faults.fire(at - 1, Met { fault, http: at, call: at - 1, index: at - 1, shown: recorded() });
    }
    assert_eq!([0, 1].map(|index| faults.is_open(index)), [true, false]);
    faults.close(0);
    assert!(!faults.is_open(0) && faults.have_harmed());
    assert_eq!(faults.unfired().count(), 0);
}

#[test]
fn a_sweep_goes_wherever_its_fault_fits() {
    for (fault, outcome, expected) in [
        (Fault::status(503).at(9), recorded(), vec!["status 503"]),
        (Fault::reset(), failed(), vec!["reset"]),
        (Fault::cut_after(3), recorded(), vec!["cut after chunk 3"]),
        (Fault::cut_after(4), recorded(), vec![]),
        (Fault::garbage(1), failed(), vec![]),
        (
            Fault::every_cut(),
            recorded(),
            vec!["cut after chunk 0", "cut after chunk 1", "cut after chunk 2", "cut after chunk 3"],
        ),
        (
            Fault::every_split(),
            recorded(),
            vec!["split at byte 1", "split at byte 2", "split at byte 3", "split at byte 4", "split at byte 5"],
        ),
        (Fault::every_split(), failed(), vec![]),
    ] {
        let found = positions(&fault, 2, &outcome);
        assert!(found.iter().all(|fault| fault.at == super::At::Recording(2)));
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expected, "{fault}");
    }
}
