//! From a run that has ended to the file: taken over, or kept pending with the reason.

use std::collections::HashSet;
use std::time::Instant;

use super::finish::Summary;
use super::state::{Fate, Recorded, State};
use super::volatile::taken_up;
use super::{Outages, Shared};
use crate::call::Kind;
use crate::canonical::Canonical;
use crate::disk;
use crate::draft::{self, Draft, Entry, Kept, Rest};
use crate::policy::{Order, Unused};
use crate::prove::{Proven, Terms, Unproven, prove};
use crate::redact::{self, Depth, TABLE};
use crate::renumber::{rename, renumber};
use crate::reply::{Outcome, TransportError, Truncation};
use crate::report::{Report, Why};
use crate::tape::{Head, Interaction, Stamp, Tape};

impl Shared {
    /// Ends a recording run and gives the report that fails it, if there is one.
    pub(super) fn conclude(&self, state: &mut State, passed: bool, summary: &mut Summary) -> Option<Report> {
        if passed && state.calls.is_empty() {
            return Some(self.plan.no_calls());
        }
        if let (true, Some(owner)) = (passed && self.plan.unused == Unused::Fail, self.another_owner()) {
            let left = self.unasked(state);
            let place = |i: &usize| draft::place(*i, &self.tape.interactions[*i]);
            if !left.is_empty() {
                return Some(self.plan.unused(left.iter().map(place).collect(), state.used.len(), Some(owner)));
            }
        }
        let hindrance = if passed { self.hindrance(state) } else { Some(Why::TestFailed) };
        let rest = if self.is_shared() { Rest::Keep } else { Rest::Drop };
        let draft = draft::draft(self.head(state), &self.tape, self.entries(state), rest);
        summary.recorded = recorded(state).count();
        let Some(why) = hindrance else { return self.take_over(state, draft, summary).err() };
        if summary.recorded > 0 {
            let text = disk::write(&self.marked(draft.tape, &why));
            self.set_aside(state, &text, summary);
        }
        (why != Why::TestFailed).then(|| self.plan.pending(why, summary.pending.clone()))
    }

    /// Returns why what a passing run recorded may not be taken over.
    fn hindrance(&self, state: &State) -> Option<Why> {
        if !state.broken.is_empty() {
            return Some(Why::Broken(state.broken.clone()));
        }
        let unended = |slot: &super::state::Slot| matches!(slot.fate, Fate::Live(_, None)).then_some(slot.call);
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
        redact::redact_text(&state.calls[call].title(), &self.plan.rules, &mut self.secrets())
    }

    /// Saves what the run says, unless that is what the file says already.
    fn take_over(&self, state: &mut State, draft: Draft, summary: &mut Summary) -> Result<(), Report> {
        if !self.tape.interactions.is_empty() && draft::unchanged(&self.tape, &renumber(draft.tape.clone())) {
            summary.unchanged = true;
            return self.close_journal(state);
        }
        if state.journal.is_none() {
            self.lock(state)?;
        }
        let tape = renumber(draft.tape);
        match self.prove(&tape, state) {
            Ok(proven) => {
                self.save(&proven).inspect_err(|_| self.set_aside(state, proven.text(), summary))?;
                summary.dropped = draft.dropped;
                self.close_journal(state)
            }
            Err(Unproven::Leak(findings, masked)) => {
                self.set_aside(state, &masked, summary);
                Err(self.plan.leak(&findings))
            }
            Err(Unproven::Broken(what, text)) => {
                self.set_aside(state, &text, summary);
                Err(self.plan.pending(Why::Unproven(what), summary.pending.clone()))
            }
        }
    }

    /// Proves the tape, and that the run which recorded it would pass on it.
    fn prove(&self, tape: &Tape, state: &State) -> Result<Proven, Unproven> {
        let secrets = self.secrets().clone();
        let terms =
            Terms { matching: &self.plan.matching, rules: &self.plan.rules, secrets: &secrets, allowed: &self.allowed };
        let proven = prove(tape, &terms)?;
        let rehearsed = self.rehearse(tape, state);
        rehearsed.map_err(|what| Unproven::Broken(what, proven.text().to_owned()))?;
        Ok(proven)
    }

    fn save(&self, proven: &Proven) -> Result<(), Report> {
        let store = &self.plan.store;
        let saved = store.save(&self.plan.name, proven).and_then(|()| store.drop_pending(&self.plan.name));
        saved.map_err(|error| self.plan.storage(error))
    }

    /// Keeps a document that was not taken over, whatever is secret in it masked. Where even that fails, the journal stays.
    fn set_aside(&self, state: &mut State, text: &str, summary: &mut Summary) {
        let masked = crate::audit::mask(text, &self.plan.rules, &self.secrets());
        if self.plan.store.keep_pending(&self.plan.name, &masked).is_ok() {
            summary.pending = Some(self.plan.store.pending_place(&self.plan.name));
            // The journal says nothing that the pending document does not: a leftover is harmless.
            let _ = self.close_journal(state);
        }
    }

    fn close_journal(&self, state: &mut State) -> Result<(), Report> {
        let closed = state.journal.take().map_or(Ok(()), |journal| journal.close());
        closed.map_err(|error| self.plan.storage(error))
    }

    /// Returns whether recordings that this run did not ask for may be another test's.
    fn is_shared(&self) -> bool {
        self.plan.unused == Unused::Allow || self.another_owner().is_some()
    }

