//! What a session spends live, and what it saves.

use std::collections::{BTreeMap, BTreeSet};

use super::{Session, Shared};
use crate::account::{Account, Answer, Spent, account, unanswered};
use crate::call::Call;
use crate::ledger::Spending;
use crate::reply::Outcome;
use crate::report::{Budget, Report, Short};
use crate::tape::{Interaction, Tape};

impl Session {
    /// Returns what the live calls of this run took so far; nothing where the plan has no purse.
    pub fn spent(&self) -> Spent {
        let prices = self.shared.plan.purse.as_ref().map(|purse| &purse.prices);
        prices.map(|prices| self.shared.state().tally.spent(prices)).unwrap_or_default()
    }

    /// Returns what the calls that were served took when they were live, at the prices of the plan's purse; with a function, what
    /// it asked.
    pub fn saved(&self) -> Account {
        let Some(purse) = &self.shared.plan.purse else { return Account::default() };
        let state = self.shared.state();
        let within = (0..state.covered.len()).filter(|i| state.covered[*i]);
        let served: BTreeSet<usize> = state.served().chain(within).collect();
        drop(state);
        let places: BTreeMap<usize, usize> = served.iter().enumerate().map(|(place, i)| (*i, place)).collect();
        let of = |i: &usize| {
            let interaction = self.shared.tape.interactions[*i].clone();
            let within = interaction.within.and_then(|function| places.get(&function).copied());
            Interaction { within, ..interaction }
        };
        let interactions = served.iter().map(of).collect();
        account(&Tape { interactions, ..Tape::default() }, &purse.prices)
    }
}

impl Shared {
    /// Refuses a call that there is no money for.
    pub(super) fn afford(&self, call: &Call, number: usize) -> Result<(), Report> {
        let admitted = self.plan.purse.as_ref().map_or(Ok(()), |purse| purse.admit(call));
        admitted.map_err(|short| self.over_budget(short, number, self.shown(call).title()))
    }

    /// Notes what a live call took.
    pub(super) fn pay(&self, call: &Call, outcome: &Outcome) -> Result<(), Report> {
        let Some(purse) = &self.plan.purse else { return Ok(()) };
        let reply = match outcome {
            Outcome::Reply(reply) => reply,
            Outcome::Error(error) => {
                let Some(model) = unanswered(call, error.class) else { return Ok(()) };
                let paid = purse.pay(Spending { unanswered: 1, model, ..Spending::default() });
                let number = self.state().calls.len().saturating_sub(1);
                return paid.map_err(|short| self.over_budget(short, number, self.shown(call).title()));
            }
        };
        let Some(answer) = Answer::of(call, reply) else { return Ok(()) };
        let model = answer.model().to_owned();
        let mut state = self.state();
        let before = state.tally.spent(&purse.prices);
        state.tally.add(answer);
        let after = state.tally.spent(&purse.prices);
        let number = state.calls.len().saturating_sub(1);
        drop(state);
        let unknown = |spent: &Spent| i64::try_from(spent.unpriced).unwrap_or(i64::MAX);
        let cost = after.cost.unwrap_or_default().beyond(before.cost.unwrap_or_default());
        let paid = purse.pay(Spending { cost, unknown: unknown(&after) - unknown(&before), unanswered: 0, model });
        paid.map_err(|short| self.over_budget(short, number, self.shown(call).title()))
    }

    fn over_budget(&self, short: Short, number: usize, name: String) -> Report {
        let again = self.plan.command(self.plan.mode);
        let help = match &short {
            Short::Reached(_) => format!("allow more with CASSETTE_BUDGET, or go without a budget: {again}"),
            Short::Unpriced(_) => format!(
                "give its price in a table, named by `prices_file` in cassette.toml, or go without a budget: {again}"
            ),
            Short::Uncounted(_) => format!(
                "ask for the count, with OpenAI `stream_options.include_usage`, or go without a budget: {again}"
            ),
            Short::Unanswered(_) => format!("look what it cost, then go on with what is left of the budget: {again}"),
            Short::Unkept(..) => format!("see that the file can be written, or go without a budget: {again}"),
        };
        let limit = self.plan.purse.as_ref().and_then(|purse| purse.limit).unwrap_or_default();
        Report::Budget(Budget { cassette: self.plan.name.clone(), call: number + 1, name, limit, short, help })
    }
}
