//! A cassette as it may be shown to anybody.

use std::fs;
use std::path::Path;

use cassette_core::audit::read_allow_list;
use cassette_core::env;
use cassette_core::redact::{Rules, Secrets, redact_text};
use cassette_core::tape::Tape;
use cassette_core::upkeep::{self, Known};

use crate::rules::rules;
use crate::shelf::Spot;

/// Returns a cassette as it may be shown: without what the audit finds, which may have come in by hand or under older rules. What the
/// allow list of its directory vouches for stays; without a directory nothing does.
#[must_use]
pub fn presentable(tape: Tape, of: Option<&Spot>) -> Tape {
    let list = of.and_then(|spot| Some((fs::read(directory(spot)?.join("allow.json")).ok()?, spot)));
    let allowed = list.and_then(|(list, spot)| read_allow_list(&list, &spot.name).ok()).unwrap_or_default();
    // Of bytes that come from nowhere the rules are those of where this is run.
    let rules = rules(of.and_then(directory).unwrap_or(Path::new(".")));
    upkeep::presentable(tape, &Known { rules, allowed, secrets: Secrets::new(&env::vars()) })
}

/// Returns a text that was written down earlier as it may be shown: without what is known to be secret by now.
#[must_use]
pub fn presentable_text(text: &str) -> String {
    redact_text(text, &Rules::default(), &mut Secrets::new(&env::vars()))
}

/// Returns the directory of which a cassette is, above all the parts of its name.
fn directory(spot: &Spot) -> Option<&Path> {
    spot.path.ancestors().nth(spot.name.split('/').count())
}
