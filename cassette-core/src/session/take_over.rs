//! The end of a recording run that passed: what it says is held against the file, proven, and saved.

use std::sync::Arc;

use super::rehearse::Line;
use super::state::{Fate, Slot, State};
use super::summary::Summary;
use super::{Shared, aside};
use crate::alignment::diff;
use crate::call::Call;
use crate::clock;
use crate::digested::Digested;
use crate::draft::{self, Draft, Entry, Kept, Rest};
use crate::mode::Mode;
use crate::prove::{Proven, Terms, Unproven, prove, redated};
use crate::quiet::{Keeping, Quiet, Recording, Shelf, quiet};
use crate::redact::{self, Depth, Secrets, Tally};
use crate::renumber::renumber;
use crate::report::{Place, Report, Why};
use crate::store::StoreError;
use crate::tape::{Head, Tape};

/// From how many days on a refresh that finds nothing changed renews the date of recording.
pub const RENEWED_AFTER: u64 = 30;

/// A file that a run may leave, and the run as it would be replayed on it.
struct Attempt {
    draft: Draft,
    /// Its exchanges whose reply repeats what must not stand in it.
    echoes: Vec<Place>,
    script: Vec<Line>,
    /// How many replies of the run it does without.
    kept: usize,
}

impl Shared {
    /// Saves what the run says, unless that is what the file says already.
    ///
    /// What came back equal stays as it is in the file, as long as the run would pass on the result; else everything is
    /// written as it came.
    pub(super) fn take_over(
        &self,
        state: &mut State,
        entries: Vec<Entry>,
        rest: Rest,
        summary: &mut Summary,
    ) -> Result<(), Report> {
        let old: Vec<Recording> =
            self.tape.interactions.iter().map(|interaction| self.hidden_again(interaction.clone())).collect();
        let at_rest = |call: &Call| {
            let digests = self.digests.as_ref()?;
            let call = redact::redact_recorded(call, &self.plan.rules, Depth::Shape, &mut self.secrets());
            Some(Digested::of(&call, &self.plan.matching, &digests.salt))
        };
        let shelf = Shelf { old: &old, matching: &self.plan.matching, digested: &at_rest };
        let quiet = quiet(entries, &shelf, &state.calls);
        let attempt = self.attempt(state, &quiet, &old, rest);
        if self.is_unchanged(&attempt) {
            // What was recorded may be all that there is of it by now, and takes the place of what is pending. Where nothing was,
            // nothing is at stake.
            let there = if summary.recorded > 0 { self.confirmed() } else { Ok(()) };
            summary.echoes = attempt.echoes.clone();
            summary.hidden = Tally::default();
            return match there.and_then(|()| self.redate(&attempt)) {
                Ok(redated) => {
                    (summary.unchanged, summary.kept, summary.redated) = (true, attempt.kept, redated);
                    self.close_journal(state)
                }
                Err(error) => Err(self.unsaved(state, attempt.draft.tape, error, summary)),
            };
        }
        if state.journal.is_none() {
            self.lock(state)?;
        }
        let (attempt, proof) = match (attempt.kept, self.prove(state, &attempt)) {
            (1.., Err(_)) => {
                let plain = self.attempt(state, &quiet.without_keeping(), &old, rest);
                let proof = self.prove(state, &plain);
                (plain, proof)
            }
            (_, proof) => (attempt, proof),
        };
        summary.echoes = attempt.echoes;
        match proof {
            Ok(proven) => {
                summary.by_environment = self.by_environment(&attempt.draft.tape, &attempt.script, &state.declared);
                let tape = attempt.draft.tape;
                let (replaced, dropped) = told_apart(attempt.draft.dropped, &self.tape, &tape);
                let recorded_over = self.recorded_over(state, &tape);
                if let Err(error) = self.save(&proven) {
                    return Err(self.unsaved(state, tape, error, summary));
                }
                summary.forked = self.plan.fork.clone().filter(|_| self.pool.is_new);
                (summary.replaced, summary.dropped) = (replaced, dropped);
                summary.recorded_over = recorded_over;
                summary.kept = attempt.kept;
                self.close_journal(state)
            }
            Err(Unproven::Leak(findings)) => {
                self.set_aside(state, attempt.draft.tape, aside::leak(&findings), summary);
                Err(self.plan.leak(&findings, summary))
            }
            Err(Unproven::Denied(places)) => {
                let why = Why::Matcher(places);
                self.set_aside(state, attempt.draft.tape, aside::reason(&why), summary);
                Err(self.plan.pending(why, summary))
            }
            Err(Unproven::Late(late)) => {
                let why = Why::Late(late);
                self.set_aside(state, attempt.draft.tape, aside::reason(&why), summary);
                Err(self.plan.pending(why, summary))
            }
            Err(Unproven::SentOn(sent)) => {
                let why = Why::SentOn(sent);
                self.set_aside(state, attempt.draft.tape, aside::reason(&why), summary);
                Err(self.plan.pending(why, summary))
            }
            Err(Unproven::Broken(what)) => {
                let why = Why::Unproven(what);
                self.set_aside(state, attempt.draft.tape, aside::reason(&why), summary);
                Err(self.plan.pending(why, summary))
            }
        }
    }

    fn attempt(&self, state: &State, quiet: &Quiet, old: &[Recording], rest: Rest) -> Attempt {
        let whole = quiet.keeping.iter().all(|keeping| *keeping == Keeping::Whole);
        let freedom = |index| if whole { self.freedom(index) } else { Kept::InItsGroup(self.group(index)) };
        let mut draft = draft::draft(self.head(state), &self.tape, quiet.kept(old, freedom), rest);
        let echoes = self.echoes(&draft.tape);
        draft.tape = renumber(self.tape_at_rest(draft.tape));
        Attempt { draft, echoes, script: self.script(state, quiet, old), kept: quiet.count() }
    }

