//! Which differences count: those of places at which the canonical forms differ.
//!
//! Every element of a form is known by its path, with what became of it. The nearest element that a difference is in, and
//! those that are in it, say whether it counts; where no element is known, it does: nothing is dropped but what is known to
//! be the same, or not compared.

use std::collections::BTreeMap;

use crate::canonical::{Canonical, Part};
use crate::json::unnumbered;
use crate::path::WHOLE;
use crate::report::{Difference, Edit};

/// The elements of two canonical forms, with what became of them.
#[derive(Debug, Default)]
pub(super) struct Counting {
    recorded: Vec<Spot>,
    incoming: Vec<Spot>,
    /// Lists that say the same in another order: the places of their elements that do not stand where they stood.
    reordered: Vec<[Vec<Spot>; 2]>,
}

/// An element of a canonical form.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) path: String,
    pub(super) text: String,
    became: Became,
}

/// What became of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Became {
    /// It is on both sides, and stands where it stood.
    Same,
    /// It is on both sides, among others that moved.
    Displaced,
    /// It is on one side alone.
    Other,
    /// It is not compared.
    Aside,
}

/// What a difference has to explain: elements of either side that are not on the other.
#[derive(Debug, Default)]
pub(super) struct Unexplained {
    pub(super) recorded: Vec<Spot>,
    pub(super) incoming: Vec<Spot>,
}

type Elements<'a> = Vec<(&'a str, &'a str)>;

impl Counting {
    /// Returns what became of each element of these forms.
    pub(super) fn of(recorded: &Canonical, incoming: &Canonical) -> Counting {
        let mut named: BTreeMap<&str, [Elements<'_>; 2]> = BTreeMap::new();
        let mut counting = Counting::default();
        for (side, form) in [recorded, incoming].into_iter().enumerate() {
            for part in form.parts() {
                named.entry(&part.name).or_default()[side].extend(part.elements());
            }
            let aside = form.aside().compared_nowhere().flat_map(Part::elements);
            let aside = aside.map(|(path, text)| spot((path, text), Became::Aside));
            if side == 0 { &mut counting.recorded } else { &mut counting.incoming }.extend(aside);
        }
        named.into_values().for_each(|[ours, theirs]| counting.take(&ours, &theirs));
        counting
    }

    fn take(&mut self, ours: &[(&str, &str)], theirs: &[(&str, &str)]) {
        let front = ours.iter().zip(theirs).take_while(|(a, b)| a.1 == b.1).count();
        let rest = (&ours[front..], &theirs[front..]);
        let back = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a.1 == b.1).count();
        let mut between = Vec::new();
        for (elements, others, known) in [(ours, theirs, &mut self.recorded), (theirs, ours, &mut self.incoming)] {
            let last = elements.len() - back;
            let mut left: BTreeMap<&str, usize> = BTreeMap::new();
            others.iter().for_each(|(_, text)| *left.entry(text).or_default() += 1);
            let same = elements[..front].iter().chain(&elements[last..]);
            same.for_each(|element| {
                left.entry(element.1).and_modify(|count| *count -= 1);
                known.push(spot(*element, Became::Same));
            });
            let spots = elements[front..last].iter().map(|element| {
                let count = left.entry(element.1).or_default();
                let became = if *count > 0 { Became::Displaced } else { Became::Other };
                *count = count.saturating_sub(1);
                spot(*element, became)
            });
            between.push(spots.collect::<Vec<_>>());
        }
        let is_order = between.iter().flatten().all(|spot| spot.became == Became::Displaced);
        if is_order {
            between.iter_mut().flatten().for_each(|spot| spot.became = Became::Other);
        }
        let [ours, theirs] = [between.remove(0), between.remove(0)];
        if is_order && !ours.is_empty() {
            self.reordered.push([ours.clone(), theirs.clone()]);
        }
        self.recorded.extend(ours);
        self.incoming.extend(theirs);
    }

