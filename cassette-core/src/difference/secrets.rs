//! Which placeholders stand for the same secret on both sides.

use std::collections::BTreeMap;

use super::hunks::Hunk;
use super::node::{Node, Value};
use crate::redact::detect::table::is_by_looks;
use crate::redact::{kind, marks, placeholders};
use crate::report::Nature;

/// What each recorded placeholder was met as so far, and the other way round.
///
/// The number of a placeholder says nothing by itself: only that two of them are, or are not, the same.
#[derive(Debug, Default)]
pub(super) struct Sameness {
    incoming: BTreeMap<String, (String, String)>,
    recorded: BTreeMap<String, (String, String)>,
}

impl Sameness {
    /// Takes in two texts that agree but for their placeholders; returns the path where one of these was met as
    /// another, if one was.
    pub(super) fn take(&mut self, recorded: &str, incoming: &str, path: &str) -> Option<String> {
        let mut earlier = None;
        for (ours, theirs) in placeholders(recorded).zip(placeholders(incoming)) {
            let clash = |met: Option<&(String, String)>, now: &str| {
                met.filter(|(known, _)| known != now).map(|(_, place)| place.clone())
            };
            let found = clash(self.incoming.get(ours), theirs).or_else(|| clash(self.recorded.get(theirs), ours));
            if found.is_none() {
                self.incoming.entry(ours.to_owned()).or_insert_with(|| (theirs.to_owned(), path.to_owned()));
                self.recorded.entry(theirs.to_owned()).or_insert_with(|| (ours.to_owned(), path.to_owned()));
            }
            earlier = earlier.or(found);
        }
        earlier
    }
}

/// Returns what is to be said of a value that is hidden on the recorded side, and in whose place something stands that is not.
pub(super) fn in_plain(recorded: &Node, incoming: &Node) -> Option<Nature> {
    if recorded.secret { nature(hidden_in(recorded), &hidden_in(incoming)) } else { None }
}

/// Returns the same of two texts that differ so; what is gone and has nothing in its place is only gone.
pub(super) fn in_plain_within(recorded: &str, incoming: &str, hunks: &[Hunk]) -> Option<Nature> {
    let replaced = |at: &std::ops::Range<usize>| {
        let touches = |hunk: &&Hunk| hunk.ours.start < at.end && at.start < hunk.ours.end;
        hunks.iter().filter(touches).any(|hunk| !incoming[hunk.theirs.clone()].trim().is_empty())
    };
    let mut kinds = of_text(recorded);
    let mut touched = marks(recorded).filter(replaced).filter_map(|at| kind(&recorded[at])).collect::<Vec<_>>();
    touched.sort_unstable();
    kinds.retain(|kind, _| touched.binary_search(kind).is_ok());
    nature(kinds, &of_text(incoming))
}

/// Returns the kinds that the recorded side has more often, and that a rule or a variable hides: what is told by its looks would be hidden
/// in any run.
fn nature(recorded: BTreeMap<&str, usize>, incoming: &BTreeMap<&str, usize>) -> Option<Nature> {
    let more = |(kind, count): &(&str, usize)| incoming.get(kind).is_none_or(|there| there < count);
    let hangs_on_the_run = |(kind, _): &(&str, usize)| !is_by_looks(kind);
    let kinds: Vec<_> =
        recorded.into_iter().filter(more).filter(hangs_on_the_run).map(|(kind, _)| kind.to_owned()).collect();
    (!kinds.is_empty()).then_some(Nature::InPlain(kinds))
}

/// Returns the kinds of placeholders in a text, with how many there are of each.
fn of_text(text: &str) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    placeholders(text).filter_map(kind).for_each(|kind| *kinds.entry(kind).or_default() += 1);
    kinds
}

fn hidden_in(node: &Node) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    let within: Vec<&Node> = match &node.value {
        Value::Text(text) => return of_text(text),
        Value::List(elements) => elements.iter().collect(),
        Value::Map(members) | Value::Part(members) => members.iter().map(|(_, node)| node).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Bytes(_) => Vec::new(),
    };
    for (kind, count) in within.into_iter().flat_map(hidden_in) {
        *kinds.entry(kind).or_default() += count;
    }
    kinds
}
