//! A cassette as it may be shown to anybody.

use cassette_core::files;
use std::collections::BTreeSet;
use std::path::Path;

use cassette_core::audit::read_allow_list;
use cassette_core::redact::{Secrets, placeholders};
use cassette_core::tape::Tape;
use cassette_core::upkeep::{self, Known};
use cassette_core::{disk, env};

pub use crate::hushed::presentable_text;
use crate::rules::rules;
use crate::shelf::Spot;

/// A cassette as it may be shown.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Presented {
    /// What may be shown.
    pub tape: Tape,
    /// How many secrets are hidden in it that stand in the file: whoever looks at it cannot tell them from those that are hidden there.
    pub in_plain: usize,
}

/// Returns a cassette as it may be shown: without what the audit finds, which may have come in by hand or under older rules. What the
/// allow list of its directory vouches for stays; without a directory nothing does.
#[must_use]
pub fn presentable(tape: Tape, of: Option<&Spot>) -> Tape {
    let list = of.and_then(|spot| Some((files::read(&directory(spot)?.join("allow.json")).ok()?, spot)));
    let allowed = list.and_then(|(list, spot)| read_allow_list(&list, &spot.name).ok()).unwrap_or_default();
    // Of bytes that come from nowhere the rules are those of where this is run.
    let rules = rules(of.and_then(directory).unwrap_or(Path::new(".")));
    upkeep::presentable(tape, &Known { rules, allowed, secrets: Secrets::new(&env::of_secrets()) })
}

/// Returns a cassette as it may be shown, and how much had to be hidden for that.
#[must_use]
pub fn presented(tape: Tape, of: Option<&Spot>) -> Presented {
    let shown = presentable(tape.clone(), of);
    let in_plain = if shown == tape { 0 } else { fresh(&tape, &shown) };
    Presented { tape: shown, in_plain }
}

/// Returns how many placeholders stand in what is shown and not in what it was made of. What is hidden in bytes that are no text has none
/// that can be read, and is one.
fn fresh(tape: &Tape, shown: &Tape) -> usize {
    let [tape, shown] = [tape, shown].map(disk::write);
    let [old, new]: [BTreeSet<_>; 2] = [&tape, &shown].map(|text| placeholders(text).collect());
    new.difference(&old).count().max(1)
}

/// Returns the directory of which a cassette is, above all the parts of its name.
fn directory(spot: &Spot) -> Option<&Path> {
    spot.path.ancestors().nth(spot.name.split('/').count())
}
