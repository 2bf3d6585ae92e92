//! The walk down two requests to the smallest places that differ.

use std::collections::BTreeMap;

use super::Differences;
use super::align::{Of, Step, align};
use super::form::Form;
use super::node::{Node, Value};
use super::passing::is_passing;
use super::path::{self, Counted};
use super::secrets::{Sameness, in_plain};
use super::show::{Room, shown, shown_in};
use super::text::{Words, words};
use crate::json::MAX_DEPTH;
use crate::report::{Difference, Edit, Nature, Shown};

/// From how many differing numbers on a list of numbers differs as a whole.
const NUMBERS: usize = 8;

/// Whether a list of one text block says the same as the string in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    /// It may: both requests speak a provider's language. Where it does not, that is told beside what differs.
    AreStrings,
    /// It does not.
    AreLists,
}

/// How two forms are compared and what differs is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Telling {
    pub(super) blocks: Blocks,
    /// What the path of all of it is called.
    pub(super) whole: &'static str,
    pub(super) room: Room,
}

/// Returns where two forms differ, in the order of the request.
pub(super) fn compare(recorded: &Form, incoming: &Form, telling: Telling) -> Differences {
    let Telling { blocks, whole, room } = telling;
    let mut walk = Walk { all: Differences::default(), blocks, whole, room, sameness: Sameness::default(), depth: 0 };
    let fields = |form: &Form| form.fields.iter().map(|(path, node)| (path.clone(), node.clone())).collect::<Vec<_>>();
    let top = At { recorded: String::new(), incoming: String::new() };
    walk.members(&top, &fields(recorded), &fields(incoming), |_, name| name.to_owned());
    walk.all
}

/// Where the walk stands: the path in either request.
#[derive(Clone)]
struct At {
    recorded: String,
    incoming: String,
}

impl At {
    fn step(&self, step: impl Fn(&str) -> String) -> At {
        At { recorded: step(&self.recorded), incoming: step(&self.incoming) }
    }
}

struct Walk {
    all: Differences,
    blocks: Blocks,
    whole: &'static str,
    room: Room,
    sameness: Sameness,
    /// In how many lists, objects and strings it is.
    depth: usize,
}

impl Walk {
    fn node(&mut self, at: &At, ours: &Node, theirs: &Node) {
        if ours.is(theirs) && !(ours.secret && theirs.secret) {
            return;
        }
        self.depth += 1;
        self.differing(at, ours, theirs);
        self.depth -= 1;
    }

    fn differing(&mut self, at: &At, ours: &Node, theirs: &Node) {
        match (&ours.value, &theirs.value) {
            (Value::Map(ours), Value::Map(theirs)) => self.members(at, ours, theirs, path::member),
            (Value::Part(ours), Value::Part(theirs)) => self.members(at, ours, theirs, path::in_part),
            (Value::List(ours), Value::List(theirs)) => self.elements(at, ours, theirs),
            (Value::Text(recorded), Value::Text(incoming)) if ours.is(theirs) => {
                if let Some(earlier) = self.sameness.take(recorded, incoming, &at.incoming) {
                    self.changed(at, ours, theirs, Some(Nature::Secret(earlier)));
                }
            }
            (Value::Text(_), Value::Text(_)) => self.texts(at, ours, theirs),
            (Value::Bytes(recorded), Value::Bytes(incoming)) => self.bytes(at, recorded, incoming),
            (Value::Text(_), Value::List(blocks)) if self.is_block(blocks) => {
                let inside = At { incoming: format!("{}[0].text", at.incoming), ..at.clone() };
                self.respelled(at, [ours, theirs], &inside, [ours, block(blocks).unwrap_or(theirs)]);
            }
            (Value::List(blocks), Value::Text(_)) if self.is_block(blocks) => {
                let inside = At { recorded: format!("{}[0].text", at.recorded), ..at.clone() };
                self.respelled(at, [ours, theirs], &inside, [block(blocks).unwrap_or(ours), theirs]);
            }
            (Value::Number(recorded), Value::Number(incoming)) => {
                let is_fraction = at.incoming.ends_with("nanos_since_epoch");
                let nature = (is_fraction || is_passing(recorded, incoming)).then_some(Nature::Passing);
                self.changed(at, ours, theirs, nature);
            }
            _ => self.changed(at, ours, theirs, None),
        }
    }

