//! What of a recording may stay when it is recorded again.
//!
//! Each exchange of the run is paired with the recording that it repeats, its request read under the renaming of ids that
//! the replies so far have shown. What came back equal stays as it is in the file, reply and request, so that a refresh
//! of an unchanged service changes nothing. Where something did change, ids that the program took out of a reply bind
//! that reply to the requests that hold them: an old reply is kept only while no request that is written anew holds a
//! value of the new one, and no reply that is written anew an id of it; an old request only while the replies that it took
//! its ids from are kept. A request that was not asked before, and that ids do not explain, may hold them in any disguise, or the text
//! of a reply as it is written: no reply before it is kept whose ids or moments are others now, or whose members stand in another order.

mod keeping;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::agreement::{Agreement, agree};
use crate::call::Call;
use crate::canonical::Canonical;
use crate::dialect;
use crate::digested::{self, Digested};
use crate::draft::{Entry, Kept};
use crate::key::Key;
use crate::matching::Matching;
use crate::renaming::{Renaming, without_secrets};
use crate::renumber::{Names, rename};
use crate::tape::{Asked, Interaction};
use keeping::settle;

/// What of an exchange is kept from the recording that it repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// Nothing: it is written as it was in this run.
    Nothing,
    /// The reply, under the request of this run.
    Reply,
    /// Both.
    Whole,
}

/// A recording with what it means today; `None` of one that holds digests alone.
pub(crate) type Recording = (Interaction, Option<Canonical>);

/// The old file, and how a request is held against it.
pub(crate) struct Shelf<'a> {
    pub(crate) old: &'a [Recording],
    pub(crate) matching: &'a Matching,
    /// Returns the key and the digests of a request, where the file is to hold those.
    pub(crate) digested: &'a dyn Fn(&Call) -> Option<(Key, Digested)>,
}

/// A run held against the recording.
#[derive(Clone, Debug)]
pub(crate) struct Quiet {
    /// The exchanges as they were in this run, each with the recording that it repeats.
    pub(crate) entries: Vec<Entry>,
    /// What may be kept of each.
    pub(crate) keeping: Vec<Keeping>,
    /// What the ids of the run stand for.
    pub(crate) renaming: Renaming,
    /// Where the exchange of each call stands.
    by_call: HashMap<usize, usize>,
}

/// One exchange held against the recording that it repeats.
#[derive(Debug, Default)]
struct Pair {
    /// Whether the request asks the same as that recording's, but for ids.
    asked: bool,
    /// Whether it says the very same.
    repeated: bool,
    /// How the replies compare.
    agreement: Agreement,
    /// The ids of this run that stand in the request.
    taken: HashSet<String>,
}

/// Holds the exchanges of a run, in the order in which they started, against the old file. `calls` are
/// all calls of the run.
pub(crate) fn quiet(entries: Vec<Entry>, shelf: &Shelf<'_>, calls: &[Arc<Call>]) -> Quiet {
    let mut renaming = Renaming::default();
    let mut free: Vec<bool> = vec![true; shelf.old.len()];
    entries.iter().filter(|entry| entry.kept != Kept::No).filter_map(|entry| entry.old).for_each(|i| free[i] = false);
    let by_key = by_key(shelf.old);
    let mut pairs: Vec<Pair> = entries.iter().map(|_| Pair::default()).collect();
    let mut paired = entries;
    for (i, half) in halves(&paired) {
        let entry = &mut paired[i];
        match (entry.kept, half) {
            (Kept::No, Half::Request) => {
                let unpaired = Unpaired { shelf, free: &free, by_key: &by_key };
                (pairs[i], entry.old) = pair(entry, &unpaired, &mut renaming);
                entry.old.into_iter().for_each(|i| free[i] = false);
            }
            (Kept::No, Half::Reply) => compare(entry, &mut pairs[i], shelf, &mut renaming),
            (_, Half::Request) => pairs[i] = as_it_is(entry, calls, &mut renaming),
            (_, Half::Reply) => {}
        }
    }
    let keeping = settle(&paired, &pairs, calls);
    Quiet { by_call: calls_in(&paired), entries: paired, keeping, renaming }
}

