//! The start of a call: served, live, or failed.

use std::sync::Arc;
use std::time::Instant;

use super::state::{Fate, Slot, State};
use super::{Session, Shared, Ticket};
use crate::call::{Call, Kind};
use crate::decide::{Decision, Found, decide};
use crate::lookup::{Asking, Matches};
use crate::mode::Mode;
use crate::nearest::nearest;
use crate::policy::{Order, Unused};
use crate::redact::{self, Depth};
use crate::reply::{Outcome, Reply};
use crate::report::{Exhausted, Mismatch, Misplaced, Report};

/// What becomes of a call.
#[derive(Debug)]
pub enum Step {
    /// It was recorded: this is the answer.
    Serve(Served),
    /// It goes live; the ticket takes what comes back.
    Live(Ticket),
    /// It fails, and so does the test.
    Fail(Arc<Report>),
}

/// A recorded answer.
#[derive(Clone, Debug)]
pub struct Served {
    /// Its position in the file, from 0.
    pub index: usize,
    /// The name under which it was recorded: secrets are hidden in it.
    pub name: String,
    /// How the call ended when it was recorded.
    pub outcome: Arc<Outcome>,
}

impl Session {
    /// Decides what becomes of a call.
    pub fn begin(&self, call: Call) -> Step {
        match self.shared.begin(Arc::new(call)) {
            Ok(Begun::Serve(index)) => {
                let name = self.shared.tape.interactions[index].call.name.clone();
                Step::Serve(Served { index, name, outcome: Arc::new(self.shared.outcome(index)) })
            }
            Ok(Begun::Live(slot, call)) => Step::Live(Ticket::new(Arc::clone(&self.shared), slot, call)),
            Err(Refusal::Late(report)) => Step::Fail(report),
            Err(Refusal::Latch(report)) => Step::Fail(self.shared.fail(report)),
        }
    }

    /// Returns the name of a call, `POST https://..`, as a report of a seam may show it.
    pub fn shown(&self, name: &str) -> String {
        let call = Call { kind: Kind::Http, name: name.to_owned(), headers: Vec::new(), body: Vec::new() };
        self.shared.shown(&call, &mut self.shared.state()).name
    }
}

enum Begun {
    Serve(usize),
    Live(usize, Arc<Call>),
}

enum Refusal {
    /// It was refused for what happened before.
    Late(Arc<Report>),
    /// It is the first to fail.
    Latch(Report),
}

impl Shared {
    fn begin(&self, call: Arc<Call>) -> Result<Begun, Refusal> {
        let mut state = self.state();
        if let Some((report, _)) = &state.failure {
            return Err(Refusal::Late(Arc::clone(report)));
        }
        if state.finished {
            return Err(Refusal::Late(Arc::new(self.plan.too_late(&self.shown(&call, &mut state).name))));
        }
        let number = state.calls.len();
        state.calls.push(Arc::clone(&call));
        let matches = self.find(&call, &mut state);
        let decision = decide(&self.policy, call.kind, &self.found(&matches, &state));
        let (old, begun) = match decision {
            Decision::Serve(index) => {
                self.bind(&mut state, &matches);
                (Some(index), Begun::Serve(index))
            }
            Decision::Live => {
                self.prepare_recording(&mut state).map_err(Refusal::Latch)?;
                (matches.unused.first().copied(), Begun::Live(state.slots.len(), call))
            }
            failed => {
                let shown = self.shown(&call, &mut state);
                return Err(Refusal::Latch(self.report(failed, number, &shown, &state)));
            }
        };
        if let Some(index) = old {
            state.used[index] = true;
        }
        let fate = match begun {
            Begun::Serve(index) => Fate::Served(index),
            Begun::Live(..) => Fate::Live(old, None),
        };
        state.add(Slot { call: number, start: Instant::now(), fate });
        Ok(begun)
    }

