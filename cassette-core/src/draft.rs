//! From what a run did to what the file will say.
//!
//! Whoever owns the cassette writes what its run asked for, in the order in which the run started it, and drops the
//! rest. Whoever does not own it alone keeps every recording in its place, replaces what was asked again, and appends.
//! What was asked while a function ran stands behind that function.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use crate::busy::Busy;
use crate::call::{Kind, Medium};
use crate::canonical::Canonical;
use crate::report::Place;
use crate::tape::{Head, Interaction, Tape};

/// One exchange of a run.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The exchange, served from the old file or recorded.
    pub(crate) interaction: Interaction,
    /// What it means; `None` of a recording that holds digests alone.
    pub(crate) canonical: Option<Canonical>,
    /// Its position in the old file, if it was served from there or is recorded over it.
    pub(crate) old: Option<usize>,
    /// Whether it is the old file's.
    pub(crate) kept: Kept,
    /// The number of its call in the run, from 0; `None` of what stays with the function that it is within, which was served.
    pub(crate) call: Option<usize>,
    /// The number of the function's call during which it was made.
    pub(crate) within: Option<usize>,
    /// How it was made.
    pub(crate) medium: Medium,
    /// When it started.
    pub(crate) start: Instant,
    /// When it ended.
    pub(crate) end: Instant,
    /// When it was at work between the two.
    pub(crate) busy: Busy,
}

/// Whether an exchange is the old file's, served or come back equal, and how free it is to stand where it stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It was recorded by this run.
    No,
    /// It is the old file's, and no order was asked for.
    Anywhere,
    /// It is the old file's where its order counts, but for the group that starts at this position.
    InItsGroup(usize),
}

/// What becomes of the recordings that the run did not ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// They are dropped: the cassette is this test's alone.
    Drop,
    /// They are kept.
    Keep,
}

/// What the file will say.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) tape: Tape,
    /// The recordings of the old file that are not in it any more.
    pub(crate) dropped: Vec<Place>,
}

/// Puts the exchanges of a run, given in the order in which they started, into the file.
pub(crate) fn draft(head: Head, old: &Tape, entries: Vec<Entry>, rest: Rest) -> Draft {
    let asked: HashSet<_> = entries.iter().filter_map(|entry| entry.old).collect();
    let sorted = settle(entries, old);
    match rest {
        Rest::Drop => {
            let left = (0..old.interactions.len()).filter(|i| !asked.contains(i));
            let dropped = left.map(|i| place(i, &old.interactions[i])).collect();
            let interactions = sorted.into_iter().map(|entry| entry.interaction).collect();
            Draft { tape: Tape { head, interactions }, dropped }
        }
        Rest::Keep => {
            let mut interactions = old.interactions.clone();
            let mut follows = false;
            let mut places = Vec::new();
            for mut entry in sorted {
                entry.interaction.within = entry.within.map(|function| places[function]);
                places.push(entry.old.unwrap_or(interactions.len()));
                match entry.old {
                    Some(i) => {
                        interactions[i] = Interaction { overlaps: interactions[i].overlaps, ..entry.interaction };
                        follows = false;
                    }
                    None => {
                        let overlaps = follows && entry.interaction.overlaps;
                        interactions.push(Interaction { overlaps, ..entry.interaction });
                        follows = true;
                    }
                }
            }
            Draft { tape: Tape { head, interactions }, dropped: Vec::new() }
        }
    }
}

/// Notes of each exchange over HTTP and each message the function that was at work live when it was started. Of several it is the one
/// that asks what sorts first, so that no scheduler decides it. But for a seam that knows better, nothing tells a call that the
/// function made from one that was made beside it. A message is within none of another: two of a connection may be under way at once.
pub(crate) fn enclose(entries: &mut [Entry]) {
    let goes_out = |entry: &Entry| match entry.medium {
        Medium::Itself => entry.interaction.asked.kind() == Kind::Http,
        Medium::Message => true,
        Medium::Aside => false,
    };
    let is_function = |entry: &Entry| !matches!(entry.interaction.asked.kind(), Kind::Http | Kind::Mcp);
    let functions: Vec<Entry> =
        entries.iter().filter(|entry| is_function(entry) && entry.kept == Kept::No).cloned().collect();
    for inner in entries.iter_mut().filter(|entry| goes_out(entry) && entry.within.is_none()) {
        let runs = |outer: &&Entry| outer.start <= inner.start && inner.start < outer.end && outer.busy.at(inner.start);
        let around = functions.iter().filter(runs);
        let around = around.filter(|outer| inner.medium == Medium::Itself || outer.medium == Medium::Itself);
        let function = around.min_by(|a, b| a.canonical.cmp(&b.canonical));
        inner.within = function.and_then(|function| function.call);
    }
}

