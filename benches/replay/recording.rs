//! A recording of 1,000 calls with its journal on disk.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::session::Session;
use cassette_core::store::FileStore;
use cpu_time::ProcessTime;
use criterion::{BatchSize, Criterion};
use tempfile::TempDir;

use crate::clock::CpuTime;
use crate::{tape, words};

/// How many calls a session records.
const CALLS: usize = 1_000;

/// How long an answer is.
const ANSWER: usize = 500;

pub(crate) fn bench(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("record");
    let calls: Vec<_> = (0..CALLS).map(words::chat).collect();
    group.bench_function("call", |b| b.iter_custom(|count| time(&calls, count)));
    // Draft, audit, proof and the file itself.
    group.bench_function("finish_1000", |b| {
        let recorded = || {
            let (dir, session) = fresh();
            tape::make(&session, calls.clone(), |number| words::answer(number, ANSWER));
            (dir, session)
        };
        let finish = |(dir, session)| {
            tape::finish(&session);
            (dir, session)
        };
        b.iter_batched(recorded, finish, BatchSize::PerIteration);
    });
    group.finish();
}

/// Returns how long it takes to record this many calls, a session after the other; opening and ending them is off the clock.
fn time(calls: &[Call], count: u64) -> Duration {
    let mut spent = Duration::ZERO;
    let mut left = usize::try_from(count).unwrap_or(usize::MAX);
    while left > 0 {
        let (_dir, session) = fresh();
        let calls = calls[..left.min(CALLS)].to_vec();
        left -= calls.len();
        let start = ProcessTime::now();
        tape::make(&session, calls, |number| words::answer(number, ANSWER));
        spent += start.elapsed();
    }
    spent
}

fn fresh() -> (TempDir, Session) {
    let dir = tempfile::tempdir().expect("there is room for a cassette");
    let session = tape::open(tape::plan(store(dir.path()), Mode::Record));
    (dir, session)
}

fn store(dir: &Path) -> Arc<FileStore> {
    Arc::new(FileStore::new(dir, "cassettes"))
}
