//! What a run tells of itself.

use cassette_core::mode::Mode;
use cassette_core::reply::{Chunk, Outcome, Truncation};
use cassette_core::session::{BodyEnd, Session};
use cassette_core::store::{MemoryStore, Store as _};
use cassette_core::transcript::{What, files, transcript};

use crate::bench_of_calls::{ask, gone, make, plan, refused, reply, run};

fn chat(text: &str) -> Outcome {
    let body = format!(
        r#"{{"id":"chatcmpl-1","choices":[{{"index":0,"message":{{"role":"assistant","content":"{text}","tool_calls":[{{"id":"call_1","type":"function","function":{{"name":"lookup","arguments":"{{\"to\":\"Bergen\"}}"}}}}]}},"finish_reason":"tool_calls"}}],"usage":{{"prompt_tokens":9,"completion_tokens":8,"prompt_tokens_details":{{"cached_tokens":4}}}}}}"#
    );
    let Outcome::Reply(mut answer) = reply(200, "") else { panic!("it is a reply") };
    answer.chunks[0].bytes = body.into_bytes();
    Outcome::Reply(answer)
}

#[test]
fn a_run_reads_the_same_recorded_and_replayed() {
    let store = MemoryStore::default();
    let calls = [ask("Bergen"), ask("Oslo"), ask("Oslo")];
    let mut answers = [chat("A moment."), refused(), reply(200, "no model's answer")].into_iter();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    make(&session, &calls, |_| answers.next().unwrap());
    let recorded = (session.transcript(), session.usage());
    assert_eq!(session.finish(BodyEnd::Passed).reports.len(), 0);

    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    make(&session, &calls, gone);
    assert_eq!((session.transcript(), session.usage()), recorded);
    let usage = session.usage();
    assert_eq!((usage.input, usage.output, usage.cached, usage.reasoning), (Some(5), Some(8), Some(4), None));
    insta::assert_snapshot!(recorded.0);
}

#[test]
fn a_run_without_records_tells_what_it_asked() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Off)).unwrap();
    make(&session, &[ask("Bergen")], |_| reply(200, "09:04"));
    insta::assert_snapshot!(session.transcript());
    let (_, verdict) = run(plan(&store, Mode::Off), &[], gone, BodyEnd::Passed);
    assert!(verdict.reports.is_empty());
}

#[test]
fn the_files_of_an_exchange_are_those_that_it_tells() {
    let store = MemoryStore::default();
    let asked = cassette_core::call::Call::http(
        "POST",
        "https://api.openai.com/v1/chat/completions",
        vec![("content-type".to_owned(), "application/json".to_owned())],
        br#"{"model":"gpt-4o-mini","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}},{"type":"text","text":"What is it?"}]}]}"#.to_vec(),
    );
    let drawn = br#"{"choices":[{"index":0,"message":{"role":"assistant","content":"This.","images":[{"image_url":{"url":"data:image/gif;base64,R0lGODlh"}}]},"finish_reason":"stop"}]}"#;
    let Outcome::Reply(mut answer) = reply(200, "") else { panic!("it is a reply") };
    answer.chunks[0].bytes = drawn.to_vec();
    run(plan(&store, Mode::Record), &[asked], |_| Outcome::Reply(answer.clone()), BodyEnd::Passed);
    let tape = cassette_core::disk::read(&store.load("trains").unwrap().unwrap()).unwrap();
    let exchange = &transcript(&tape.interactions)[0];
    let entries = exchange.said.iter().chain(&exchange.answer).filter(|entry| entry.what == What::File);
    let told: Vec<_> = entries.map(|entry| format!("{}: {}", entry.label, entry.text)).collect();
    assert_eq!(
        told,
        ["user shows: image/png, 8 bytes, sha256 4c4b6a3b", "assistant shows: image/gif, 6 bytes, sha256 610f5ae4"]
    );
    let files: Vec<_> =
        files(&tape.interactions[0]).into_iter().map(|file| (file.media, file.bytes.unwrap())).collect();
    assert_eq!(
        files,
        [("image/png".to_owned(), b"\x89PNG\r\n\x1a\n".to_vec()), ("image/gif".to_owned(), b"GIF89a".to_vec())]
    );
}

#[test]
fn an_answer_that_had_no_room_to_say_anything_is_told_as_that() {
    let store = MemoryStore::default();
    let body = r#"{"id":"chatcmpl-1","choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":8}}"#;
    let Outcome::Reply(mut answer) = reply(200, "") else { panic!("it is a reply") };
    answer.chunks[0].bytes = body.into();
    run(plan(&store, Mode::Record), &[ask("Bergen")], |_| Outcome::Reply(answer.clone()), BodyEnd::Passed);
    let tape = cassette_core::disk::read(&crate::bench_of_calls::file(&store).unwrap()).unwrap();
    let told: Vec<_> = transcript(&tape.interactions)[0]
        .answer
        .iter()
        .map(|entry| format!("{}: {}", entry.label, entry.text))
        .collect();
    assert_eq!(told, ["answered: 200", "assistant: (nothing)", "finish: length"]);
}

#[test]
fn an_error_of_whose_body_nothing_was_read_is_told_as_that() {
    let check = |body: &[u8], truncated: Option<Truncation>, expected: &[&str]| {
        let store = MemoryStore::default();
        let Outcome::Reply(mut answer) = reply(503, "") else { panic!("it is a reply") };
        answer.chunks = vec![Chunk { bytes: body.to_vec(), at: None }];
        answer.chunks.retain(|chunk| !chunk.bytes.is_empty());
        answer.truncated = truncated;
        let (_, verdict) =
            run(plan(&store, Mode::Record), &[ask("Bergen")], |_| Outcome::Reply(answer.clone()), BodyEnd::Panicked);
        assert!(verdict.summary.pending.is_some());
        let tape = cassette_core::disk::read(&store.pending("trains").unwrap().unwrap()).unwrap();
        let exchange = &transcript(&tape.interactions)[0];
        let told: Vec<_> = exchange.answer.iter().map(|entry| format!("{}: {}", entry.label, entry.text)).collect();
        assert_eq!(told, expected, "{truncated:?}");
    };
    let unread = "cut: here: the program read nothing of what was answered";
    for by in [Truncation::Client, Truncation::Left] {
        check(b"", Some(by), &["answered: 503", unread]);
    }
    let broken = "cut: here: the connection to the upstream broke before anything of the body came";
    check(b"", Some(Truncation::Upstream), &["answered: 503", broken]);
    check(b"", None, &["answered: 503"]);
    let said = br#"{"error":{"message":"Overloaded.","type":"server_error"}}"#;
    check(said, None, &["answered: 503", "error server_error: Overloaded."]);
    check(
        &said[..20],
        Some(Truncation::Left),
        &["answered: 503", "error: {\"error\":{\"message\":", "cut: here: the program stopped reading"],
    );
}
