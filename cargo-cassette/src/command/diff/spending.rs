//! What two states of a cassette took, in tokens and in dollars.

use cargo_cassette::pricing::PriceList;
use cassette_core::account::{Spent, account};
use cassette_core::alignment::{Aspect, Pair};
use cassette_core::tape::Tape;

use super::super::stats::{Reach, cost, tokens};

/// What both took, which differs.
pub(super) struct Spending {
    pub(super) before: Spent,
    pub(super) after: Spent,
}

/// Returns what two states of a cassette took; `None` where it is the same.
pub(super) fn of_cassette(before: &Tape, after: &Tape, list: &PriceList) -> Option<Spending> {
    let [before, after] = [before, after].map(|tape| account(tape, &list.prices).spent());
    (before != after).then_some(Spending { before, after })
}

/// Returns what a call took on both sides, where its usage or its model changed and that makes a difference.
pub(super) fn of_call(pair: &Pair, tapes: [&Tape; 2], list: &PriceList) -> Option<Spending> {
    let is_of_it = |aspect: Aspect| matches!(aspect, Aspect::Usage | Aspect::Model | Aspect::Request);
    pair.changes.iter().find(|change| is_of_it(change.aspect))?;
    let alone = |tape: &Tape, at: usize| {
        let interactions = tape.interactions.get(at).cloned().into_iter().collect();
        Tape { interactions, ..Tape::default() }
    };
    of_cassette(&alone(tapes[0], pair.before?), &alone(tapes[1], pair.after?), list)
}

impl Spending {
    /// Returns what differs, for a reader.
    pub(super) fn told(&self, list: &PriceList) -> Vec<String> {
        let tokens = change([&self.before, &self.after].map(|spent| match spent.calls {
            0 => "none".to_owned(),
            _ => tokens(&spent.tokens),
        }));
        let tokens = tokens.map(|tokens| format!("tokens {tokens}"));
        tokens
            .into_iter()
            .chain(self.cost().map(|cost| format!("cost {cost} at the list prices of {}", list.checked)))
            .collect()
    }

    /// Returns the change in dollars at list prices, where there is one: `$0.000195 → $0.000198`.
    pub(super) fn cost(&self) -> Option<String> {
        change([&self.before, &self.after].map(|spent| cost(spent, 1, Reach::All)))
    }
}

fn change([before, after]: [String; 2]) -> Option<String> {
    (before != after).then(|| format!("{before} → {after}"))
}
