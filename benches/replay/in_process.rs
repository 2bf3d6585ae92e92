//! A replay of a 1 KB call, without a client.

use std::cell::LazyCell;

use cassette_core::call::Call;
use cassette_core::session::Plan;
use criterion::{BatchSize, BenchmarkId, Criterion};

use crate::clock::CpuTime;
use crate::runs::{Runs, serve};
use crate::{tape, words};

/// How long an answer is.
const ANSWER: usize = 500;

pub(crate) fn bench(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("in_process");
    for count in [10, 250, 1_000, 10_000] {
        let mut runs = LazyCell::new(|| runs(count, words::chat, words::chat));
        group.bench_function(BenchmarkId::new("word_for_word", count), |b| {
            let runs = &mut *runs;
            b.iter_custom(|calls| runs.time(calls));
        });
    }
    for count in [10, 250, 1_000] {
        let mut runs = LazyCell::new(|| runs(count, words::chat, words::reordered));
        group.bench_function(BenchmarkId::new("reordered", count), |b| {
            let runs = &mut *runs;
            b.iter_custom(|calls| runs.time(calls));
        });
    }
    for count in [10, 250, 1_000] {
        let mut runs = LazyCell::new(|| runs(count, words::with_credential, words::with_credential));
        group.bench_function(BenchmarkId::new("credential", count), |b| {
            let runs = &mut *runs;
            b.iter_custom(|calls| runs.time(calls));
        });
    }
    let plan = LazyCell::new(|| recorded(250, words::chat));
    group.bench_function(BenchmarkId::new("first_reordered", 250), |b| {
        let plan = &*plan;
        let fresh = || (tape::open(plan.clone()), words::reordered(0));
        let first = |(session, call)| {
            serve(&session, call);
            session
        };
        b.iter_batched(fresh, first, BatchSize::PerIteration);
    });
    group.finish();
}

fn runs(count: usize, recorded: fn(usize) -> Call, asked: fn(usize) -> Call) -> Runs {
    Runs::new(self::recorded(count, recorded), calls(count, asked))
}

fn recorded(count: usize, call: fn(usize) -> Call) -> Plan {
    tape::recorded(&calls(count, call), |number| words::answer(number, ANSWER))
}

fn calls(count: usize, call: fn(usize) -> Call) -> Vec<Call> {
    (0..count).map(call).collect()
}