impl Quiet {
    /// Returns the exchanges with what is kept of the recordings in its place; `whole` tells how free one is to stand where
    /// it stood that is kept with its request.
    pub(crate) fn kept(&self, old: &[Recording], whole: impl Fn(usize) -> Kept) -> Vec<Entry> {
        let names: Names = self.renaming.placeholders().clone();
        let kept = |(entry, keeping): (&Entry, &Keeping)| {
            let mut entry = entry.clone();
            if entry.kept != Kept::No {
                return entry;
            }
            rename(&mut entry.interaction, &names);
            let Some(index) = entry.old.filter(|_| *keeping != Keeping::Nothing) else { return entry };
            let (interaction, canonical) = old[index].clone();
            if *keeping == Keeping::Whole {
                return Entry { interaction, canonical, kept: whole(index), ..entry };
            }
            entry.interaction.outcome = interaction.outcome;
            entry
        };
        self.entries.iter().zip(&self.keeping).map(kept).collect()
    }

    /// Returns how many replies of this run are not written, since the recorded ones say the same.
    pub(crate) fn count(&self) -> usize {
        let live = self.entries.iter().zip(&self.keeping).filter(|(entry, _)| entry.kept == Kept::No);
        live.filter(|(_, keeping)| **keeping != Keeping::Nothing).count()
    }

    /// Returns the exchange that this call of the run began, and what is kept of it.
    pub(crate) fn of_call(&self, call: usize) -> Option<(&Entry, Keeping)> {
        let at = *self.by_call.get(&call)?;
        Some((&self.entries[at], self.keeping[at]))
    }

    /// Returns the same run with nothing kept but what was served.
    pub(crate) fn without_keeping(&self) -> Quiet {
        let keeping = vec![Keeping::Nothing; self.entries.len()];
        Quiet { entries: self.entries.clone(), by_call: self.by_call.clone(), keeping, renaming: Renaming::default() }
    }
}

/// Returns where the exchange of each call of the run stands.
fn calls_in(entries: &[Entry]) -> HashMap<usize, usize> {
    entries.iter().enumerate().rev().filter_map(|(i, entry)| Some((entry.call?, i))).collect()
}

/// A half of an exchange.
#[derive(Clone, Copy, Debug)]
enum Half {
    Request,
    Reply,
}

/// Returns the halves of the exchanges in the order in which they are read: a reply behind its request, and that of a function
/// behind what was asked while it ran, since it may hold ids of those replies.
fn halves(entries: &[Entry]) -> Vec<(usize, Half)> {
    let last: HashMap<usize, usize> =
        entries.iter().enumerate().filter_map(|(j, entry)| Some((entry.within?, j))).collect();
    let inner = |i: usize| last.get(&entries[i].call?).copied().filter(|j| *j > i);
    let mut halves: Vec<_> = (0..entries.len()).map(|i| (i, i, Half::Request)).collect();
    halves.extend((0..entries.len()).map(|i| (inner(i).unwrap_or(i), i, Half::Reply)));
    // A function's own number is lower than those of what it asked, whose replies come first.
    halves.sort_by_key(|(at, i, half)| (*at, matches!(half, Half::Reply), *at != *i));
    halves.into_iter().map(|(_, i, half)| (i, half)).collect()
}

/// The recordings that an exchange may repeat.
struct Unpaired<'a> {
    shelf: &'a Shelf<'a>,
    /// Which of them no other exchange of the run has been paired with.
    free: &'a [bool],
    by_key: &'a HashMap<Key, Vec<usize>>,
}

/// A request as it is held against recordings.
struct Request {
    canonical: Canonical,
    digested: Option<(Key, Digested)>,
}

fn by_key(old: &[Recording]) -> HashMap<Key, Vec<usize>> {
    let mut by_key: HashMap<Key, Vec<usize>> = HashMap::new();
    for (i, (interaction, _)) in old.iter().enumerate() {
        by_key.entry(interaction.key.clone()).or_default().push(i);
    }
    by_key
}

