//! The run so far, to be compared with another.

use std::time::Instant;

use super::state::{Fate, Slot};
use super::{Session, Shared};
use crate::run::{Run, Step};

impl Session {
    /// Returns the run so far: its calls with how they ended, secrets hidden.
    ///
    /// Where nothing is recorded, or a call is still under way, it has no reply in it.
    pub fn run(&self) -> Run {
        let state = self.shared.state();
        let overlaps = self.shared.overlaps(&state.slots);
        let step = |(slot, overlaps): (&Slot, bool)| {
            let (call, outcome) = match self.shared.exchange(&state, slot) {
                Some((call, outcome)) => (call.into_owned(), Some(outcome.clone())),
                None => (self.shared.shown(&state.calls[slot.call]), None),
            };
            Step { call, outcome, overlaps }
        };
        Run::new(state.slots.iter().zip(overlaps).map(step).collect())
    }
}

impl Shared {
    /// Returns for each exchange whether it overlapped in time with the one before it: live ones by the clock, served ones
    /// as they did when they were recorded.
    fn overlaps(&self, slots: &[Slot]) -> Vec<bool> {
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
