//! What a session spends live, and what it saves.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::state::{Fate, Slot, State};
use super::{Session, Shared};
use crate::account::{Account, Answer, Spent, account, kind, own_answer, unanswered};
use crate::busy::Busy;
use crate::call::{Call, Kind, Medium};
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

    /// Returns whether anybody wants to know what live calls cost.
    pub fn counts_cost(&self) -> bool {
        self.shared.plan.purse.is_some()
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

impl State {
    /// Returns whether the function in this slot, which has ended, asked models over HTTP, as far as the time of a call tells whose it is:
    /// where another function was at work too, nothing does.
    fn asks_models_within(&self, slot: usize, busy: &Busy) -> bool {
        let function = &self.slots[slot];
        let is_other = |(i, other): (usize, &Slot), start: Instant| {
            let is_over = matches!(&other.fate, Fate::Live(_, Some(recorded)) if recorded.end <= start);
            i != slot && self.calls[other.call].kind == Kind::Llm && other.start <= start && !is_over
        };
        self.slots.iter().skip(slot + 1).any(|inner| {
            let is_its = inner.medium == Medium::Itself && inner.start >= function.start && busy.at(inner.start);
            is_its
                && kind(&self.calls[inner.call]) == "model"
                && !self.slots.iter().enumerate().any(|other| is_other(other, inner.start))
        })
    }
}

impl Shared {
    /// Refuses a call that there is no money for.
    pub(super) fn afford(&self, call: &Call, number: usize) -> Result<(), Report> {
        let admitted = self.plan.purse.as_ref().map_or(Ok(()), |purse| purse.admit(call));
        admitted.map_err(|short| self.over_budget(short, number, self.shown(call).title()))
    }

    /// Notes what a live call took, by its slot.
    pub(super) fn pay(&self, slot: usize, (call, busy): (&Call, &Busy), outcome: &Outcome) -> Result<(), Report> {
        let Some(purse) = &self.plan.purse else { return Ok(()) };
        let is_own = call.kind == Kind::Llm && !self.state().asks_models_within(slot, busy);
        let reply = match outcome {
            Outcome::Reply(reply) => reply,
            Outcome::Error(error) => {
                let spending = match (is_own, unanswered(call, error.class)) {
                    (true, _) => Spending { own: 1, model: call.name.clone(), ..Spending::default() },
                    (false, Some(model)) => Spending { unanswered: 1, model, ..Spending::default() },
                    (false, None) => return Ok(()),
                };
                let paid = purse.pay(spending);
                let number = self.state().calls.len().saturating_sub(1);
                return paid.map_err(|short| self.over_budget(short, number, self.shown(call).title()));
            }
        };
        let answer = if is_own { own_answer(call, reply) } else { Answer::of(call, reply) };
        let Some(answer) = answer else { return Ok(()) };
        let model = answer.model().to_owned();
        let mut state = self.state();
        let before = state.tally.spent(&purse.prices);
        state.tally.add(answer);
        let after = state.tally.spent(&purse.prices);
        let number = state.calls.len().saturating_sub(1);
        drop(state);
        let unknown = |spent: &Spent| i64::try_from(spent.unpriced).unwrap_or(i64::MAX);
        let cost = after.cost.unwrap_or_default().beyond(before.cost.unwrap_or_default());
        let unknown = unknown(&after) - unknown(&before);
        let paid = purse.pay(match is_own {
            true => Spending { cost, own: usize::try_from(unknown).unwrap_or_default(), model, ..Spending::default() },
            false => Spending { cost, unknown, model, ..Spending::default() },
        });
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
