//! What the pieces of a body say together.

use std::collections::BTreeMap;

use super::pieces::Pieces;
use super::walk::{Walk, member_step};
use crate::frames::lines;
use crate::json::{Json, Member};
use crate::redact::coding::{Held, held};
use crate::redact::detect::UNSEARCHED;
use crate::redact::pieces::{INDEX, Rest, values};
use crate::redact::voices::{BODY, Voices, mark};
use crate::redact::{Trust, is_telling, marks};

/// The key of what an event says as a whole.
const DATA: &str = "data";

/// What follows the key of a text whose pieces stand in texts of their own.
const WITHIN: char = '\0';

/// How many texts are looked into, one within the other: as many as redaction looks into.
const MAX_DEPTH: usize = 4;

/// The pieces of a body, by what they have in common.
#[derive(Default)]
pub(super) struct Joined {
    groups: BTreeMap<String, Pieces>,
    /// The same, those of one place in their array apart.
    apart: BTreeMap<(String, usize), Pieces>,
    every: Pieces,
    /// What texts say that stand in other texts.
    within: Pieces,
    /// What stands beside the pieces, by where they stand.
    voices: Voices,
    /// What is not looked into: where it stands, and what it is.
    deeper: Vec<(String, String)>,
}

/// Where a value stands in a document.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The names above it and the numbers of the parallel parts it belongs to.
    key: &'a str,
    path: &'a str,
    /// Its place in the innermost array around it.
    at: Option<usize>,
    /// The object, array or event it is in.
    beside: usize,
}

impl Joined {
    /// Takes up an event as a cassette holds it.
    pub(super) fn event(&mut self, event: &Json, path: &str) {
        if let Json::String(raw) = event {
            return self.raw_event(&raw.value(), path);
        }
        let beside = self.voices.open(BODY);
        if let Some(name) = event.get("event").and_then(Json::as_str) {
            self.voices.say(beside, mark(&"event"), &name);
        }
        for (name, value) in event.members().iter().filter(|(name, _)| !name.is("event")) {
            let path = format!("{path}.{}", name.value());
            self.below(value, Place { key: DATA, path: &path, at: None, beside });
        }
    }

    /// Takes up an event as its text.
    pub(super) fn raw_event(&mut self, event: &str, path: &str) {
        let lines = || lines(event).map(|line| line.trim_end_matches(['\r', '\n']));
        let bare =
            |line: &str| line.strip_prefix("data:").map(|data| data.strip_prefix(' ').unwrap_or(data).to_owned());
        let data: Vec<String> = lines().filter_map(bare).collect();
        if data.is_empty() {
            return self.said_in(event, &[], &[], path);
        }
        let fields = lines().filter(|line| !line.starts_with("data:"));
        let fields: Vec<_> = fields.map(|line| line.split_once(':').unwrap_or(("", line))).collect();
        self.said_in(&data.join("\n"), &data, &fields, path);
    }

    /// Takes up a message that has these fields beside what it says.
    pub(super) fn message(&mut self, said: &str, fields: &[(&str, &str)], path: &str) {
        self.said_in(said, &[said.to_owned()], fields, path);
    }

    fn said_in(&mut self, text: &str, lines: &[String], fields: &[(&str, &str)], path: &str) {
        let beside = self.voices.open(BODY);
        fields.iter().for_each(|(name, said)| self.voices.say(beside, mark(name), said));
        let place = Place { key: DATA, path, at: None, beside };
        if !self.values(text, Rest::Refused, place) {
            lines.iter().for_each(|line| self.push(place, line));
        }
    }

    /// Takes up the values in a text that is no stream.
    pub(super) fn text(&mut self, text: &str, path: &str) {
        let place = Place { key: DATA, path, at: None, beside: BODY };
        if !self.values(text, Rest::Refused, place) {
            self.values(text, Rest::Skipped, place);
        }
    }

    /// Takes up a document.
    pub(super) fn collect(&mut self, document: &Json, path: &str) {
        self.below(document, Place { key: DATA, path, at: None, beside: BODY });
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
            Json::String(text) => {
                self.voices.say(place.beside, mark(&place.key), &text.value());
                self.push(place, &text.value());
            }
            Json::Number(number) => {
                self.voices.say(place.beside, mark(&place.key), &number.source());
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
            Json::Object(members) => self.object(value, members, place),
            Json::Null => self.voices.say(place.beside, mark(&place.key), &()),
            Json::Bool(said) => self.voices.say(place.beside, mark(&place.key), said),
        }
    }

    fn object(&mut self, object: &Json, members: &[Member], place: Place<'_>) {
        let numbers: String =
            INDEX.iter().filter_map(|name| object.get(name)?.as_u64()).map(|n| format!("#{n}")).collect();
        let beside = self.voices.open(place.beside);
        for (i, (name, value)) in members.iter().enumerate() {
            let name = name.value();
            let step = member_step(&name, i, name.len() > 32);
            // What a function's stream ends with is an item of it, be it an error.
            let name = if place.key == DATA && name == "error" { "item" } else { &*name };
            let (key, path) = (format!("{}{numbers}.{name}", place.key), format!("{}{step}", place.path));
            self.below(value, Place { key: &key, path: &path, at: place.at, beside });
        }
    }

    fn array(&mut self, elements: &[Json], place: Place<'_>) {
        if elements.first().and_then(byte).is_some() {
            let bytes: Option<Vec<u8>> = elements.iter().map(byte).collect();
            if let Some(bytes) = bytes {
                let text: String = bytes.into_iter().map(char::from).collect();
                self.voices.say(place.beside, mark(&place.key), &text);
                return self.push(Place { key: &format!("{}[]", place.key), ..place }, &text);
            }
        }
        let beside = self.voices.open(place.beside);
        for (i, element) in elements.iter().enumerate() {
            match element {
                // What numbers spell one by one, they spell as a whole.
                Json::Number(number) => self.voices.say(beside, mark(&place.key), &number.source()),
                _ => {
                    let path = format!("{}[{i}]", place.path);
                    self.below(element, Place { path: &path, at: Some(i), beside, ..place });
                }
            }
        }
    }

    fn push(&mut self, place: Place<'_>, text: &str) {
        self.groups.entry(place.key.to_owned()).or_default().push(place.path, text, place.beside);
        if let Some(at) = place.at {
            self.apart.entry((place.key.to_owned(), at)).or_default().push(place.path, text, place.beside);
        }
        match place.key {
            key if key.ends_with(['#', ']']) => return,
            key if key.contains(WITHIN) => self.within.push(place.path, text, place.beside),
            _ => self.every.push(place.path, text, place.beside),
        }
        let depth = place.key.matches(WITHIN).count();
        let key = format!("{}{WITHIN}", place.key);
        match held(text) {
            Some(_) if depth == MAX_DEPTH => self.deeper.push((place.path.to_owned(), text.to_owned())),
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
        // Of one alone, nothing lies in another.
        for (path, text) in self.deeper.iter().filter(|_| self.deeper.len() > 1) {
            walk.file(path, UNSEARCHED, text.clone());
        }
        let whole = |pieces: &Pieces| pieces.places.len();
        for ((key, _), pieces) in &self.apart {
            if whole(pieces) < self.groups.get(key).map_or(0, whole) {
                pieces.report(walk, trust);
            }
        }
        for (key, pieces) in &self.groups {
            pieces.report(walk, if key.contains(WITHIN) { Trust::Looks } else { trust });
            pieces.report_voices(walk, &self.voices);
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

fn byte(value: &Json) -> Option<u8> {
    u8::try_from(value.as_u64()?).ok()
}
