//! The start of a call: served, live, or failed.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, MutexGuard};
use std::time::Instant;

use super::failed::Failed;
use super::likely::Likely;
use super::state::{Fate, Slot, State};
use super::{Session, Shared, Ticket, gateways};
use crate::call::{Call, Kind, Medium};
use crate::decide::{Decision, Found, decide};
use crate::difference::differences;
use crate::fault::Enacted;
use crate::lookup::Matches;
use crate::nearest::told_otherwise;
use crate::policy::{Order, Recorded};
use crate::redact;
use crate::reply::Outcome;
use crate::report::{Approximate, Drift, Grounds, Place, Report, Unread};
use crate::rpc;

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
    /// How the call ends: as it did when it was recorded, unless the test planned a fault for it.
    pub outcome: Arc<Outcome>,
    /// Whether the outcome ends in a silence that a fault makes, in which the program has to give up.
    pub stalls: bool,
}

impl Session {
    /// Decides what becomes of a call.
    pub fn begin(&self, call: Call) -> Step {
        self.begin_by(call, Medium::Itself)
    }

    /// Decides what becomes of a call that is a message of a protocol: it may be made while a function runs, as one over HTTP may.
    pub(crate) fn begin_message(&self, call: Call) -> Step {
        self.begin_by(call, Medium::Message)
    }

    /// Decides what becomes of a call over HTTP whose seam knows that no function which is recorded makes it, whatever runs meanwhile.
    pub fn begin_aside(&self, call: Call) -> Step {
        self.begin_by(call, Medium::Aside)
    }

    fn begin_by(&self, call: Call, medium: Medium) -> Step {
        let call = Arc::new(call);
        let asked = Arc::clone(&call);
        // A function that the user gave as `redact(..)` may panic; that fails the test, and nothing else.
        let begun = catch_unwind(AssertUnwindSafe(|| self.shared.begin(Arc::clone(&call), medium)));
        if let Ok(Ok(Begun::Serve(index) | Begun::Fault(index, _))) = &begun {
            self.shared.tell_served(&call, *index);
        }
        match begun.unwrap_or_else(|_| Err(Refusal::latch(self.shared.plan.redactor_panicked()))) {
            Ok(Begun::Serve(index)) => {
                let enacted = Enacted { outcome: self.shared.outcome(index), stalls: false };
                Step::Serve(self.served(&asked, index, enacted))
            }
            Ok(Begun::Fault(index, enacted)) => Step::Serve(self.served(&asked, index, enacted)),
            Ok(Begun::Live(slot, call)) => Step::Live(Ticket::new(Arc::clone(&self.shared), slot, call)),
            Err(Refusal::Late(report)) => {
                self.shared.count_refusal();
                Step::Fail(report)
            }
            Err(Refusal::Latch(report)) => Step::Fail(self.shared.fail(*report)),
        }
    }

    pub(super) fn served(&self, call: &Call, index: usize, Enacted { outcome, stalls }: Enacted) -> Served {
        let outcome = match outcome {
            Outcome::Reply(reply) => Outcome::Reply(rpc::readdressed(&reply, call).unwrap_or(reply)),
            error => error,
        };
        let name = self.shared.tape.interactions[index].asked.title();
        Served { index, name, outcome: Arc::new(outcome), stalls }
    }

    /// Returns the name of a call, `POST https://..`, as a report of a seam may show it.
    pub fn shown(&self, name: &str) -> String {
        let call = Call { kind: Kind::Http, name: name.to_owned(), headers: Vec::new(), body: Vec::new() };
        self.shared.shown(&call).name
    }
}

/// What becomes of a call that does not fail.
pub(super) enum Begun {
    Serve(usize),
    /// It would be served this recording, and meets a fault.
    Fault(usize, Enacted),
    Live(usize, Arc<Call>),
}

/// Why a call fails.
pub(super) enum Refusal {
    /// It was refused for what happened before.
    Late(Arc<Report>),
    /// It is the first to fail.
    Latch(Box<Report>),
}

