//! One text in every decoding.

use std::ops::Range;

use super::room::Room;
use super::{Finding, neighbours};
use crate::json::Json;
use crate::redact::coding::{as_text, base64, entities, escapes, is_packed, percent, quoted, spelled, wide_texts};
use crate::redact::detect::{self, UNSEARCHED, Work, find, find_pii, find_shapes, names, value};
use crate::redact::{Rules, Secrets, Trust, hides_number, marks};

/// How many decodings are looked into, one within the other.
pub(super) const MAX_DEPTH: usize = 6;

/// What the audit looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Auditor<'a> {
    pub(super) rules: &'a Rules,
    pub(super) secrets: &'a Secrets,
    /// What may be decoded yet.
    pub(super) work: &'a Work,
    /// What may be unpacked yet.
    pub(super) room: &'a Room,
    /// Whether names say what is secret.
    pub(super) trust: Trust,
}

/// Something found: the rule and the value, which is never kept in a finding.
pub(super) type Hit = (String, String);

impl Auditor<'_> {
    /// Returns what is secret in a text or in anything it encodes.
    pub(super) fn text(self, text: &str, depth: usize) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        if depth > MAX_DEPTH || text.len() < 4 && !self.rules.look_into_text() {
            return hits;
        }
        let escaped = self.secrets.may_begin() || text.contains('\\') && self.secrets.is_escapable();
        if !self.rules.look_into_text() && !escaped && !detect::is_suspicious(text) {
            return self.known(text).into_iter().map(|range| ("secret".to_owned(), text[range].to_owned())).collect();
        }
        let open = self.stretches(text);
        hits.extend(open.into_iter().map(|(range, rule)| (rule.to_owned(), text[range].to_owned())));
        if text.trim_start().starts_with(['{', '['])
            && let Ok(document) = Json::parse(text)
        {
            hits.extend(self.document(&document, "", depth + 1));
        }
        for view in [escapes(text), percent(text), entities(text), quoted(text)].into_iter().flatten() {
            self.work.spend(view.text.len());
            if self.work.is_spent() {
                return vec![(UNSEARCHED.to_owned(), text.to_owned())];
            }
            hits.extend(self.text(&view.text, depth + 1));
        }
        hits.extend(self.encoded(text, depth));
        hits.extend(self.wide(text.as_bytes(), depth));
        hits
    }

    /// Returns what is secret in UTF-16 among these bytes.
    pub(super) fn wide(self, bytes: &[u8], depth: usize) -> Vec<Hit> {
        wide_texts(bytes).into_iter().flat_map(|found| self.text(&found.text, depth + 1)).collect()
    }

    /// Returns what is secret under a name, and in the value itself.
    pub(super) fn named(self, name: &str, text: &str, depth: usize) -> Vec<Hit> {
        if self.is_secret_under(name, text) {
            let rule = names::judge(name).map_or("field", |named| named.rule);
            return vec![(rule.to_owned(), text.to_owned())];
        }
        if is_slot(name) && is_opaque(text) {
            return self.certain(text);
        }
        self.text(text, depth)
    }

    /// Returns a value that a name elsewhere makes secret.
    pub(super) fn under(self, name: &str, text: &str) -> Vec<Hit> {
        let header = self.trust == Trust::Names
            && self.rules.names_header(name)
            && !text.is_empty()
            && !is_masked(text)
            && marks(text).next().is_none();
        if !header && !self.is_secret_under(name, text) {
            return Vec::new();
        }
        let rule = if header { "header" } else { names::judge(name).map_or("field", |named| named.rule) };
        vec![(rule.to_owned(), text.to_owned())]
    }

    /// Returns what is known and what the user named, which count in bytes too, where anything else would be chance.
    pub(super) fn certain(self, text: &str) -> Vec<Hit> {
        let known = self.known(text).into_iter().map(|range| (range, "secret"));
        let values = self.rules.values.iter().flat_map(|value| literal(text, value, "value"));
        let found = unmarked(text, known.chain(values).collect());
        found.into_iter().map(|(range, rule)| (rule.to_owned(), text[range].to_owned())).collect()
    }

    /// Returns what is secret by its looks alone, and what is known.
    pub(super) fn shapes(self, text: &str) -> Vec<Hit> {
        let found = self.in_clear(text, true);
        found.into_iter().map(|(range, rule)| (rule.to_owned(), text[range].to_owned())).collect()
    }

    /// Returns what is secret in a number, by its name, by the user's rules, or since it is known.
    pub(super) fn number(self, name: &str, source: &str) -> Vec<Hit> {
        if self.trust == Trust::Names && self.rules.names_field(name) {
            return vec![("field".to_owned(), source.to_owned())];
        }
        if let Some(named) =
            names::judge(name).filter(|named| self.trust == Trust::Names && hides_number(*named, source))
        {
            return vec![(named.rule.to_owned(), source.to_owned())];
        }
        // A fraction's digits are nobody's card number.
        let whole = source.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let mut found = self.own(source);
        found.retain(|(_, rule)| whole || *rule != "card-number");
        found.extend(self.known(source).into_iter().map(|range| (range, "secret")));
        found.into_iter().map(|(_, rule)| (rule.to_owned(), source.to_owned())).take(1).collect()
    }

    /// Returns what is secret in the text that an array spells out, or among the bytes.
    pub(super) fn spelled(self, elements: &[Json], depth: usize) -> Vec<Hit> {
        let Some(bytes) = spelled(elements) else { return Vec::new() };
        match as_text(&bytes) {
            Some(text) => self.text(text, depth + 1),
            None => self.certain(&letters(&bytes)),
        }
    }

    /// Returns what is secret in a document within a text.
    fn document(self, document: &Json, name: &str, depth: usize) -> Vec<Hit> {
        match document {
            Json::String(text) => self.named(name, &text.value(), depth),
            Json::Number(number) => self.number(name, number.source()),
            Json::Array(elements) => {
                let mut hits = self.spelled(elements, depth);
                hits.extend(neighbours::of_array(self, elements).into_iter().flat_map(|(_, hits)| hits));
                hits.extend(elements.iter().flat_map(|element| self.document(element, name, depth)));
                hits
            }
            Json::Object(members) => {
                let mut hits: Vec<Hit> =
                    neighbours::of_object(self, members, name).into_iter().flat_map(|(_, hits)| hits).collect();
                for (name, value) in members {
                    let name = name.value();
                    hits.extend(self.text(&name, depth));
                    hits.extend(self.document(value, &name, depth));
                }
                hits
            }
            _ => Vec::new(),
        }
    }

    /// Returns what stands in clear in a file's text, by line: what a walk over the document did not find.
    pub(super) fn lines(self, text: &str, is_document: bool, said: &[String]) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        let mut hits = self.in_clear(text, is_document);
        hits.sort_by_key(|(range, _)| range.start);
        let (mut line, mut counted) = (1, 0);
        for (range, rule) in hits {
            line += text[counted..range.start].matches('\n').count();
            counted = range.start;
            let value = &text[range];
            let finding = Finding::new(&format!("line {line}"), rule, value);
            if !said.iter().any(|said| said.contains(value)) && !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        findings
    }

    /// Returns the secrets of a text as it stands. In a document it is shapes and known values that can be told so.
    pub(super) fn in_clear(self, text: &str, is_document: bool) -> Vec<(Range<usize>, &'static str)> {
        if !is_document {
            return self.stretches(text);
        }
        let Ok(shapes) = find_shapes(text) else { return unsearched(text) };
        let shapes = shapes.into_iter().map(|found| (found.range, found.rule));
        // The file's own numbers may happen to be a known one.
        let known =
            self.known(text).into_iter().filter(|range| !text[range.clone()].bytes().all(|b| b.is_ascii_digit()));
        unmarked(text, shapes.chain(known.map(|range| (range, "secret"))).collect())
    }

    /// Returns where known values stand, in clear or in base64.
    pub(super) fn known(self, text: &str) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let looked = self.secrets.find(text, |range, _| ranges.push(range));
        if looked.is_err() {
            // What there is no end to is taken for secret as a whole.
            ranges.push(0..text.len());
        }
        ranges
    }

    fn stretches(self, text: &str) -> Vec<(Range<usize>, &'static str)> {
        let found = match self.trust {
            Trust::Names => find(text),
            Trust::Looks => find_shapes(text),
        };
        let Ok(found) = found else { return unsearched(text) };
        let mut found: Vec<_> = found.into_iter().map(|found| (found.range, found.rule)).collect();
        found.extend(self.known(text).into_iter().map(|range| (range, "secret")));
        found.extend(self.own(text));
        if Work::bears(text, found.len()) { unmarked(text, found) } else { unsearched(text) }
    }

    /// Returns where the user's rules find something.
    fn own(self, text: &str) -> Vec<(Range<usize>, &'static str)> {
        let mut found = Vec::new();
        let custom = self.rules.custom.iter().flat_map(|custom| custom(text));
        let values = self.rules.values.iter().cloned().map(|value| (value, "value"));
        for (value, rule) in values.chain(custom.map(|value| (value, "custom"))) {
            found.extend(literal(text, &value, rule));
        }
        if self.rules.pii {
            found.extend(find_pii(text).into_iter().map(|found| (found.range, found.rule)));
        }
        found
    }

    fn is_secret_under(self, name: &str, text: &str) -> bool {
        if self.trust == Trust::Looks
            || text.is_empty()
            || is_masked(text)
            || marks(text).next().is_some()
            || text.contains("://")
        {
            return false;
        }
        self.rules.names_field(name)
            || names::judge(name).is_some_and(|named| match named.strength {
                names::Strength::Strong => value::is_likely(text),
                names::Strength::Weak => value::is_random(text),
            })
    }
}

