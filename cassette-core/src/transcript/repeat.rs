//! Conversations that grow: what an earlier exchange has said already.

use super::{Entry, Exchange, What};

/// How many exchanges back a conversation is looked for.
const BACK: usize = 64;

/// How many bytes a single entry must have to be worth a reference.
const WORTH: usize = 200;

/// The beginning that an exchange shares with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The number of the earlier exchange.
    pub exchange: usize,
    /// How many of the entries said are said there too, its answer included.
    pub entries: usize,
}

/// Notes in each exchange which earlier one began with the same words, the one that has the most of them.
pub(super) fn mark(exchanges: &mut [Exchange]) {
    for i in 0..exchanges.len() {
        let (earlier, rest) = exchanges.split_at_mut(i);
        let exchange = &mut rest[0];
        exchange.same_settings = earlier.last().is_some_and(|before| before.settings == exchange.settings);
        let shared = earlier.iter().rev().take(BACK).map(|other| (shared(other, &exchange.said), other.number));
        let best = shared.max_by_key(|(entries, number)| (*entries, *number));
        exchange.repeat = best
            .filter(|(entries, _)| is_worth(&exchange.said[..*entries]))
            .map(|(entries, number)| Repeat { exchange: number, entries });
    }
}

fn is_worth(entries: &[Entry]) -> bool {
    entries.len() > 1 || entries.iter().any(|entry| entry.text.len() >= WORTH)
}

/// Returns how many of these entries the other exchange begins with: what was said in it, then what was answered.
fn shared(other: &Exchange, said: &[Entry]) -> usize {
    if other.said.first().map(words) != said.first().map(words) {
        return 0;
    }
    let answer = other.answer.iter().filter(|entry| matches!(entry.what, What::Said | What::Thought | What::Called));
    let mut known = other.said.iter().chain(answer).peekable();
    let mut count = 0;
    for entry in said {
        // What a model thought is seldom sent back to it.
        while known.peek().is_some_and(|known| known.what == What::Thought && words(known) != words(entry)) {
            known.next();
        }
        match known.next() {
            Some(known) if words(known) == words(entry) => count += 1,
            _ => break,
        }
    }
    count
}

fn words(entry: &Entry) -> (What, &str) {
    (entry.what, &entry.text)
}
