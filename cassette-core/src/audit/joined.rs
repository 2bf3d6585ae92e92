//! What the pieces of a body say together.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::pieces::Pieces;
use super::walk::{Walk, member_step};
use crate::frames::lines;
use crate::json::{Json, Member};
use crate::redact::coding::{Held, held};
use crate::redact::pieces::{INDEX, Rest, values};
use crate::redact::voices::{MOST, Voice, of_event, voice};
use crate::redact::{Trust, is_telling, marks};

/// The key of what an event says as a whole.
const DATA: &str = "data";

/// What follows the key of a text whose pieces stand in texts of their own.
const WITHIN: char = '\0';

/// How many texts are looked into, one within the other.
const MAX_DEPTH: usize = 3;

/// The pieces of a body, by what they have in common.
#[derive(Default)]
pub(super) struct Joined {
    groups: BTreeMap<String, Pieces>,
    /// The same, those of one place in their array apart.
    apart: BTreeMap<(String, usize), Pieces>,
    every: Pieces,
    /// What texts say that stand in other texts.
    within: Pieces,
}

/// Where a value stands in a document.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The names above it and the numbers of the parallel parts it belongs to.
    key: &'a str,
    path: &'a str,
    /// Its place in the innermost array around it.
    at: Option<usize>,
    /// What stands beside it and may tell whose it is.
    voices: &'a Rc<[Voice]>,
}

impl Joined {
    /// Takes up an event as a cassette holds it.
    pub(super) fn event(&mut self, event: &Json, path: &str) {
        if let Json::String(raw) = event {
            return self.raw_event(&raw.value(), path);
        }
        let voices = event.get("event").and_then(Json::as_str).map(|name| of_event(&name)).into_iter().collect();
        for (name, value) in event.members().iter().filter(|(name, _)| !name.is("event")) {
            let path = format!("{path}.{}", name.value());
            self.below(value, Place { key: DATA, path: &path, at: None, voices: &voices });
        }
    }

    /// Takes up an event as its text.
    pub(super) fn raw_event(&mut self, event: &str, path: &str) {
        let lines = lines(event).map(|line| line.trim_end_matches(['\r', '\n']));
        let bare =
            |line: &str| line.strip_prefix("data:").map(|data| data.strip_prefix(' ').unwrap_or(data).to_owned());
        let data: Vec<String> = lines.filter_map(bare).collect();
        let text = if data.is_empty() { event.to_owned() } else { data.join("\n") };
        let named = crate::frames::lines(event).find_map(|line| line.strip_prefix("event:"));
        let voices = named.map(of_event).into_iter().collect();
        let place = Place { key: DATA, path, at: None, voices: &voices };
        if !self.values(&text, Rest::Refused, place) {
            data.iter().for_each(|line| self.push(place, line));
        }
    }

    /// Takes up the values in a text that is no stream.
    pub(super) fn text(&mut self, text: &str, path: &str) {
        let place = Place { key: DATA, path, at: None, voices: &Rc::default() };
        if !self.values(text, Rest::Refused, place) {
            self.values(text, Rest::Skipped, place);
        }
    }

    /// Takes up a document.
    pub(super) fn collect(&mut self, document: &Json, path: &str) {
        self.below(document, Place { key: DATA, path, at: None, voices: &Rc::default() });
    }

    fn values(&mut self, text: &str, rest: Rest, place: Place<'_>) -> bool {
        // Of what there is no end to, redaction leaves nothing.
        let found = values(text, rest).unwrap_or_default();
        let parsed = found.iter().map(|value| Json::parse(&text[value.range.clone()]));
        let documents = match rest {
            Rest::Refused => parsed.collect::<Result<Vec<Json>, _>>().unwrap_or_default(),
            Rest::Skipped => parsed.filter_map(Result::ok).collect(),
        };
        if documents.is_empty() {
            return false;
        }
        documents.iter().for_each(|document| self.below(document, place));
        true
    }

