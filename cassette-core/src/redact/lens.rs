//! What is looked for in a text, and in everything that it encodes.

use std::ops::Range;

use super::coding::{
    Held, Run, View, base32, base64, entities, escapes, held, number_texts, packed_numbers, percent, quoted, runs,
};
use super::detect::{self, Spent, UNSEARCHED, Work, find, find_pii, find_shapes};
use super::edit::{By, Edit, Edited, merge};
use super::finder::Form;
use super::placeholder::marks;
use super::{Rules, Secrets, document};

/// How many encodings are looked into, one within the other.
const MAX_DEPTH: usize = 5;

/// The rules of one redaction: the user's, and what is known where that is to be looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) known: Option<&'a Secrets>,
    /// What may be decoded yet.
    pub(crate) work: &'a Work,
    pub(crate) trust: Trust,
}

/// What is believed of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Everything: the names in it too.
    Names,
    /// What things look like: it was put together of what need not belong together.
    Looks,
}

impl Lens<'_> {
    /// Returns the same rules for a text in which no name is believed.
    pub(crate) fn by_looks(self) -> Self {
        Lens { trust: Trust::Looks, ..self }
    }

    /// Returns whether a text may hold anything at all, in whatever encoding.
    fn suspects(self, text: &str) -> bool {
        // With the beginning of a known value any of its strings may end where a text was cut short.
        let escaped = |known: &Secrets| known.may_begin() || known.is_escapable() && text.contains('\\');
        self.rules.look_into_text()
            || detect::is_suspicious(text)
            || self.known.is_some_and(escaped)
            || !self.known_in(text).is_empty()
    }

    /// Returns the edits of a text: a JSON document by its strings, anything else as it stands.
    pub(crate) fn edits(self, text: &str, depth: usize) -> Vec<Edit> {
        if depth > MAX_DEPTH || !self.suspects(text) {
            return Vec::new();
        }
        let document = if self.trust == Trust::Names { document::edits(self, text, depth) } else { None };
        document.unwrap_or_else(|| self.plain(text, depth))
    }

    /// Returns the edits of a text that is no document.
    pub(crate) fn plain(self, text: &str, depth: usize) -> Vec<Edit> {
        let found = if self.trust == Trust::Names { find(text) } else { find_shapes(text) };
        let Ok(found) = found else { return whole(text) };
        let mut edits: Vec<Edit> = found.into_iter().map(|found| Edit::hide(text, found.range, found.rule)).collect();
        edits.extend(self.own(text));
        if depth < MAX_DEPTH {
            let mut runs = runs(text);
            // Where a text was cut short, a piece too short to be looked into may be the beginning of a value.
            let begins = runs.is_empty() && self.known.is_some_and(Secrets::may_begin);
            if begins && matches!(held(text), Some(Held::Base64(_))) {
                runs.push(Run { range: 0..text.len(), wrap: None });
            }
            let coded: Vec<Edit> = runs.iter().filter_map(|run| self.in_base64(text, run, depth)).collect();
            // Of what can be encoded again, more is left than of a run that goes as a whole.
            let goes = |(edit, form): &(Edit, Form)| {
                *form != Form::Base64 || !coded.iter().any(|coded| coded.range == edit.range)
            };
            edits.extend(self.known_as(text).into_iter().filter(goes).map(|(edit, _)| edit));
            edits.extend(coded);
            edits.extend(base32::stretches(text, &runs).into_iter().filter_map(|run| self.in_base32(text, run, depth)));
            edits.extend(number_texts(text).iter().filter_map(|found| self.in_numbers(found, depth)));
            edits.extend(packed_numbers(text).into_iter().filter_map(|range| self.in_packed(text, range, depth)));
            edits.extend(self.in_wide(text.as_bytes(), depth));
            for view in [escapes(text), percent(text), entities(text), quoted(text)].into_iter().flatten() {
                self.work.spend(view.text.len());
                if self.work.is_spent() {
                    return whole(text);
                }
                edits.extend(self.in_view(&view, depth + 1));
            }
        } else {
            edits.extend(self.known_in(text));
        }
        if Work::bears(text, edits.len()) { without_placeholders(text, edits) } else { whole(text) }
    }

    /// Returns the edits of a decoded text, as edits of the source it was decoded from.
    pub(crate) fn in_view(self, view: &View, depth: usize) -> Vec<Edit> {
        let edits = merge(&view.text, self.edits(&view.text, depth));
        edits.into_iter().map(|edit| carry(edit, view)).collect()
    }

    /// Returns what is known, wherever it stands.
    pub(crate) fn known_in(self, text: &str) -> Vec<Edit> {
        without_placeholders(text, self.known_as(text).into_iter().map(|(edit, _)| edit).collect())
    }

    /// Returns what is known in a text that is put together of pieces: in base64 only where it lies across their beginnings, which
    /// else were one run with their neighbours.
    pub(crate) fn known_across(self, text: &str, starts: &[usize]) -> Vec<Edit> {
        let across = |range: &Range<usize>| {
            let next = starts.partition_point(|start| *start <= range.start);
            starts.get(next).is_some_and(|start| *start < range.end)
        };
        let Ok(known) = self.known_ranges(text) else { return whole(text) };
        let known = known.into_iter().filter(|(range, form)| *form == Form::Plain || across(range));
        let edits = known.map(|(range, form)| Edit::hide(text, around(text, range, form), "secret")).collect();
        without_placeholders(text, edits)
    }

    /// Returns what a text says in clear: what it would spell in base64 is left to who looks into its pieces.
    pub(crate) fn in_clear(self, text: &str) -> Vec<Edit> {
        let found = if self.trust == Trust::Names { find(text) } else { find_shapes(text) };
        let Ok(found) = found else { return whole(text) };
        let mut edits: Vec<Edit> = found.into_iter().map(|found| Edit::hide(text, found.range, found.rule)).collect();
        edits.extend(self.own(text));
        edits.extend(self.known_across(text, &[]));
        without_placeholders(text, edits)
    }

    /// Returns what is known, wherever it stands, and how it stands there.
    fn known_as(self, text: &str) -> Vec<(Edit, Form)> {
        let Ok(known) = self.known_ranges(text) else { return vec![(whole_edit(text), Form::Plain)] };
        let edit = |(range, form)| (Edit::hide(text, around(text, range, form), "secret"), form);
        known.into_iter().map(edit).collect()
    }

    fn known_ranges(self, text: &str) -> Result<Vec<(Range<usize>, Form)>, Spent> {
        let mut found = Vec::new();
        if let Some(known) = self.known.filter(|known| !known.is_empty()) {
            known.find(text, |range, form| found.push((range, form)))?;
        }
        Ok(found)
    }

    /// Returns the rule under which the text of a number holds something secret, by the user's rules or since it is known.
    pub(crate) fn in_number(self, said: &str) -> Option<&'static str> {
        let rule = |edit: Edit| match edit.by {
            By::Placeholder { rule, .. } => Some(rule),
            By::Text(_) => None,
        };
        // A fraction's digits are nobody's card number.
        let whole = said.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let mut own = self.own(said).into_iter().filter_map(rule);
        own.find(|rule| whole || *rule != "card-number").or_else(|| self.known_in(said).into_iter().find_map(rule))
    }

    /// Returns what is known and what the user named, which count in bytes too, where anything else would be chance.
    pub(crate) fn certain(self, text: &str) -> Vec<Edit> {
        let mut edits = self.known_in(text);
        edits.extend(self.named_values(text));
        without_placeholders(text, edits)
    }

    /// Returns what is secret in the head of a part, whose names say nothing of it: by its looks, or since it is known.
    pub(crate) fn in_head(self, text: &str) -> Vec<Edit> {
        let Ok(found) = find_shapes(text) else { return whole(text) };
        let found: Vec<Edit> = found.into_iter().map(|found| Edit::hide(text, found.range, found.rule)).collect();
        [without_placeholders(text, found), self.certain(text)].concat()
    }

    /// Returns the values that the user named.
    fn named_values(self, text: &str) -> Vec<Edit> {
        self.rules.values.iter().flat_map(|value| literal(text, value, "value")).collect()
    }

    /// Returns what the user's own rules say of a text.
    fn own(self, text: &str) -> Vec<Edit> {
        let mut edits = self.named_values(text);
        for custom in &self.rules.custom {
            custom(text).iter().for_each(|value| edits.extend(literal(text, value, "custom")));
        }
        if self.rules.pii {
            edits.extend(find_pii(text).into_iter().map(|found| Edit::hide(text, found.range, found.rule)));
        }
        edits
    }
}

