//! Whose a piece is, by the short texts and numbers beside it: an agent's name, a channel.

use std::rc::Rc;

use super::scan::{Leaf, Role, Scan};

/// The longest text that is taken for the name of a voice.
const LONGEST: usize = 64;

/// How many texts beside a piece are looked at.
pub(crate) const MOST: usize = 12;

/// A member's name and what it says, each by its mark.
pub(crate) type Voice = (u64, u64);

/// The mark under which an event's own name is a voice.
const EVENT: u64 = u64::MAX;

/// Returns the voice that the name of an event is.
pub(crate) fn of_event(name: &str) -> Voice {
    (EVENT, mark(name))
}

/// Returns these voices, and another one where there is one.
pub(super) fn and(voices: Rc<[Voice]>, other: Option<Voice>) -> Rc<[Voice]> {
    if other.is_none() { voices } else { voices.iter().copied().chain(other).collect() }
}

/// Returns for each container the voices of what stands in it: its own members, those of the objects in it, and those above.
pub(super) fn voices(text: &str, scan: &Scan) -> Vec<Rc<[Voice]>> {
    let mut own: Vec<Vec<Voice>> = vec![Vec::new(); scan.containers.len()];
    for leaf in scan.leaves.iter().filter(|leaf| scan.containers[leaf.container].object) {
        let Some(voice) = leaf_voice(text, leaf) else { continue };
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

fn leaf_voice(text: &str, leaf: &Leaf) -> Option<Voice> {
    let name = leaf.name.clone().map_or("", |name| &text[name]);
    if matches!(leaf.role, Role::String | Role::Word) { voice(name, &text[leaf.span.clone()]) } else { None }
}

/// Returns the voice that a member may be.
pub(crate) fn voice(name: &str, said: &str) -> Option<Voice> {
    (!said.is_empty() && said.len() <= LONGEST).then(|| (mark(name), mark(said)))
}

/// Returns a number for a text, by its length and its ends: whole texts cost more to tell apart, and names differ there.
fn mark(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let (head, tail) = (word(&bytes[..bytes.len().min(8)]), word(&bytes[bytes.len().saturating_sub(8)..]));
    head ^ tail.rotate_left(29) ^ (bytes.len() as u64) << 56
}

/// Returns these pieces by what is said beside them, for each name that tells several voices apart of which one has several pieces.
pub(crate) fn told_apart<'a>(pieces: impl Iterator<Item = (usize, &'a [Voice])> + Clone) -> Vec<Vec<usize>> {
    // Most of what stands beside one piece stands beside all of them, and tells nothing.
    let first = pieces.clone().next().map_or(&[][..], |(_, voices)| voices);
    let mut varies = vec![false; first.len()];
    let mut all = 0;
    for (_, voices) in pieces.clone() {
        all += 1;
        varies
            .iter_mut()
            .zip(first)
            .enumerate()
            .for_each(|(i, (varies, voice))| *varies |= voices.get(i) != Some(voice));
    }
    let mut told: Vec<(Voice, usize)> = Vec::new();
    for (piece, voices) in pieces {
        let telling = voices.iter().enumerate().filter(|(i, _)| varies.get(*i).copied().unwrap_or(true));
        told.extend(telling.map(|(_, voice)| (*voice, piece)));
    }
    told.sort_unstable();
    told.dedup();
    let apart = told.chunk_by(|a, b| a.0 == b.0).filter(|told| (2..all).contains(&told.len()));
    apart.map(|told| told.iter().map(|(_, piece)| *piece).collect()).collect()
}
