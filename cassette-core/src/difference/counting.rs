//! Which differences count: those of places at which the canonical forms differ.
//!
//! Every element of a form is known by its path, with what became of it. The nearest element that a difference is in, and
//! those that are in it, say whether it counts; where no element is known, it does: nothing is dropped but what is known to
//! be the same, or not compared.

use std::collections::{BTreeMap, BTreeSet};

use super::places::Places;
use crate::canonical::{self, Canonical, Part};
use crate::json::unnumbered;
use crate::report::{Difference, Edit};

/// The elements of two canonical forms, with what became of them.
#[derive(Debug, Default)]
pub(super) struct Counting {
    recorded: Vec<Spot>,
    incoming: Vec<Spot>,
    /// What became of what stands at each path, on either side.
    places: [Places<Became>; 2],
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
        // A list of one element and that element by itself are two.
        let mut named: BTreeMap<(&str, bool), [Elements<'_>; 2]> = BTreeMap::new();
        let mut counting = Counting::default();
        for (side, form) in [recorded, incoming].into_iter().enumerate() {
            for part in form.parts() {
                named.entry((&part.name, part.is_list())).or_default()[side].extend(part.elements());
            }
            let aside = form.aside().compared_nowhere().flat_map(Part::elements);
            let aside = aside.map(|(path, text)| spot((path, text), Became::Aside));
            if side == 0 { &mut counting.recorded } else { &mut counting.incoming }.extend(aside);
        }
        named.into_values().for_each(|[ours, theirs]| counting.take(&ours, &theirs));
        let Counting { recorded, incoming, places: [ours, theirs], .. } = &mut counting;
        recorded.iter().for_each(|spot| ours.add(&spot.path, spot.became));
        incoming.iter().for_each(|spot| theirs.add(&spot.path, spot.became));
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
        let [ours, theirs] = &self.places;
        let around = |places: &Places<Became>, path: &str| {
            [places.nearest_around(path).to_vec(), places.inside(path).copied().collect()].concat()
        };
        let became = match edit {
            Edit::Added => around(theirs, path),
            Edit::Removed => around(ours, from),
            _ => [around(theirs, path), around(ours, from)].concat(),
        };
        became.is_empty()
            || became.iter().any(|became| match became {
                Became::Other => true,
                Became::Displaced => *edit == Edit::Moved,
                Became::Same | Became::Aside => false,
            })
    }

    /// Returns the elements that none of these differences tells of.
    ///
    /// A placeholder's number hangs on those before it, so elements that differ in nothing else are told of where the first
    /// one is.
    pub(super) fn unexplained(&self, found: &[Difference]) -> Unexplained {
        let reordered: BTreeSet<&str> =
            self.reordered.iter().flatten().flatten().map(|spot| spot.path.as_str()).collect();
        let only = |spots: &[Spot], others: &[Spot]| {
            let others: BTreeSet<_> = others.iter().map(|spot| unnumbered(&spot.text)).collect();
            let told = |spot: &Spot| !found.is_empty() && others.contains(&unnumbered(&spot.text));
            let other =
                spots.iter().filter(|spot| spot.became == Became::Other && !reordered.contains(spot.path.as_str()));
            other.filter(|spot| !told(spot)).cloned().collect::<Vec<_>>()
        };
        let mut left = Unexplained {
            recorded: only(&self.recorded, &self.incoming),
            incoming: only(&self.incoming, &self.recorded),
        };
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

    /// Takes out of these differences those that tell of one of these elements.
    pub(super) fn take_from(&self, found: Vec<Difference>) -> Vec<Difference> {
        let mut sides = [(Side::Recorded, Places::default()), (Side::Incoming, Places::default())];
        for (spots, (_, places)) in [&self.recorded, &self.incoming].into_iter().zip(&mut sides) {
            spots.iter().for_each(|spot| places.add(&spot.path, spot.path.as_str()));
        }
        let tells = |difference: &Difference| {
            sides.iter().any(|(side, places)| {
                let from = difference.from.as_ref().filter(|_| *side == Side::Recorded);
                let path = from.unwrap_or(&difference.path).as_str();
                let is_here = Side::of(difference.edit).is_none_or(|on| on == *side);
                places.around(path).any(|known| is_here || *known != path)
                    || is_here && places.inside(path).next().is_some()
            })
        };
        found.into_iter().filter(tells).collect()
    }

    /// Takes out the elements that these differences tell of.
    pub(super) fn without(&mut self, found: &[Difference]) {
        let told = Told::by(found);
        self.recorded.retain(|spot| !told.tells(spot, Side::Recorded));
        self.incoming.retain(|spot| !told.tells(spot, Side::Incoming));
        // Who asks for a stream where nobody did before is told of once, wherever it is asked for.
        if [&self.recorded, &self.incoming].iter().filter(|spots| spots.iter().any(is_streaming)).count() == 1 {
            self.recorded.retain(|spot| !is_streaming(spot));
            self.incoming.retain(|spot| !is_streaming(spot));
        }
    }
}

/// Returns whether an element says whether a streamed reply is asked for; each request has one.
fn is_streaming(spot: &Spot) -> bool {
    canonical::STREAMING.contains(&spot.text.as_str()) && ["stream", "@query.alt"].contains(&spot.path.as_str())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Recorded,
    Incoming,
}

impl Side {
    /// Returns the one side that something stands on which came about so.
    fn of(edit: Edit) -> Option<Side> {
        match edit {
            Edit::Added => Some(Side::Incoming),
            Edit::Removed => Some(Side::Recorded),
            _ => None,
        }
    }
}

/// The places that differences tell of, each with the one side that something stands on where it does on one alone.
struct Told {
    recorded: Places<Option<Side>>,
    incoming: Places<Option<Side>>,
}

impl Told {
    fn by(found: &[Difference]) -> Told {
        let mut told = Told { recorded: Places::default(), incoming: Places::default() };
        for Difference { edit, path, from, .. } in found {
            told.recorded.add(from.as_ref().unwrap_or(path), Side::of(*edit));
            told.incoming.add(path, Side::of(*edit));
        }
        told
    }

    /// Returns whether an element of a side is told of: it is in such a place, or such a place is in it, on whichever side
    /// that has something.
    fn tells(&self, spot: &Spot, side: Side) -> bool {
        let places = if side == Side::Recorded { &self.recorded } else { &self.incoming };
        let is_here = |on: &Option<Side>| on.is_none_or(|on| on == side);
        places.around(&spot.path).any(is_here) || places.inside(&spot.path).next().is_some()
    }
}

fn spot((path, text): (&str, &str), became: Became) -> Spot {
    Spot { path: path.to_owned(), text: text.to_owned(), became }
}
