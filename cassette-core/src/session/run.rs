//! The run so far, to be compared with another.

use std::time::Instant;

use super::state::{Fate, Slot, State};
use super::{Session, Shared};
use crate::call::{Kind, Medium};
use crate::run::{Run, Step};

impl Session {
    /// Returns the run so far: its calls with how they ended, secrets hidden.
    ///
    /// Where nothing is recorded, or a call is still under way, it has no reply in it. What was asked while a function ran is
    /// not in it: on replay the function does not run.
    pub fn run(&self) -> Run {
        let state = self.shared.state();
        let slots = self.shared.outside(&state);
        let overlaps = self.shared.overlaps(&slots);
        let step = |(slot, overlaps): (&&Slot, bool)| {
            let (call, outcome) = match self.shared.exchange(&state, slot) {
                Some((call, outcome)) => (call.into_owned(), Some(outcome.clone())),
                None => (self.shared.shown(&state.calls[slot.call]), None),
            };
            Step { call, outcome, overlaps }
        };
        Run::new(slots.iter().zip(overlaps).map(step).collect())
    }
}

impl Shared {
    /// Returns what became of the calls that were made outside any function.
    pub(super) fn outside<'a>(&self, state: &'a State) -> Vec<&'a Slot> {
        let records = self.plan.mode.records();
        let is_within = |slot: &Slot| {
            let covered = matches!(slot.fate, Fate::Served(index) if state.covered[index]);
            let ran = match slot.medium {
                Medium::Itself => state.ran_function_at(slot.start),
                Medium::Message => state.ran_own_function_at(slot.start),
                Medium::Aside => false,
            };
            covered || (records && ran)
        };
        let is_function = |slot: &Slot| slot.medium == Medium::Itself && state.calls[slot.call].kind != Kind::Http;
        state.slots.iter().filter(|slot| is_function(slot) || !is_within(slot)).collect()
    }

    /// Returns for each exchange whether it overlapped in time with the one before it: live ones by the clock, served ones
    /// as they did when they were recorded.
    fn overlaps(&self, slots: &[&Slot]) -> Vec<bool> {
        let mut end: Option<Instant> = None;
        let mut before: Option<usize> = None;
        let mut overlaps = Vec::with_capacity(slots.len());
        for slot in slots {
            match &slot.fate {
                Fate::Served(index) => {
                    let group = self.group(*index);
                    overlaps.push(before == Some(group));
                    (end, before) = (None, Some(group));
                }
                Fate::Live(_, recorded) => {
                    overlaps.push(end.is_some_and(|end| slot.start < end));
                    let own = recorded.as_ref().map_or(slot.start, |recorded| recorded.end);
                    (end, before) = (Some(end.map_or(own, |end| end.max(own))), None);
                }
            }
        }
        overlaps
    }
}