    /// Returns whether a difference is of something that is compared and differs.
    pub(super) fn counts(&self, difference: &Difference) -> bool {
        let Difference { edit, path, from, .. } = difference;
        let from = from.as_ref().unwrap_or(path);
        let mut around = match edit {
            Edit::Added => around(&self.incoming, path),
            Edit::Removed => around(&self.recorded, from),
            _ => [around(&self.incoming, path), around(&self.recorded, from)].concat(),
        };
        let known = !around.is_empty();
        around.retain(|spot| match spot.became {
            Became::Other => true,
            Became::Displaced => *edit == Edit::Moved,
            Became::Same | Became::Aside => false,
        });
        !known || !around.is_empty()
    }

    /// Returns the elements that none of these differences tells of.
    ///
    /// A placeholder's number hangs on those before it, so elements that differ in nothing else are told of where the first
    /// one is.
    pub(super) fn unexplained(&self, found: &[Difference]) -> Unexplained {
        let in_order = |spot: &&Spot| self.reordered.iter().flatten().flatten().all(|known| known.path != spot.path);
        let only = |spots: &[Spot], others: &[Spot]| {
            let others: Vec<_> = others.iter().map(|spot| unnumbered(&spot.text)).collect();
            let told = |spot: &Spot| !found.is_empty() && others.contains(&unnumbered(&spot.text));
            let other = spots.iter().filter(|spot| spot.became == Became::Other).filter(in_order);
            other.filter(|spot| !told(spot)).cloned().collect::<Vec<_>>()
        };
        let mut left =
            Unexplained { recorded: only(&self.recorded, &self.incoming), incoming: only(&self.incoming, &self.recorded) };
        left.without(found);
        for [ours, theirs] in &self.reordered {
            let mut list = Unexplained { recorded: ours.clone(), incoming: theirs.clone() };
            let all = list.recorded.len() + list.incoming.len();
            list.without(found);
            if list.recorded.len() + list.incoming.len() == all {
                left.recorded.extend(list.recorded);
                left.incoming.extend(list.incoming);
            }
        }
        left
    }
}

impl Unexplained {
    /// Returns whether everything is explained.
    pub(super) fn is_empty(&self) -> bool {
        self.recorded.is_empty() && self.incoming.is_empty()
    }

    /// Returns whether this difference tells of one of these elements.
    pub(super) fn is_told_by(&self, difference: &Difference) -> bool {
        let told = |spots: &[Spot], side| spots.iter().any(|spot| tells(difference, spot, side));
        told(&self.recorded, Edit::Removed) || told(&self.incoming, Edit::Added)
    }

    /// Takes out the elements that these differences tell of.
    pub(super) fn without(&mut self, found: &[Difference]) {
        self.recorded.retain(|spot| !found.iter().any(|difference| tells(difference, spot, Edit::Removed)));
        self.incoming.retain(|spot| !found.iter().any(|difference| tells(difference, spot, Edit::Added)));
    }
}

/// Returns whether a difference tells of an element on the recorded side (what was removed is there) or on the incoming one.
fn tells(difference: &Difference, spot: &Spot, side: Edit) -> bool {
    let Difference { edit, path, from, .. } = difference;
    let here = matches!(edit, Edit::Added | Edit::Removed).then_some(*edit);
    let path = if side == Edit::Removed { from.as_ref().unwrap_or(path) } else { path };
    here.is_none_or(|here| here == side) && (within(path, &spot.path) || within(&spot.path, path))
}

fn spot((path, text): (&str, &str), became: Became) -> Spot {
    Spot { path: path.to_owned(), text: text.to_owned(), became }
}

/// Returns the nearest elements that this path is in, and those that are in it.
fn around<'a>(spots: &'a [Spot], path: &str) -> Vec<&'a Spot> {
    let outer = spots.iter().filter(|spot| within(path, &spot.path)).map(|spot| spot.path.len()).max();
    spots
        .iter()
        .filter(|spot| match outer {
            Some(length) if within(path, &spot.path) => spot.path.len() == length,
            _ => within(&spot.path, path),
        })
        .collect()
}

/// Returns whether what stands at one path is in what stands at another, or is it.
fn within(inner: &str, outer: &str) -> bool {
    if outer == WHOLE {
        return !inner.starts_with('@') || inner.starts_with("@part[") || inner.starts_with(WHOLE);
    }
    if outer.starts_with("@query.") || outer.starts_with("@header.") {
        return inner == outer;
    }
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '~', '@']))
}
