//! What changes while a session is open, in one struct.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::task::Waker;
use std::time::Instant;

use super::gateways::Stands;
use super::left::Race;
use super::volatile::Volatile;
use crate::account::Tally;
use crate::busy::Busy;
use crate::call::{Call, Kind, Medium};
use crate::canonical::Canonical;
use crate::fault::Faults;
use crate::key::Key;
use crate::lookup::Lookup;
use crate::report::{Approximate, Drift, Place, Report, Unread};
use crate::store::Journal;
use crate::tape::Interaction;

/// Everything about a session that changes.
#[derive(Debug)]
pub(super) struct State {
    /// The calls of this run, as they came, in order.
    pub(super) calls: Vec<Arc<Call>>,
    /// What became of those that were served or went live, in order.
    pub(super) slots: Vec<Slot>,
    /// Whether anything has gone live.
    pub(super) went_live: bool,
    /// Which recordings have been served or recorded over.
    pub(super) used: Vec<bool>,
    /// Which recordings may be asked for, and need not: those within a function that has been served, since it does not run, and
    /// what a client may leave without anybody's waiting.
    pub(super) covered: Vec<bool>,
    /// Which recordings lost a race, and need not be asked for either: the winner is served at once.
    pub(super) lost: Vec<bool>,
    /// The races: once one is over, whoever asks what a loser asks means what came after it.
    pub(super) races: Vec<Race>,
    /// The recordings within each function.
    pub(super) inner: HashMap<usize, Vec<usize>>,
    pub(super) lookup: Lookup,
    /// The recorded placeholder of each live secret.
    pub(super) bound: HashMap<String, String>,
    /// Placeholders that this run gave to secrets before it met the ones under which they were recorded.
    pub(super) renamed: HashMap<String, String>,
    /// The facts that the user added to the head.
    pub(super) meta: Vec<(String, crate::json::Json)>,
    pub(super) journal: Option<Box<dyn Journal>>,
    /// The first line of the journal, which is written with the first exchange.
    pub(super) journal_head: Option<String>,
    /// The exchanges that are in the journal, by their slots, in the order of its lines.
    pub(super) journalled: Vec<usize>,
    /// How many secrets were known when it was last written to.
    pub(super) journal_knew: usize,
    /// Where the journal of an earlier recording lies that was cut short.
    pub(super) cut_short: Option<String>,
    /// The names of secrets that were asked for and have no value here.
    pub(super) lacking: Vec<String>,
    /// The recordings that were served although their sampling is not the call's, in order.
    pub(super) drifted: Vec<Drift>,
    /// The recordings that were served though they are not of the request, in order.
    pub(super) approximate: Vec<Approximate>,
    /// The recordings that were served by their position, since others differ from them only in a hidden value.
    pub(super) by_position: Vec<Place>,
    /// What stood in the headers that are not written of the first call that was served of each request, as a hash.
    pub(super) unwritten: HashMap<Key, u64>,
    /// Those that were served though a text of the call was compared with nothing, in order.
    pub(super) unread: Vec<Unread>,
    /// The functions that the test had run live though it replays.
    pub(super) ran_live: BTreeSet<String>,
    /// What was asked of several objects, which said different things.
    pub(super) of_several: BTreeSet<String>,
    /// The faults that the test planned.
    pub(super) faults: Faults,
    /// The hosts that were reached round every seam.
    pub(super) bypassed: Vec<String>,
    /// What the test has asked for as `cassette.secret(..)`.
    pub(super) declared: Vec<String>,
    /// The ports of this run's gateways, each with the server for which it stands.
    pub(super) gateways: Vec<Stands>,
    /// The functions that panicked.
    pub(super) broken: Vec<String>,
    /// The first failure, and when it happened.
    pub(super) failure: Option<(Arc<Report>, Instant)>,
    pub(super) wakers: Vec<Waker>,
    /// How many calls were refused since.
    pub(super) refused: usize,
    /// What the live answers took.
    pub(super) tally: Tally,
    pub(super) finished: bool,
}

/// What became of a call.
#[derive(Debug)]
pub(super) struct Slot {
    /// Its number in the run, from 0.
    pub(super) call: usize,
    pub(super) medium: Medium,
    pub(super) start: Instant,
    pub(super) fate: Fate,
}

#[derive(Debug)]
pub(super) enum Fate {
    /// It was served this recording.
    Served(usize),
    /// It went live; over this recording, if there was one.
    Live(Option<usize>, Option<Box<Recorded>>),
}

/// A live call that has ended.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) end: Instant,
    /// When it was at work.
    pub(super) busy: Busy,
    pub(super) interaction: Interaction,
    pub(super) canonical: Canonical,
    /// What stood in the volatile headers of the reply.
    pub(super) volatile: Vec<Volatile>,
}