/// Returns a recording as a report names it.
pub(crate) fn place(index: usize, interaction: &Interaction) -> Place {
    Place { interaction: index + 1, name: interaction.asked.title(), asks: interaction.asked.gist() }
}

/// Settles the order: that of what was asked outside any function, and behind each function that of what was asked within.
/// `within` is a position in this order then.
fn settle(entries: Vec<Entry>, old: &Tape) -> Vec<Entry> {
    let mut settled: Vec<Entry> = Vec::with_capacity(entries.len());
    let (within, outer): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.within.is_some());
    let mut inner: HashMap<Option<usize>, Vec<Entry>> = HashMap::new();
    within.into_iter().for_each(|entry| inner.entry(entry.within).or_default().push(entry));
    for entry in in_order(outer, old) {
        let (call, function) = (entry.call, settled.len());
        settled.push(Entry { interaction: Interaction { within: None, ..entry.interaction }, ..entry });
        let its = inner.remove(&call).unwrap_or_default();
        settled.extend(in_order(its, old).into_iter().map(|entry| {
            let interaction = Interaction { within: Some(function), overlaps: true, ..entry.interaction };
            Entry { interaction, within: Some(function), ..entry }
        }));
    }
    settled
}

/// Sorts exchanges that overlapped in time by the old file's order and then by what they ask, so that no scheduler
/// decides the order in the file, and marks them as overlapping. What was served one after the other keeps the old order.
fn in_order(entries: Vec<Entry>, old: &Tape) -> Vec<Entry> {
    let mut settled: Vec<Entry> = Vec::with_capacity(entries.len());
    let mut group: Vec<Entry> = Vec::new();
    let mut end = None;
    for entry in entries {
        let overlaps = end.is_some_and(|end| entry.start < end);
        if !overlaps && !group.last().is_some_and(|last| stay_together(last, &entry)) {
            close(&mut settled, &mut group, old);
            end = None;
        }
        end = Some(end.map_or(entry.end, |end: Instant| end.max(entry.end)));
        group.push(entry);
    }
    close(&mut settled, &mut group, old);
    settled
}

/// Returns whether two exchanges that followed one another are both the old file's, from where their order does not count.
fn stay_together(before: &Entry, after: &Entry) -> bool {
    before.kept != Kept::No && before.kept == after.kept
}

fn close(settled: &mut Vec<Entry>, group: &mut Vec<Entry>, tape: &Tape) {
    group.sort_by(|a, b| {
        let old = |entry: &Entry| entry.old.unwrap_or(usize::MAX);
        old(a).cmp(&old(b)).then_with(|| a.canonical.cmp(&b.canonical))
    });
    let first = group.first().map(|entry| entry.kept);
    let overlapped = group.iter().any(|entry| entry.kept == Kept::No || Some(entry.kept) != first);
    let mut before: Option<usize> = None;
    for (i, entry) in group.drain(..).enumerate() {
        let as_it_was = entry.interaction.overlaps && entry.old.is_some_and(|old| before == beside(tape, old));
        let overlaps = if overlapped { i > 0 } else { i > 0 && as_it_was };
        before = entry.old;
        settled.push(Entry { interaction: Interaction { overlaps, ..entry.interaction }, ..entry });
    }
}

/// Returns the recording before this one that is within the same function, or within none as it is.
fn beside(tape: &Tape, index: usize) -> Option<usize> {
    let within = tape.interactions[index].within;
    tape.interactions[..index].iter().rposition(|before| before.within == within)
}

/// Returns whether two cassettes say the same, but for when things happened and where the network cut a body.
pub(crate) fn unchanged(old: &Tape, new: &Tape) -> bool {
    let timeless = |tape: &Tape| {
        let mut tape = tape.clone();
        tape.head.recorded = None;
        tape.head.by.clear();
        tape.interactions.iter_mut().for_each(|interaction| {
            interaction.forget_times();
            interaction.forget_cuts();
        });
        tape
    };
    timeless(old) == timeless(new)
}