impl Refusal {
    pub(super) fn latch(report: Report) -> Refusal {
        Refusal::Latch(Box::new(report))
    }
}

impl Shared {
    /// Returns whether an earlier call of the request that this recording is of had other credentials in its headers, which are not
    /// written: whose answer is whose is decided by position then.
    fn differs_unwritten(&self, state: &mut State, call: &Call, index: usize) -> bool {
        let key = &self.tape.interactions[index].key;
        if !state.lookup.has_several(key) {
            return false;
        }
        let mut hasher = DefaultHasher::new();
        call.headers.iter().filter(|(name, _)| redact::headers::is_secret(name)).for_each(|it| it.hash(&mut hasher));
        let own = hasher.finish();
        *state.unwritten.entry(key.clone()).or_insert(own) != own
    }

    pub(super) fn begin(&self, call: Arc<Call>, medium: Medium) -> Result<Begun, Refusal> {
        let mut state = self.resume(&call)?;
        let call = gateways::addressed(&call, &state.gateways).map_or(call, Arc::new);
        let call = self.given_then(&call, &mut state).map_or(call, Arc::new);
        let number = state.calls.len();
        state.calls.push(Arc::clone(&call));
        let (mut state, matches, likely) = self.look_up(&call, number, state)?;
        let decision = decide(&self.policy, call.kind, &self.found(&matches, &likely, &state));
        let met = Arc::clone(&call);
        let (old, begun) = match decision {
            Decision::Serve(index) => {
                self.bind(&mut state, &call, &matches);
                if matches.by_position || self.differs_unwritten(&mut state, &call, index) {
                    state.by_position.push(self.place(index));
                }
                let texts = self.unread(&call, &matches.bindings);
                if !texts.is_empty() {
                    state.unread.push(Unread { place: self.place(index), texts });
                }
                let drift = matches.drifted.iter().find(|(drifted, _)| *drifted == index);
                let drift = drift.map(|(_, at)| Drift { place: self.place(index), differences: at.clone() });
                state.drifted.extend(drift);
                if matches.inexact.contains(&index) {
                    let served = self.approximate(index, (number, &call), Grounds::Matcher);
                    state.approximate.push(served);
                }
                (Some(index), Begun::Serve(index))
            }
            Decision::Approximate(index) => {
                let grounds = self.grounds(index, &matches, (&likely, &state));
                let served = self.approximate(index, (number, &call), grounds);
                state.approximate.push(served);
                (Some(index), Begun::Serve(index))
            }
            Decision::Live => {
                self.refuse_stand_ins(&call, number).map_err(Refusal::latch)?;
                self.refuse_gateways(&call, &state).map_err(Refusal::latch)?;
                self.afford(&call, number).map_err(Refusal::latch)?;
                self.prepare_recording(&mut state).map_err(Refusal::latch)?;
                // What was before the fork stays there.
                let old = matches.unused.iter().find(|i| **i >= self.pool.size).copied();
                (old, Begun::Live(state.slots.len(), call))
            }
            failed => {
                let (call, tried) = (self.shown(&call), self.tried(&likely, &call, &state));
                let failed = Failed { decision: failed, number, call: &call, tried };
                return Err(Refusal::latch(self.failed(failed, &state)));
            }
        };
        let begun = match begun {
            Begun::Serve(index) => self
                .meet(&mut state, (number, &met), index)
                .map_or(Begun::Serve(index), |enacted| Begun::Fault(index, enacted)),
            begun => begun,
        };
        if let Some(index) = old.filter(|_| state.faults.met_by(number).is_none_or(|met| met.fault.is_harmless())) {
            state.used[index] = true;
            state.faults.close(index);
        }
        let fate = match begun {
            Begun::Serve(index) | Begun::Fault(index, _) => Fate::Served(index),
            Begun::Live(..) => Fate::Live(old, None),
        };
        state.add(Slot { call: number, medium, start: Instant::now(), fate }, &self.tape.interactions);
        Ok(begun)
    }

