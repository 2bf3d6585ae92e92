//! The walk over a document, with the path to each place in it.

use std::collections::HashSet;

use super::Finding;
use super::body;
use super::inspect::{Auditor, Hit, is_masked};
use super::neighbours::{self, Beside};
use crate::json::{Json, Member, Text};
use crate::redact::{Secrets, headers};

/// Where the walk is, and what it found.
pub(super) struct Walk<'a> {
    pub(super) auditor: Auditor<'a>,
    pub(super) path: Path,
    /// Whether the walk is in what came from outside: the numbers of the file itself are nobody's secrets.
    pub(super) place: Place,
    /// The media type of the body beside which the walk is.
    pub(super) media: String,
    /// What is known, for what was cut short: of a value its beginning too.
    cut: &'a Secrets,
    pub(super) findings: Vec<Finding>,
    /// The same, to be asked.
    known: HashSet<Finding>,
    /// What the findings are of.
    pub(super) said: Vec<String>,
}

/// Whose text the walk is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The file's own.
    Frame,
    /// That of a body, or a fact that the user added.
    Content,
}

/// The path to a place in a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    text: String,
}

/// What a walk found.
#[derive(Default)]
pub(super) struct Walked {
    pub(super) findings: Vec<Finding>,
    /// The values themselves, in memory only.
    pub(super) said: Vec<String>,
}

/// Walks a whole cassette; `cut` is what is known for what was cut short.
pub(super) fn document<'a>(auditor: Auditor<'a>, cut: &'a Secrets, document: &Json) -> Walked {
    let mut walk = Walk {
        cut,
        auditor,
        path: Path::default(),
        place: Place::Frame,
        media: String::new(),
        findings: Vec::new(),
        known: HashSet::new(),
        said: Vec::new(),
    };
    walk.value(document, "");
    Walked { findings: walk.findings, said: walk.said }
}

impl Path {
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Goes one step down for the time of `walk`.
    fn step(&mut self, step: &str) -> usize {
        let length = self.text.len();
        self.text.push_str(if length == 0 { step.trim_start_matches('.') } else { step });
        length
    }

    fn back(&mut self, length: usize) {
        self.text.truncate(length);
    }
}

/// Returns the media type that the headers among these members name.
fn media(members: &[Member]) -> String {
    let headers =
        members.iter().find(|(name, _)| name.is("headers")).map_or(&[][..], |(_, headers)| headers.elements());
    let value = |header: &Json| match header.elements() {
        [Json::String(name), Json::String(value)] if name.is("content-type") => Some(value.value().into_owned()),
        _ => None,
    };
    headers.iter().find_map(value).unwrap_or_default()
}

/// Returns the step to a member: its name where that may be printed, else its place.
pub(crate) fn member_step(name: &str, place: usize, secret: bool) -> String {
    let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match (secret, plain) {
        (true, _) => format!(".*[{place}]"),
        (_, true) => format!(".{name}"),
        _ => format!("[{}]", Json::from(name).print(crate::json::Layout::Compact)),
    }
}

impl Walk<'_> {
    /// Walks a value that stands under this name.
    pub(super) fn value(&mut self, value: &Json, name: &str) {
        match value {
            Json::String(text) => self.string(text, name),
            Json::Array(elements)
                if matches!(name, "headers" | "trailers") && self.path.text.matches('.').count() <= 2 =>
            {
                self.headers(elements)
            }
            Json::Array(elements) => {
                self.found(self.auditor.spelled(elements, 0));
                self.beside(neighbours::of_array(self.auditor, elements));
                for (i, element) in elements.iter().enumerate() {
                    self.down(&format!("[{i}]"), |walk| walk.value(element, name));
                }
            }
            Json::Object(members) if name == "body" && body::is_body(members) => {
                self.inside(|walk| body::walk(walk, value));
            }
            Json::Object(members) if name == "meta" && self.place == Place::Frame => {
                self.inside(|walk| walk.members(members));
            }
            Json::Object(members) => {
                self.beside(neighbours::of_object(self.auditor, members, name));
                self.members(members);
            }
            Json::Number(number) if self.place == Place::Content => {
                self.found(self.auditor.number(name, number.source()));
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }

    fn members(&mut self, members: &[Member]) {
        let whole = self.auditor;
        let is_cut = |(name, value): &Member| name.is("truncated") && matches!(value, Json::String(_));
        let cut = self.place == Place::Frame && members.iter().any(is_cut);
        if self.place == Place::Frame {
            self.media = media(members);
        }
        for (i, (name, value)) in members.iter().enumerate() {
            let name = name.value();
            let hits = self.auditor.text(&name, 0);
            if cut && name == "reply" {
                self.auditor.secrets = self.cut;
            }
            self.down(&member_step(&name, i, !hits.is_empty()), |walk| {
                walk.found(hits);
                walk.value(value, &name);
            });
            self.auditor = whole;
        }
    }

    /// Files what names beside it make secret: names in the file's own frame are the file's.
    fn beside(&mut self, found: Vec<Beside>) {
        if self.place == Place::Content {
            for (steps, hits) in found {
                self.down(&steps, |walk| walk.found(hits));
            }
        }
    }

    /// Walks what came from outside.
    fn inside(&mut self, walk: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.place, Place::Content);
        walk(self);
        self.place = before;
    }

    /// Goes a step down, and back up afterwards.
    pub(super) fn down(&mut self, step: &str, walk: impl FnOnce(&mut Self)) {
        let length = self.path.step(step);
        walk(self);
        self.path.back(length);
    }

    /// Files what was found at this place, each value once.
    pub(super) fn found(&mut self, hits: Vec<Hit>) {
        for (rule, value) in hits {
            let path = self.path.as_str().to_owned();
            self.file(&path, &rule, value);
        }
    }

    /// Files what was found at a place.
    pub(super) fn file(&mut self, path: &str, rule: &str, value: String) {
        self.file_at(std::iter::once(path), rule, &value);
    }

    /// Files what was found at these places.
    pub(super) fn file_at<'p>(&mut self, paths: impl Iterator<Item = &'p str>, rule: &str, value: &str) {
        let found = Finding::new("", rule, value);
        let before = self.findings.len();
        for finding in paths.map(|path| found.at(path)) {
            if self.known.insert(finding.clone()) {
                self.findings.push(finding);
            }
        }
        if self.findings.len() > before {
            self.said.push(value.to_owned());
        }
    }

    fn string(&mut self, text: &Text, name: &str) {
        let hits = self.auditor.named(name, &text.value(), 0);
        self.found(hits);
    }

    fn headers(&mut self, headers: &[Json]) {
        for (i, header) in headers.iter().enumerate() {
            let [Json::String(name), Json::String(value)] = header.elements() else {
                self.down(&format!("[{i}]"), |walk| walk.value(header, "headers"));
                continue;
            };
            let (name, value) = (name.value(), value.value());
            let whole = headers::is_secret(&name) || self.auditor.rules.names_header(&name);
            let hidden = value.is_empty() || is_masked(&value) || crate::redact::marks(&value).next().is_some();
            let hits = match whole && !hidden {
                true => vec![("header".to_owned(), value.into_owned())],
                false => self.auditor.named(&name, &value, 0),
            };
            self.down(&format!("[{i}][1]"), |walk| walk.found(hits));
        }
    }
}
