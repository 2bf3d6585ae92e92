//! Who is told of each call of the run, and where it stops.

use std::sync::Arc;

use cassette_core::report::{Report, Wiring};
use cassette_core::step::Step;

use crate::cassette::Cassette;
use crate::watching;

impl Cassette {
    /// Tells this of each call from now on: of a recorded one before the program is given the answer, of a live one once it has
    /// ended, a stream when it was read.
    ///
    /// ```no_run
    /// # let cassette = cassette_test::Cassette::current();
    /// cassette.on_step(|step| assert!(step.number <= 12, "it goes round in circles:\n{step}"));
    /// ```
    ///
    /// It runs on the thread that answers the call, which for calls through the gateway is the gateway's own, and nothing is
    /// locked meanwhile: it may ask the cassette whatever it likes, but not make calls through it, for which it could wait for
    /// ever; what takes longer than ten seconds is printed. Where it panics, the test fails. What is within a function that is served is not called, and so not told.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    pub fn on_step(&self, watcher: impl Fn(&Step) + Send + Sync + 'static) {
        if let Err(report) = self.try_on_step(watcher) {
            panic!("{report}");
        }
    }

    /// Tells this of each call from now on, as [`on_step`](Cassette::on_step) does.
    ///
    /// # Errors
    ///
    /// Fails where the test's name hangs on its arguments, and the test has not begun.
    pub fn try_on_step(&self, watcher: impl Fn(&Step) + Send + Sync + 'static) -> Result<(), Arc<Report>> {
        let scope = self.as_scope();
        let reminders = Arc::clone(&scope.reminders);
        scope.session()?.on_step(move |step| watching::tell(&reminders, &watcher, step));
        Ok(())
    }

    /// Stops at this call of the run, from 1: as [`on_step`](Cassette::on_step) is told of it, under a debugger the thread that
    /// answers it stops, and the whole program with it. Without one, the call is printed and the run goes on.
    ///
    /// `CASSETTE_BREAK_AT=3` does the same from outside. A debugger is noticed on Linux (glibc); elsewhere the call is printed.
    ///
    /// # Panics
    ///
    /// Panics for call 0, and where the test's name hangs on its arguments and the test has not begun.
    #[track_caller]
    pub fn break_at(&self, call: usize) {
        if let Err(report) = self.try_break_at(call) {
            panic!("{report}");
        }
    }

    /// Stops at this call of the run, as [`break_at`](Cassette::break_at) does.
    ///
    /// # Errors
    ///
    /// Fails for call 0, and where the test's name hangs on its arguments and the test has not begun.
    pub fn try_break_at(&self, call: usize) -> Result<(), Arc<Report>> {
        let scope = self.as_scope();
        let session = scope.session()?;
        if call == 0 {
            let what = "there is no call 0 to stop at".to_owned();
            return Err(scope.fail(Report::Wiring(Wiring::new(what, "calls are numbered from 1"))));
        }
        scope.breakpoints.set(session, call, &scope.settled.place);
        Ok(())
    }
}
