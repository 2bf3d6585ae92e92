//! Whose a piece is, by the short texts and numbers beside it: an agent's name, a channel.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;

use super::kinship::{Kinship, ROOT};
use super::scan::{Leaf, Role, Scan};

/// The longest text that is taken for the name of a voice.
pub(crate) const LONGEST: usize = 64;

/// How many texts beside a piece are looked at.
pub(crate) const MOST: usize = 12;

/// The name before the names of voices, of which no member's begins so.
const VOICE: &str = "\0voice";

/// The number of a member's name, and what it says.
pub(super) type Voice = (usize, u64);

/// The number under which an event's own name is a voice.
const EVENT: usize = usize::MAX;

/// Returns the voice that the name of an event is.
pub(super) fn of_event(name: &str) -> Voice {
    (EVENT, hashed(name))
}

/// Returns these voices, and another one where there is one.
pub(super) fn and(voices: Rc<[Voice]>, other: Option<Voice>) -> Rc<[Voice]> {
    if other.is_none() { voices } else { voices.iter().copied().chain(other).collect() }
}

/// Returns for each container the voices of what stands in it: its own members, those of the objects in it, and those above.
pub(super) fn voices(text: &str, scan: &Scan, kinship: &mut Kinship) -> Vec<Rc<[Voice]>> {
    let mut own: Vec<Vec<Voice>> = vec![Vec::new(); scan.containers.len()];
    let root = kinship.below(ROOT, VOICE);
    for leaf in scan.leaves.iter().filter(|leaf| scan.containers[leaf.container].object) {
        let Some(voice) = voice(text, leaf, root, kinship) else { continue };
        let container = &scan.containers[leaf.container];
        own[leaf.container].push(voice);
        if leaf.container != container.parent && scan.containers[container.parent].object {
            own[container.parent].push(voice);
        }
    }
    let mut voices: Vec<Rc<[Voice]>> = Vec::with_capacity(scan.containers.len());
    for (container, own) in scan.containers.iter().zip(own) {
        let above = voices.get(container.parent).cloned().unwrap_or_default();
        voices.push(if own.is_empty() {
            above
        } else {
            own.into_iter().chain(above.iter().copied()).take(MOST).collect()
        });
    }
    voices
}

fn voice(text: &str, leaf: &Leaf, root: usize, kinship: &mut Kinship) -> Option<Voice> {
    let said = &text[leaf.span.clone()];
    let tells = matches!(leaf.role, Role::String | Role::Word) && !said.is_empty() && said.len() <= LONGEST;
    tells.then(|| (kinship.below(root, leaf.name.clone().map_or("", |name| &text[name])), hashed(said)))
}

fn hashed(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns these pieces by what is said beside them, for each name that tells several voices apart of which one has several pieces.
pub(super) fn told_apart<'a>(pieces: impl Iterator<Item = (usize, &'a [Voice])> + Clone) -> Vec<Vec<usize>> {
    let mut names: BTreeMap<usize, BTreeMap<u64, Vec<usize>>> = BTreeMap::new();
    for (piece, voices) in pieces.clone() {
        for (name, said) in voices {
            let told = names.entry(*name).or_default().entry(*said).or_default();
            if told.last() != Some(&piece) {
                told.push(piece);
            }
        }
    }
    let all = pieces.count();
    let several = |told: &Vec<usize>| (2..all).contains(&told.len());
    names.into_values().flat_map(BTreeMap::into_values).filter(several).collect()
}
