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
mod terms;
mod tokens;
mod tally;
mod own;

pub use money::{Money, Rate};
pub(crate) use own::own_answer;
pub use prices::{Price, Prices};
pub(crate) use tally::{Answer, Tally, Worth, worth};
pub use tokens::{Tokens, tokens};

use std::collections::BTreeMap;
use std::time::Duration;

use crate::call::{Call, Kind};
use crate::reply::{Outcome, TransportClass, Truncation};
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
    /// How long the replies took to arrive of which that is known, one call after the other; `None` where it is of none. What was
    /// asked while a function ran is part of the function's time.
    pub live: Option<Duration>,
    /// How many calls there are of which it is not known: they failed before there was a reply, were answered without a body, or
    /// nobody measured.
    pub untimed: usize,
    /// How many calls of models were sent and got no reply, those of functions that were given up too: nobody knows whether they cost
    /// anything.
    pub unanswered: usize,
}

/// What a model took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spent {
    /// How many answers it gave.
    pub calls: usize,
    /// The tokens that are counted.
    pub tokens: Tokens,
    /// How many answers do not count their tokens, or not all of them.
    pub uncounted: usize,
    /// What those answers cost of which that is known; `None` where it is of none.
    pub cost: Option<Money>,
    /// How many answers there are of which it is not known.
    pub unpriced: usize,
    /// How many of these have a price, and tokens that nobody counted.
    pub untold: usize,
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
        self.untimed += other.untimed;
        self.unanswered += other.unanswered;
        self.pass(other.live, other.calls);
        self
    }

    /// Adds the time of so many calls. A sum that is longer than can be told stays what it was, and theirs is not known.
    fn pass(&mut self, time: Option<Duration>, calls: usize) {
        let Some(time) = time else { return };
        match self.live.unwrap_or_default().checked_add(time) {
            Some(sum) => self.live = Some(sum),
            None => self.untimed += calls,
        }
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
        let unpriced = self.unpriced + other.unpriced;
        let (cost, unpriced) = match (self.cost, other.cost) {
            (Some(a), Some(b)) => match a.checked_add(b) {
                Some(sum) => (Some(sum), unpriced),
                // What cannot be added is not known.
                None => (Some(a), self.unpriced + other.calls),
            },
            (one, none) => (one.or(none), unpriced),
        };
        let tokens = self.tokens.and(other.tokens);
        Spent {
            calls: self.calls + other.calls,
            tokens,
            uncounted: self.uncounted + other.uncounted,
            cost,
            unpriced,
            untold: self.untold + other.untold,
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
        let kind = kind(&call);
        *account.kinds.entry(kind).or_default() += 1;
        if let Some(what) = failure(&call, interaction) {
            account.errors += 1;
            let failed = || Failed { number: i + 1, call: call.name.clone(), what };
            account.first_error.get_or_insert_with(failed);
        }
        let is_own = own::is_own(tape, i);
        match interaction.outcome() {
            Outcome::Reply(reply) if is_own => {
                own_answer(&call, reply).into_iter().for_each(|answer| tally.add(answer))
            }
            Outcome::Reply(reply) => {
                let untold = || Answer::untold(&call, reply).filter(|_| kind != "model");
                Answer::of(&call, reply).or_else(untold).into_iter().for_each(|answer| tally.add(answer));
            }
            Outcome::Error(error) => {
                account.unanswered += usize::from((is_own || kind == "model") && was_sent(error.class));
            }
        }
        match took(interaction) {
            _ if is_timed_within(tape, interaction) => {}
            None => account.untimed += 1,
            time => account.pass(time, 1),
        }
    }
    account.models = tally.models(prices);
    account
}

/// Returns the name of a call's kind: `model` for a call of a model.
#[must_use]
pub fn kind(call: &Call) -> &'static str {
    if tally::dialect_of(call).is_some() { "model" } else { call.kind.as_str() }
}

/// Returns the model of a call that got no reply, where it may have cost something all the same.
pub(crate) fn unanswered(call: &Call, class: TransportClass) -> Option<String> {
    was_sent(class).then(|| tally::paid_model(call)).flatten()
}

/// Returns whether whoever was asked may have got the question.
fn was_sent(class: TransportClass) -> bool {
    matches!(class, TransportClass::Timeout | TransportClass::Reset | TransportClass::Closed)
}

fn took(interaction: &Interaction) -> Option<Duration> {
    match interaction.outcome() {
        Outcome::Reply(reply) => reply.took(),
        Outcome::Error(_) => None,
    }
}

/// Returns whether a call was made during another one whose time is known.
fn is_timed_within(tape: &Tape, interaction: &Interaction) -> bool {
    let Some(outer) = interaction.within().and_then(|outer| tape.interactions.get(outer)) else { return false };
    took(outer).is_some() || outer.within() < interaction.within() && is_timed_within(tape, outer)
}

/// Returns what went wrong, by the status, by what the reply tells, or because there was none.
fn failure(call: &Call, interaction: &Interaction) -> Option<String> {
    match interaction.outcome() {
        Outcome::Error(error) => Some(format!("{} error", error.class.as_str())),
        Outcome::Reply(reply) if call.kind != Kind::Http => reply.is_failure().then(|| "an error".to_owned()),
        Outcome::Reply(reply) if reply.status >= 400 => Some(format!("status {}", reply.status)),
        Outcome::Reply(reply) if reply.truncated == Some(Truncation::Upstream) => Some("a broken reply".to_owned()),
        Outcome::Reply(reply) => {
            let error = view(call, reply)?.error?;
            Some(error.kind.or(error.code).unwrap_or_else(|| "an error in the reply".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests;
