//! The scalars of a reply's documents, by path.

use std::collections::BTreeMap;

use crate::json::Json;
use crate::path;

/// Members that change with every recording and say nothing about it.
const VOLATILE: [&str; 29] = [
    "id",
    "created",
    "created_at",
    "completed_at",
    "createTime",
    "responseId",
    "response_id",
    "system_fingerprint",
    "item_id",
    "call_id",
    "tool_call_id",
    "toolUseId",
    "tool_use_id",
    "generation_id",
    "request_id",
    "requestId",
    "trace_id",
    "obfuscation",
    "signature",
    "thoughtSignature",
    "encrypted_content",
    "latencyMs",
    "sequence_number",
    "p",
    "queue_time",
    "prompt_time",
    "completion_time",
    "total_time",
    "expires_at",
];

/// The scalars at each path, in their order; `[]` stands for every element of a list.
pub(super) type Leaves = BTreeMap<String, Vec<Json>>;

/// Returns the scalars of these documents. Of a stream, each value counts once: how often it comes hangs on how the
/// stream was cut.
pub(super) fn leaves(documents: &[Json], stream: Stream) -> Leaves {
    let mut leaves = Leaves::new();
    documents.iter().for_each(|document| collect(document, "", &mut leaves));
    if stream == Stream::Yes {
        leaves.values_mut().for_each(distinct);
    }
    leaves
}

/// Whether documents are the pieces of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Yes,
    No,
}

/// Returns whether what stands at this path changes with every recording.
pub(super) fn is_volatile(path: &str) -> bool {
    let name = name(path);
    VOLATILE.contains(&name) || name.ends_with("_duration")
}

/// Returns the last name of a path.
pub(super) fn name(path: &str) -> &str {
    let last = path.rsplit('.').next().unwrap_or(path);
    last.trim_end_matches("[]")
}

fn collect(json: &Json, at: &str, leaves: &mut Leaves) {
    match json {
        Json::Object(members) => {
            members.iter().for_each(|(name, value)| collect(value, &path::member(at, &name.value()), leaves));
        }
        Json::Array(elements) => elements.iter().for_each(|element| collect(element, &format!("{at}[]"), leaves)),
        Json::Null => {}
        scalar => leaves.entry(at.to_owned()).or_default().push(scalar.clone()),
    }
}

fn distinct(values: &mut Vec<Json>) {
    let mut seen = std::collections::HashSet::new();
    values.retain(|value| seen.insert(value.canonical()));
}
