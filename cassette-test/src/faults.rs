//! The faults that a test plans for its run.

use std::sync::Arc;

use cassette_core::fault::Fault;
use cassette_core::report::Report;

use crate::cassette::Cassette;

impl Cassette {
    /// Plans a fault of this run: what becomes of a call instead of its recorded answer, or to it (`docs/faults.md`).
    ///
    /// ```no_run
    /// # let cassette = cassette_test::Cassette::current();
    /// use cassette_test::Fault;
    ///
    /// cassette.fault(Fault::status(429).retry_after(2).at(1));
    /// cassette.fault(Fault::cut_after(3).at(2));
    /// // .. the program has to get over both ..
    /// ```
    ///
    /// A fault that never fires fails the test. Nothing is recorded through one: the test says `mode = "replay"`, and another
    /// records the cassette.
    ///
    /// # Panics
    ///
    /// Panics in any mode but replay, for what is no fault, and where the call has been made or has a fault already.
    #[track_caller]
    pub fn fault(&self, fault: Fault) {
        if let Err(report) = self.try_fault(fault) {
            panic!("{report}");
        }
    }

    /// Plans a fault of this run, as [`fault`](Cassette::fault) does.
    ///
    /// # Errors
    ///
    /// Fails in any mode but replay, for what is no fault, and where the call has been made or has a fault already; the test
    /// fails then too.
    pub fn try_fault(&self, fault: Fault) -> Result<(), Arc<Report>> {
        self.as_scope().session()?.fault(fault)
    }
}
