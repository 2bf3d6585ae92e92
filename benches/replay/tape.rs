//! Recordings, made as a test makes them.

use std::sync::Arc;

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Store};

/// The cassette that everything here uses.
pub(crate) const NAME: &str = "trains";

/// Records these exchanges in memory and returns the plan that replays them.
pub(crate) fn recorded(calls: &[Call], answer: impl Fn(usize) -> Outcome) -> Plan {
    let store = Arc::new(MemoryStore::default());
    record(Arc::clone(&store) as Arc<dyn Store>, calls, answer);
    plan(store, Mode::Replay)
}

/// Records these exchanges into this store.
pub(crate) fn record(store: Arc<dyn Store>, calls: &[Call], answer: impl Fn(usize) -> Outcome) {
    let session = open(plan(store, Mode::Record));
    make(&session, calls.to_vec(), answer);
    finish(&session);
}

/// Returns the plan of a test that asks for nothing special.
pub(crate) fn plan(store: Arc<dyn Store>, mode: Mode) -> Plan {
    let rerun =
        Rerun { package: "timetable".into(), target: Target::Test("suite".into()), test: "ask".into(), ignored: false };
    Plan::new(NAME, store, mode, "suite::ask", rerun)
}

/// Opens a session that is known to open.
pub(crate) fn open(plan: Plan) -> Session {
    Session::open(plan).expect("the cassette opens")
}

/// Makes these calls, which were not recorded yet.
pub(crate) fn make(session: &Session, calls: Vec<Call>, answer: impl Fn(usize) -> Outcome) {
    for (number, call) in calls.into_iter().enumerate() {
        let Step::Live(ticket) = session.begin(call) else { unreachable!("call {number} was recorded before") };
        ticket.finish(answer(number)).expect("the journal is written");
    }
}

/// Ends a session of which everything was used.
pub(crate) fn finish(session: &Session) {
    let verdict = session.finish(BodyEnd::Passed);
    assert!(verdict.reports.is_empty(), "{}", verdict.reports[0]);
}
