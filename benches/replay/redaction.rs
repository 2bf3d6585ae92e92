//! What it costs to hide the secrets of one call or one reply, as it is recorded, and to audit the file that came of it.

use std::hint::black_box;
use std::sync::Arc;

use cassette_core::audit::audit;
use cassette_core::mode::Mode;
use cassette_core::redact::{Depth, Rules, Secrets, redact_call, redact_reply, redact_text};
use cassette_core::reply::Outcome;
use cassette_core::session::Plan;
use cassette_core::store::{MemoryStore, Store};
use criterion::Criterion;

use crate::bodies::{BODIES, Side, environment};
use crate::clock::CpuTime;
use crate::{tape, words};

pub(crate) fn bench(criterion: &mut Criterion<CpuTime>) {
    for task in ["redact", "audit"] {
        let mut group = criterion.benchmark_group(task);
        for (name, side) in BODIES {
            group.bench_function(*name, |b| {
                let mut work = work(task, side());
                b.iter(&mut work);
            });
        }
        group.finish();
    }
}

/// Does the work of one benchmark once, in a function of its own for a counter of instructions to look at; what is made when the
/// first text is looked at is made before.
pub(crate) fn once(name: &str) {
    let found = name.split_once('/').and_then(|(task, of)| Some((task, BODIES.iter().find(|(name, _)| *name == of)?)));
    let Some((task, (_, side))) = found else { return };
    let mut work = work(task, side());
    work();
    measured(&mut work);
}

#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

/// Returns what is timed.
fn work(task: &str, side: Side) -> Box<dyn FnMut()> {
    let rules = Rules::default();
    let mut secrets = Secrets::new(&environment());
    // What finds the known values is made with the first text.
    redact_text("any", &rules, &mut secrets);
    match (task, side) {
        ("audit", side) => {
            let text = cassette(side);
            Box::new(move || {
                black_box(audit(&text, &rules, &secrets, &[]));
            })
        }
        (_, Side::Call(call)) => Box::new(move || {
            black_box(redact_call(&call, &rules, Depth::Known, &mut secrets.clone()));
        }),
        (_, Side::Reply(reply)) => {
            let asked = words::short(0);
            Box::new(move || {
                black_box(redact_reply(&reply, &asked, &rules, &mut secrets.clone()));
            })
        }
    }
}

/// Returns the file of a recording of this exchange.
fn cassette(side: Side) -> String {
    let (call, reply) = match side {
        Side::Call(call) => (call, words::answer(0, 0)),
        Side::Reply(reply) => (words::short(0), Outcome::Reply(reply)),
    };
    let store = Arc::new(MemoryStore::default());
    let plan = tape::plan(Arc::clone(&store) as Arc<dyn Store>, Mode::Record);
    let session = tape::open(Plan { environment: environment(), ..plan });
    tape::make(&session, vec![call], |_| reply.clone());
    tape::finish(&session);
    let file = store.load(tape::NAME).ok().flatten().expect("it was recorded");
    String::from_utf8(file).expect("it is text")
}
