//! What a cassette took when it was recorded: calls, tokens, time and money.
//!
//! ```text
//! Tape -> model calls, polls of one put together -> Tokens in one shape -> Prices -> Account
//! ```
//!
//! What no reply counts is unknown and stays so: it is told how many calls that concerns, and never taken for zero. Money is
//! exact ([`Money`]).

mod money;
mod prices;
mod tally;
mod tokens;

pub use money::{Money, Rate};
pub use prices::{Price, Prices};
pub(crate) use tally::{Answer, Tally, Worth, worth};
pub use tokens::Tokens;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::call::Call;
use crate::reply::Outcome;
use crate::tape::{Interaction, Tape};
use crate::view::view;

/// What a cassette took, or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Account {
    /// How many calls there are.
    pub calls: usize,
    /// How many of each kind, by its name; calls of models apart, as `model`.
    pub kinds: BTreeMap<&'static str, usize>,
    /// What each model took, by the name under which it was asked for.
    pub models: BTreeMap<String, Spent>,
    /// How many calls failed.
    pub errors: usize,
    /// The first of them.
    pub first_error: Option<Failed>,
    /// How long the replies took to arrive, one call after the other.
    pub live: Duration,
    /// How many calls have no time: they failed before there was a reply.
    pub untimed: usize,
}

/// What a model took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spent {
    /// How many answers it gave.
    pub calls: usize,
    /// The tokens that are counted.
    pub tokens: Tokens,
    /// How many answers do not count their tokens.
    pub uncounted: usize,
    /// What those answers cost of which that is known; `None` where it is of none.
    pub cost: Option<Money>,
    /// How many answers there are of which it is not known.
    pub unpriced: usize,
}

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Its position, from 1.
    pub number: usize,
    /// `POST https://host/path`, or the function's name.
    pub call: String,
    /// What went wrong: `status 429`, `timeout error`.
    pub what: String,
}

impl Account {
    /// Returns what two accounts come to; the first failure is that of the first which has one.
    #[must_use]
    pub fn and(mut self, other: Account) -> Account {
        self.calls += other.calls;
        other.kinds.into_iter().for_each(|(kind, count)| *self.kinds.entry(kind).or_default() += count);
        for (model, spent) in other.models {
            let known = self.models.remove(&model).unwrap_or_default();
            self.models.insert(model, known.and(spent));
        }
        self.errors += other.errors;
        self.first_error = self.first_error.or(other.first_error);
        self.live += other.live;
        self.untimed += other.untimed;
        self
    }

    /// Returns what all models took.
    pub fn spent(&self) -> Spent {
        self.models.values().cloned().fold(Spent::default(), Spent::and)
    }

    /// Returns the models of which it is not known what every call cost, by name.
    pub fn unpriced_models(&self) -> Vec<&str> {
        self.models.iter().filter(|(_, spent)| spent.unpriced > 0).map(|(model, _)| model.as_str()).collect()
    }
}

impl Spent {
    /// Returns what both come to.
    #[must_use]
    pub fn and(self, other: Spent) -> Spent {
        Spent {
            calls: self.calls + other.calls,
            tokens: self.tokens.and(other.tokens),
            uncounted: self.uncounted + other.uncounted,
            cost: match (self.cost, other.cost) {
                (Some(a), Some(b)) => Some(a + b),
                (one, none) => one.or(none),
            },
            unpriced: self.unpriced + other.unpriced,
        }
    }
}

/// Returns what a cassette took, at these prices.
///
/// # Examples
///
/// ```
/// use cassette_core::{account::account, pricing, tape::Tape};
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"))?;
/// let tape = Tape::open("cassettes/embeddings.json")?;
/// let account = account(&tape, &pricing::own()?.prices);
/// assert_eq!((account.calls, account.kinds["model"]), (8, 8));
///
/// // What has no price is unknown, and never taken for nothing.
/// assert_eq!((account.unpriced_models(), account.spent().cost), (vec!["small"], None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn account(tape: &Tape, prices: &Prices) -> Account {
    let mut account = Account { calls: tape.interactions.len(), ..Account::default() };
    let mut tally = Tally::default();
    for (i, interaction) in tape.interactions.iter().enumerate() {
        let call = interaction.asked().known();
        let kind = if tally::dialect_of(&call).is_some() { "model" } else { call.kind.as_str() };
        *account.kinds.entry(kind).or_default() += 1;
        if let Some(what) = failure(&call, interaction) {
            account.errors += 1;
            let failed = || Failed { number: i + 1, call: call.name.clone(), what };
            account.first_error.get_or_insert_with(failed);
        }
        match interaction.outcome() {
            Outcome::Error(_) => account.untimed += 1,
            Outcome::Reply(reply) => {
                account.live += reply.chunks.iter().map(|chunk| chunk.at).max().unwrap_or_default();
                Answer::of(&call, reply).into_iter().for_each(|answer| tally.add(answer));
            }
        }
    }
    account.models = tally.models(prices);
    account
}

/// Returns what went wrong, by the status, by what the reply tells, or because there was none.
fn failure(call: &Call, interaction: &Interaction) -> Option<String> {
    match interaction.outcome() {
        Outcome::Error(error) => Some(format!("{} error", error.class.as_str())),
        Outcome::Reply(reply) if reply.status >= 400 => Some(format!("status {}", reply.status)),
        Outcome::Reply(reply) => {
            let error = view(call, reply)?.error?;
            Some(error.kind.or(error.code).unwrap_or_else(|| "an error in the reply".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests;
