//! What goes to the journal, of which a crash may make all that is left of a run.
//!
//! Whoever recovers it knows nothing of what the run knew to be secret. So each exchange is audited before it is written down, and one in
//! which something is found is masked: it shows what was asked, and nobody can accept it.

use super::Shared;
use super::state::{Fate, State};
use crate::audit::{self, Finding};
use crate::call::Call;
use crate::disk;
use crate::journal::Exchange;
use crate::reply::{Outcome, TransportError};
use crate::report::Report;
use crate::tape::{Asked, Head, Interaction, Tape};

impl Shared {
    /// Returns the line of an exchange.
    pub(super) fn journal_line(&self, interaction: Interaction) -> String {
        self.written_down(interaction).line()
    }

    /// Returns new lines for those exchanges in the journal in which something stands that has become known for a secret since:
    /// what a crash leaves holds none that the run knew of.
    pub(super) fn journal_again(&self, state: &mut State) -> Vec<String> {
        let (fresh, known) = {
            let secrets = self.secrets();
            (secrets.since(state.journal_knew), secrets.count())
        };
        state.journal_knew = known;
        if fresh.is_empty() {
            return Vec::new();
        }
        let again = |(line, slot): (usize, &usize)| match &state.slots[*slot].fate {
            Fate::Live(_, Some(recorded)) if recorded.interaction.holds_any(&fresh) => {
                let hidden = self.hidden_again(recorded.interaction.clone()).0;
                Some(self.written_down(hidden).again(line + 1))
            }
            _ => None,
        };
        state.journalled.iter().enumerate().filter_map(again).collect()
    }

    pub(super) fn close_journal(&self, state: &mut State) -> Result<(), Report> {
        let closed = state.journal.take().map_or(Ok(()), |journal| journal.close());
        closed.map_err(|error| self.plan.storage(error))
    }

    /// Returns an exchange as it may stand in the journal.
    fn written_down(&self, interaction: Interaction) -> Exchange {
        let interaction = self.at_rest(interaction);
        // Alone it stands within nothing.
        let alone = Interaction { within: None, ..interaction.clone() };
        let text = disk::write(&Tape { head: Head::default(), interactions: vec![alone] });
        let secrets = self.secrets();
        let is_vouched_for = |finding: &Finding| self.allowed.iter().any(|entry| entry.covers_elsewhere(finding));
        if audit::audit(&text, &self.plan.rules, &secrets, &[]).iter().all(is_vouched_for) {
            return Exchange { interaction, is_masked: false };
        }
        let masked = audit::mask(&text, &self.plan.rules, &secrets);
        let read = disk::read(masked.as_bytes()).ok().and_then(|mut tape| tape.interactions.pop());
        let read = read.map(|read| Interaction { within: interaction.within, ..read });
        Exchange { interaction: read.unwrap_or_else(|| withheld(interaction)), is_masked: true }
    }
}

/// Returns an exchange of which nothing is shown.
fn withheld(interaction: Interaction) -> Interaction {
    let call = Call::function(interaction.asked.known().kind, "MASKED", Vec::new());
    let outcome = Outcome::Error(TransportError { message: "MASKED".to_owned(), ..TransportError::given_up() });
    Interaction { asked: Asked::Whole(call), outcome, ..interaction }
}