    /// Compares a string with the text of a block; where they are the same, it is a matter of the dialect whether the two
    /// places are.
    fn respelled(&mut self, at: &At, [ours, theirs]: [&Node; 2], inside: &At, [text, other]: [&Node; 2]) {
        let before = self.all.found.len();
        self.node(inside, text, other);
        if self.all.found.len() == before {
            self.all.respelled.insert(before);
            self.changed(at, ours, theirs, None);
        }
    }

    fn is_block(&self, elements: &[Node]) -> bool {
        self.blocks == Blocks::AreStrings && block(elements).is_some()
    }

    /// Compares members by name: those that were recorded in their order, then those that came.
    fn members(&mut self, at: &At, ours: &[(String, Node)], theirs: &[(String, Node)], step: fn(&str, &str) -> String) {
        let named: BTreeMap<&str, &Node> = theirs.iter().map(|(name, node)| (name.as_str(), node)).collect();
        for (name, node) in ours {
            let at = at.step(|path| step(path, name));
            match named.get(name.as_str()) {
                Some(other) => self.node(&at, node, other),
                None => each(&at.recorded, node).for_each(|(path, node)| self.removed(&path, node)),
            }
        }
        let known: BTreeMap<&str, ()> = ours.iter().map(|(name, _)| (name.as_str(), ())).collect();
        for (name, node) in theirs.iter().filter(|(name, _)| !known.contains_key(name.as_str())) {
            each(&step(&at.incoming, name), node).for_each(|(path, node)| self.added(&path, node));
        }
    }

    fn elements(&mut self, at: &At, ours: &[Node], theirs: &[Node]) {
        let steps = align(ours, theirs, Of::Elements);
        let is_kept = |step: &Step| matches!(step, Step::Stays(i, j) if ours[*i].is(&theirs[*j]));
        let numbers = |nodes: &[Node]| nodes.iter().all(|node| matches!(node.value, Value::Number(_)));
        if steps.iter().filter(|step| !is_kept(step)).count() > NUMBERS && numbers(ours) && numbers(theirs) {
            return self.numbers(at, ours, theirs);
        }
        let counted = counted(ours, theirs);
        for step in steps {
            let place = |i: usize, j: usize| At {
                recorded: path::element(&at.recorded, i, counted),
                incoming: path::element(&at.incoming, j, counted),
            };
            match step {
                Step::Stays(i, j) => self.node(&place(i, j), &ours[i], &theirs[j]),
                Step::Moves(i, j) => {
                    self.moved(&place(i, j), &theirs[j]);
                    self.node(&place(i, j), &ours[i], &theirs[j]);
                }
                Step::Goes(i) => self.removed(&place(i, 0).recorded, &ours[i]),
                Step::Comes(j) => self.added(&place(0, j).incoming, &theirs[j]),
            }
        }
    }

    /// Reports two lists of numbers as one difference, from the first number on that differs.
    fn numbers(&mut self, at: &At, ours: &[Node], theirs: &[Node]) {
        let first = ours.iter().zip(theirs).take_while(|(a, b)| a.is(b)).count();
        let show = |nodes: &[Node]| {
            let rest: Vec<_> = nodes.iter().skip(first).take(8).map(shown).collect();
            let more = |there: bool| if there { "…, " } else { "" };
            let cut = if nodes.len() > first + 8 { ", …" } else { "" };
            format!("[{}{}{cut}], {} numbers", more(first > 0), rest.join(", "), nodes.len())
        };
        let shown = vec![Shown { recorded: Some(show(ours)), incoming: Some(show(theirs)) }];
        let size = ours.len().max(theirs.len()) - first;
        self.push(Edit::Changed, at, Words { shown, nature: None, more: 0, size });
    }

