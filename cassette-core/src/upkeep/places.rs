//! Where something was hidden in a file.

use std::collections::BTreeSet;

use crate::audit::member_step;
use crate::disk;
use crate::json::{Json, Layout};
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

fn walk(before: &Json, after: &Json, path: String, found: &mut Vec<Hidden>) {
    match (before, after) {
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                walk(old, new, format!("{path}[{i}]"), found);
            }
        }
        (Json::Object(old), Json::Object(new)) if old.iter().map(|it| &it.0).eq(new.iter().map(|it| &it.0)) => {
            let is_frame = path.is_empty() || path.matches('.').count() <= 1 && path.starts_with("interactions[");
            for (i, ((name, old), (_, new))) in old.iter().zip(new).enumerate() {
                let name = name.value();
                if is_frame && MADE.contains(&&*name) {
                    continue;
                }
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
