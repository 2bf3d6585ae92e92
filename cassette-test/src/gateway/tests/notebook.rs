//! A desk that writes down every call, or reads the answers out of what was written down before.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::reply::{Outcome, Reply};
use cassette_core::report::{Place, Report, Wiring};
use cassette_core::session::Served;

use super::PATIENCE;
use crate::wire::{Desk, Ruling};

/// A desk of its own for each run of a story.
#[derive(Debug)]
pub(super) struct Notebook {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// What is served, by call; `None` where everything goes live.
    answers: Option<VecDeque<(usize, Call, Outcome)>>,
    written: Vec<(Call, Outcome)>,
    failure: Option<Arc<Report>>,
}

impl Notebook {
    /// Sends every call live and writes it down.
    pub(super) fn live() -> Arc<Notebook> {
        Arc::new(Notebook { state: Mutex::default(), changed: Condvar::new() })
    }

    /// Serves what was written down, each entry once.
    pub(super) fn replay(written: Vec<(Call, Outcome)>) -> Arc<Notebook> {
        let answers = written.into_iter().enumerate().map(|(index, (call, outcome))| (index, call, outcome)).collect();
        let state = State { answers: Some(answers), ..State::default() };
        Arc::new(Notebook { state: Mutex::new(state), changed: Condvar::new() })
    }

    /// Waits until so many calls were filed, and returns them.
    pub(super) fn written(&self, count: usize) -> Vec<(Call, Outcome)> {
        let state = self.state.lock().unwrap();
        let short = |state: &mut State| state.written.len() < count;
        let (state, waited) = self.changed.wait_timeout_while(state, PATIENCE, short).unwrap();
        assert!(!waited.timed_out(), "{} of {count} calls were filed", state.written.len());
        state.written.clone()
    }

    /// Returns the one reply that was filed.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "only a live call has one"))]
    pub(super) fn reply(&self) -> Reply {
        match self.written(1).remove(0).1 {
            Outcome::Reply(reply) => reply,
            Outcome::Error(error) => panic!("{error:?}"),
        }
    }

    /// Waits for the failure that was latched, and returns its text.
    pub(super) fn failure(&self) -> String {
        let state = self.state.lock().unwrap();
        let none = |state: &mut State| state.failure.is_none();
        let (state, _) = self.changed.wait_timeout_while(state, PATIENCE, none).unwrap();
        state.failure.as_ref().expect("a failure is latched").to_string()
    }

    /// Returns how many calls have been filed.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "only a live call is filed"))]
    pub(super) fn filed(&self) -> usize {
        self.state.lock().unwrap().written.len()
    }

    /// Asserts that nothing failed.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays has nothing to prove"))]
    #[track_caller]
    pub(super) fn assert_content(&self) {
        assert_eq!(self.state.lock().unwrap().failure, None);
    }
}

impl Desk for Arc<Notebook> {
    fn begin(&self, call: Call) -> Ruling {
        assert_ne!(call.header("x-panic"), Some("begin"), "a desk may panic");
        let mut state = self.state.lock().unwrap();
        if let Some(failure) = &state.failure {
            return Ruling::Fail(Arc::clone(failure));
        }
        let Some(answers) = &mut state.answers else {
            let notebook = Arc::clone(self);
            return Ruling::Live(Box::new(move |outcome| {
                notebook.state.lock().unwrap().written.push((call, outcome));
                notebook.changed.notify_all();
            }));
        };
        let Some(at) = answers.iter().position(|(_, known, _)| *known == call) else {
            drop(state);
            return Ruling::Fail(
                self.fail(Report::Wiring(Wiring::new(format!("{} is unknown", call.name), "record it"))),
            );
        };
        let (index, Call { name, .. }, outcome) = answers.remove(at).unwrap();
        Ruling::Serve(Served { index, name: self.shown(&name), outcome: Arc::new(outcome), stalls: false })
    }

    fn shown(&self, name: &str) -> String {
        name.replace("hunter2", "REDACTED")
    }

    fn fail(&self, report: Report) -> Arc<Report> {
        let latched = Arc::clone(self.state.lock().unwrap().failure.get_or_insert(Arc::new(report)));
        self.changed.notify_all();
        latched
    }

    fn to_record_all_of(&self, _: &Place) -> String {
        format!("to record all of it, {}", self.rerun(Mode::Refresh).1)
    }

    fn asks(&self, _: &Place) -> Option<String> {
        None
    }

    fn rerun(&self, mode: Mode) -> (String, String) {
        ("trains".to_owned(), format!("CASSETTE_MODE={mode} cargo test -p demo --lib tests::it_talks -- --exact"))
    }
}
