//! What a report may show of a cassette: what was no secret as it was recorded may be one by now.

use super::Shared;
use crate::draft;
use crate::redact;
use crate::report::{Difference, Place};

impl Shared {
    /// Returns a recording as a report names it.
    pub(super) fn place(&self, index: usize) -> Place {
        let Place { interaction, name, asks } = draft::place(index, &self.tape.interactions[index]);
        Place { interaction, name: self.said(&name), asks: asks.map(|asks| self.said(&asks)) }
    }

    /// Returns a recorded text as a report may show it.
    pub(super) fn said(&self, text: &str) -> String {
        redact::redact_text(text, &self.plan.rules, &mut self.secrets())
    }

    /// Returns where a recording and a call differ, as a report may show it.
    pub(super) fn told(&self, mut differences: Vec<Difference>) -> Vec<Difference> {
        for shown in differences.iter_mut().flat_map(|difference| &mut difference.shown) {
            shown.recorded = shown.recorded.take().map(|text| self.said(&text));
        }
        differences
    }
}
