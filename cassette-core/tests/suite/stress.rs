//! Random programs against the promise: what passed while recording replays, in any order; anything else fails.

use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;
use cassette_core::store::MemoryStore;
use proptest::prelude::*;

use crate::bench_of_calls::{ask, codes, counting, gone, plan, record, run};

const PROMPTS: [&str; 5] = ["Bergen", "Oslo", "Voss", "Myrdal", "Flåm"];

fn program() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..PROMPTS.len(), 1..12)
}

fn calls(program: &[usize]) -> Vec<cassette_core::call::Call> {
    program.iter().map(|i| ask(PROMPTS[*i])).collect()
}

proptest! {
    #[test]
    fn what_was_recorded_replays_in_any_order(program in program(), shuffled in program().prop_shuffle()) {
        let mut order: Vec<_> = (0..program.len()).collect();
        order.sort_by_key(|i| shuffled[i % shuffled.len()]);
        let store = MemoryStore::default();
        record(&store, &calls(&program));
        let swapped: Vec<_> = order.iter().map(|i| program[*i]).collect();
        let (got, verdict) = run(plan(&store, Mode::Replay), &calls(&swapped), gone, BodyEnd::Passed);
        prop_assert!(got.iter().all(Result::is_ok));
        prop_assert_eq!(codes(&verdict), [""; 0]);
        let mut answers: Vec<_> = got.into_iter().map(|got| format!("{got:?}")).collect();
        answers.sort();
        answers.dedup();
        prop_assert_eq!(answers.len(), program.len(), "each recording is served once");
    }

    #[test]
    fn another_program_fails_and_one_recording_run_mends_it(old in program(), new in program(), refresh in any::<bool>()) {
        let sorted = |program: &[usize]| {
            let mut program = program.to_vec();
            program.sort_unstable();
            program
        };
        let store = MemoryStore::default();
        record(&store, &calls(&old));
        let (_, verdict) = run(plan(&store, Mode::Replay), &calls(&new), gone, BodyEnd::Passed);
        prop_assert_eq!(verdict.reports.is_empty(), sorted(&old) == sorted(&new));

        let mode = if refresh { Mode::Refresh } else { Mode::Record };
        let (_, verdict) = run(plan(&store, mode), &calls(&new), counting(), BodyEnd::Passed);
        prop_assert_eq!(codes(&verdict), [""; 0]);
        let (got, verdict) = run(plan(&store, Mode::Replay), &calls(&new), gone, BodyEnd::Passed);
        prop_assert!(got.iter().all(Result::is_ok));
        prop_assert_eq!(codes(&verdict), [""; 0]);
    }
}
