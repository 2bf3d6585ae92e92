//! What the pieces of a body say together: the strings at one path of its values, the bytes that its arrays and numbers are.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::coding::{View, escapes};
use super::edit::{By, Edit, merge};
use super::grown;
use super::lens::{Lens, Trust};
use super::pieces::Value;
use super::placeholder::{filled, unnumbered};
use super::scan::{Leaf, Role, Scan};

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

/// The fewest numbers that are taken for the bytes of a text.
const LEAST_NUMBERS: usize = 8;

/// The pieces of a body, and which of them belong together.
#[derive(Default)]
pub(super) struct Joined {
    fragments: Vec<Fragment>,
    groups: Vec<Group>,
    known: HashMap<String, usize>,
}

/// Pieces that are one text, in order.
#[derive(Default)]
struct Group {
    /// By their numbers.
    fragments: Vec<usize>,
    bytes: bool,
}

/// One piece of a text that comes piece by piece.
struct Fragment {
    span: Range<usize>,
    said: Said,
    /// What else tells it from its neighbours: the mark of its line, and its place in the array.
    place: (String, usize),
}

/// How a piece is written.
enum Said {
    /// As it stands.
    Plain,
    /// In escapes.
    View(View),
    /// By the numbers of its bytes, in an array.
    Bytes(Vec<u8>),
    /// As one byte.
    Byte(u8),
}

impl Joined {
    /// Takes up a line that is no value.
    pub(super) fn push_data(&mut self, span: Range<usize>) {
        self.file("data".to_owned(), Fragment { span, said: Said::Plain, place: Default::default() });
    }

