//! The faults that a test planned, and what becomes of the calls that meet them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::state::{Fate, State};
use super::{Session, Shared};
use crate::call::{Call, Kind};
use crate::fault::{At, Enacted, Fault, Met, enact, positions};
use crate::mode::Mode;
use crate::policy::Unused;
use crate::report::{Fired, Place, Refused, Report, Unfired, Wiring};

impl Session {
    /// Plans a fault of this run.
    ///
    /// # Errors
    ///
    /// Fails, and latches the failure, in any mode but replay; where the fault is none; and where it comes too late or stands
    /// where another does.
    pub fn fault(&self, fault: Fault) -> Result<(), Arc<Report>> {
        let plan = &self.shared.plan;
        if plan.mode != Mode::Replay {
            let what = format!("the fault `{fault}` was planned for `{}` in mode {}", plan.name, plan.mode.as_str());
            let help = "nothing is recorded through a fault: let this test say `mode = \"replay\"`, and record the cassette \
                        with a test that plans none";
            return Err(self.fail(Report::Refused(Refused::new(what, help))));
        }
        let mut state = self.shared.state();
        let made = https(&state.calls);
        let planned = state.faults.plan(fault, made);
        drop(state);
        let help = "plan each fault before its call, one for a call, as `Fault::status(429).at(1)`";
        planned.map_err(|why| {
            let what = format!("a fault of `{}` cannot be planned: {why}", plan.name);
            self.fail(Report::Wiring(Wiring::new(what, help)))
        })
    }

    /// Returns whether a fault has fired.
    pub fn met_a_fault(&self) -> bool {
        !self.shared.state().faults.met().is_empty()
    }

    /// Returns where a sweep puts this fault in a run like this one, so far: each position is for a run of its own, and has the number of
    /// its recording among those that were served over HTTP, from 1.
    pub fn positions(&self, fault: &Fault) -> Vec<(usize, Fault)> {
        let state = self.shared.state();
        let served: BTreeSet<_> = state
            .slots
            .iter()
            .filter_map(|slot| match slot.fate {
                Fate::Served(index) if state.calls[slot.call].kind == Kind::Http => Some(index),
                _ => None,
            })
            .collect();
        let at = |(number, index): (usize, usize)| {
            let faults = positions(fault, index, &self.shared.outcome(index));
            faults.into_iter().map(move |fault| (number + 1, fault))
        };
        served.into_iter().enumerate().flat_map(at).collect()
    }
}

impl Shared {
    /// Returns what this call of the run meets instead of the recording that is to be served, if a fault was planned for it.
    pub(super) fn meet(&self, state: &mut State, (number, call): (usize, &Call), index: usize) -> Option<Enacted> {
        if call.kind != Kind::Http || !state.faults.is_any_planned() {
            return None;
        }
        let http = https(&state.calls[..=number]);
        let (which, fault) = state.faults.at(http, index)?;
        let fault = fault.clone();
        let recorded = &self.tape.interactions[index].outcome;
        match (enact(&fault, call, &self.outcome(index)), enact(&fault, call, recorded)) {
            (Ok(enacted), Ok(shown)) => {
                // A reply in other pieces is the same reply.
                let shown = if fault.is_harmless() { recorded.clone() } else { self.hidden(call, &shown.outcome) };
                state.faults.fire(which, Met { fault, http, call: number, index, shown });
                Some(enacted)
            }
            (Err(why), _) | (_, Err(why)) => {
                state.faults.miss(which, why);
                None
            }
        }
    }

    /// Returns the report of faults that never fired, if there are any.
    pub(super) fn unfired(&self, state: &State) -> Option<Report> {
        let made = https(&state.calls);
        let told = state.faults.unfired().map(|(fault, why)| {
            let place = match fault.at {
                At::Call(call) => format!("at call {call}"),
                At::Each => "at each call".to_owned(),
                At::Recording(index) => format!("at recording {}", index + 1),
            };
            let calls = format!("the run made {made} call{} over HTTP", if made == 1 { "" } else { "s" });
            format!("`{fault}` {place}: {}", why.map_or(calls, str::to_owned))
        });
        let told: Vec<_> = told.collect();
        let help =
            "put it where the run comes by, or take it away: a test of a fault that never happened proves nothing";
        (!told.is_empty()).then(|| Report::Unfired(Unfired::new(&self.plan.name, told, help)))
    }

    /// Returns what the summary tells of faults: those that fired, and the recordings that nothing asked for after them.
    pub(super) fn fired(&self, state: &State) -> (Vec<Fired>, Vec<Place>) {
        let fired = state.faults.met().iter().map(|met| {
            let name = self.tape.interactions[met.index].asked.name().to_owned();
            let whole = |call: usize| state.faults.met_by(call).is_none_or(|met| met.fault.is_harmless());
            let mut after = state.slots.iter().filter(|slot| slot.call > met.call);
            let then =
                after.find(|slot| matches!(slot.fate, Fate::Served(index) if index == met.index) && whole(slot.call));
            let then = then.map(|slot| https(&state.calls[..=slot.call])).filter(|_| !met.fault.is_harmless());
            Fired::new(met.fault.to_string(), (met.http, name), met.fault.is_harmless(), then)
        });
        let fired = fired.collect();
        let tells = state.faults.have_harmed() && self.plan.unused == Unused::Fail;
        let unused = state.unasked().into_iter().filter(|i| tells && !state.faults.is_open(*i));
        (fired, unused.map(|i| self.place(i)).collect())
    }
}

/// Returns how many of these calls went over HTTP.
fn https(calls: &[Arc<Call>]) -> usize {
    calls.iter().filter(|call| call.kind == Kind::Http).count()
}