    fn below(&mut self, value: &Json, place: Place<'_>) {
        match value {
            Json::String(text) => self.push(place, &text.value()),
            Json::Number(number) => {
                // A piece of text may happen to be a number; elsewhere it may be a byte of one.
                if place.key == DATA {
                    self.push(place, number.source());
                }
                if let Some(byte) = byte(value) {
                    self.push(
                        Place { key: &format!("{}#", place.key), ..place },
                        char::from(byte).encode_utf8(&mut [0; 4]),
                    );
                }
            }
            Json::Array(elements) => self.array(elements, place),
            Json::Object(members) => {
                let numbers: String =
                    INDEX.iter().filter_map(|name| value.get(name)?.as_u64()).map(|n| format!("#{n}")).collect();
                let voices = voices(members, place.voices);
                for (i, (name, value)) in members.iter().enumerate().filter(|(_, (_, value))| says(value)) {
                    let name = name.value();
                    let step = member_step(&name, i, name.len() > 32);
                    // What a function's stream ends with is an item of it, be it an error.
                    let name = if place.key == DATA && name == "error" { "item" } else { &*name };
                    let (key, path) = (format!("{}{numbers}.{name}", place.key), format!("{}{step}", place.path));
                    self.below(value, Place { key: &key, path: &path, at: place.at, voices: &voices });
                }
            }
            Json::Null | Json::Bool(_) => {}
        }
    }

    fn array(&mut self, elements: &[Json], place: Place<'_>) {
        if elements.first().and_then(byte).is_some() {
            let bytes: Option<Vec<u8>> = elements.iter().map(byte).collect();
            if let Some(bytes) = bytes {
                let text: String = bytes.into_iter().map(char::from).collect();
                return self.push(Place { key: &format!("{}[]", place.key), ..place }, &text);
            }
        }
        for (i, element) in elements.iter().enumerate().filter(|(_, element)| !matches!(element, Json::Number(_))) {
            if says(element) {
                let path = format!("{}[{i}]", place.path);
                self.below(element, Place { path: &path, at: Some(i), ..place });
            }
        }
    }

    fn push(&mut self, place: Place<'_>, text: &str) {
        self.groups.entry(place.key.to_owned()).or_default().push(place.path, text, place.voices);
        if let Some(at) = place.at {
            self.apart.entry((place.key.to_owned(), at)).or_default().push(place.path, text, place.voices);
        }
        match place.key {
            key if key.ends_with(['#', ']']) => return,
            key if key.contains(WITHIN) => self.within.push(place.path, text, place.voices),
            _ => self.every.push(place.path, text, place.voices),
        }
        let depth = place.key.matches(WITHIN).count();
        let key = format!("{}{WITHIN}", place.key);
        match held(text).filter(|_| depth < MAX_DEPTH) {
            Some(Held::Json) => _ = self.held(text, Place { key: &key, ..place }),
            Some(Held::Base64(held)) if !self.held(&held, Place { key: &key, ..place }) => {
                self.push(Place { key: &key, ..place }, &held)
            }
            _ => {}
        }
    }

    /// Takes up the values in a text within a text, if it holds any.
    fn held(&mut self, text: &str, place: Place<'_>) -> bool {
        let found = values(text, Rest::Refused).unwrap_or_default();
        let documents = found.iter().filter_map(|value| Json::parse(&text[value.range.clone()]).ok());
        let documents: Vec<Json> = documents.collect();
        documents.iter().for_each(|document| self.below(document, place));
        !documents.is_empty()
    }

    /// Looks into each joined text, and names every piece that holds a part of what was found.
    pub(super) fn report(self, walk: &mut Walk<'_>, trust: Trust) {
        let whole = |pieces: &Pieces| pieces.places.len();
        for ((key, _), pieces) in &self.apart {
            if whole(pieces) < self.groups.get(key).map_or(0, whole) {
                pieces.report(walk, trust);
            }
        }
        for (key, pieces) in &self.groups {
            pieces.report(walk, if key.contains(WITHIN) { Trust::Looks } else { trust });
            pieces.report_voices(walk);
            pieces.grown(walk);
        }
        for every in [&self.every, &self.within] {
            for range in walk.auditor.known(&every.text) {
                let value = &every.text[range];
                if is_telling(value) && marks(value).next().is_none() {
                    every.file(walk, "secret", value, Trust::Looks);
                }
            }
        }
    }
}

/// Returns what may tell whose the values of an object are: its own short members, those of the objects in it, and those above.
fn voices(members: &[Member], above: &Rc<[Voice]>) -> Rc<[Voice]> {
    let inner = members.iter().flat_map(|(_, value)| value.members());
    let own = members.iter().chain(inner).filter_map(|(name, value)| match value {
        Json::String(text) => voice(&name.value(), &text.value()),
        Json::Number(number) => voice(&name.value(), number.source()),
        _ => None,
    });
    own.chain(above.iter().copied()).take(MOST).collect()
}

fn byte(value: &Json) -> Option<u8> {
    u8::try_from(value.as_u64()?).ok()
}

/// Returns whether a value may hold a piece of a text.
fn says(value: &Json) -> bool {
    !matches!(value, Json::Null | Json::Bool(_))
}
