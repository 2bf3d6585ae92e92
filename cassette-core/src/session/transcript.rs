//! The run so far, as a person reads it and as a snapshot keeps it.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::state::{Fate, Slot, State};
use super::{Session, Shared};
use crate::account::{Tokens, tokens};
use crate::call::Call;
use crate::reply::Outcome;
use crate::tape::Asked;
use crate::transcript::exchange;

impl Session {
    /// Returns the tokens that the replies of this run count, served ones included: of each kind the sum over those replies
    /// that say it, and `None` where none does. They are in one shape, whatever a provider counts within what. A function that is
    /// served counts with what was asked while it ran.
    pub fn usage(&self) -> Tokens {
        let state = self.shared.state();
        let counted = |(call, outcome): (Cow<'_, Call>, &Outcome)| match outcome {
            Outcome::Reply(reply) => tokens(&call, reply),
            Outcome::Error(_) => None,
        };
        let made = state.slots.iter().filter_map(|slot| self.shared.exchange(&state, slot));
        let spared = state.spare().map(|index| &self.shared.tape.interactions[index]);
        let spared = spared.map(|interaction| (interaction.asked.known(), &interaction.outcome));
        made.chain(spared).filter_map(counted).fold(Tokens::default(), Tokens::and)
    }

    /// Returns the run so far as a text: what was asked, and what was answered, in the order in which the calls were started.
    ///
    /// It holds no secret, no time, and nothing that hangs on how a body is spelled, so it can be kept as a snapshot. A call
    /// that is still under way, or went live where nothing is recorded, has no answer in it. What was asked while a function
    /// ran is not in it: on replay the function does not run.
    pub fn transcript(&self) -> String {
        let state = self.shared.state();
        let mut out = String::new();
        for (number, slot) in self.shared.outside(&state).into_iter().enumerate() {
            let (call, outcome) = match self.shared.exchange(&state, slot) {
                Some((call, outcome)) => (call, Some(outcome)),
                None => (Cow::Owned(self.shared.shown(&state.calls[slot.call])), None),
            };
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", exchange(number + 1, &call, outcome));
        }
        out
    }
}

impl Shared {
    /// Returns a call of the run as it was recorded, with how it ended; where it was recorded as digests, as it was made.
    pub(super) fn exchange<'a>(&'a self, state: &'a State, slot: &'a Slot) -> Option<(Cow<'a, Call>, &'a Outcome)> {
        let interaction = match &slot.fate {
            Fate::Served(index) => self.tape.interactions.get(*index)?,
            Fate::Live(_, recorded) => &recorded.as_ref()?.interaction,
        };
        let call = match &interaction.asked {
            Asked::Whole(call) => Cow::Borrowed(call),
            Asked::Digest(_) => Cow::Owned(self.shown(&state.calls[slot.call])),
        };
        let met = state.faults.met_by(slot.call);
        Some((call, met.map_or(&interaction.outcome, |met| &met.shown)))
    }
}