    fn texts(&mut self, at: &At, ours: &Node, theirs: &Node) {
        // A document may hold another in a string for ever; a path that long says nothing to anybody.
        let nested = |node: &Node| node.nested().filter(|_| self.depth <= MAX_DEPTH);
        if let (Some(recorded), Some(incoming)) = (nested(ours), nested(theirs)) {
            let before = self.all.found.len();
            if recorded.is_like(&incoming) {
                let whole = self.whole;
                let inside = at.step(|path| format!("{}~", if path.is_empty() { whole } else { path }));
                self.node(&inside, &recorded, &incoming);
            }
            if self.all.found.len() > before {
                return;
            }
        }
        if let (Value::Text(recorded), Value::Text(incoming)) = (&ours.value, &theirs.value) {
            let words = words(recorded, incoming, self.room);
            // A version stands in an address or a header, and no run has one of its own.
            let nature = words.nature.filter(|nature| *nature != Nature::Passing || !at.incoming.starts_with('@'));
            self.push(Edit::Changed, at, Words { nature, ..words });
        }
    }

    fn bytes(&mut self, at: &At, ours: &[u8], theirs: &[u8]) {
        let first = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
        let show = |bytes: &[u8]| Some(format!("{} bytes; the first {first} agree", bytes.len()));
        let shown = vec![Shown { recorded: show(ours), incoming: show(theirs) }];
        let size = ours.len().max(theirs.len()) - first;
        self.push(Edit::Changed, at, Words { shown, nature: None, more: 0, size });
    }

    fn changed(&mut self, at: &At, ours: &Node, theirs: &Node, nature: Option<Nature>) {
        let (recorded, incoming) = (shown_in(ours, self.room), shown_in(theirs, self.room));
        let size = recorded.len().max(incoming.len());
        let shown = vec![Shown { recorded: Some(recorded), incoming: Some(incoming) }];
        let nature = nature.or_else(|| in_plain(ours, theirs));
        self.push(Edit::Changed, at, Words { shown, nature, more: 0, size });
    }

    fn removed(&mut self, path: &str, node: &Node) {
        let at = At { recorded: path.to_owned(), incoming: path.to_owned() };
        self.one_side(Edit::Removed, &at, Shown { recorded: Some(shown_in(node, self.room)), incoming: None });
    }

    fn added(&mut self, path: &str, node: &Node) {
        let at = At { recorded: path.to_owned(), incoming: path.to_owned() };
        self.one_side(Edit::Added, &at, Shown { recorded: None, incoming: Some(shown_in(node, self.room)) });
    }

    fn moved(&mut self, at: &At, node: &Node) {
        let value = Some(shown(node));
        self.one_side(Edit::Moved, at, Shown { recorded: value.clone(), incoming: value });
    }

    fn one_side(&mut self, edit: Edit, at: &At, shown: Shown) {
        let size = [&shown.recorded, &shown.incoming].into_iter().flatten().map(String::len).max().unwrap_or_default();
        self.push(edit, at, Words { shown: vec![shown], nature: None, more: 0, size });
    }

    fn push(&mut self, edit: Edit, at: &At, words: Words) {
        let Words { shown, nature, more, size } = words;
        let named = |path: &str| if path.is_empty() { self.whole } else { path }.to_owned();
        let from = (at.recorded != at.incoming).then(|| named(&at.recorded));
        let path = named(&at.incoming);
        self.all.found.push(Difference { edit, path, from, shown, nature, more });
        self.all.size += size;
    }
}

fn counted(ours: &[Node], theirs: &[Node]) -> Counted {
    let is_part = |node: &Node| matches!(node.value, Value::Part(_));
    if ours.iter().chain(theirs).any(is_part) { Counted::Parts } else { Counted::Elements }
}

/// Returns what stands alone at a path, each with its own: parts of a multipart body are told of one by one.
fn each<'a>(path: &str, node: &'a Node) -> impl Iterator<Item = (String, &'a Node)> + use<'a> {
    let path = path.to_owned();
    let nodes = match &node.value {
        Value::List(parts) if counted(parts, &[]) == Counted::Parts => parts.as_slice(),
        _ => std::slice::from_ref(node),
    };
    nodes.iter().enumerate().map(move |(i, node)| (path::element(&path, i, Counted::Parts), node))
}

/// Returns the text of a list that is one text block and nothing else.
fn block(elements: &[Node]) -> Option<&Node> {
    let [Node { value: Value::Map(members), .. }] = elements else { return None };
    let member = |wanted: &str| members.iter().find(|(name, _)| name == wanted).map(|(_, node)| node);
    let is_text = matches!(&member("type")?.value, Value::Text(kind) if kind.ends_with("text"));
    member("text").filter(|_| is_text && members.len() == 2)
}
