//! The clock of the benchmarks: the time that this process had on a processor.
//!
//! Its neighbours on the machine hardly show in it, and of an exchange it counts both sides, the client's and the gateway's.

use std::time::Duration;

use cpu_time::ProcessTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// The time that all threads of this process had on a processor.
#[derive(Debug)]
pub(crate) struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ProcessTime;
    type Value = Duration;

    fn start(&self) -> ProcessTime {
        ProcessTime::now()
    }

    fn end(&self, start: ProcessTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
