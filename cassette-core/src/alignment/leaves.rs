//! The scalars of a reply's documents, by path.

use std::collections::BTreeMap;

use crate::json::Json;
use crate::path;

/// Members that count the pieces of a stream.
const COUNTERS: [&str; 1] = ["sequence_number"];

/// The scalars at each path, in their order; `[]` stands for every element of a list.
pub(super) type Leaves = BTreeMap<String, Leaf>;

/// What stands at a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    /// The path as the tables of volatile values have it, without quotation marks.
    pub(super) place: String,
    pub(super) values: Vec<Json>,
}

/// Returns the scalars of these documents. Of a stream, each value counts once: how often it comes hangs on how the
/// stream was cut.
pub(super) fn leaves(documents: &[Json], stream: Stream) -> Leaves {
    let mut leaves = Leaves::new();
    documents.iter().for_each(|document| collect(document, ["", ""], &mut leaves));
    if stream == Stream::Yes {
        leaves.retain(|path, _| !COUNTERS.contains(&path.rsplit('.').next().unwrap_or(path)));
        leaves.values_mut().for_each(|leaf| distinct(&mut leaf.values));
    }
    leaves
}

/// Whether documents are the pieces of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Yes,
    No,
}

fn collect(json: &Json, [path, place]: [&str; 2], leaves: &mut Leaves) {
    match json {
        Json::Object(members) => members.iter().for_each(|(name, value)| {
            let dot = if place.is_empty() { "" } else { "." };
            let name = name.value();
            collect(value, [&path::member(path, &name), &format!("{place}{dot}{name}")], leaves);
        }),
        Json::Array(elements) => {
            let at = [format!("{path}[]"), format!("{place}[]")];
            elements.iter().for_each(|element| collect(element, [&at[0], &at[1]], leaves));
        }
        Json::Null => {}
        scalar => {
            let leaf = leaves.entry(path.to_owned()).or_default();
            place.clone_into(&mut leaf.place);
            leaf.values.push(scalar.clone());
        }
    }
}

fn distinct(values: &mut Vec<Json>) {
    let mut seen = std::collections::HashSet::new();
    values.retain(|value| seen.insert(value.canonical()));
}
