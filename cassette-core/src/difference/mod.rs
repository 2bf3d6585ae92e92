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
mod system;
mod text;

pub(crate) use align::Step;
pub(crate) use lcs::lcs;
pub(crate) use show::said;

use std::ops::Range;

use crate::call::Call;
use crate::canonical::{self, Canonical};
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
    // Where both paths name a model, another model is no other address.
    let models = [recorded, incoming].map(canonical::model_in_path);
    let both = models.iter().all(Option::is_some);
    let [our_model, their_model] = models.map(|model| model.filter(|_| both));
    let mut ours = Form::of(recorded, matching, our_model);
    let mut theirs = Form::of(incoming, matching, their_model);
    let lifted = system::lift([recorded, incoming], [&mut ours, &mut theirs]);
    let mut differences = compare(&ours, &theirs, blocks);
    lifted.into_iter().for_each(|lifted| lifted.restore(&mut differences.found));
    differences
}

/// What stands at a place of something that is no request.
pub(crate) enum Said {
    Text(String),
    Json(Json),
    Bytes(Vec<u8>),
}

/// Returns where two lists of fields differ, each field under its path.
pub(crate) fn between(recorded: Vec<(String, Said)>, incoming: Vec<(String, Said)>) -> Vec<Difference> {
    compare(&form(recorded), &form(incoming), Blocks::AreLists).found
}

/// What is known of a call that is aligned with others.
pub(crate) enum Known {
    /// The request.
    Call(Call),
    /// Fields that tell it from others.
    Fields(Vec<(String, Said)>),
}

/// Returns what became of each call of a list in another, by what is asked.
pub(crate) fn aligned(recorded: Vec<Known>, incoming: Vec<Known>) -> Vec<Step> {
    let nodes = |calls: Vec<Known>| {
        let fields = |known| match known {
            Known::Call(call) => Form::of(&call, &Matching::default(), canonical::model_in_path(&call)),
            Known::Fields(fields) => form(fields),
        };
        calls.into_iter().map(|known| Node::map(fields(known).fields)).collect::<Vec<_>>()
    };
    align::align(&nodes(recorded), &nodes(incoming), align::Of::Calls)
}

fn form(fields: Vec<(String, Said)>) -> Form {
    let node = |said| match said {
        Said::Text(text) => Node::text(text),
        Said::Json(json) => Node::of(&json),
        Said::Bytes(bytes) => Node::bytes(&bytes),
    };
    Form { fields: fields.into_iter().map(|(path, said)| (path, node(said))).collect() }
}

/// Returns where two documents differ.
pub(crate) fn documents(recorded: &Json, incoming: &Json) -> Vec<Difference> {
    let whole = |json: &Json| vec![(String::new(), Said::Json(json.clone()))];
    between(whole(recorded), whole(incoming))
}

/// Returns which stretches of two texts differ, in bytes of each.
pub(crate) fn changes_of(recorded: &str, incoming: &str) -> Vec<(Range<usize>, Range<usize>)> {
    if recorded == incoming {
        return Vec::new();
    }
    let (ours, theirs) = hunks::uncommon(recorded, incoming);
    let hunks = hunks::hunks(recorded, incoming, hunks::Hunk { ours, theirs });
    hunks.into_iter().map(|hunk| (hunk.ours, hunk.theirs)).collect()
}

/// Returns the words of a text, as they are compared: of a script without spaces, each character.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    hunks::tokens(text).into_iter().filter(|token| token.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests;
