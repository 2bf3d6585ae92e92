//! What a recording run hid in what was said: the usual key in a header or a URL is nothing to tell of.

use super::Shared;
use crate::draft::{Entry, Kept};
use crate::redact::Tally;
use crate::reply::Outcome;
use crate::tape::Asked;

impl Shared {
    /// Returns what is hidden in the bodies of what this run recorded: in prompts and answers, in arguments and values. Where digests are
    /// kept of requests, nothing of these is written.
    pub(super) fn hidden_in_bodies(&self, entries: &[Entry]) -> Tally {
        let recorded = entries.iter().filter(|entry| entry.kept == Kept::No).map(|entry| &entry.interaction);
        let bodies = recorded.flat_map(|interaction| {
            let asked = match &interaction.asked {
                Asked::Whole(call) if self.digests.is_none() => Some(call.body.clone()),
                Asked::Whole(_) | Asked::Digest(_) => None,
            };
            let told = match &interaction.outcome {
                Outcome::Reply(reply) => reply.body(),
                Outcome::Error(error) => error.message.clone().into_bytes(),
            };
            asked.into_iter().chain([told])
        });
        Tally::of(bodies.map(|body: Vec<u8>| String::from_utf8_lossy(&body).into_owned()))
    }
}