    /// Takes up the strings and numbers of a value of this text; `source` says where a stretch of it stands in the body.
    pub(super) fn push(
        &mut self,
        body: &str,
        text: &str,
        value: &Value,
        source: impl Fn(Range<usize>) -> Option<Range<usize>>,
    ) {
        let scan = &value.read.scan;
        let numbers = numbers(text, scan);
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
            self.file(key, Fragment { span, said, place: (mark, place) });
        }
    }

    fn file(&mut self, key: String, fragment: Fragment) {
        let group = *self.known.entry(key).or_insert_with(|| {
            self.groups.push(Group::default());
            self.groups.len() - 1
        });
        self.groups[group].bytes = matches!(fragment.said, Said::Bytes(_) | Said::Byte(_));
        self.groups[group].fragments.push(self.fragments.len());
        self.fragments.push(fragment);
    }

    /// Returns the edits that hide what the pieces of one path say, and what is known and lies across those of any.
    ///
    /// `made` are those of each piece by itself: what is spelled anew as a whole waits until they are made.
    pub(super) fn edits(mut self, lens: Lens<'_>, body: &str, made: &[Edit]) -> Vec<Edit> {
        self.groups.retain(|group| group.fragments.len() > 1);
        let mut found = Vec::new();
        let waits = |parts: &[(usize, Edit)]| {
            let spelled = parts.len() > 1 && matches!(&parts[0].1.by, By::Text(_));
            let overlaps = |span: &Range<usize>| made.iter().any(|edit| overlap(&edit.range, span));
            spelled && parts.iter().any(|(i, _)| overlaps(&self.fragments[*i].span))
        };
        for group in &self.groups {
            if group.bytes {
                found.extend(self.in_bytes(lens, group));
                continue;
            }
            for fragments in std::iter::once(group.fragments.clone()).chain(self.apart(&group.fragments)) {
                let whole = self.over(body, &fragments, lens.trust, |text| lens.edits(text, 0));
                found.extend(whole.into_iter().filter(|parts| !waits(parts)).flatten());
            }
            let said: Vec<&str> = group.fragments.iter().map(|i| self.fragments[*i].text(body)).collect();
            for (at, edit) in grown::edits(lens, &said) {
                found.push((group.fragments[at], edit));
            }
        }
        let texts = |i: &usize| !matches!(self.fragments[*i].said, Said::Bytes(_) | Said::Byte(_));
        let every: Vec<usize> = (0..self.fragments.len()).filter(texts).collect();
        if lens.known.is_some_and(|known| !known.is_empty()) {
            let whole = self.over(body, &every, Trust::Looks, |text| telling(text, lens.known_in(text)));
            found.extend(whole.into_iter().flatten());
        }
        self.carried(found)
    }

    /// Returns the pieces of one path by what else tells them apart, where anything does.
    fn apart(&self, fragments: &[usize]) -> Vec<Vec<usize>> {
        let place = |i: &usize| &self.fragments[*i].place;
        if fragments.windows(2).all(|pair| place(&pair[0]) == place(&pair[1])) {
            return Vec::new();
        }
        let mut apart: BTreeMap<&(String, usize), Vec<usize>> = BTreeMap::new();
        fragments.iter().for_each(|i| apart.entry(place(i)).or_default().push(*i));
        apart.into_values().filter(|fragments| fragments.len() > 1).collect()
    }

    /// Finds what stands in pieces: the first of them keeps the placeholder, the others lose their part.
    ///
    /// Where names are not believed, what stands in one piece alone is left to who looks into that piece.
    fn over(
        &self,
        body: &str,
        fragments: &[usize],
        trust: Trust,
        edits: impl Fn(&str) -> Vec<Edit>,
    ) -> Vec<Vec<(usize, Edit)>> {
        let mut text = String::new();
        let mut starts = Vec::with_capacity(fragments.len());
        for i in fragments {
            starts.push(text.len());
            text.push_str(self.fragments[*i].text(body));
        }
        let mut found = Vec::new();
        for edit in merge(&text, edits(&text)) {
            let mut by = Some(edit.by);
            let first = starts.partition_point(|start| *start <= edit.range.start).saturating_sub(1);
            let last = starts.partition_point(|start| *start < edit.range.end);
            if trust == Trust::Looks && last - first < 2 {
                continue;
            }
            let mut parts = Vec::with_capacity(last - first);
            for (at, start) in starts.iter().enumerate().take(last).skip(first) {
                let end = starts.get(at + 1).copied().unwrap_or(text.len());
                let range = edit.range.start.max(*start)..edit.range.end.min(end);
                if range.start < range.end {
                    let by = by.take().unwrap_or(By::Text(String::new()));
                    parts.push((fragments[at], Edit { range: range.start - start..range.end - start, by }));
                }
            }
            found.push(parts);
        }
        found
    }

    /// Finds what the bytes of several pieces spell. Where each is a number of its own, what stands for it is as long.
    fn in_bytes(&self, lens: Lens<'_>, group: &Group) -> Vec<(usize, Edit)> {
        let mut bytes = Vec::new();
        let mut owners: Vec<(usize, usize)> = Vec::new();
        for i in &group.fragments {
            let said = match &self.fragments[*i].said {
                Said::Bytes(said) => said.as_slice(),
                Said::Byte(byte) => std::slice::from_ref(byte),
                Said::Plain | Said::View(_) => &[],
            };
            owners.extend((0..said.len()).map(|at| (*i, at)));
            bytes.extend_from_slice(said);
        }
        if bytes.len() < LEAST_NUMBERS {
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
            let apart = matches!(self.fragments[owned[0].0].said, Said::Byte(_));
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

    /// Returns edits of pieces as edits of the body.
    fn carried(&self, found: Vec<(usize, Edit)>) -> Vec<Edit> {
        let mut carried = Vec::new();
        let mut spelled: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
        for (i, edit) in found {
            let fragment = &self.fragments[i];
            match &fragment.said {
                Said::Plain => carried.push(edit.moved(fragment.span.start)),
                Said::View(view) => {
                    let range = view.source(&edit.range);
                    carried.push(edit.carried(range, view.respell).moved(fragment.span.start));
                }
                Said::Bytes(_) | Said::Byte(_) => spelled.entry(i).or_default().push(edit),
            }
        }
        for (i, edits) in spelled {
            let fragment = &self.fragments[i];
            let said = match &fragment.said {
                Said::Bytes(bytes) => bytes.as_slice(),
                Said::Byte(byte) => std::slice::from_ref(byte),
                Said::Plain | Said::View(_) => continue,
            };
            let mut spelled: Vec<u8> = Vec::new();
            for (at, byte) in said.iter().enumerate() {
                match edits.iter().find(|edit| edit.range.start == at) {
                    Some(Edit { by: By::Text(by), .. }) => spelled.extend(by.bytes()),
                    _ => spelled.push(*byte),
                }
            }
            let numbers: Vec<String> = spelled.iter().map(u8::to_string).collect();
            carried.push(Edit { range: fragment.span.clone(), by: By::Text(numbers.join(",")) });
        }
        carried
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Fragment {
    fn text<'a>(&'a self, body: &'a str) -> &'a str {
        match &self.said {
            Said::View(view) => &view.text,
            _ => &body[self.span.clone()],
        }
    }
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
    loop {
        let this = &scan.containers[container];
        key.extend([numbers[container].as_str(), "/", this.name.clone().map_or("", |name| &text[name])]);
        if this.parent == container {
            return Some(key);
        }
        container = this.parent;
    }
}

/// Returns the edits of values that stand nowhere by chance.
fn telling(text: &str, mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.retain(|edit| {
        let value = &text[edit.range.clone()];
        value.len() >= 12 && value.contains(|c: char| c.is_ascii_digit()) && value.contains(char::is_alphabetic)
    });
    edits
}
