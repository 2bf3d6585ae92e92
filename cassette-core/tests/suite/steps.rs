//! Whoever watches a run is told of each call, while nothing is locked.

use std::sync::{Arc, Mutex};

use cassette_core::call::Call;
use cassette_core::fault::Fault;
use cassette_core::mode::Mode;
use cassette_core::session::{BodyEnd, Session};
use cassette_core::step::Step;
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{ask, codes, counting, gone, make, plan, record, refused, reply};

/// Watches a session, and returns what it is told.
fn watched(session: &Session) -> Arc<Mutex<Vec<Step>>> {
    let told = Arc::new(Mutex::new(Vec::new()));
    let told_to = Arc::clone(&told);
    session.on_step(move |step| told_to.lock().unwrap().push(step.clone()));
    told
}

fn shown(steps: &Mutex<Vec<Step>>) -> Vec<String> {
    let steps = steps.lock().unwrap();
    let line = |step: &Step| format!("{:?} {:?} {}\n{step}", step.source, step.kind(), step.name());
    steps.iter().map(line).collect()
}

#[test]
fn each_call_is_told_once_served_or_live_with_its_secrets_hidden() {
    let key = ["not", "written", "anywhere"].join("-");
    let mut told = Vec::new();
    for mode in [Mode::Off, Mode::Refresh, Mode::Replay, Mode::Record] {
        let store = MemoryStore::default();
        record(&store, &[ask("Bergen")]);
        let session = Session::open(plan(&store, mode)).unwrap();
        let steps = watched(&session);
        let mut upstream = counting();
        let upstream = |call: &Call| if call.body.ends_with(b"!\"}]}") { refused() } else { upstream(call) };
        let calls = [ask("Bergen"), ask(&format!("{key}!"))];
        make(&session, if mode == Mode::Replay { &calls[..1] } else { &calls }, upstream);
        session.finish(BodyEnd::Failed);
        told.push(format!("== {}\n{}", mode.as_str(), shown(&steps).join("\n")));
        assert!(!format!("{:?}", steps.lock().unwrap()).contains("Bearer not-written"));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_watcher_may_ask_the_session_whatever_it_likes() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let session = Arc::new(Session::open(plan(&store, Mode::Record)).unwrap());
    let (asked, seen) = (Arc::downgrade(&session), Arc::new(Mutex::new(Vec::new())));
    let told = Arc::clone(&seen);
    session.on_step(move |step| {
        let session = asked.upgrade().unwrap();
        let facts = (step.number, session.calls().len(), session.live_calls(), session.remaining());
        session.transcript();
        told.lock().unwrap().push(facts);
    });
    make(&session, &[ask("Bergen"), ask("Voss")], counting());
    assert_eq!(*seen.lock().unwrap(), [(1, 1, 0, 1), (2, 2, 1, 1)]);
}

#[test]
fn a_watcher_that_panics_fails_the_test() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    session.on_step(|step| assert_eq!(step.number, 1, "only one call was meant"));
    let got = make(&session, &[ask("Bergen"), ask("Oslo"), ask("Oslo")], gone);
    assert_eq!(got, [Ok(reply(200, "answer 1")), Ok(reply(200, "answer 2")), Err("wiring")]);
    let verdict = session.finish(BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["wiring"]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn a_step_that_met_a_fault_shows_what_the_program_met() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    let steps = watched(&session);
    session.fault(Fault::status(503).at(1)).unwrap();
    make(&session, &[ask("Bergen"), ask("Bergen")], gone);
    let status = |step: &Step| match &step.outcome {
        cassette_core::reply::Outcome::Reply(reply) => reply.status,
        cassette_core::reply::Outcome::Error(_) => 0,
    };
    assert_eq!(steps.lock().unwrap().iter().map(status).collect::<Vec<_>>(), [503, 200]);
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}
