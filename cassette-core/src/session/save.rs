//! From a run that has ended to the file: taken over, or kept pending with the reason.

use std::collections::{HashMap, HashSet};

use super::aside;
use super::state::{Fate, Recorded, Slot, State};
use super::summary::Summary;
use super::volatile::taken_up;
use super::{Outages, Owner, Shared};
use crate::busy::Busy;
use crate::call::Kind;
use crate::canonical::Canonical;
use crate::draft::{self, Entry, Kept, Rest};
use crate::hiding::hide;
use crate::mode::Mode;
use crate::policy::{Order, Unused};
use crate::redact::TABLE;
use crate::renumber::rename;
use crate::reply::{Outcome, Truncation};
use crate::report::{Report, Why};
use crate::tape::{Head, Interaction, Stamp};

impl Shared {
    /// Ends a recording run and gives the report that fails it, if there is one.
    pub(super) fn conclude(&self, state: &mut State, passed: bool, summary: &mut Summary) -> Option<Report> {
        if passed && state.calls.is_empty() {
            return Some(self.plan.no_calls());
        }
        if let (true, Some(report)) = (passed, self.unreached(state)) {
            return Some(report);
        }
        if let (true, Some(owner)) = (passed && self.plan.unused == Unused::Fail, self.another_owner()) {
            let left = state.unasked();
            let place = |i: &usize| self.place(*i);
            if !left.is_empty() {
                let left = left.iter().map(place).collect();
                return Some(self.plan.unused(left, state.used.len(), Some(&owner), None));
            }
        }
        let hindrance = if passed { self.hindrance(state) } else { Some(Why::TestFailed) };
        let rest = if self.is_shared() { Rest::Keep } else { Rest::Drop };
        summary.recorded = recorded(state).count();
        let entries = self.entries(state);
        summary.hidden = self.hidden_in_bodies(&entries);
        let Some(why) = hindrance else { return self.take_over(state, entries, rest, summary).err() };
        if summary.recorded > 0 {
            let draft = draft::draft(self.head(state), &self.tape, entries, rest);
            summary.echoes = self.echoes(&draft.tape);
            let reason = match &why {
                Why::TestFailed => aside::failed(state),
                why => aside::reason(why),
            };
            self.set_aside(state, self.tape_at_rest(draft.tape), reason, summary);
        }
        (why != Why::TestFailed).then(|| self.plan.pending(why, summary))
    }

    /// Returns why what a passing run recorded may not be taken over.
    fn hindrance(&self, state: &State) -> Option<Why> {
        if !state.broken.is_empty() {
            return Some(Why::Broken(state.broken.clone()));
        }
        let unended = |slot: &Slot| matches!(slot.fate, Fate::Live(_, None)).then_some(slot.call);
        let under_way: Vec<_> = state.slots.iter().filter_map(unended).map(|call| self.name_of(state, call)).collect();
        if !under_way.is_empty() {
            return Some(Why::UnderWay(under_way));
        }
        if !state.bypassed.is_empty() {
            return Some(Why::Bypass(state.bypassed.clone()));
        }
        let outages = if self.plan.outages == Outages::Allow { Vec::new() } else { outages(state) };
        (!outages.is_empty()).then_some(Why::Outage(outages))
    }

    fn name_of(&self, state: &State, call: usize) -> String {
        self.said(&state.calls[call].title())
    }

    /// Returns whether the run goes on with what is recorded, or with the part of it that is another test's.
    pub(super) fn keeps(&self) -> bool {
        self.plan.mode != Mode::Refresh || self.is_shared() || self.pool.size > 0
    }

    /// Returns whether recordings that this run did not ask for may be another test's.
    pub(super) fn is_shared(&self) -> bool {
        self.plan.unused == Unused::Allow || self.another_owner().is_some()
    }

    pub(super) fn head(&self, state: &State) -> Head {
        let old = &self.tape.head;
        let (test, package, registered) = match (self.another_owner(), self.plan.owner) {
            (Some(_), _) => (old.test.clone(), old.package.clone(), old.registered),
            (None, Owner::Test) => (Some(self.plan.test.clone()), self.plan.told_package(), self.plan.is_registered()),
            (None, Owner::Nobody) => (None, None, false),
        };
        let mut head = Head {
            test,
            package,
            registered,
            recorded: Some(crate::clock::today()),
            by: self.plan.by.clone(),
            redaction: TABLE,
            origin: self.origin(state),
            stamp: self.plan.stamp.or(&if self.is_shared() { old.stamp.clone() } else { Stamp::default() }),
            ..old.clone()
        };
        state.meta.iter().for_each(|(name, value)| head.set_meta(name, value.clone()));
        head
    }

