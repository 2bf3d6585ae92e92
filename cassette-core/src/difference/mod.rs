//! Where two requests differ: the smallest set of paths, and at each what moved.
//!
//! ```text
//! Call -> Form: fields of Nodes -> compare -> align lists, take strings apart -> what counts -> Difference
//! ```
//!
//! Nothing here hangs on a hash's value: digests are compared for equality alone, and every choice among equals is
//! settled by what the two requests say. Swapping the two swaps what was added with what was removed, and no more.

mod align;
mod compare;
mod counting;
mod form;
mod hunks;
mod lcs;
mod likeness;
mod node;
mod path;
mod secrets;
mod show;
mod text;

pub(crate) use align::Step;

use crate::call::Call;
use crate::canonical::Canonical;
use crate::dialect;
use crate::json::Json;
use crate::matching::Matching;
use crate::report::Difference;
use compare::{Blocks, compare};
use counting::Counting;
use form::Form;
use node::Node;

/// Where two requests differ, and by how much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    /// What differs, in the order of the request.
    pub(crate) found: Vec<Difference>,
    /// How much of the text differs, in bytes.
    pub(crate) size: usize,
}

/// Returns where two redacted requests differ, as far as it counts.
pub(crate) fn differences(recorded: &Call, incoming: &Call, matching: &Matching) -> Differences {
    let mut differences = all(recorded, incoming, matching);
    let form = |call: &Call| Canonical::in_dialect(call, dialect::detect(call), matching);
    let counting = Counting::of(&form(recorded), &form(incoming));
    if differences.found.iter().any(|difference| counting.counts(difference)) {
        differences.found.retain(|difference| counting.counts(difference));
    }
    differences
}

/// Returns every place where two redacted requests differ, whether or not it counts.
pub(crate) fn every_difference(recorded: &Call, incoming: &Call) -> Vec<Difference> {
    all(recorded, incoming, &Matching::default()).found
}

fn all(recorded: &Call, incoming: &Call, matching: &Matching) -> Differences {
    let spoken = |call: &Call| dialect::detect(call).is_some();
    let blocks = if spoken(recorded) && spoken(incoming) { Blocks::AreStrings } else { Blocks::AreLists };
    compare(&Form::of(recorded, matching), &Form::of(incoming, matching), blocks)
}

/// What stands at a place of something that is no request.
pub(crate) enum Said {
    Text(String),
    Json(Json),
    Bytes(Vec<u8>),
}

/// Returns where two lists of fields differ, each field under its path.
pub(crate) fn between(recorded: Vec<(String, Said)>, incoming: Vec<(String, Said)>) -> Vec<Difference> {
    let form = |fields: Vec<(String, Said)>| {
        let node = |said| match said {
            Said::Text(text) => Node::text(text),
            Said::Json(json) => Node::of(&json),
            Said::Bytes(bytes) => Node::bytes(&bytes),
        };
        Form { fields: fields.into_iter().map(|(path, said)| (path, node(said))).collect() }
    };
    compare(&form(recorded), &form(incoming), Blocks::AreLists).found
}

/// Returns what became of each call of a list in another, by what is asked.
pub(crate) fn aligned(recorded: &[Call], incoming: &[Call]) -> Vec<Step> {
    let nodes = |calls: &[Call]| {
        let node = |call: &Call| Node::map(Form::of(call, &Matching::default()).fields);
        calls.iter().map(node).collect::<Vec<_>>()
    };
    align::align(&nodes(recorded), &nodes(incoming), align::Of::Calls)
}

#[cfg(test)]
mod tests;
