//! Taking what was found out of a text that is kept for a person to look at.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::inspect::{Auditor, is_masked};
use super::room::Room;
use super::walk::member_step;
use super::{Finding, audit, document};
use crate::disk;
use crate::json::{Json, Member};
use crate::redact::detect::Work;
use crate::redact::scan::{Role, scan};
use crate::redact::{Rules, Secrets, Trust};

/// How often the audit is asked again: what was hidden behind a first finding shows in the second round.
const ROUNDS: usize = 6;

/// What is kept of a text that cannot be masked.
const NOTHING: &str = "{\"cassette\": 1, \"masked\": true}\n";

/// Returns the text without anything that the audit finds in it: what it returns has no findings left.
///
/// Every string and number with a finding is replaced by `MASKED.` and the rule, known values and credentials that stand
/// anywhere else by `MASKED`. The rest stays as it was, so that the recording can still be read, and where
/// something was replaced, the exchanges are sealed anew; but the file is not fit to be replayed. Allow lists do not count
/// here. A text that cannot be masked so is not kept at all.
pub fn mask(text: &str, rules: &Rules, secrets: &Secrets) -> String {
    let work = Work::decoding(text);
    let room = Room::new();
    let auditor = Auditor { rules, secrets, work: &work, room: &room, trust: Trust::Names };
    let mut masked = text.to_owned();
    for _ in 0..ROUNDS {
        let findings = audit(&masked, rules, secrets, &[]);
        if findings.is_empty() {
            return if masked == text { masked } else { sealed(masked, rules, secrets) };
        }
        masked = in_clear(auditor, &at_paths(&masked, &findings));
    }
    let fits = |text: &&str| audit(text, rules, secrets, &[]).is_empty();
    [masked.as_str(), NOTHING].into_iter().find(fits).unwrap_or_default().to_owned()
}

/// Returns the places at which [`mask`] has put something else than what stood there, as far as they can be told.
pub fn masked(text: &str) -> Vec<String> {
    let mut places = Vec::new();
    if let Some(document) = document(text) {
        find(&document, String::new(), &mut places);
    }
    places
}

fn find(value: &Json, path: String, places: &mut Vec<String>) {
    match value {
        Json::String(text) if is_masked(&text.value()) => places.push(path),
        Json::Array(elements) => {
            elements.iter().enumerate().for_each(|(i, element)| find(element, format!("{path}[{i}]"), places));
        }
        Json::Object(members) => {
            for (i, (name, value)) in members.iter().enumerate() {
                let name = name.value();
                let step = member_step(&name, i, false);
                let below = format!("{path}{}", if path.is_empty() { step.trim_start_matches('.') } else { &step });
                if is_masked(&name) {
                    places.push(below.clone());
                }
                find(value, below, places);
            }
        }
        _ => {}
    }
}

/// Returns the masked text sealed anew, where it is a cassette: what was masked broke its seals, and perhaps its chunks.
fn sealed(masked: String, rules: &Rules, secrets: &Secrets) -> String {
    let sealed = disk::reseal(&masked).filter(|text| audit(text, rules, secrets, &[]).is_empty());
    sealed.unwrap_or(masked)
}

/// Replaces the names, strings and numbers at the paths of the findings.
fn at_paths(text: &str, findings: &[Finding]) -> String {
    let Some((document, scan)) = document(text).zip(scan(text)) else { return text.to_owned() };
    let mut rules = Vec::new();
    collect(&document, "", &ByPath::of(findings), &mut rules);
    if rules.len() != scan.leaves.len() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (i, (leaf, rule)) in scan.leaves.iter().zip(rules).enumerate() {
        let Some(rule) = rule else { continue };
        out.push_str(&text[copied..leaf.span.start]);
        out.push_str(&match leaf.role {
            // The number keeps names apart: an object has none twice.
            Role::Key => format!("MASKED.{rule}.{i}"),
            Role::String => format!("MASKED.{rule}"),
            Role::Word | Role::Words => format!("\"MASKED.{rule}\""),
        });
        copied = leaf.span.end;
    }
    out.push_str(&text[copied..]);
    out
}

/// The rules of findings, by their paths.
struct ByPath<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> ByPath<'a> {
    fn of(findings: &'a [Finding]) -> ByPath<'a> {
        let mut rules = BTreeMap::new();
        for finding in findings {
            rules.entry(&*finding.path).or_insert(&*finding.rule);
        }
        ByPath(rules)
    }

    /// Returns the findings whose paths begin so, with what follows in them.
    fn beginning(&self, path: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let found = self
            .0
            .range::<str, _>((Bound::Included(path), Bound::Unbounded))
            .take_while(move |(known, _)| known.starts_with(path));
        found.map(move |(known, rule)| (&known[path.len()..], *rule))
    }

    /// Returns the rule of a finding at this leaf, in what the text of the leaf encodes, or in what an array spells whose leaf this is.
    fn at(&self, path: &str) -> Option<&'a str> {
        let mut within = self.beginning(path).filter(|(rest, _)| rest.is_empty() || rest.starts_with(['.', '[']));
        let array = || path.match_indices('[').find_map(|(at, _)| self.0.get(&path[..at]).copied());
        within.next().map(|(_, rule)| rule).or_else(array)
    }
}

/// Gives, for each leaf in the order of the text, the rule of a finding at it.
fn collect<'a>(value: &Json, path: &str, findings: &ByPath<'a>, rules: &mut Vec<Option<&'a str>>) {
    match value {
        Json::Array(elements) => {
            for (i, element) in elements.iter().enumerate() {
                collect(element, &format!("{path}[{i}]"), findings, rules);
            }
        }
        Json::Object(members) => {
            for (i, member) in members.iter().enumerate() {
                self::member(member, (path, i), findings, rules);
            }
        }
        _ => rules.push(findings.at(path)),
    }
}

fn member<'a>(
    (name, value): &Member,
    (path, place): (&str, usize),
    findings: &ByPath<'a>,
    rules: &mut Vec<Option<&'a str>>,
) {
    let below = |step: String| format!("{path}{}", if path.is_empty() { step.trim_start_matches('.') } else { &step });
    let hidden = below(member_step(&name.value(), place, true));
    let rule = findings.beginning(&hidden).next().map(|(_, rule)| rule);
    rules.push(rule.filter(|_| !is_masked(&name.value())));
    let shown = if rule.is_some() { hidden } else { below(member_step(&name.value(), place, false)) };
    collect(value, &shown, findings, rules);
}

/// Takes out what is left in clear, wherever it stands.
fn in_clear(auditor: Auditor<'_>, text: &str) -> String {
    let mut found = auditor.in_clear(text, document(text).is_some());
    found.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (range, _) in found {
        if range.start >= copied {
            out.push_str(&text[copied..range.start]);
            out.push_str("MASKED");
        }
        copied = copied.max(range.end);
    }
    out.push_str(&text[copied..]);
    out
}
