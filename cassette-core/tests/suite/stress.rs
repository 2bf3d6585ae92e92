//! Random programs against the promise: what passed while recording replays, in any order; anything else fails.

use cassette_core::mode::Mode;
use cassette_core::policy::Order;
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::similarity::Fuzziness;
use cassette_core::store::MemoryStore;
use proptest::prelude::*;

use crate::bench_of_calls::{ask, codes, counting, gone, plan, record, reply, run};

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

proptest! {
    // Each case compares what drifted place by place.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_ordered_run_serves_the_file_from_top_to_bottom_and_tells_of_every_call_that_is_another(
        old in program(),
        new in program(),
    ) {
        let store = MemoryStore::default();
        record(&store, &calls(&old));
        let ordered = Plan { order: Order::Ordered, ..plan(&store, Mode::Replay) };
        let (got, verdict) = run(ordered, &calls(&new), gone, BodyEnd::Passed);
        let served = old.len().min(new.len());
        for (i, got) in got.iter().take(served).enumerate() {
            prop_assert_eq!(got, &Ok(reply(200, &format!("answer {}", i + 1))));
        }
        prop_assert!(got.iter().skip(served).all(Result::is_err));
        prop_assert_eq!(verdict.reports.is_empty(), old.len() == new.len());
        let differ: Vec<_> = (0..served).filter(|i| old[*i] != new[*i]).map(|i| i + 1).collect();
        let told: Vec<_> = verdict.summary.approximate.iter().map(|told| told.call).collect();
        prop_assert_eq!(told, differ);
    }

    #[test]
    fn a_fuzzy_run_serves_its_own_recording_where_there_is_one_else_the_likest_within_its_window(
        old in program(),
        new in program(),
        window in 1..6_usize,
    ) {
        let store = MemoryStore::default();
        record(&store, &calls(&old));
        // The likeness of two prompts by how far apart they stand in the table: one step is 0.8, two are 0.6.
        let place = |text: &str| PROMPTS.iter().position(|prompt| text.ends_with(prompt)).unwrap();
        let similarity = move |ours: &str, theirs: &str| 1.0 - 0.2 * place(ours).abs_diff(place(theirs)) as f64;
        let fuzziness = Fuzziness { threshold: 0.7, window, similarity: std::sync::Arc::new(similarity) };
        let fuzzy = Plan { order: Order::Fuzzy, fuzziness, ..plan(&store, Mode::Replay) };
        let (got, verdict) = run(fuzzy, &calls(&new), gone, BodyEnd::Passed);
        let mut used = vec![false; old.len()];
        let mut told = Vec::new();
        for (call, (asked, got)) in new.iter().zip(&got).enumerate() {
            let unused: Vec<_> = (0..old.len()).filter(|i| !used[*i]).collect();
            let own = unused.iter().copied().find(|i| old[*i] == *asked);
            let near = unused.iter().copied().take(window).find(|i| old[*i].abs_diff(*asked) == 1);
            let Some(expected) = own.or(near) else {
                prop_assert!(got.is_err());
                break;
            };
            prop_assert_eq!(got, &Ok(reply(200, &format!("answer {}", expected + 1))));
            used[expected] = true;
            if own.is_none() {
                told.push((call + 1, expected + 1));
            }
        }
        let said: Vec<_> = verdict.summary.approximate.iter().map(|told| (told.call, told.place.interaction)).collect();
        prop_assert_eq!(said, told);
    }
}
