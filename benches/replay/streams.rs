//! Streams of 200 chunks, 200 to a cassette, their boundaries kept.

use std::cell::LazyCell;
use std::sync::Arc;

use cassette_core::store::{FileStore, Store};
use cassette_test::{Cassette, Mode};
use criterion::Criterion;

use crate::client::{agent, ask};
use crate::clock::CpuTime;
use crate::runs::Runs;
use crate::{tape, words};

pub(crate) fn bench(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("stream_of_200");
    let mut runs = LazyCell::new(|| {
        let calls: Vec<_> = (0..200).map(words::short).collect();
        Runs::new(tape::recorded(&calls, |number| words::stream(number, 200)), calls)
    });
    group.bench_function("in_process", |b| {
        let runs = &mut *runs;
        b.iter_custom(|streams| runs.time(streams));
    });
    group.finish();
}

/// The stream through the gateway, by the clock on the wall: it mostly waits.
pub(crate) fn bench_pace(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stream_of_200");
    let dir = tempfile::tempdir().expect("there is room for a cassette");
    let call = words::short(0);
    let store: Arc<dyn Store> = Arc::new(FileStore::new(dir.path(), "cassettes"));
    tape::record(store, std::slice::from_ref(&call), |number| words::stream(number, 200));
    // The pause of a millisecond between two chunks, which keeps them apart on the wire, is most of it.
    group.bench_function("gateway", |b| {
        let session = Cassette::builder(tape::NAME).mode(Mode::Replay).dir(dir.path()).repeat().open();
        let session = session.expect("the cassette opens");
        let (agent, base) = (agent(), session.base_url(words::ORIGIN));
        b.iter(|| ask(&agent, &base, &call.body));
        session.finish().expect("everything was served");
    });
    group.finish();
}