    /// Returns the calls of the run, those of exchanges that are kept whole as they are in the recording, each with what it
    /// has to be served. What was asked within a function comes last: a replay serves the function, and need not ask it.
    fn script(&self, state: &State, quiet: &Quiet, old: &[Recording]) -> Vec<Line> {
        let is_within = |slot: &Slot| quiet.of_call(slot.call).is_some_and(|(entry, _)| entry.within.is_some());
        let line = |slot: &Slot| {
            let number = (!is_within(slot)).then_some(slot.call);
            let call = &state.calls[slot.call];
            let name = format!("call {}, {}", slot.call + 1, self.shown(call).title());
            let recorded = |index: usize| old[index].0.outcome.clone();
            let (call, expected) = match (&slot.fate, quiet.of_call(slot.call)) {
                (Fate::Served(index), _) => (Arc::clone(call), recorded(*index)),
                (Fate::Live(..), Some((entry, keeping))) => match (keeping, entry.old) {
                    (Keeping::Whole, Some(index)) => (Arc::new(quiet.renaming.call(call).0), recorded(index)),
                    (Keeping::Reply, Some(index)) => (Arc::clone(call), recorded(index)),
                    _ => (Arc::clone(call), entry.interaction.outcome.clone()),
                },
                (Fate::Live(..), None) => return None,
            };
            Some(Line { name, number, call, expected })
        };
        let (inner, outer): (Vec<_>, Vec<_>) = state.slots.iter().partition(|slot| is_within(slot));
        outer.into_iter().chain(inner).filter_map(line).collect()
    }

    /// Returns the recordings of a shared file in whose place another answer stands now: other tests may ask the same.
    fn recorded_over(&self, state: &State, new: &Tape) -> Vec<Place> {
        if !self.is_shared() {
            return Vec::new();
        }
        let over = state.slots.iter().filter_map(|slot| match slot.fate {
            Fate::Live(old, _) => old,
            Fate::Served(_) => None,
        });
        let is_gone = |old: &usize| {
            let old = &self.tape.interactions[*old];
            !new.interactions.iter().any(|it| it.key() == old.key() && it.outcome == old.outcome)
        };
        over.filter(is_gone).map(|old| self.place(old)).collect()
    }

    /// Returns whether a file that holds something says the same already, and the run would pass on it.
    fn is_unchanged(&self, attempt: &Attempt) -> bool {
        // What the run began with was read elsewhere, and is not what the file says.
        let own = !self.tape.interactions.is_empty() && !self.pool.is_new;
        let same = own && draft::unchanged(&self.tape, &attempt.draft.tape);
        same && (attempt.kept == 0 || self.rehearse(&self.tape, &attempt.script).is_ok())
    }

    /// Renews the date of recording of a file that a refresh found unchanged, where it is old, is none or is still to come, and returns
    /// whether it did. Nothing else in the file changes; where that cannot be proven, nothing does.
    fn redate(&self, attempt: &Attempt) -> Result<bool, StoreError> {
        let from = self.tape.head.recorded.as_deref();
        let days = from.and_then(|from| clock::days_between(from, &clock::today()));
        if days.is_some_and(|days| days <= RENEWED_AFTER) || attempt.kept == 0 || self.plan.mode != Mode::Refresh {
            return Ok(false);
        }
        let bytes = self.plan.store.load(&self.plan.name)?;
        let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else { return Ok(false) };
        let head = Head { recorded: Some(clock::today()), ..self.tape.head.clone() };
        let tape = Tape { head, interactions: self.tape.interactions.clone() };
        let secrets = self.secrets().clone();
        match redated(&text, from, &tape, &self.terms(&secrets)) {
            Some(proven) => self.save(&proven).map(|()| true),
            None => Ok(false),
        }
    }

    /// Proves the file, and that the run which recorded it would pass on it.
    fn prove(&self, state: &State, attempt: &Attempt) -> Result<Proven, Unproven> {
        let secrets = self.secrets().clone();
        let proven = prove(&attempt.draft.tape, &self.terms(&secrets))?;
        let rehearsed = self.rehearse(&attempt.draft.tape, &attempt.script);
        rehearsed.map_err(Unproven::Broken)?;
        let late = self.too_late(&attempt.draft.tape, &attempt.script);
        if !late.is_empty() {
            return Err(Unproven::Late(late));
        }
        let sent_on = self.sent_on(state, &attempt.draft.tape, &attempt.script);
        if sent_on.is_empty() { Ok(proven) } else { Err(Unproven::SentOn(sent_on)) }
    }

    fn terms<'a>(&'a self, secrets: &'a Secrets) -> Terms<'a> {
        Terms { matching: Some(&self.plan.matching), rules: &self.plan.rules, secrets, allowed: &self.allowed }
    }
}

/// Tells recordings that are gone apart: those for which something stands that was recorded anew, and those that nothing asked for.
fn told_apart(gone: Vec<Place>, old: &Tape, new: &Tape) -> (Vec<Place>, Vec<Place>) {
    if gone.is_empty() {
        return (gone, Vec::new());
    }
    let pairs = diff(old, new).pairs;
    let is_new = |at: usize| !old.interactions.contains(&new.interactions[at]);
    gone.into_iter().partition(|place| {
        pairs.iter().any(|pair| pair.before == Some(place.interaction - 1) && pair.after.is_some_and(is_new))
    })
}
