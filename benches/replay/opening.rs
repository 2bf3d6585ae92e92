//! Opening a cassette: it is read, every seal is checked, every request is filed.

use std::cell::LazyCell;

use cassette_core::call::Call;
use criterion::{BatchSize, BenchmarkId, Criterion};

use crate::clock::CpuTime;
use crate::{tape, words};

pub(crate) fn bench(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("open");
    let cases = [("small", 1_000, words::short as fn(usize) -> Call, 100), ("22_mb", 5_000, words::chat, 2_700)];
    for (name, count, call, answer) in cases {
        let plan = LazyCell::new(|| {
            let calls: Vec<_> = (0..count).map(call).collect();
            tape::recorded(&calls, |number| words::answer(number, answer))
        });
        group.bench_function(BenchmarkId::new(name, count), |b| {
            let plan = &*plan;
            b.iter_batched(|| plan.clone(), tape::open, BatchSize::PerIteration);
        });
    }
    group.finish();
}
