//! A replay of a 1 KB call through the gateway, beside the same exchange with a server that only answers.

use std::cell::LazyCell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::store::{FileStore, Store};
use cassette_test::{Cassette, Mode, Session, Unused};
use cpu_time::ProcessTime;
use criterion::{BenchmarkId, Criterion};
use stages::{Answer, Provider};
use ureq::Agent;

use crate::client::{agent, ask};
use crate::clock::CpuTime;
use crate::{tape, words};

/// How long an answer is.
const ANSWER: usize = 500;

pub(crate) fn bench(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("loopback");
    group.bench_function("bare", |b| {
        let text = words::answer_text(0, ANSWER);
        let provider = Provider::start(move |_| Answer::json(200, &text)).expect("a port is free");
        let (agent, origin, body) = (agent(), provider.url(), words::chat(0).body);
        ask(&agent, &origin, &body);
        b.iter(|| ask(&agent, &origin, &body));
    });
    for count in [250, 1_000] {
        let dir = tempfile::tempdir().expect("there is room for a cassette");
        let mut visits = LazyCell::new(|| {
            // One more: the call that makes the connection is off the clock.
            let calls: Vec<_> = (0..=count).map(words::chat).collect();
            let store: Arc<dyn Store> = Arc::new(FileStore::new(dir.path(), "cassettes"));
            tape::record(store, &calls, |number| words::answer(number, ANSWER));
            Visits::new(dir.path(), calls)
        });
        group.bench_function(BenchmarkId::new("gateway", count), |b| {
            let visits = &mut *visits;
            b.iter_custom(|calls| visits.time(calls));
        });
    }
    group.finish();
}

/// Sessions that are opened off the clock, and whose calls a client makes on it.
struct Visits<'a> {
    dir: &'a Path,
    agent: Agent,
    calls: Vec<Call>,
    open: Option<(Session, String)>,
    at: usize,
}

impl Visits<'_> {
    fn new(dir: &Path, calls: Vec<Call>) -> Visits<'_> {
        let at = calls.len();
        Visits { dir, agent: agent(), calls, open: None, at }
    }

    /// Returns how long this many calls take.
    fn time(&mut self, calls: u64) -> Duration {
        let mut spent = Duration::ZERO;
        let mut left = usize::try_from(calls).unwrap_or(usize::MAX);
        while left > 0 {
            if self.at == self.calls.len() {
                self.enter();
            }
            let Some((_, base)) = &self.open else { unreachable!("a session was just opened") };
            let end = self.calls.len().min(self.at + left);
            let start = ProcessTime::now();
            for call in &self.calls[self.at..end] {
                ask(&self.agent, base, &call.body);
            }
            spent += start.elapsed();
            left -= end - self.at;
            self.at = end;
        }
        spent
    }

    fn enter(&mut self) {
        self.leave();
        let session = open(self.dir);
        let base = session.base_url(words::ORIGIN);
        ask(&self.agent, &base, &self.calls[0].body);
        self.open = Some((session, base));
        self.at = 1;
    }

    fn leave(&mut self) {
        if let Some((session, _)) = self.open.take() {
            session.finish().expect("every call was recorded");
        }
    }
}

impl Drop for Visits<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

fn open(dir: &Path) -> Session {
    let session = Cassette::builder(tape::NAME).mode(Mode::Replay).dir(dir).unused(Unused::Allow).open();
    session.expect("the cassette opens")
}
