//! One piece of a text that comes piece by piece, and what it has in common with the others.

use std::ops::Range;

use super::coding::{View, escapes};
use super::kinship::{Kinship, ROOT};
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

/// What follows the names of pieces that are bytes, and of numbers of parallel parts: no name begins so.
const BYTES: &str = "\0[]";
const BYTE: &str = "\0#";
const NUMBER: &str = "\0";

/// One piece of a text that comes piece by piece.
pub(super) struct Fragment {
    pub(super) span: Range<usize>,
    pub(super) said: Said,
    /// What else tells it from its neighbours: the mark of its line, and its place in the array.
    pub(super) place: (String, usize),
    /// Where it stands, which may tell whose it is.
    pub(super) beside: usize,
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

impl Said {
    /// Returns the bytes whose numbers it is.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Said::Bytes(bytes) => bytes,
            Said::Byte(byte) => std::slice::from_ref(byte),
            Said::Plain | Said::View(_) => &[],
        }
    }
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

/// A value of a text that is a part of a body.
pub(super) struct Source<'a> {
    pub(super) body: &'a str,
    pub(super) text: &'a str,
    pub(super) value: &'a Value,
    /// The place that each container of the value is.
    pub(super) places: Vec<usize>,
}

/// Returns the strings and numbers of a value, each with the number of the path that it has in common with others; `source` says
/// where a stretch of the text stands in the body.
pub(super) fn fragments(
    Source { body, text, value, places }: &Source<'_>,
    kinship: &mut Kinship,
    source: impl Fn(Range<usize>) -> Option<Range<usize>>,
) -> Vec<(usize, Fragment)> {
    let scan = &value.read.scan;
    let paths = paths(text, scan, kinship);
    let mut found = Vec::new();
    for leaf in &scan.leaves {
        let Some(name) = said_under(text, leaf) else { continue };
        let Some(path) = paths[leaf.container] else { continue };
        let Some(span) = source(leaf.span.clone()) else { continue };
        let Some(said) = said(&body[span.clone()], leaf.role) else { continue };
        let path = kinship.below(path, name);
        let path = match said {
            Said::Bytes(_) => kinship.below(path, BYTES),
            Said::Byte(_) => kinship.below(path, BYTE),
            Said::Plain | Said::View(_) => path,
        };
        let place = if scan.containers[leaf.container].object { container_place(scan, leaf) } else { leaf.place };
        let mark = text[value.mark.clone()].to_owned();
        found.push((path, Fragment { span, said, place: (mark, place), beside: places[leaf.container] }));
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

/// Returns the path of each container: the names above its members, and the numbers that tell parallel parts apart.
fn paths(text: &str, scan: &Scan, kinship: &mut Kinship) -> Vec<Option<usize>> {
    let mut numbers = vec![String::new(); scan.containers.len()];
    for leaf in scan.leaves.iter().filter(|leaf| leaf.role == Role::Word) {
        if leaf.name.as_ref().is_some_and(|name| INDEX.contains(&&text[name.clone()])) {
            numbers[leaf.container].extend([NUMBER, &text[leaf.span.clone()]]);
        }
    }
    let mut paths: Vec<Option<(usize, usize)>> = Vec::with_capacity(scan.containers.len());
    for (container, numbers) in scan.containers.iter().zip(&numbers) {
        // What lies deeper is no document that anybody reads.
        let above =
            paths.get(container.parent).map_or(Some((ROOT, 0)), |above| above.map(|(path, depth)| (path, depth + 1)));
        paths.push(above.filter(|(_, depth)| *depth <= MAX_DEPTH).map(|(path, depth)| {
            let path = kinship.below(path, container.name.clone().map_or("", |name| &text[name]));
            (if numbers.is_empty() { path } else { kinship.below(path, numbers) }, depth)
        }));
    }
    paths.into_iter().map(|path| path.map(|(path, _)| path)).collect()
}

/// Returns the name under which a leaf says something; `None` of what is no part of what is said.
fn said_under<'a>(text: &'a str, leaf: &Leaf) -> Option<&'a str> {
    let name = leaf.name.clone().map_or("", |name| &text[name]);
    if leaf.role == Role::Key || ASIDE.contains(&name) || leaf.role == Role::Word && INDEX.contains(&name) {
        return None;
    }
    // What a function's stream ends with is an item of it, be it an error.
    Some(if leaf.container == 0 && name == "error" { "item" } else { name })
}
