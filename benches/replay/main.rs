//! What a replay costs, and what a recording does.
//!
//! A recording is used once, so what is timed is the calls of one session after the other; opening them is off the
//! clock. `docs/benchmarks.md` says what the figures are for, and how to repeat each.
//!
//! Criterion calls the closure of a benchmark again for every sample, so whatever is recorded is made before, and lazily:
//! not for a benchmark that was filtered out.

mod clock;

mod words;
mod bodies;

mod tape;
mod runs;

mod client;

mod in_process;
mod streams;
mod opening;
mod recording;
mod redaction;
mod gateway;
mod life;

use std::time::Duration;

use criterion::Criterion;

use crate::clock::CpuTime;

fn main() {
    // For a counter of instructions: they are the same on every run, however busy the machine is.
    if let Some(name) = std::env::args().skip_while(|word| word != "--once").nth(1) {
        return redaction::once(&name);
    }
    let criterion = Criterion::default()
        .with_measurement(CpuTime)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    let mut criterion = criterion.configure_from_args();
    in_process::bench(&mut criterion);
    streams::bench(&mut criterion);
    opening::bench(&mut criterion);
    recording::bench(&mut criterion);
    redaction::bench(&mut criterion);
    gateway::bench(&mut criterion);
    life::bench(&mut criterion);
    criterion.final_summary();
    streams::bench_pace(&mut Criterion::default().sample_size(10).configure_from_args());
}