    fn head(&self, state: &State) -> Head {
        let old = &self.tape.head;
        let owner = self.another_owner().unwrap_or(&self.plan.test);
        let mut head = Head {
            test: Some(owner.to_owned()),
            registered: if owner == self.plan.test { self.plan.is_registered() } else { old.registered },
            recorded: Some(crate::clock::today()),
            by: self.plan.by.clone(),
            redaction: TABLE,
            stamp: self.plan.stamp.or(&if self.is_shared() { old.stamp.clone() } else { Stamp::default() }),
            ..old.clone()
        };
        state.meta.iter().for_each(|(name, value)| head.set_meta(name, value.clone()));
        head
    }

    /// Returns the tape with the reason in its head why it was not taken over.
    fn marked(&self, mut tape: Tape, why: &Why) -> Tape {
        let why = match why {
            Why::TestFailed => "the test failed",
            Why::Outage(_) => "the upstream was not in order",
            Why::Bypass(_) => "a host was reached round every seam",
            Why::UnderWay(_) => "calls were still under way",
            Why::Broken(_) => "functions gave neither value nor error",
            Why::Unproven(_) => "it would not replay",
        };
        tape.head.other.push(("pending".into(), why.into()));
        tape
    }

    /// Returns the exchanges of the run that have ended, in the order in which they started.
    fn entries(&self, state: &State) -> Vec<Entry> {
        let taken = taken_up(state);
        let mut entered = HashSet::new();
        let mut entries: Vec<Entry> = Vec::new();
        for slot in &state.slots {
            match &slot.fate {
                // With `repeat` one recording may have been served many times.
                Fate::Served(index) if entered.insert(*index) => {
                    let function = entries.len();
                    entries.push(self.kept(*index, function, slot.start));
                    let within = (0..state.used.len()).filter(|i| self.tape.interactions[*i].within == Some(*index));
                    for index in within.filter(|i| !state.used[*i]) {
                        let kept = self.kept(index, entries.len(), slot.start);
                        entries.push(Entry { within: Some(function), ..kept });
                    }
                }
                Fate::Served(_) | Fate::Live(_, None) => {}
                Fate::Live(old, Some(recorded)) => {
                    let (interaction, canonical) = self.hidden_again(self.completed(state, recorded, &taken));
                    let (number, start, end) = (entries.len(), slot.start, recorded.end);
                    let kept = Kept::No;
                    entries.push(Entry { interaction, canonical, number, within: None, old: *old, kept, start, end });
                }
            }
        }
        draft::enclose(&mut entries);
        entries
    }

    /// Returns a recording that was served, with the key that it has today.
    fn kept(&self, index: usize, number: usize, start: Instant) -> Entry {
        let (interaction, canonical) = self.hidden_again(self.tape.interactions[index].clone());
        let kept = match self.plan.order {
            Order::Any => Kept::Anywhere,
            Order::Strict => Kept::InItsGroup(self.group(index)),
        };
        Entry { interaction, canonical, number, within: None, old: Some(index), kept, start, end: start }
    }

    /// Hides in an exchange what is known to be secret by now: a token may be seen in a reply before it is known for one.
    pub(super) fn hidden_again(&self, interaction: Interaction) -> (Interaction, Canonical) {
        let (rules, mut secrets) = (&self.plan.rules, self.secrets());
        let call = redact::redact_recorded(&interaction.call, rules, Depth::Known, &mut secrets);
        let outcome = match interaction.outcome {
            Outcome::Reply(reply) => {
                Outcome::Reply((*redact::redact_recorded_reply(&reply, rules, &mut secrets)).clone())
            }
            Outcome::Error(error) => {
                let message = redact::redact_text(&error.message, rules, &mut secrets);
                Outcome::Error(TransportError { message, ..error })
            }
        };
        let canonical = Canonical::of(&call, &self.plan.matching);
        (Interaction { key: canonical.key(), call: (*call).clone(), outcome, ..interaction }, canonical)
    }

    /// Returns a recorded exchange with those volatile headers that a later request took up.
    pub(super) fn completed(&self, state: &State, recorded: &Recorded, taken: &HashSet<String>) -> Interaction {
        let mut interaction = recorded.interaction.clone();
        rename(&mut interaction, &state.renamed);
        if let Outcome::Reply(reply) = &mut interaction.outcome {
            for volatile in recorded.volatile.iter().filter(|volatile| taken.contains(&volatile.value)) {
                let text = redact::redact_text(&volatile.value, &self.plan.rules, &mut self.secrets());
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
fn outages(state: &State) -> Vec<String> {
    let all: Vec<_> = recorded(state).collect();
    let recovered = |(i, outage): (usize, &Recorded)| {
        all[i + 1..]
            .iter()
            .any(|later| later.canonical.parts() == outage.canonical.parts() && outage_of(later).is_none())
    };
    let lasting = |(i, recorded): (usize, &&Recorded)| {
        let outage = outage_of(recorded).filter(|_| !recovered((i, recorded)))?;
        Some(format!("{}: {outage}", recorded.interaction.call.name))
    };
    all.iter().enumerate().filter_map(lasting).collect()
}

/// Returns what was out of order about an exchange: status 401, 403, 429 or 5xx, no reply, or a broken one.
///
/// An error of the user's own function is a result like any other.
fn outage_of(recorded: &Recorded) -> Option<String> {
    if recorded.interaction.call.kind != Kind::Http {
        return None;
    }
    match &recorded.interaction.outcome {
        Outcome::Error(error) => Some(format!("{} error, {}", error.class.as_str(), error.message)),
        Outcome::Reply(reply) if reply.truncated == Some(Truncation::Upstream) => {
            Some("the reply was broken off".into())
        }
        Outcome::Reply(reply) => {
            let out_of_order = matches!(reply.status, 401 | 403 | 429 | 500..);
            out_of_order.then(|| format!("status {}", reply.status))
        }
    }
}
