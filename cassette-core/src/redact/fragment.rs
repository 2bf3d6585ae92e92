//! One piece of a text that comes piece by piece, and what it has in common with the others.

use std::ops::Range;

use super::coding::{View, escapes};
use super::pieces::{INDEX, Value};
use super::scan::{Leaf, Role, Scan};
use crate::json::MAX_DEPTH;

/// Members that are no part of what is said.
const ASIDE: &[&str] = &[
    "id",
    "object",
    "model",
    "type",
    "role",
    "event",
    "system_fingerprint",
    "finish_reason",
    "item_id",
    "created_at",
    "service_tier",
    "signature",
    "encrypted_content",
    "obfuscation",
    "native_finish_reason",
    "provider",
];

/// One piece of a text that comes piece by piece.
pub(super) struct Fragment {
    pub(super) span: Range<usize>,
    pub(super) said: Said,
    /// What else tells it from its neighbours: the mark of its line, and its place in the array.
    pub(super) place: (String, usize),
}

/// How a piece is written.
pub(super) enum Said {
    /// As it stands.
    Plain,
    /// In escapes.
    View(View),
    /// By the numbers of its bytes, in an array.
    Bytes(Vec<u8>),
    /// As one byte.
    Byte(u8),
}

impl Fragment {
    /// Returns what it says.
    pub(super) fn text<'a>(&'a self, body: &'a str) -> &'a str {
        match &self.said {
            Said::View(view) => &view.text,
            _ => &body[self.span.clone()],
        }
    }
}

/// Returns the strings and numbers of a value of this text, each with the path that it has in common with others; `source` says
/// where a stretch of the text stands in the body.
pub(super) fn fragments(
    body: &str,
    text: &str,
    value: &Value,
    source: impl Fn(Range<usize>) -> Option<Range<usize>>,
) -> Vec<(String, Fragment)> {
    let scan = &value.read.scan;
    let numbers = numbers(text, scan);
    let mut found = Vec::new();
    for leaf in &scan.leaves {
        let Some(mut key) = group(text, scan, &numbers, leaf) else { continue };
        let Some(span) = source(leaf.span.clone()) else { continue };
        let Some(said) = said(&body[span.clone()], leaf.role) else { continue };
        match said {
            Said::Bytes(_) => key.push_str("[]"),
            Said::Byte(_) => key.push('#'),
            Said::Plain | Said::View(_) => {}
        }
        let place = if scan.containers[leaf.container].object { container_place(scan, leaf) } else { leaf.place };
        let mark = text[value.mark.clone()].to_owned();
        found.push((key, Fragment { span, said, place: (mark, place) }));
    }
    found
}

/// Returns how a leaf says something; `None` where it is no piece of a text.
fn said(source: &str, role: Role) -> Option<Said> {
    match role {
        Role::String => Some(escapes(source).map_or(Said::Plain, Said::View)),
        Role::Word => source.parse().ok().map(Said::Byte),
        Role::Words => {
            let bytes: Option<Vec<u8>> = source.split(',').map(|number| number.trim().parse().ok()).collect();
            bytes.map(Said::Bytes)
        }
        Role::Key => None,
    }
}

/// Returns the place of the innermost array element that a leaf is in.
fn container_place(scan: &Scan, leaf: &Leaf) -> usize {
    let mut container = &scan.containers[leaf.container];
    while container.parent != 0 && scan.containers[container.parent].object {
        container = &scan.containers[container.parent];
    }
    container.place
}

/// Returns, for each container, the numbers in it that tell parallel parts apart.
fn numbers(text: &str, scan: &Scan) -> Vec<String> {
    let mut numbers = vec![String::new(); scan.containers.len()];
    for leaf in scan.leaves.iter().filter(|leaf| leaf.role == Role::Word) {
        if leaf.name.as_ref().is_some_and(|name| INDEX.contains(&&text[name.clone()])) {
            numbers[leaf.container].extend(["#", &text[leaf.span.clone()]]);
        }
    }
    numbers
}

/// Returns what a leaf's pieces have in common over the values: the names above it, and the numbers of parallel parts.
fn group(text: &str, scan: &Scan, numbers: &[String], leaf: &Leaf) -> Option<String> {
    let name = leaf.name.clone().map_or("", |name| &text[name]);
    if leaf.role == Role::Key || ASIDE.contains(&name) || leaf.role == Role::Word && INDEX.contains(&name) {
        return None;
    }
    // What a function's stream ends with is an item of it, be it an error.
    let name = if leaf.container == 0 && name == "error" { "item" } else { name };
    let mut key = name.to_owned();
    let mut container = leaf.container;
    // What lies deeper is no document that anybody reads.
    for _ in 0..=MAX_DEPTH {
        let this = &scan.containers[container];
        key.extend([numbers[container].as_str(), "/", this.name.clone().map_or("", |name| &text[name])]);
        if this.parent == container {
            return Some(key);
        }
        container = this.parent;
    }
    None
}
