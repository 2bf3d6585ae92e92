//! What somebody vouches for stays as it is, whatever else of a file is hidden.

use std::collections::BTreeSet;

use super::Known;
use super::places::{Hidden, places};
use crate::audit::{Finding, audit, member_step};
use crate::disk;
use crate::json::{Json, Layout, Member};
use crate::redact::Rules;
use crate::tape::Tape;

/// Returns a tape in which something was hidden, with what stood where nothing was to be hidden but what somebody vouches for.
pub(super) fn spared(before: &Tape, hidden: Tape, rules: &Rules, known: &Known) -> Tape {
    if known.allowed.is_empty() || *before == hidden {
        return hidden;
    }
    let text = disk::write(before);
    let found = |allowed| audit(&text, rules, &known.secrets, allowed);
    let (all, open) = (found(&[]), found(&known.allowed));
    let is_vouched = |it: &Hidden| is_vouched(it, &all, &open);
    let mut spared = hidden;
    let (vouched, others): (Vec<_>, Vec<_>) = places(before, &spared).into_iter().partition(is_vouched);
    // A request or a reply of which nothing else is hidden is as it was, to the lengths of its pieces.
    for (i, (new, old)) in spared.interactions.iter_mut().zip(&before.interactions).enumerate() {
        let stands_in = |sides: [&str; 2], path: &str| {
            let inside = path.strip_prefix(&format!("interactions[{i}].")).unwrap_or_default();
            sides.contains(&inside.split(['.', '[', '~']).next().unwrap_or_default())
        };
        let is_whole = |sides| !others.iter().any(|it| stands_in(sides, &it.path));
        if is_whole(["name", "request"]) {
            new.asked = old.asked.clone();
        }
        if is_whole(["reply", "error"]) {
            new.outcome = old.outcome.clone();
        }
    }
    let left: BTreeSet<_> = vouched.into_iter().map(|it| it.path).collect();
    let [old, new] = [before, &spared].map(|tape| Json::parse_around(&disk::write(tape)).unwrap_or(Json::Null));
    let mended = disk::reseal(&restored(&old, &new, String::new(), &left).print(Layout::Compact));
    mended.and_then(|text| disk::read(text.as_bytes()).ok()).unwrap_or(spared)
}

/// Returns whether somebody vouches for all that is hidden in a place: what is found there, by these rules.
fn is_vouched(hidden: &Hidden, all: &[Finding], open: &[Finding]) -> bool {
    let is_there = |finding: &&Finding| {
        let rest = finding.path.strip_prefix(&*hidden.path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '~']))
    };
    let rules: BTreeSet<_> = all.iter().filter(is_there).map(|finding| &finding.rule).collect();
    hidden.rules.iter().all(|rule| rules.contains(rule)) && !rules.is_empty() && !open.iter().any(|it| is_there(&it))
}

/// Returns a document with what another one has in these places.
fn restored(old: &Json, new: &Json, path: String, places: &BTreeSet<String>) -> Json {
    if places.contains(&path) {
        return old.clone();
    }
    match (old, new) {
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            let element = |(i, (old, new))| restored(old, new, format!("{path}[{i}]"), places);
            Json::Array(old.iter().zip(new).enumerate().map(element).collect())
        }
        (Json::Object(old), Json::Object(new)) if old.iter().map(|it| &it.0).eq(new.iter().map(|it| &it.0)) => {
            let member = |(i, (old, new)): (usize, (&Member, &Member))| {
                let ((name, old), (_, new)) = (old, new);
                let step = member_step(&name.value(), i, false);
                let step = if path.is_empty() { step.trim_start_matches('.') } else { &step };
                (name.clone(), restored(old, new, format!("{path}{step}"), places))
            };
            Json::Object(old.iter().zip(new).enumerate().map(member).collect())
        }
        _ => new.clone(),
    }
}
