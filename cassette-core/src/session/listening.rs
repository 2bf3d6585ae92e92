//! What a seam for HTTP asks of the recording beside what becomes of a call.

use super::Session;
use crate::mode::Mode;
use crate::rpc::{Message, What};
use crate::tape::Asked;

impl Session {
    /// Returns whether a call of this name, `GET https://..`, has still to be asked for; `None` where the session does not replay.
    pub fn awaits(&self, name: &str) -> Option<bool> {
        if self.mode() != Mode::Replay {
            return None;
        }
        let shown = self.shown(name);
        let state = self.shared.state();
        let mut recorded = self.shared.tape.interactions.iter().enumerate();
        Some(recorded.any(|(i, interaction)| !state.used[i] && interaction.asked.name() == shown))
    }

    /// Returns how many answers of the client's under this id, in its own spelling, have still to be asked for.
    pub fn awaited_answers(&self, id: &str) -> usize {
        let state = self.shared.state();
        if state.failure.is_some() {
            return 0;
        }
        let answers = |(i, asked): &(usize, &Asked)| match asked {
            Asked::Whole(call) if !state.used[*i] => {
                let message = std::str::from_utf8(&call.body).ok().and_then(|text| Message::read(text).ok());
                message.is_some_and(|message| matches!(message.what, What::Answer { id: known } if known == id))
            }
            _ => false,
        };
        self.shared.tape.interactions.iter().map(|interaction| &interaction.asked).enumerate().filter(answers).count()
    }
}
