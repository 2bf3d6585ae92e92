//! What many calls cost: a call costs what it costs, however many came before.

use std::time::{Duration, Instant};

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{codes, gone, plan, run, tool, value};

/// Returns what this many calls cost as they are recorded and replayed.
fn cost(calls: &[Call]) -> (Duration, Duration) {
    let store = MemoryStore::default();
    let timed = |mode, answer: &mut dyn FnMut(&Call) -> cassette_core::reply::Outcome| {
        let start = Instant::now();
        let (got, verdict) = run(plan(&store, mode), calls, |call| answer(call), BodyEnd::Passed);
        assert_eq!((codes(&verdict).len(), got.len()), (0, calls.len()));
        start.elapsed()
    };
    let mut number = 0;
    let recorded = timed(Mode::Record, &mut |_| {
        number += 1;
        value(&number.to_string())
    });
    (recorded, timed(Mode::Replay, &mut |call| gone(call)))
}

#[test]
#[ignore = "it measures: cargo test -p cassette-core --test suite costs -- --ignored --nocapture"]
#[expect(clippy::print_stderr, reason = "what it measures is for whoever runs it")]
fn costs_of_many_calls() {
    for count in [1000, 2000, 4000, 8000] {
        let equal: Vec<Call> = (0..count).map(|_| tool("same", "{}")).collect();
        let other: Vec<Call> = (0..count).map(|i| tool("other", &format!("{{\"x\":{i}}}"))).collect();
        let ((recorded, replayed), (others, other)) = (cost(&equal), cost(&other));
        eprintln!("{count}: equal {recorded:.1?} recorded, {replayed:.1?} replayed; others {others:.1?}, {other:.1?}");
    }
}
