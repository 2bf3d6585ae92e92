//! What a run tells of itself.

use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::session::{BodyEnd, Session};
use cassette_core::store::MemoryStore;

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
    assert_eq!((usage.input, usage.output, usage.cached, usage.reasoning), (Some(9), Some(8), Some(4), None));
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
