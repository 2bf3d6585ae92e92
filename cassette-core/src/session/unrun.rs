//! Tools and memories that a run is served, and that so do not run: what others do live behind them may hang on what they would have
//! left behind.

use super::Shared;
use super::state::{Fate, Slot, State};
use crate::call::{Call, Kind};
use crate::mode::Mode;

impl Shared {
    /// Returns what records a change that this call brings, as a help ends: where tools and memories were served before it, and others may
    /// run live behind it, all of them are to run.
    pub(super) fn recording_of(&self, call: &Call, state: &State) -> String {
        let is_left = |index: usize| state.is_due(index) && leaves_traces(self.tape.interactions[index].asked.kind());
        let others_follow = leaves_traces(call.kind) || (0..state.used.len()).any(is_left);
        match others_follow && self.served_traces(state).next().is_some() {
            true => format!(
                "{}; in mode record the tools and memories before it would not run, and what they do would be missing",
                self.plan.command(Mode::Refresh)
            ),
            false => self.plan.command(Mode::Record),
        }
    }

    /// Returns what is to be said of a recording in which tools or memories ran live behind others that were served.
    pub(super) fn told_unrun(&self, state: &State) -> Option<String> {
        let served = |slot: &Slot| matches!(slot.fate, Fate::Served(_));
        let kind = |slot: &Slot| state.calls[slot.call].kind;
        let last = state.slots.iter().rposition(|slot| !served(slot) && leaves_traces(kind(slot)))?;
        let mut before = state.slots[..last].iter().filter(|slot| served(slot) && leaves_traces(kind(slot)));
        let name = |call: usize| self.said(&state.calls[call].title());
        let (first, more) = (name(before.next()?.call), before.count());
        let served = match more {
            0 => format!("{first} was served and did not run"),
            1 => format!("{first} and one more were served and did not run"),
            more => format!("{first} and {more} more were served and did not run"),
        };
        let help = match &self.plan.fork {
            Some(_) => "let the test itself bring it about, outside of recorded functions".to_owned(),
            None => format!("record all anew: {}", self.plan.command(Mode::Refresh)),
        };
        let live = name(state.slots[last].call);
        Some(format!("{served}, and {live} ran live behind: where that hangs on what came before, {help}"))
    }

    /// Returns the tools and memories that this run was served of what a recording of all anew would run.
    fn served_traces<'a>(&'a self, state: &'a State) -> impl Iterator<Item = usize> + 'a {
        let beginning = self.tape.head.origin.as_ref().map_or(0, |origin| origin.at);
        state.served().filter(move |index| {
            let interaction = &self.tape.interactions[*index];
            *index >= beginning && interaction.within.is_none() && leaves_traces(interaction.asked.kind())
        })
    }
}

/// Returns whether what is of this kind may change what others of it answer.
fn leaves_traces(kind: Kind) -> bool {
    matches!(kind, Kind::Tool | Kind::Memory)
}
