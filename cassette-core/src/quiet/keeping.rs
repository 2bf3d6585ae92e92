//! What is kept, of all that could be.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::{Keeping, Pair};
use crate::call::Call;
use crate::draft::{Entry, Kept};
use crate::renaming::Stretches;

/// Decides what is kept: from all that agrees, whatever hangs on something that is written anew is taken away until nothing
/// does.
pub(super) fn settle(entries: &[Entry], pairs: &[Pair], calls: &[Arc<Call>]) -> Vec<Keeping> {
    let mut keeping: Vec<_> = pairs.iter().map(Pair::at_best).collect();
    let sources = sources(pairs);
    let exchanges: HashMap<usize, usize> =
        entries.iter().enumerate().filter_map(|(i, entry)| Some((entry.call?, i))).collect();
    let mut unread: BTreeSet<usize> = (0..calls.len()).collect();
    let mut unheard: BTreeSet<usize> = (0..entries.len()).filter(|i| entries[*i].kept == Kept::No).collect();
    let mut taken_up = vec![false; pairs.len()];
    let with_ids: Vec<usize> = (0..pairs.len()).filter(|i| !pairs[*i].agreement.ids.is_empty()).collect();
    let shown: Vec<usize> = (0..pairs.len()).filter(|i| pairs[*i].agreement.may_show()).collect();
    loop {
        let before = keeping.clone();
        let anew: Vec<usize> = unheard.iter().copied().filter(|i| keeping[*i] == Keeping::Nothing).collect();
        for exchange in &anew {
            let stretches = Stretches::of_outcome(&entries[*exchange].interaction.outcome);
            let repeated = |pair: &Pair| pair.agreement.ids.keys().any(|id| stretches.hold_all(id));
            with_ids.iter().for_each(|i| taken_up[*i] |= repeated(&pairs[*i]));
            unheard.remove(exchange);
        }
        // A long conversation is read only where it has to be.
        let is_whole = |call: &usize| exchanges.get(call).is_some_and(|i| keeping[*i] == Keeping::Whole);
        let anew: Vec<usize> = unread.iter().copied().filter(|call| !is_whole(call)).collect();
        for call in &anew {
            let stretches = Stretches::of(&calls[*call]);
            // What differs in a way that ids do not explain may be made of any of them, cut out of one, or its hash; or of how a reply
            // is written.
            let explained = exchanges.get(call).is_none_or(|i| pairs[*i].asked);
            let takes_up = |pair: &Pair| pair.agreement.moved().any(|value| stretches.hold(value));
            let earlier = shown.iter().copied().filter(|i| entries[*i].call < Some(*call));
            earlier.for_each(|i| taken_up[i] |= !explained || takes_up(&pairs[i]));
            unread.remove(call);
        }
        for i in 0..pairs.len() {
            let is_new = |source: &usize| keeping[*source] == Keeping::Nothing;
            if keeping[i] == Keeping::Whole && sources[i].iter().any(is_new) {
                keeping[i] = Keeping::Reply;
            }
            if taken_up[i] || pairs[i].clashes_with(pairs, &keeping) {
                keeping[i] = Keeping::Nothing;
            }
        }
        if keeping == before {
            return keeping;
        }
    }
}

impl Pair {
    fn at_best(&self) -> Keeping {
        match (self.agreement.same, self.repeated) {
            (true, true) => Keeping::Whole,
            (true, false) => Keeping::Reply,
            (false, _) => Keeping::Nothing,
        }
    }

    /// Returns whether a recorded id of this reply is one of a reply that is written anew: services that count name something
    /// else by it in each run.
    fn clashes_with(&self, pairs: &[Pair], keeping: &[Keeping]) -> bool {
        if self.agreement.ids.is_empty() {
            return false;
        }
        let mut new = pairs.iter().zip(keeping).filter(|(_, keeping)| **keeping == Keeping::Nothing);
        new.any(|(other, _)| self.agreement.ids.values().any(|recorded| other.agreement.named.contains(recorded)))
    }
}

/// Returns for each request the earlier replies that brought an id which stands in it.
fn sources(pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut brought: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut sources = Vec::with_capacity(pairs.len());
    for (i, pair) in pairs.iter().enumerate() {
        let of = |value: &String| brought.get(value.as_str()).into_iter().flatten().copied();
        sources.push(pair.taken.iter().flat_map(of).collect());
        pair.agreement.moved().for_each(|value| brought.entry(value).or_default().push(i));
    }
    sources
}