    /// Returns the state in which something may still become of this call, unless the test has failed or ended.
    pub(super) fn resume(&self, call: &Call) -> Result<MutexGuard<'_, State>, Refusal> {
        let state = self.state();
        match &state.failure {
            Some((report, _)) => Err(Refusal::Late(Arc::clone(report))),
            None if state.finished => Err(Refusal::Late(Arc::new(self.plan.too_late(&self.shown(call).title())))),
            None => Ok(state),
        }
    }

    /// Refuses what could be recorded and never replayed: the address of a gateway where nothing can stand in its place.
    fn refuse_gateways(&self, call: &Call, state: &State) -> Result<(), Report> {
        let left = gateways::left(call, &state.gateways).filter(|_| self.plan.mode.records());
        left.map_or(Ok(()), |stands| Err(self.plan.sends_gateway(&self.shown(call).title(), stands)))
    }

    fn found(&self, matches: &Matches, likely: &Likely, state: &State) -> Found {
        let due = self.due(state).len();
        let order = if due > 0 { self.policy.prefix } else { self.policy.order };
        let next = match order {
            Order::Any | Order::Fuzzy => Vec::new(),
            Order::Strict | Order::Ordered => {
                state.next(&self.tape.interactions).into_iter().chain(state.spare()).collect()
            }
        };
        Found {
            unused: matches.unused.clone(),
            used: matches.used,
            last: matches.last.filter(|i| due == 0 || self.policy.recorded == Recorded::Serve || *i < self.pool.size),
            next,
            fitting: likely.fitting.clone(),
            alike: likely.alike.clone(),
            went_live: state.went_live,
            due,
        }
    }

    /// Returns why this recording is served though it is not of the call.
    fn grounds(&self, index: usize, matches: &Matches, (likely, state): (&Likely, &State)) -> Grounds {
        match likely.alike.iter().find(|(known, _)| *known == index) {
            Some((_, score)) => {
                Grounds::Likest(*score, (0..index).filter(|i| state.is_due(*i)).map(|i| i + 1).collect())
            }
            None => Grounds::Next(matches.unused.first().map(|own| own + 1)),
        }
    }

    fn approximate(&self, index: usize, (number, call): (usize, &Call), grounds: Grounds) -> Approximate {
        let (call, interaction) = (self.shown(call), &self.tape.interactions[index]);
        let recorded = interaction.call();
        let found = recorded.map(|recorded| differences(recorded, &call, &self.plan.matching).found);
        let differences = self.told(found.unwrap_or_default());
        let asks = recorded.and_then(|recorded| told_otherwise(recorded, &call, &differences));
        let place = Place { asks, ..self.place(index) };
        Approximate { call: number + 1, name: call.title(), place, grounds, differences }
    }

    /// Ties the secrets of a call to the placeholders under which they were recorded.
    fn bind(&self, state: &mut State, call: &Call, matches: &Matches) {
        let mut secrets = self.secrets();
        // As while it was recorded: what one call shows to be secret is hidden in those that follow.
        redact::learn(call, &matches.bindings, &self.plan.rules, &mut secrets);
        for (secret, placeholder) in &matches.bindings {
            let given = secrets.named(secret.value()).filter(|given| given != placeholder);
            if let Some(given) = given.map(str::to_owned) {
                state.renamed.insert(given, placeholder.clone());
            }
            secrets.bind(secret, placeholder);
            state.bound.insert(secret.value().to_owned(), placeholder.clone());
        }
    }

    /// Returns a recorded outcome in the upstream's own text.
    pub(super) fn outcome(&self, index: usize) -> Outcome {
        match &self.tape.interactions[index].outcome {
            Outcome::Reply(reply) => {
                let mut reply = reply.clone();
                redact::unescape_reply(&mut reply);
                Outcome::Reply(reply)
            }
            error => error.clone(),
        }
    }
}