/// Returns bytes as a text, with what is no letter or sign as line ends.
pub(super) fn letters(bytes: &[u8]) -> String {
    bytes.iter().map(|b| if b.is_ascii_graphic() || *b == b' ' { char::from(*b) } else { '\n' }).collect()
}

/// Returns whether a text is one that [`mask`](super::mask) puts in the place of a finding.
pub(super) fn is_masked(text: &str) -> bool {
    let rule = text.strip_prefix("MASKED.");
    rule.is_some_and(|rule| {
        rule.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.'))
    })
}

/// Returns whether a name is that of a slot in which providers keep what they signed, encrypted or encoded.
fn is_slot(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["signature", "encrypted", "data", "b64", "embedding", "url"].iter().any(|word| lower.contains(word))
}

/// Returns whether a text is one run of base64 that is no text.
fn is_opaque(text: &str) -> bool {
    let data = text.split_once(";base64,").map_or(text, |(_, data)| data);
    let bytes = base64::decode(data).unwrap_or_default();
    data.len() >= 16
        && !bytes.is_empty()
        && as_text(&bytes).is_none()
        && !is_packed(&bytes)
        && wide_texts(&bytes).is_empty()
        && !data.contains([' ', '\n'])
}

/// Returns where a value stands.
fn literal(text: &str, value: &str, rule: &'static str) -> Vec<(Range<usize>, &'static str)> {
    let places = text.match_indices(value).filter(|_| !value.is_empty());
    places.map(|(at, _)| (at..at + value.len(), rule)).collect()
}

/// What is said of a text that was given up.
fn unsearched(text: &str) -> Vec<(Range<usize>, &'static str)> {
    vec![(0..text.len(), UNSEARCHED)]
}

/// Drops what stands in a placeholder or around one.
fn unmarked(text: &str, mut found: Vec<(Range<usize>, &'static str)>) -> Vec<(Range<usize>, &'static str)> {
    if !found.is_empty() {
        let marks: Vec<Range<usize>> = marks(text).collect();
        found.retain(|(range, _)| !marks.iter().any(|mark| range.start < mark.end && mark.start < range.end));
    }
    found
}
