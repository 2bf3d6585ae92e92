//! Where two requests differ: the smallest set of paths, and at each what moved.
//!
//! ```text
//! Call -> Form: fields of Nodes -> compare -> align lists, take strings apart -> what counts -> what is still untold -> Difference
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
mod passing;
mod path;
mod places;
mod secrets;
mod show;
mod system;
mod text;
mod times;
mod tools;
mod untold;

pub(crate) use align::Step;
pub(crate) use lcs::lcs;
pub(crate) use show::said;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::call::Call;
use crate::canonical::{self, Canonical};
use crate::dialect;
use crate::json::Json;
use crate::matching::{Matching, Wanted};
use crate::path::{Path, WHOLE};
use crate::report::Difference;
use compare::{Blocks, Telling, compare};
use counting::Counting;
use form::Form;
use node::Node;
use show::Room;

/// Where two requests differ, and by how much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    /// What differs, in the order of the request.
    pub(crate) found: Vec<Difference>,
    /// How much of the text differs, in bytes.
    pub(crate) size: usize,
    /// Which of them are only another spelling, if the dialect has it so: one text as a string, and as a block.
    respelled: BTreeSet<usize>,
}

/// How two requests are read to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// As they are meant: what a dialect spells in two ways is one.
    AsMeant,
    /// As they were sent.
    AsSent,
}

/// Returns where two redacted requests differ, as far as it counts.
///
/// There is a difference for each element of the two canonical forms that is not in the other: none has another key without
/// being told of.
pub(crate) fn differences(recorded: &Call, incoming: &Call, matching: &Matching) -> Differences {
    let forms = [recorded, incoming].map(|call| Canonical::in_dialect(call, dialect::detect(call), matching));
    let counting = Counting::of(&forms[0], &forms[1]);
    let ignored = |found: &Difference| found.path.parse::<Path>().is_ok_and(|path| matching.ignores(&path));
    let counts = |found: &Difference| !ignored(found) && counting.counts(found);
    let Differences { found, size, respelled } = all([recorded, incoming], matching, (Reading::AsMeant, Room::Line));
    let spelling = untold::Spelling { calls: [recorded, incoming], matching, forms: &forms };
    let any = spelling.is_to_be_tested() && found.iter().filter(|found| counts(found)).count() > 1;
    let mut tested = 0;
    let found = found.into_iter().enumerate().filter(|(at, found)| {
        let may_be_spelling = any || respelled.contains(at);
        tested += usize::from(may_be_spelling && counts(found));
        counts(found) && (!may_be_spelling || tested > untold::MOST || spelling.matters(found))
    });
    let mut found: Vec<_> = found.map(|(_, found)| found).collect();
    let mut left = counting.unexplained(&found);
    let speaks = |call: &Call| dialect::detect(call);
    if !left.is_empty() && (found.is_empty() || speaks(recorded) == speaks(incoming)) {
        let sent = all([recorded, incoming], matching, (Reading::AsSent, Room::Line)).found.into_iter();
        let sent = left.take_from(sent.filter(|sent| !ignored(sent) && !found.contains(sent)).collect());
        left.without(&sent);
        found.extend(sent);
        found.extend(untold::told(left));
    }
    times::settle(&mut found, [recorded, incoming]);
    Differences { found, size, respelled: BTreeSet::new() }
}

/// Returns every place where two redacted requests differ, whether or not it counts, for a reader of nothing else.
pub(crate) fn every_difference(recorded: &Call, incoming: &Call) -> Vec<Difference> {
    let telling = (Reading::AsMeant, Room::Page);
    let Differences { found, respelled, .. } = all([recorded, incoming], &Matching::default(), telling);
    found.into_iter().enumerate().filter(|(at, _)| !respelled.contains(at)).map(|(_, found)| found).collect()
}

fn all(calls: [&Call; 2], matching: &Matching, (reading, room): (Reading, Room)) -> Differences {
    let spoken = calls.iter().all(|call| dialect::detect(call).is_some());
    let is_meant = reading == Reading::AsMeant;
    let blocks = if spoken && is_meant { Blocks::AreStrings } else { Blocks::AreLists };
    // Where both paths name a model, another model is no other address.
    let models = calls.map(canonical::model_in_path);
    let both = models.iter().all(Option::is_some);
    let [our_model, their_model] = models.map(|model| model.filter(|_| both));
    // Where one of the two says it in its body, the other one's headers are no change of their own.
    let wanted = calls.map(|call| canonical::wanted(call, dialect::detect(call)));
    let wanted = if wanted.contains(&Wanted::InBody) { Wanted::InBody } else { Wanted::InHeaders };
    let mut ours = Form::of(calls[0], matching, our_model, wanted);
    let mut theirs = Form::of(calls[1], matching, their_model, wanted);
    let flat = if is_meant { tools::flatten(calls, [&mut ours, &mut theirs]) } else { Vec::new() };
    let lifted = if is_meant { system::lift(calls, [&mut ours, &mut theirs]) } else { None };
    let mut differences = compare(&ours, &theirs, Telling { blocks, whole: WHOLE, room });
    lifted.into_iter().for_each(|lifted| lifted.restore(&mut differences.found));
    flat.into_iter().for_each(|flat| flat.restore(&mut differences.found));
    differences
}

/// What stands at a place of something that is no request.
pub(crate) enum Said {
    Text(String),
    Json(Json),
    Bytes(Vec<u8>),
}

/// Returns where two lists of fields differ, each field under its path, for a reader of nothing else.
pub(crate) fn between(recorded: Vec<(String, Said)>, incoming: Vec<(String, Said)>) -> Vec<Difference> {
    let telling = Telling { blocks: Blocks::AreLists, whole: "body", room: Room::Page };
    compare(&form(recorded), &form(incoming), telling).found
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
            Known::Call(call) => {
                let wanted = canonical::wanted(&call, dialect::detect(&call));
                Form::of(&call, &Matching::default(), canonical::model_in_path(&call), wanted)
            }
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