    fn find(&self, call: &Call, state: &mut State) -> Matches {
        let State { lookup, used, secrets, bound, .. } = state;
        lookup.find(call, &Asking { tape: &self.tape, rules: &self.plan.rules, secrets, used, bound })
    }

    fn found(&self, matches: &Matches, state: &State) -> Found {
        let strict = self.policy.order == Order::Strict;
        Found {
            unused: matches.unused.clone(),
            used: matches.used,
            last: matches.last,
            next: if strict { state.next(&self.tape.interactions) } else { Vec::new() },
            went_live: state.went_live,
        }
    }

    /// Ties the secrets of a call to the placeholders under which they were recorded.
    fn bind(&self, state: &mut State, matches: &Matches) {
        for (secret, placeholder) in &matches.bindings {
            state.secrets.bind(secret, placeholder);
            state.bound.insert(secret.value().to_owned(), placeholder.clone());
        }
    }

    /// Opens the journal before the first call goes live, so that nothing is paid for that could not be kept.
    fn prepare_recording(&self, state: &mut State) -> Result<(), Report> {
        if let Some(name) = state.lacking.first() {
            return Err(self.plan.lacks(name));
        }
        if !self.plan.mode.records() || state.journal.is_some() {
            return Ok(());
        }
        if let (Some(owner), Unused::Fail) = (self.another_owner(), self.plan.unused) {
            return Err(self.plan.not_the_owner(owner));
        }
        let opened = self.plan.store.journal(&self.plan.name).map_err(|error| self.plan.storage(error))?;
        state.journal = Some(opened.journal);
        state.cut_short = opened.cut_short;
        Ok(())
    }

    /// Returns a call as a report may show it.
    fn shown(&self, call: &Call, state: &mut State) -> Call {
        (*redact::redact_call(call, &self.plan.rules, Depth::Known, &mut state.secrets)).clone()
    }

    fn report(&self, decision: Decision, number: usize, call: &Call, state: &State) -> Report {
        let interactions = &self.tape.interactions;
        let cassette = self.plan.name.clone();
        let (call_number, name, file) = (number + 1, call.name.clone(), self.plan.file());
        let served = state.used.iter().filter(|used| **used).count();
        let total = interactions.len();
        let place = |index: usize| crate::draft::place(index, &interactions[index]);
        let record = self.plan.command(Mode::Record);
        match decision {
            Decision::Misplaced { expected, recorded } => Report::Misplaced(Misplaced {
                cassette,
                call: call_number,
                name,
                expected: place(expected),
                recorded: place(recorded),
                file,
                help: format!("if the new order is meant, {}", self.plan.command(Mode::Refresh)),
            }),
            Decision::Exhausted(recorded) => Report::Exhausted(Exhausted {
                cassette,
                call: call_number,
                name,
                recorded,
                served,
                total,
                file,
                help: format!("if the repeated call is meant, {record}"),
            }),
            _ => Report::Mismatch(Mismatch {
                cassette,
                call: call_number,
                name,
                nearest: nearest(call, interactions, &state.used),
                served,
                total,
                file,
                help: format!("if the change is meant, {record}"),
            }),
        }
    }

    /// Returns a recorded outcome in the upstream's own text.
    fn outcome(&self, index: usize) -> Outcome {
        match &self.tape.interactions[index].outcome {
            Outcome::Reply(reply) => Outcome::Reply(unescaped(reply.clone())),
            error => error.clone(),
        }
    }
}

fn unescaped(mut reply: Reply) -> Reply {
    for (_, value) in &mut reply.headers {
        *value = redact::unescape(value);
    }
    let escapes = redact::escapes(&reply.body());
    let mut at = 0;
    for chunk in reply.chunks.iter_mut().filter(|_| !escapes.is_empty()) {
        chunk.bytes.retain(|_| {
            at += 1;
            escapes.binary_search(&(at - 1)).is_err()
        });
    }
    reply
}