/// Makes the edits until none is left, and gives what came of each round, so that places can be followed.
pub(crate) fn settle(
    text: &str,
    edits: impl Fn(&str, &Secrets) -> Vec<Edit>,
    secrets: &mut Secrets,
    named: &mut Vec<super::Secret>,
) -> Vec<Edited> {
    let mut rounds: Vec<Edited> = Vec::new();
    for _ in 0..8 {
        let current = rounds.last().map_or(text, |edited| edited.text.as_str());
        let edits = merge(current, edits(current, secrets));
        if edits.is_empty() {
            break;
        }
        let edited = Edited::new(current, &edits, |value, rule| {
            let placeholder = secrets.name(value, rule);
            let secret = super::Secret::new(value, &placeholder);
            if !named.contains(&secret) {
                named.push(secret);
            }
            placeholder
        });
        rounds.push(edited);
    }
    rounds
}

/// Returns bytes with texts put in.
pub(crate) fn replaced(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for edit in edits {
        let By::Text(text) = &edit.by else { continue };
        out.extend_from_slice(&bytes[copied..edit.range.start]);
        out.extend_from_slice(text.as_bytes());
        copied = edit.range.end;
    }
    out.extend_from_slice(&bytes[copied..]);
    out
}

/// Hides a text that was given up, whatever stands in it, placeholders too.
pub(super) fn whole(text: &str) -> Vec<Edit> {
    vec![whole_edit(text)]
}

