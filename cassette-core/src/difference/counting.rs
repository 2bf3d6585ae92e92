//! Which places count: where the canonical forms differ, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::{Canonical, Part};
use crate::report::{Difference, Edit};

/// The places of two requests at which their canonical forms differ.
///
/// The forms say the same of much that was sent otherwise, and leave out what is not compared.
#[derive(Debug, Default)]
pub(super) struct Counting {
    recorded: BTreeSet<String>,
    incoming: BTreeSet<String>,
    /// Where elements stand between the first and the last that differ: what moved is among them.
    between: BTreeSet<String>,
}

type Elements<'a> = Vec<(&'a str, &'a str)>;

impl Counting {
    /// Returns the places at which these forms differ.
    pub(super) fn of(recorded: &Canonical, incoming: &Canonical) -> Counting {
        let mut named: BTreeMap<&str, [Elements<'_>; 2]> = BTreeMap::new();
        for (side, form) in [recorded, incoming].into_iter().enumerate() {
            for part in form.parts() {
                named.entry(&part.name).or_default()[side].extend(Part::elements(part));
            }
        }
        let mut counting = Counting::default();
        named.into_values().for_each(|[ours, theirs]| counting.take(&ours, &theirs));
        counting
    }

    fn take(&mut self, ours: &[(&str, &str)], theirs: &[(&str, &str)]) {
        let front = ours.iter().zip(theirs).take_while(|(a, b)| a.1 == b.1).count();
        let (ours, theirs) = (&ours[front..], &theirs[front..]);
        let back = ours.iter().rev().zip(theirs.iter().rev()).take_while(|(a, b)| a.1 == b.1).count();
        let (ours, theirs) = (&ours[..ours.len() - back], &theirs[..theirs.len() - back]);
        let path = |(path, _): &(&str, &str)| (*path).to_owned();
        self.between.extend(ours.iter().chain(theirs).map(path));
        let (gone, new) = (only(ours, theirs), only(theirs, ours));
        self.recorded.extend(gone.iter().map(path));
        self.incoming.extend(new.iter().map(path));
    }

    /// Returns whether a difference is at, in or around one of these places.
    pub(super) fn counts(&self, difference: &Difference) -> bool {
        let Difference { edit, path, from, .. } = difference;
        let from = from.as_ref().unwrap_or(path);
        match edit {
            Edit::Moved => touches(&self.between, path) || touches(&self.between, from),
            Edit::Added => touches(&self.incoming, path),
            Edit::Removed => touches(&self.recorded, from),
            _ => {
                touches(&self.incoming, path)
                    || touches(&self.recorded, from)
                    || self.is_order() && touches(&self.between, path)
            }
        }
    }

    /// Returns whether the two forms say the same in another order.
    fn is_order(&self) -> bool {
        self.recorded.is_empty() && self.incoming.is_empty()
    }
}

/// Returns the elements that are not among the others, each as often as it is there once too often.
fn only<'a>(elements: &[(&'a str, &'a str)], others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    others.iter().for_each(|(_, text)| *counts.entry(text).or_default() += 1);
    let mut only = elements.to_vec();
    only.retain(|(_, text)| match counts.get_mut(text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    only
}

fn touches(places: &BTreeSet<String>, path: &str) -> bool {
    let within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '~', '@']))
    };
    let is_whole = |place: &str| within(place, "@body") || within(place, "body");
    places.iter().any(|place| {
        within(place, path) || within(path, place) || (!path.starts_with('@') && (is_whole(place) || path == "body"))
    })
}
