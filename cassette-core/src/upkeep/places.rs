//! Where something was hidden in a file.

use std::collections::BTreeSet;

use crate::audit::member_step;
use crate::disk;
use crate::json::{Json, Layout, Member, Text};
use crate::redact;
use crate::tape::Tape;

/// A place in which something was hidden.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hidden {
    /// Where it stood, as the audit names places: `interactions[1].request.body.json.messages[0].content`.
    pub path: String,
    /// The rules under which it is hidden.
    pub rules: Vec<String>,
}

/// Returns where two tapes differ.
pub(super) fn places(before: &Tape, after: &Tape) -> Vec<Hidden> {
    let [before, after] = [before, after].map(|tape| Json::parse_around(&disk::write(tape)).unwrap_or(Json::Null));
    let mut found = Vec::new();
    walk(&before, &after, String::new(), &mut found);
    found
}

/// What changes with whatever was hidden, and tells nothing.
const MADE: [&str; 4] = ["key", "seal", "chunks", "redaction"];

/// Returns the members at a path that tell something, each with its place among all.
fn told<'a>(path: &'a str, members: &'a [Member]) -> impl Iterator<Item = (usize, &'a Member)> {
    members.iter().enumerate().filter(|(_, (name, _))| is_told(path, &name.value()))
}

fn names<'a>(path: &'a str, members: &'a [Member]) -> impl Iterator<Item = &'a Text> {
    told(path, members).map(|(_, (name, _))| name)
}

/// Returns whether a member at a path tells of what was hidden: how a body is laid out does not.
fn is_told(path: &str, name: &str) -> bool {
    let is_inside = path.starts_with("interactions[");
    let is_frame = path.is_empty() || is_inside && path.matches('.').count() <= 1;
    let is_body = is_inside && path.matches('.').count() == 2 && path.ends_with(".body");
    !(is_frame && MADE.contains(&name) || is_body && name == "style")
}

fn walk(before: &Json, after: &Json, path: String, found: &mut Vec<Hidden>) {
    match (before, after) {
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                walk(old, new, format!("{path}[{i}]"), found);
            }
        }
        (Json::Object(old), Json::Object(new)) if names(&path, old).eq(names(&path, new)) => {
            for ((i, (name, old)), (_, (_, new))) in told(&path, old).zip(told(&path, new)) {
                let name = name.value();
                let step = member_step(&name, i, false);
                let step = if path.is_empty() { step.trim_start_matches('.') } else { &step };
                walk(old, new, format!("{path}{step}"), found);
            }
        }
        _ if before == after => {}
        _ => {
            let [old, new] = [before, after].map(|json| json.print(Layout::Compact));
            let kinds = |text: &str| -> BTreeSet<String> {
                let kind = |mark: &str| Some(mark.strip_prefix("REDACTED.")?.rsplit_once('.')?.0.to_owned());
                redact::placeholders(text).filter_map(kind).collect()
            };
            let known = kinds(&old);
            let (fresh, all) = (kinds(&new), kinds(&new));
            let fresh: Vec<_> = fresh.into_iter().filter(|kind| !known.contains(kind)).collect();
            found.push(Hidden { path, rules: if fresh.is_empty() { all.into_iter().collect() } else { fresh } });
        }
    }
}