fn whole_edit(text: &str) -> Edit {
    Edit::hide(text, 0..text.len(), UNSEARCHED)
}

/// Returns the edits that hide each place of a value.
fn literal(text: &str, value: &str, rule: &'static str) -> Vec<Edit> {
    // An empty text stands everywhere.
    let places = text.match_indices(value).filter(|_| !value.is_empty());
    places.map(|(at, _)| Edit::hide(text, at..at + value.len(), rule)).collect()
}

fn carry(edit: Edit, view: &View) -> Edit {
    let range = view.source(&edit.range);
    edit.carried(range, view.respell)
}

/// Drops what would hide a placeholder or a part of one.
fn without_placeholders(text: &str, mut edits: Vec<Edit>) -> Vec<Edit> {
    if !edits.is_empty() {
        let opaque: Vec<Range<usize>> = marks(text).collect();
        let overlaps = |range: &Range<usize>| {
            let next = opaque.partition_point(|mark| mark.end <= range.start);
            opaque.get(next).is_some_and(|mark| mark.start < range.end)
        };
        edits.retain(|edit| !overlaps(&edit.range));
    }
    edits
}

/// Returns the whole run of digits around a stretch that stands in a text in this form.
fn around(text: &str, range: Range<usize>, form: Form) -> Range<usize> {
    let is_digit = match form {
        Form::Plain => return range,
        Form::Base64 => base64::is_digit,
        Form::Base32 => base32::is_digit,
    };
    let bytes = text.as_bytes();
    let before = bytes[..range.start].iter().rev().take_while(|b| is_digit(**b)).count();
    let after = bytes[range.end..].iter().take_while(|b| is_digit(**b) || **b == b'=').count();
    range.start - before..range.end + after
}