    /// Returns the exchanges of the run that have ended, in the order in which they started.
    fn entries(&self, state: &State) -> Vec<Entry> {
        let taken = taken_up(state);
        let mut entered = HashSet::new();
        let mut entries: Vec<Entry> = Vec::new();
        let served = state.slots.iter().rev().filter_map(|slot| match slot.fate {
            Fate::Served(index) => Some((index, slot.call)),
            Fate::Live(..) => None,
        });
        let served: HashMap<usize, usize> = served.collect();
        for slot in &state.slots {
            match &slot.fate {
                // With `repeat` one recording may have been served many times.
                Fate::Served(index) if entered.insert(*index) => {
                    let within = self.tape.interactions[*index].within.and_then(|i| served.get(&i).copied());
                    entries.push(Entry { within, ..self.kept(*index, slot) });
                    let its = state.inner.get(index).into_iter().flatten();
                    for index in its.filter(|i| state.covered[**i] && !state.used[**i]) {
                        entries.push(Entry { call: None, within: Some(slot.call), ..self.kept(*index, slot) });
                    }
                    for loser in self.losers_beside(state, *index) {
                        if entered.insert(loser) {
                            entries.push(Entry { call: None, within: None, ..self.kept(loser, slot) });
                        }
                    }
                }
                Fate::Served(_) | Fate::Live(_, None) => {}
                Fate::Live(old, Some(recorded)) => {
                    let (interaction, canonical) = self.hidden_again(self.completed(state, recorded, &taken));
                    let (call, start, end) = (Some(slot.call), slot.start, recorded.end);
                    let busy = recorded.busy.clone();
                    let (old, kept) = (*old, Kept::No);
                    entries.push(Entry {
                        interaction,
                        canonical,
                        old,
                        kept,
                        call,
                        within: None,
                        start,
                        end,
                        busy,
                        medium: slot.medium,
                    });
                }
            }
        }
        draft::enclose(&mut entries);
        entries
    }

    /// Returns the recordings that lost a race against this one, and were not asked for: they may be, another time.
    fn losers_beside(&self, state: &State, index: usize) -> Vec<usize> {
        let start = self.group(index);
        let all = &self.tape.interactions;
        let group = (start..all.len()).take_while(|i| *i == start || all[*i].overlaps);
        group.filter(|i| state.lost[*i] && !state.used[*i]).collect()
    }

    /// Returns a recording that was served, with the key that it has today.
    fn kept(&self, index: usize, slot: &Slot) -> Entry {
        let (interaction, canonical) = self.hidden_again(self.tape.interactions[index].clone());
        let (kept, call, start) = (self.freedom(index), Some(slot.call), slot.start);
        Entry {
            interaction,
            canonical,
            old: Some(index),
            kept,
            call,
            within: None,
            start,
            end: start,
            busy: Busy::default(),
            medium: slot.medium,
        }
    }

    /// Returns how free a recording that is kept is to stand where it stands in the file.
    pub(super) fn freedom(&self, index: usize) -> Kept {
        match self.plan.order {
            Order::Any | Order::Fuzzy => Kept::Anywhere,
            Order::Strict | Order::Ordered => Kept::InItsGroup(self.group(index)),
        }
    }

    /// Hides in an exchange what is known to be secret by now: a token may be seen in a reply before it is known for one.
    ///
    /// Digests stay as they are, and what they are of is not known.
    pub(super) fn hidden_again(&self, interaction: Interaction) -> (Interaction, Option<Canonical>) {
        let (hidden, call) = hide(interaction, &self.plan.rules, &mut self.secrets());
        let Some(call) = call else { return (hidden, None) };
        let canonical = Canonical::of(&call, &self.plan.matching);
        (Interaction { key: canonical.key(), ..hidden }, Some(canonical))
    }

    /// Returns a recorded exchange with those volatile headers that a later request took up.
    pub(super) fn completed(&self, state: &State, recorded: &Recorded, taken: &HashSet<String>) -> Interaction {
        let mut interaction = recorded.interaction.clone();
        rename(&mut interaction, &state.renamed);
        if let Outcome::Reply(reply) = &mut interaction.outcome {
            for volatile in recorded.volatile.iter().filter(|volatile| taken.contains(&volatile.value)) {
                let text = self.said(&volatile.value);
                reply.headers[volatile.header].1 = text;
            }
        }
        interaction
    }
}

fn recorded(state: &State) -> impl Iterator<Item = &Recorded> {
    state.slots.iter().filter_map(|slot| match &slot.fate {
        Fate::Live(_, Some(recorded)) => Some(&**recorded),
        _ => None,
    })
}

/// Returns the calls that met an upstream out of order and were not answered well later in the run, with what came back.
pub(super) fn outages(state: &State) -> Vec<String> {
    let all: Vec<_> = recorded(state).collect();
    let recovered = |(i, outage): (usize, &Recorded)| {
        all[i + 1..]
            .iter()
            .any(|later| later.canonical.parts() == outage.canonical.parts() && outage_of(later).is_none())
    };
    let lasting = |(i, recorded): (usize, &&Recorded)| {
        let outage = outage_of(recorded).filter(|_| !recovered((i, recorded)))?;
        Some(format!("{}: {outage}", recorded.interaction.asked.title()))
    };
    all.iter().enumerate().filter_map(lasting).collect()
}

/// Returns what was out of order about an exchange: status 401, 403, 429 or 5xx, no reply, or a broken one.
///
/// An error of the user's own function is a result like any other.
fn outage_of(recorded: &Recorded) -> Option<String> {
    let is_http = recorded.interaction.asked.kind() == Kind::Http;
    match &recorded.interaction.outcome {
        Outcome::Error(error) => Some(format!("{} error, {}", error.class.as_str(), error.message)),
        Outcome::Reply(reply) if reply.truncated == Some(Truncation::Upstream) => {
            Some("the reply was broken off".into())
        }
        Outcome::Reply(reply) => {
            let out_of_order = is_http && matches!(reply.status, 401 | 403 | 429 | 500..);
            out_of_order.then(|| format!("status {}", reply.status))
        }
    }
}