impl Slot {
    /// Returns whether the call was recorded over one of the first so many recordings.
    pub(super) fn is_recorded_over(&self, first: usize) -> bool {
        matches!(self.fate, Fate::Live(Some(old), _) if old < first)
    }
}

impl State {
    /// Adds what became of a call.
    pub(super) fn add(&mut self, slot: Slot, interactions: &[Interaction]) {
        match slot.fate {
            Fate::Live(..) => self.went_live = true,
            Fate::Served(function) if interactions[function].asked.kind() != Kind::Http => {
                self.inner.get(&function).into_iter().flatten().for_each(|i| self.covered[*i] = true);
                let is_over = |race: &&Race| {
                    race.winners.contains(&function) && race.winners.iter().all(|i| *i == function || self.used[*i])
                };
                self.races.iter().filter(is_over).flat_map(|race| &race.losers).for_each(|i| self.covered[*i] = true);
            }
            Fate::Served(_) => {}
        }
        self.slots.push(slot);
    }

    /// Returns the recordings that were served, in order, but for those that a fault harmed.
    pub(super) fn served(&self) -> impl Iterator<Item = usize> {
        let whole = |call: usize| self.faults.met_by(call).is_none_or(|met| met.fault.is_harmless());
        self.slots.iter().filter_map(move |slot| match slot.fate {
            Fate::Served(index) if whole(slot.call) => Some(index),
            Fate::Served(_) | Fate::Live(..) => None,
        })
    }

    /// Returns whether a function was running live at this time, as far as is known: where nothing is recorded, nothing is. The
    /// tool of a server's is one too.
    pub(super) fn ran_function_at(&self, at: Instant) -> bool {
        self.ran_at(at, |_| true)
    }

    /// Returns whether a function of the program's own was running live at this time.
    pub(super) fn ran_own_function_at(&self, at: Instant) -> bool {
        self.ran_at(at, |slot| slot.medium == Medium::Itself)
    }

    fn ran_at(&self, at: Instant, counts: impl Fn(&Slot) -> bool) -> bool {
        self.slots.iter().filter(|slot| counts(slot)).any(|slot| {
            let Fate::Live(_, recorded) = &slot.fate else { return false };
            let runs = recorded.as_ref().is_none_or(|recorded| at < recorded.end && recorded.busy.at(at));
            // A message of a protocol is answered elsewhere: what the program asks meanwhile is asked beside it.
            let runs_here = !matches!(self.calls[slot.call].kind, Kind::Http | Kind::Mcp);
            runs_here && slot.start <= at && runs
        })
    }

    /// Returns whether a live call was under way as this time began, and ended in it.
    pub(super) fn saw_out(&self, time: &Range<Instant>) -> bool {
        self.slots.iter().any(|slot| match &slot.fate {
            Fate::Live(_, Some(recorded)) => slot.start <= time.start && time.contains(&recorded.end),
            Fate::Live(_, None) | Fate::Served(_) => false,
        })
    }

    /// Returns whether a recording has still to be asked for.
    pub(super) fn is_due(&self, index: usize) -> bool {
        !self.used[index] && !self.may_be_left(index)
    }

    /// Returns whether a recording may be asked for, and need not.
    pub(super) fn may_be_left(&self, index: usize) -> bool {
        self.covered[index] || self.lost[index]
    }

    /// Returns the recordings that have still to be asked for.
    pub(super) fn unasked(&self) -> Vec<usize> {
        (0..self.used.len()).filter(|i| self.is_due(*i)).collect()
    }

    /// Returns the recordings that an order that counts allows next: the first that is due, and those that overlapped with it.
    pub(super) fn next(&self, interactions: &[Interaction]) -> Vec<usize> {
        let due = |i: &usize| self.is_due(*i);
        // What a fault stood before may come again, and need not.
        let open = |i: &usize| due(i) && self.faults.is_open(*i);
        let Some(first) = (0..self.used.len()).find(|i| due(i) && !open(i)) else {
            return (0..self.used.len()).filter(open).collect();
        };
        let overlapping = interactions.iter().skip(first + 1).take_while(|interaction| interaction.overlaps).count();
        let last = first + overlapping;
        (0..=last).filter(|i| open(i) || (*i >= first && due(i))).collect()
    }

    /// Returns those that it allows beside them: unused ones that need not be asked for.
    pub(super) fn spare(&self) -> impl Iterator<Item = usize> {
        (0..self.used.len()).filter(|i| self.may_be_left(*i) && !self.used[*i])
    }
}
