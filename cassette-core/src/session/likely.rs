//! The recordings of a call, and those that are only like it: the user's own functions are asked while no lock is held.

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

use super::Shared;
use super::begin::Refusal;
use super::state::State;
use crate::call::Call;
use crate::canonical;
use crate::lookup::{Asking, Kindred, Matches, Wanted};
use crate::matcher::{self, Matcher};
use crate::policy::{Order, Recorded, Repeat};
use crate::report::{Apart, Tried};
use crate::request::Request;
use crate::score::Score;
use crate::similarity::{self, Lexical};

/// What is known of recordings that a call may be served though they are not of it.
#[derive(Debug, Default)]
pub(super) struct Likely {
    /// Of those that are next, the ones that go where the call goes, the likest first.
    pub(super) fitting: Vec<usize>,
    /// Of those within the window, the ones that go where the call goes, with their scores.
    pub(super) alike: Vec<(usize, Score)>,
    /// How many recordings the user's own matcher could choose from.
    kin: Option<usize>,
}

/// What was found for a call, and the state in which it was.
pub(super) type Looked<'a> = (MutexGuard<'a, State>, Matches, Likely);

impl Shared {
    /// Looks up the recordings of this call, which is the run's so-and-so-many-th, from 0.
    ///
    /// The lock is let go while a function of the user's runs; what was found is looked at again afterwards.
    pub(super) fn look_up<'a>(
        &'a self,
        call: &Call,
        number: usize,
        mut state: MutexGuard<'a, State>,
    ) -> Result<Looked<'a>, Refusal> {
        let mut taken = None;
        if let Some(matcher) = self.plan.matching.matcher.as_ref().filter(|_| !state.used.is_empty()) {
            let kindred = self.with_lookup(&mut state, |lookup, asking| lookup.kindred(call, asking));
            drop(state);
            let accepted = self.ask_matcher(&**matcher, &kindred, number)?;
            state = self.resume(call)?;
            taken = Some((kindred, accepted));
        }
        let kin = taken.as_ref().map(|(kindred, _)| kindred.recorded.len());
        let mut scores: BTreeMap<usize, Score> = BTreeMap::new();
        loop {
            let matches = self.with_lookup(&mut state, |lookup, asking| match &taken {
                Some((kindred, accepted)) => kindred.matches(accepted, asking),
                None => lookup.find(call, asking),
            });
            let among = self.candidates(&matches, &state);
            if among.is_empty() {
                return Ok((state, matches, Likely { kin, ..Likely::default() }));
            }
            let kindred = self.with_lookup(&mut state, |lookup, asking| lookup.kindred_among(call, &among, asking));
            if self.policy.order == Order::Ordered {
                return Ok((state, matches, Likely { fitting: likest_first(&kindred), kin, ..Likely::default() }));
            }
            let unknown: Vec<_> = kindred.recorded.iter().filter(|(i, _)| !scores.contains_key(i)).cloned().collect();
            if unknown.is_empty() {
                let alike = kindred.recorded.iter().filter_map(|(i, _)| Some((*i, *scores.get(i)?))).collect();
                return Ok((state, matches, Likely { alike, kin, ..Likely::default() }));
            }
            drop(state);
            for (index, recorded) in unknown {
                scores.insert(index, self.ask_similarity((index, &recorded), &kindred.incoming, number)?);
            }
            state = self.resume(call)?;
        }
    }

    /// Returns the recordings that the order lets be served to a call though they may not be of it: none that is within a
    /// function which has been served.
    fn candidates(&self, matches: &Matches, state: &State) -> Vec<usize> {
        let repeats = self.policy.repeat == Repeat::Last && matches.unused.is_empty() && matches.last.is_some();
        if self.policy.recorded == Recorded::Live || repeats {
            return Vec::new();
        }
        match self.policy.order {
            Order::Any | Order::Strict => Vec::new(),
            Order::Ordered => {
                let next = state.next(&self.tape.interactions);
                let own = matches.unused.iter().any(|i| next.contains(i) || state.may_be_left(*i));
                if own { Vec::new() } else { next }
            }
            Order::Fuzzy if !matches.unused.is_empty() => Vec::new(),
            Order::Fuzzy => {
                let due = (0..state.used.len()).filter(|i| state.is_due(*i));
                due.take(self.plan.fuzziness.window).collect()
            }
        }
    }

    pub(super) fn with_lookup<T>(
        &self,
        state: &mut State,
        look: impl FnOnce(&mut crate::lookup::Lookup, &Asking<'_>) -> T,
    ) -> T {
        let withheld = self.withheld(state);
        let State { lookup, used, covered, bound, .. } = state;
        let by_position = self.policy.order == Order::Any && self.pool.size == 0 && withheld.is_none();
        let wanted = if by_position { Wanted::First } else { Wanted::All };
        let used = withheld.as_deref().unwrap_or(used);
        let secrets = self.secrets();
        look(
            lookup,
            &Asking { tape: &self.tape, rules: &self.plan.rules, secrets: &secrets, used, wanted, covered, bound },
        )
    }

    /// Returns the recordings that the user's own matcher takes for the call's.
    fn ask_matcher(&self, matcher: &dyn Matcher, kindred: &Kindred, number: usize) -> Result<Vec<usize>, Refusal> {
        let mut taken = Vec::new();
        for (index, recorded) in &kindred.recorded {
            match matcher::ask(matcher, recorded.call(), kindred.incoming.call()) {
                Some(true) => taken.push(*index),
                Some(false) => {}
                None => return Err(Refusal::latch(self.plan.matcher_panicked(number + 1, index + 1))),
            }
        }
        Ok(taken)
    }

    fn ask_similarity(
        &self,
        (index, recorded): (usize, &Arc<Request>),
        incoming: &Request,
        number: usize,
    ) -> Result<Score, Refusal> {
        let asked = similarity::ask(&*self.plan.fuzziness.similarity, recorded, incoming);
        asked.map_err(|what| Refusal::latch(self.plan.similarity_failed(number + 1, index + 1, &what)))
    }

    /// Returns why a recording cannot be served to this call.
    fn apart(&self, index: usize, call: &Call) -> Apart {
        let recorded = self.tape.interactions[index].call();
        let Some(recorded) = recorded.filter(|recorded| recorded.name == call.name) else { return Apart::Elsewhere };
        match [recorded, call].map(canonical::is_streamed) {
            [true, false] => Apart::Streams,
            [false, true] => Apart::Whole,
            _ => Apart::Elsewhere,
        }
    }

    /// Returns what was tried for a call for which nothing is served, as its report tells it.
    pub(super) fn tried(&self, likely: &Likely, call: &Call, state: &State) -> Vec<Tried> {
        let place = |index: usize| self.place(index);
        let by_order = match self.policy.order {
            Order::Any | Order::Strict => None,
            Order::Ordered => state
                .next(&self.tape.interactions)
                .first()
                .map(|next| Tried::Next(place(*next), self.apart(*next, call))),
            Order::Fuzzy if state.unasked().is_empty() => None,
            Order::Fuzzy => {
                // Of equal ones the first, as where one is served.
                let best = likely.alike.iter().rev().max_by_key(|(_, score)| *score);
                let best = best.map(|(index, score)| (place(*index), *score));
                Some(Tried::Likest { best, threshold: self.policy.threshold, window: self.plan.fuzziness.window })
            }
        };
        likely.kin.map(Tried::Matcher).into_iter().chain(by_order).collect()
    }
}

/// Returns the recordings by how alike they are; where only one can be served, nothing is compared.
fn likest_first(kindred: &Kindred) -> Vec<usize> {
    let mut found: Vec<_> = kindred.recorded.iter().collect();
    if found.len() > 1 {
        let score = |recorded: &Request| similarity::ask(&Lexical, recorded, &kindred.incoming).ok();
        found.sort_by_cached_key(|(_, recorded)| std::cmp::Reverse(score(recorded)));
    }
    found.into_iter().map(|(index, _)| *index).collect()
}
