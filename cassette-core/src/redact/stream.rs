//! Secrets in a stream of events: in each, and in what the events say together.

use std::collections::HashMap;
use std::ops::Range;

use super::arrays;
use super::coding::{View, escapes};
use super::detect::is_suspicious;
use super::document::{Spoken, leaf_edits, spoken_names};
use super::edit::{By, Edit, merge};
use super::lens::Lens;
use super::scan::{Leaf, Role, Scan, scan};
use crate::frames::{Framing, lines};

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

/// Members that number the parallel parts of a stream.
const INDEX: &[&str] = &["index", "output_index", "content_index", "summary_index", "choice_index"];

/// Returns the edits of a body that is a stream of events.
pub(crate) fn edits(lens: Lens<'_>, body: &str, framing: Framing) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut joined: Vec<Group> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (piece, is_data) in pieces(body, framing) {
        let text = &body[piece.clone()];
        let scan = if is_data { scan(text) } else { None };
        let Some(scan) = scan else {
            edits.extend(lens.edits(text, 0).into_iter().map(|edit| edit.moved(piece.start)));
            if is_data && !text.starts_with('[') {
                let data = Fragment { span: piece.clone(), view: None };
                push(&mut joined, &mut known, "data".to_owned(), data);
            }
            continue;
        };
        let look = lens.rules.look_into_text() || is_suspicious(text) || !lens.known_in(text).is_empty();
        let spoken = if look { spoken_names(text, &scan) } else { Spoken::default() };
        if look {
            edits.extend(arrays::edits(lens, text, &scan, 0).into_iter().map(|edit| edit.moved(piece.start)));
        }
        let numbers = numbers(text, &scan);
        for leaf in &scan.leaves {
            if look {
                edits.extend(leaf_edits(lens, text, leaf, &spoken, 0).into_iter().map(|edit| edit.moved(piece.start)));
            }
            if let Some(key) = group(text, &scan, &numbers, leaf) {
                let span = piece.start + leaf.span.start..piece.start + leaf.span.end;
                let view = escapes(&body[span.clone()]);
                push(&mut joined, &mut known, key, Fragment { span, view });
            }
        }
    }
    edits.extend(joined.iter().filter(|group| group.len() > 1).flat_map(|group| group_edits(lens, body, group)));
    edits
}

type Group = Vec<Fragment>;

/// One event's part of a text that comes piece by piece.
struct Fragment {
    span: Range<usize>,
    view: Option<View>,
}

impl Fragment {
    fn said<'a>(&'a self, body: &'a str) -> &'a str {
        self.view.as_ref().map_or(&body[self.span.clone()], |view| &view.text)
    }

    fn source(&self, range: Range<usize>) -> Range<usize> {
        let range = self.view.as_ref().map_or(range.clone(), |view| view.source(&range));
        self.span.start + range.start..self.span.start + range.end
    }
}

fn push(joined: &mut Vec<Group>, known: &mut HashMap<String, usize>, key: String, fragment: Fragment) {
    let group = *known.entry(key).or_insert_with(|| {
        joined.push(Group::new());
        joined.len() - 1
    });
    joined[group].push(fragment);
}

/// Cuts a body into the data of its events and what stands between.
fn pieces(body: &str, framing: Framing) -> Vec<(Range<usize>, bool)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for line in lines(body) {
        let text = line.trim_end_matches(['\r', '\n']);
        let data = match framing {
            Framing::Sse => text.strip_prefix("data:").map(|data| data.strip_prefix(' ').unwrap_or(data)),
            Framing::Lines => Some(text),
        };
        let is_data = data.is_some();
        let data = data.unwrap_or(text);
        if !data.is_empty() {
            let end = start + text.len();
            pieces.push((end - data.len()..end, is_data));
        }
        start += line.len();
    }
    pieces
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

/// Returns what a leaf's pieces have in common over the events: the names above it, and the numbers of parallel parts.
fn group(text: &str, scan: &Scan, numbers: &[String], leaf: &Leaf) -> Option<String> {
    let name = &text[leaf.name.clone()?];
    if leaf.role != Role::String || ASIDE.contains(&name) {
        return None;
    }
    let mut key = name.to_owned();
    let mut container = leaf.container;
    loop {
        let this = &scan.containers[container];
        key.extend([numbers[container].as_str(), "/", this.name.clone().map_or("", |name| &text[name])]);
        if this.parent == container {
            return Some(key);
        }
        container = this.parent;
    }
}

/// Finds what stands in several fragments: the first of them keeps the placeholder, the others lose their part.
fn group_edits(lens: Lens<'_>, body: &str, group: &Group) -> Vec<Edit> {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(group.len());
    for fragment in group {
        starts.push(text.len());
        text.push_str(fragment.said(body));
    }
    let found = merge(&text, lens.edits(&text, 0));
    let mut edits = Vec::new();
    for edit in found {
        let mut by = Some(edit.by);
        for (fragment, start) in group.iter().zip(&starts) {
            let end = start + fragment.said(body).len();
            let range = edit.range.start.max(*start)..edit.range.end.min(end);
            if range.start < range.end {
                let source = fragment.source(range.start - start..range.end - start);
                let by = by.take().unwrap_or(By::Text(String::new()));
                let respell = fragment.view.as_ref().map_or(str::to_owned as fn(&str) -> String, |view| view.respell);
                edits.push(Edit { range: 0..0, by }.carried(source, respell));
            }
        }
    }
    edits
}
