//! Secrets in a text that an array spells out, by its bytes or its characters.

use std::ops::Range;

use super::coding::{LEAST, Spelling, as_text, single, spell};
use super::edit::{By, Edit, Edited, merge};
use super::lens::Lens;
use super::placeholder::unnumbered;
use super::scan::{Leaf, Role, Scan, value};

/// Returns the edits of the arrays of a document that spell a text with secrets: an array is spelled anew as a whole.
pub(crate) fn edits(lens: Lens<'_>, text: &str, scan: &Scan, depth: usize) -> Vec<Edit> {
    let mut arrays: Vec<Vec<&Leaf>> = vec![Vec::new(); scan.containers.len()];
    scan.leaves.iter().for_each(|leaf| arrays[leaf.container].push(leaf));
    let long =
        arrays.iter().zip(&scan.containers).filter(|(leaves, container)| !container.object && leaves.len() >= LEAST);
    long.filter_map(|(leaves, _)| array_edit(lens, text, leaves, depth)).collect()
}

fn array_edit(lens: Lens<'_>, text: &str, leaves: &[&Leaf], depth: usize) -> Option<Edit> {
    let (said, spelling) = said(text, leaves)?;
    let edits = merge(&said, lens.edits(&said, depth + 1));
    if edits.is_empty() {
        return None;
    }
    let edited = Edited::new(&said, &edits, |_, rule| unnumbered(rule));
    let (first, last) = (leaves.first()?, leaves.last()?);
    let range = around(first).start..around(last).end;
    Some(Edit { range, by: By::Text(spell(&edited.text, spelling)) })
}

/// Returns the text that these elements spell.
fn said(text: &str, leaves: &[&Leaf]) -> Option<(String, Spelling)> {
    let bytes: Option<Vec<u8>> = leaves
        .iter()
        .map(|leaf| if leaf.role == Role::Word { text[leaf.span.clone()].parse().ok() } else { None })
        .collect();
    if let Some(bytes) = bytes {
        return Some((as_text(&bytes)?.to_owned(), Spelling::Bytes));
    }
    let character = |leaf: &&Leaf| {
        let said = (leaf.role == Role::String).then(|| value(text, &leaf.span))?;
        single(&said)
    };
    let characters: Option<String> = leaves.iter().map(character).collect();
    Some((characters?, Spelling::Characters))
}

/// Returns where an element stands, its quotation marks included.
fn around(leaf: &Leaf) -> Range<usize> {
    match leaf.role {
        Role::Word | Role::Words => leaf.span.clone(),
        Role::Key | Role::String => leaf.span.start - 1..leaf.span.end + 1,
    }
}