/// Finds the recording that a live exchange repeats: the first unused one of its request, ids put back; of those, one that
/// agrees in what is not compared either. Where there is none, the one that was found when the call was made.
fn pair(entry: &Entry, unpaired: &Unpaired<'_>, renaming: &mut Renaming) -> (Pair, Option<usize>) {
    let Unpaired { shelf, free, by_key } = unpaired;
    let Asked::Whole(call) = &entry.interaction.asked else { return (Pair::default(), None) };
    let (put_back, taken) = renaming.call(call);
    let canonical = match (&entry.canonical, taken.is_empty()) {
        (Some(canonical), true) => canonical.clone(),
        _ => Canonical::in_dialect(&put_back, dialect::detect(call), shelf.matching),
    };
    let request = Request { canonical, digested: (shelf.digested)(&put_back) };
    let keys = [Some(request.canonical.key()), request.digested.as_ref().map(|(key, _)| key.clone())];
    let filed = keys.iter().flatten().filter_map(|key| by_key.get(key)).flatten().copied();
    let mut first = None;
    let mut found = None;
    for i in filed.filter(|i| free[*i]) {
        if request.is(&shelf.old[i]) {
            found = Some(i);
            break;
        }
        first = first.or_else(|| request.asks_the_same(&shelf.old[i]).then_some(i));
    }
    let found = found.or(first);
    let index = found.or(entry.old.filter(|i| free[*i]));
    let repeated = index.is_some_and(|index| request.is(&shelf.old[index]));
    if let (true, Some(index)) = (repeated, index) {
        same_secrets(&shelf.old[index].0.asked, &put_back, renaming);
    }
    (Pair { asked: found.is_some(), repeated, taken, agreement: Agreement::default() }, index)
}

/// Compares the reply of a live exchange with that of the recording which it repeats.
fn compare(entry: &Entry, pair: &mut Pair, shelf: &Shelf<'_>, renaming: &mut Renaming) {
    let Interaction { asked, outcome, .. } = &entry.interaction;
    let call = asked.known();
    pair.agreement = match entry.old {
        Some(index) => agree(&call, &shelf.old[index].0.outcome, outcome, renaming),
        // Its ids are of interest all the same: no recorded one may be called so beside it.
        None => {
            let named = agree(&call, outcome, outcome, &mut Renaming::default()).named;
            Agreement { named, ..Agreement::default() }
        }
    };
    pair.agreement.same &= pair.asked;
}

impl Request {
    /// Returns whether a recording is of this request.
    fn asks_the_same(&self, (recorded, canonical): &Recording) -> bool {
        match (canonical, &self.digested) {
            (Some(canonical), _) => canonical.parts() == self.canonical.parts(),
            (None, Some((key, _))) => *key == recorded.key,
            (None, None) => false,
        }
    }

    /// Returns whether a recording says the very same, what is not compared included.
    fn is(&self, recording: &Recording) -> bool {
        let same = match (&recording.0.asked, &recording.1, &self.digested) {
            (_, Some(canonical), _) => *canonical == self.canonical,
            (Asked::Digest(recorded), None, Some((_, digested))) => recorded.outline == digested.outline,
            _ => false,
        };
        same && self.asks_the_same(recording)
    }
}

/// Lets the placeholders of a request stand for those of the recorded one, where the two are written alike.
fn same_secrets(recorded: &Asked, incoming: &Call, renaming: &mut Renaming) {
    let texts = |call: &Call| {
        let values: Vec<_> = call.headers.iter().map(|(_, value)| value.as_str()).collect();
        without_secrets(&[&call.name, &values.join("\n"), &*String::from_utf8_lossy(&call.body)].join("\n"))
    };
    let (ours, theirs) = match recorded {
        Asked::Whole(recorded) => {
            let ((recorded, ours), (incoming, theirs)) = (texts(recorded), texts(incoming));
            if recorded != incoming {
                return;
            }
            (ours, theirs)
        }
        // The same digests are of the same text, which holds each of them where the other does.
        Asked::Digest(recorded) => (recorded.hidden.clone(), digested::hidden(incoming)),
    };
    if ours.len() == theirs.len() {
        ours.iter().zip(&theirs).for_each(|(ours, theirs)| {
            renaming.secret(ours, theirs);
        });
    }
}

/// Notes the ids of a recording that was served, or stays with a function that was: they stand for themselves.
fn as_it_is(entry: &Entry, calls: &[Arc<Call>], renaming: &mut Renaming) -> Pair {
    let Interaction { asked, outcome, .. } = &entry.interaction;
    let recorded = asked.known();
    let call = entry.call.map_or(&*recorded, |call| &calls[call]);
    let agreement = agree(call, outcome, outcome, renaming);
    Pair { asked: true, repeated: true, agreement: Agreement { same: true, ..agreement }, taken: HashSet::new() }
}
