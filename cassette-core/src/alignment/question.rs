//! What changed in what is asked.

use super::ids::Ids;
use super::{Aspect, Change};
use crate::call::{Call, Header};
use crate::dialect;
use crate::difference::{Said, between, every_difference};
use crate::redact::headers;
use crate::report::Difference;

/// Members in which the model is told something.
const PROMPT: [&str; 13] = [
    "messages",
    "system",
    "instructions",
    "input",
    "contents",
    "systemInstruction",
    "system_instruction",
    "prompt",
    "inputs",
    "inputText",
    "preamble",
    "chat_history",
    "message",
];

/// Members with the tools.
const TOOLS: [&str; 5] = ["tools", "functions", "tool_choice", "toolConfig", "tool_config"];

/// Returns what changed between two requests, ids that a reply gave aside, and how many places are noise.
pub(super) fn changes(recorded: &Call, incoming: &Call, renamed: &Ids) -> (Vec<Change>, usize) {
    let same_ids = renamed.hidden(recorded);
    let noise = usize::from(same_ids != *recorded);
    let is_spoken = dialect::detect(incoming).is_some();
    let change = |difference: Difference| {
        let root = difference.path.split(['.', '[', '~']).next().unwrap_or_default();
        let aspect = match root {
            _ if !is_spoken => Aspect::Request,
            "model" => Aspect::Model,
            root if PROMPT.contains(&root) => Aspect::Prompt,
            root if TOOLS.contains(&root) => Aspect::Tools,
            _ => Aspect::Request,
        };
        Change::of(aspect, difference)
    };
    let (renumbered, found): (Vec<_>, Vec<_>) =
        every_difference(&same_ids, incoming).into_iter().partition(|difference| renamed.explains(difference));
    let noise = noise + renumbered.len();
    let (headers, more) = header_changes(&same_ids.headers, &incoming.headers);
    // A header that counts is among the others already.
    let is_new = |change: &Change| !found.iter().any(|found| found.path == change.difference.path);
    let headers: Vec<_> = headers.into_iter().filter(is_new).collect();
    (found.into_iter().map(change).chain(headers).collect(), noise + more)
}

/// Returns which headers changed, and how many that change with every recording.
pub(super) fn header_changes(ours: &[Header], theirs: &[Header]) -> (Vec<Change>, usize) {
    let fields = |list: &[Header]| {
        let mut names: Vec<_> = list.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let values = |name: &str| {
            let values: Vec<_> =
                list.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
            Said::Text(values.join(", "))
        };
        names.into_iter().map(|name| (format!("@header.{name}"), values(name))).collect()
    };
    let found = between(fields(ours), fields(theirs));
    let is_noise = |difference: &Difference| headers::is_volatile(difference.path.trim_start_matches("@header."));
    let (noise, told): (Vec<_>, Vec<_>) = found.into_iter().partition(is_noise);
    (told.into_iter().map(|difference| Change::of(Aspect::Header, difference)).collect(), noise.len())
}
