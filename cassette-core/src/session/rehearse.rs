//! The rehearsal: would the run that recorded a tape pass on it?

use std::sync::Arc;

use super::begin::Begun;
use super::open::Loaded;
use super::state::{Fate, State};
use super::volatile::taken_up;
use super::{Plan, Shared};
use crate::mode::Mode;
use crate::redact;
use crate::reply::Outcome;
use crate::tape::Tape;

impl Shared {
    /// Makes the calls of the run again, in the order in which they were started, against the tape alone.
    ///
    /// # Errors
    ///
    /// Fails with the first call that would not be served what it got, and with a recording that nothing would ask for.
    pub(super) fn rehearse(&self, tape: &Tape, run: &State) -> Result<(), String> {
        let plan = Plan { mode: Mode::Replay, ..self.plan.clone() };
        let loaded = Loaded { tape: tape.clone(), ..Loaded::default() };
        let stage = Shared::new(plan, loaded, Vec::new());
        let mut secrets = self.secrets().clone();
        secrets.start_after(stage.placeholders.iter().map(String::as_str));
        *stage.secrets() = secrets;
        let taken = taken_up(run);
        for slot in &run.slots {
            let name = || format!("call {}, {}", slot.call + 1, self.shown(&run.calls[slot.call]).title());
            let got = match stage.begin(Arc::clone(&run.calls[slot.call])) {
                Ok(Begun::Serve(index)) => &tape.interactions[index].outcome,
                _ => return Err(format!("{} would not be served", name())),
            };
            let expected = match &slot.fate {
                Fate::Served(index) => self.tape.interactions[*index].clone(),
                Fate::Live(_, Some(recorded)) => self.completed(run, recorded, &taken),
                Fate::Live(_, None) => continue,
            };
            let (expected, _) = self.hidden_again(expected);
            if told(got) != told(&expected.outcome) {
                return Err(format!("{} would be served another reply than it got", name()));
            }
        }
        match stage.left_over(&stage.state()) {
            Some(report) => Err(report.to_string()),
            None => Ok(()),
        }
    }
}

/// Returns what an outcome tells a program, but for the numbers of placeholders.
fn told(outcome: &Outcome) -> (String, String) {
    let plain = |text: &str| redact::replace_placeholders(text, |_| String::new());
    match outcome {
        Outcome::Reply(reply) => {
            (format!("{} {:?}", reply.status, reply.truncated), plain(&String::from_utf8_lossy(&reply.body())))
        }
        Outcome::Error(error) => (error.class.as_str().to_owned(), plain(&error.message)),
    }
}
