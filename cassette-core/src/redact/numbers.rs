//! Texts that pieces spell by the numbers of their bytes.

use std::collections::HashMap;

use super::edit::{By, Edit, merge};
use super::fragment::Said;
use super::lens::Lens;
use super::placeholder::{filled, unnumbered};

/// The fewest numbers that are taken for the bytes of a text.
const LEAST: usize = 8;

/// Finds what the bytes of several pieces spell together, each piece with its number. Where each is one byte, what stands for it is
/// as long.
pub(super) fn edits<'a>(lens: Lens<'_>, pieces: impl Iterator<Item = (usize, &'a Said)>) -> Vec<(usize, Edit)> {
    let mut bytes = Vec::new();
    let mut owners: Vec<(usize, usize)> = Vec::new();
    let mut apart = false;
    for (piece, said) in pieces {
        apart |= matches!(said, Said::Byte(_));
        owners.extend((0..said.bytes().len()).map(|at| (piece, at)));
        bytes.extend_from_slice(said.bytes());
    }
    if bytes.len() < LEAST {
        return Vec::new();
    }
    let letters = |bytes: &[u8]| bytes.iter().map(|b| if b.is_ascii() { char::from(*b) } else { '?' }).collect();
    let text = String::from_utf8(bytes).unwrap_or_else(|error| letters(error.as_bytes()));
    let mut found = Vec::new();
    for edit in merge(&text, lens.in_head(&text)) {
        let owned = &owners[edit.range.clone()];
        // What one array spells is found where it is looked into by itself.
        let across = owned.first().map(|owner| owner.0) != owned.last().map(|owner| owner.0);
        let By::Placeholder { rule, .. } = edit.by else { continue };
        if !across {
            continue;
        }
        let stands = if apart { filled(rule, edit.range.len()) } else { Some(unnumbered(rule)) };
        let Some(stands) = stands else { continue };
        let mut left = Some(stands.clone());
        for (at, (owner, place)) in owned.iter().enumerate() {
            let by = match apart {
                true => stands[at..=at].to_owned(),
                false => left.take().unwrap_or_default(),
            };
            found.push((*owner, Edit { range: *place..place + 1, by: By::Text(by) }));
        }
    }
    found
}

/// Returns the numbers of what a piece spells after these edits of it.
pub(super) fn spelled(said: &Said, edits: &[Edit]) -> String {
    let mut spelled: Vec<u8> = Vec::new();
    let edits: HashMap<usize, &Edit> = edits.iter().rev().map(|edit| (edit.range.start, edit)).collect();
    for (at, byte) in said.bytes().iter().enumerate() {
        match edits.get(&at) {
            Some(Edit { by: By::Text(by), .. }) => spelled.extend(by.bytes()),
            _ => spelled.push(*byte),
        }
    }
    let numbers: Vec<String> = spelled.iter().map(u8::to_string).collect();
    numbers.join(",")
}
