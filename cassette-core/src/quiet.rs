//! What of a recording may stay when it is recorded again.
//!
//! Each exchange of the run is paired with the recording that it repeats, its request read under the renaming of ids that
//! the replies so far have shown. What came back equal stays as it is in the file, reply and request, so that a refresh
//! of an unchanged service changes nothing. Where something did change, ids that the program took out of a reply bind
//! that reply to the requests that hold them: an old reply is kept only while no request that is written anew holds a
//! value of the new one, and an old request only while the replies that it took its ids from are kept.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::agreement::{Agreement, agree};
use crate::call::Call;
use crate::canonical::Canonical;
use crate::dialect;
use crate::digested::{self, Digested};
use crate::draft::{Entry, Kept};
use crate::key::Key;
use crate::matching::Matching;
use crate::renaming::{Renaming, Stretches, without_secrets};
use crate::renumber::{Names, rename};
use crate::tape::{Asked, Interaction};

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
}

/// One exchange held against the recording that it repeats.
#[derive(Debug, Default)]
struct Pair {
    /// Whether the request is that recording's, but for ids.
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
    let mut pairs = Vec::with_capacity(entries.len());
    let mut paired = Vec::with_capacity(entries.len());
    for entry in entries {
        let (pair, found) = match (entry.kept, entry.old) {
            (Kept::No, _) => {
                let unpaired = Unpaired { shelf, free: &free, by_key: &by_key };
                pair(&entry, &unpaired, &mut renaming)
            }
            (_, served) => (served_as_it_is(&entry, &calls[entry.call], &mut renaming), served),
        };
        found.into_iter().for_each(|i| free[i] = false);
        pairs.push(pair);
        paired.push(Entry { old: found, ..entry });
    }
    let keeping = settle(&paired, &pairs, calls);
    Quiet { entries: paired, keeping, renaming }
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
        let at = self.entries.iter().position(|entry| entry.call == call)?;
        Some((&self.entries[at], self.keeping[at]))
    }

    /// Returns the same run with nothing kept but what was served.
    pub(crate) fn without_keeping(&self) -> Quiet {
        let keeping = vec![Keeping::Nothing; self.entries.len()];
        Quiet { entries: self.entries.clone(), keeping, renaming: Renaming::default() }
    }
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
    let Interaction { asked, outcome, .. } = &entry.interaction;
    let Asked::Whole(call) = asked else { return (Pair::default(), None) };
    let (put_back, taken) = renaming.call(call);
    let canonical = match (&entry.canonical, taken.is_empty()) {
        (Some(canonical), true) => canonical.clone(),
        _ => Canonical::in_dialect(&put_back, dialect::detect(call), shelf.matching),
    };
    let request = Request { canonical, digested: (shelf.digested)(&put_back) };
    let keys = [Some(request.canonical.key()), request.digested.as_ref().map(|(key, _)| key.clone())];
    let filed = keys.iter().flatten().filter_map(|key| by_key.get(key)).flatten().copied();
    let same: Vec<_> = filed.filter(|i| free[*i] && request.asks_the_same(&shelf.old[*i])).collect();
    let found = same.iter().find(|i| request.is(&shelf.old[**i])).or(same.first()).copied();
    let Some(index) = found.or(entry.old.filter(|i| free[*i])) else {
        // Its ids are of interest all the same: no recorded one may be called so beside it.
        let named = agree(call, outcome, outcome, &mut Renaming::default()).named;
        return (Pair { taken, agreement: Agreement { named, ..Agreement::default() }, ..Pair::default() }, None);
    };
    let recorded = &shelf.old[index];
    let repeated = request.is(recorded);
    if repeated {
        same_secrets(&recorded.0.asked, &put_back, renaming);
    }
    let mut agreement = agree(call, &recorded.0.outcome, outcome, renaming);
    agreement.same &= found.is_some();
    (Pair { repeated, agreement, taken }, Some(index))
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

/// Notes the ids of a recording that was served to this call: they stand for themselves.
fn served_as_it_is(entry: &Entry, call: &Call, renaming: &mut Renaming) -> Pair {
    let outcome = &entry.interaction.outcome;
    let agreement = agree(call, outcome, outcome, renaming);
    Pair { repeated: true, agreement: Agreement { same: true, ..agreement }, taken: HashSet::new() }
}

/// Decides what is kept: from all that agrees, whatever hangs on something that is written anew is taken away until nothing
/// does.
fn settle(entries: &[Entry], pairs: &[Pair], calls: &[Arc<Call>]) -> Vec<Keeping> {
    let mut keeping: Vec<_> = pairs.iter().map(Pair::at_best).collect();
    let sources = sources(pairs);
    let exchanges: HashMap<usize, usize> = entries.iter().enumerate().map(|(i, entry)| (entry.call, i)).collect();
    let mut unread: BTreeSet<usize> = (0..calls.len()).collect();
    let mut taken_up = vec![false; pairs.len()];
    loop {
        let before = keeping.clone();
        // A long conversation is read only where it has to be.
        let is_whole = |call: &usize| exchanges.get(call).is_some_and(|i| keeping[*i] == Keeping::Whole);
        let anew: Vec<usize> = unread.iter().copied().filter(|call| !is_whole(call)).collect();
        for call in &anew {
            let stretches = Stretches::of(&calls[*call]);
            let earlier = (0..pairs.len()).filter(|i| entries[*i].call < *call);
            earlier.for_each(|i| taken_up[i] |= pairs[i].agreement.moved().any(|value| stretches.hold(value)));
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
