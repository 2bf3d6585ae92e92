//! The whole life of a small session: one test with a cassette.

use std::cell::LazyCell;
use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::store::{FileStore, Store};
use cassette_test::Cassette;
use criterion::{BatchSize, Criterion};
use stages::{Answer, Provider};

use crate::client::{agent, ask};
use crate::clock::CpuTime;
use crate::runs::serve;
use crate::{tape, words};

/// How long an answer is.
const ANSWER: usize = 500;

pub(crate) fn bench(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("life");
    let dir = tempfile::tempdir().expect("there is room for a cassette");
    let store: Arc<dyn Store> = Arc::new(FileStore::new(dir.path(), "cassettes"));
    let call = words::chat(0);
    tape::record(Arc::clone(&store), std::slice::from_ref(&call), |number| words::answer(number, ANSWER));
    let plan = tape::plan(store, Mode::Replay);
    group.bench_function("in_process", |b| {
        b.iter(|| {
            let session = tape::open(plan.clone());
            serve(&session, call.clone());
            tape::finish(&session);
        });
    });
    let calls: Vec<_> = (0..1_000).map(words::short).collect();
    let long = LazyCell::new(|| tape::recorded(&calls, |number| words::answer(number, ANSWER)));
    group.bench_function("finish_1000", |b| {
        let long = &*long;
        let served = || {
            let session = tape::open(long.clone());
            calls.iter().for_each(|call| serve(&session, call.clone()));
            session
        };
        let finish = |session| {
            tape::finish(&session);
            session
        };
        b.iter_batched(served, finish, BatchSize::PerIteration);
    });
    group.bench_function("bare_client", |b| {
        let text = words::answer_text(0, ANSWER);
        let provider = Provider::start(move |_| Answer::json(200, &text)).expect("a port is free");
        b.iter(|| ask(&agent(), &provider.url(), &call.body));
    });
    group.bench_function("gateway", |b| {
        b.iter(|| {
            let session = Cassette::builder(tape::NAME).mode(Mode::Replay).dir(dir.path()).open();
            let session = session.expect("the cassette opens");
            let length = ask(&agent(), &session.base_url(words::ORIGIN), &call.body);
            session.finish().expect("the call was recorded");
            length
        });
    });
    group.finish();
}
