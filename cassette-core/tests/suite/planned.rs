//! Faults that a test plans, and what they do to a replay.

use cassette_core::call::{Call, Kind};
use cassette_core::fault::Fault;
use cassette_core::mode::Mode;
use cassette_core::policy::Order;
use cassette_core::session::{BodyEnd, Plan, Session, Verdict};
use cassette_core::store::MemoryStore;
use insta::assert_snapshot;

use crate::bench_of_calls::{Got, ask, codes, gone, make, plan, record, reply};

/// Replays calls in this order, through these faults.
fn replay(order: Order, faults: &[Fault], prompts: &[&str]) -> (Vec<Got>, Verdict) {
    let store = MemoryStore::default();
    record(&store, &["Bergen", "Oslo", "Voss"].map(ask));
    let session = Session::open(Plan { order, ..plan(&store, Mode::Replay) }).unwrap();
    faults.iter().for_each(|fault| session.fault(fault.clone()).unwrap());
    let calls: Vec<Call> = prompts.iter().map(|prompt| ask(prompt)).collect();
    let got = make(&session, &calls, gone);
    (got, session.finish(BodyEnd::Passed))
}

const ORDERS: [Order; 2] = [Order::Any, Order::Strict];

#[test]
fn a_call_that_is_made_again_after_a_fault_gets_its_recording() {
    for order in ORDERS {
        for fault in [Fault::status(503), Fault::reset(), Fault::stall(), Fault::cut_after(0), Fault::garbage(1)] {
            let (got, verdict) = replay(order, &[fault], &["Bergen", "Bergen", "Oslo", "Voss"]);
            assert_ne!(got[0], Ok(reply(200, "answer 1")));
            assert_eq!(got[1..], ["answer 1", "answer 2", "answer 3"].map(|text| Ok(reply(200, text))));
            assert_eq!((codes(&verdict), verdict.summary.served), (vec![], 3));
        }
    }
}

#[test]
fn a_call_that_is_not_made_again_holds_up_no_other() {
    for order in ORDERS {
        let (got, verdict) = replay(order, &[Fault::status(503).at(2)], &["Bergen", "Oslo", "Voss"]);
        assert_eq!(got[2], Ok(reply(200, "answer 3")));
        assert_eq!(codes(&verdict), [""; 0]);
        assert_snapshot!("left_after_a_fault", verdict.summary.to_string());
    }
}

#[test]
fn a_strict_order_stays_one_beside_faults() {
    let (got, verdict) = replay(Order::Strict, &[Fault::reset()], &["Bergen", "Voss"]);
    assert_eq!(got[1], Err("misplaced"));
    assert_eq!(codes(&verdict), ["misplaced"]);
}

#[test]
fn a_recording_is_served_whole_once_however_many_faults_stood_before_it() {
    let faults = [Fault::status(429).at(1), Fault::cut_after(1).at(2)];
    let (got, verdict) = replay(Order::Any, &faults, &["Bergen", "Bergen", "Bergen", "Bergen"]);
    assert_eq!((&got[2], &got[3]), (&Ok(reply(200, "answer 1")), &Err("exhausted")));
    assert_eq!(codes(&verdict), ["exhausted"]);
}

#[test]
fn other_pieces_excuse_nothing_that_was_left() {
    let (_, verdict) = replay(Order::Any, &[Fault::byte_by_byte()], &["Bergen"]);
    assert_eq!(codes(&verdict), ["unused"]);
}

#[test]
fn a_fault_hides_no_changed_request() {
    let (got, verdict) = replay(Order::Any, &[Fault::status(503)], &["Flåm"]);
    assert_eq!((got, codes(&verdict)), (vec![Err("mismatch")], vec!["mismatch"]));
}

#[test]
fn a_fault_that_never_fired_fails_and_a_body_that_failed_is_not_told_so() {
    let (_, verdict) = replay(Order::Any, &[Fault::reset().at(4)], &["Bergen", "Oslo", "Voss"]);
    assert_eq!(codes(&verdict), ["unfired"]);
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    session.fault(Fault::reset().at(4)).unwrap();
    make(&session, &[ask("Bergen")], gone);
    assert_eq!(codes(&session.finish(BodyEnd::Failed)), [""; 0]);
}

#[test]
fn a_transcript_shows_what_the_program_met() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    session.fault(Fault::status(500).body("out of order").at(1)).unwrap();
    make(&session, &[ask("Bergen"), ask("Bergen")], gone);
    assert_snapshot!("met_in_a_transcript", session.transcript());
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn calls_of_functions_are_not_counted() {
    let store = MemoryStore::default();
    let tool = Call { kind: Kind::Tool, name: "timetable".to_owned(), headers: Vec::new(), body: b"{}".to_vec() };
    record(&store, &[tool.clone(), ask("Bergen")]);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    session.fault(Fault::reset().at(1)).unwrap();
    let got = make(&session, &[tool, ask("Bergen"), ask("Bergen")], gone);
    assert_eq!((&got[0], &got[2]), (&Ok(reply(200, "answer 1")), &Ok(reply(200, "answer 2"))));
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn no_fault_is_planned_but_in_replay_and_it_fails_the_test() {
    for mode in [Mode::Record, Mode::Refresh, Mode::Off] {
        let session = Session::open(plan(&MemoryStore::default(), mode)).unwrap();
        assert_eq!(session.fault(Fault::reset()).unwrap_err().code(), "refused");
        assert_eq!(codes(&session.finish(BodyEnd::Passed))[..1], ["refused"]);
    }
}
