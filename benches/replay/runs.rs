//! One session after the other, each of the same calls.

use std::hint::black_box;
use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::session::{Plan, Session, Step};
use cpu_time::ProcessTime;

use crate::tape;

/// How many calls are made ready at a time.
const BATCH: usize = 500;

/// Sessions that are opened off the clock, and whose calls are made on it.
///
/// The first call of a session is off the clock too: whatever a session puts off until it is needed is a figure of its own.
pub(crate) struct Runs {
    plan: Plan,
    calls: Vec<Call>,
    session: Session,
    at: usize,
}

impl Runs {
    /// Returns the runs of a plan in which these calls, and no others, were recorded.
    pub(crate) fn new(plan: Plan, calls: Vec<Call>) -> Runs {
        let session = tape::open(plan.clone());
        let at = calls.len();
        Runs { plan, calls, session, at }
    }

    /// Returns how long this many calls take.
    pub(crate) fn time(&mut self, calls: u64) -> Duration {
        let mut spent = Duration::ZERO;
        let mut left = usize::try_from(calls).unwrap_or(usize::MAX);
        while left > 0 {
            if self.at == self.calls.len() {
                self.session = tape::open(self.plan.clone());
                serve(&self.session, self.calls[0].clone());
                self.at = 1;
            }
            let end = self.calls.len().min(self.at + left.min(BATCH));
            let batch = self.calls[self.at..end].to_vec();
            left -= batch.len();
            self.at = end;
            let start = ProcessTime::now();
            batch.into_iter().for_each(|call| serve(&self.session, call));
            spent += start.elapsed();
        }
        spent
    }
}

/// Makes a call that was recorded.
pub(crate) fn serve(session: &Session, call: Call) {
    match session.begin(call) {
        Step::Serve(served) => drop(black_box(served)),
        Step::Live(_) => unreachable!("a replay went live"),
        Step::Fail(report) => unreachable!("{report}"),
    }
}
