//! What is to be done so that something secret is in a file no more.

use std::collections::HashSet;

use cassette_core::disk;
use cassette_core::upkeep::{Known, Refusal, scrubbed};

use crate::seen::is_edited;
use crate::shelf::{self, Spot};

/// What hides what is secret in a file.
#[derive(Debug)]
pub(super) struct Hiding {
    /// What is typed for it.
    command: String,
    /// What seals the file once somebody has taken something out of it.
    sealing: String,
    /// The places at which no rule hides anything: names of headers, and what a head says.
    stuck: HashSet<String>,
}

impl Hiding {
    /// Looks at the text of a file in which the audit finds something by what is known here; nothing is looked for where it does not.
    pub(super) fn of(spot: &Spot, text: &str, known: Option<&Known>) -> Hiding {
        let name = spot.words();
        let sealing = format!("cargo cassette seal {name} --scrub");
        let (command, stands) = match shelf::read(text.as_bytes()) {
            Ok(_) => (format!("hide it: cargo cassette scrub {name}"), Some(text.to_owned())),
            Err(_) if is_edited(text) => {
                (format!("hide it, and vouch for what was changed by hand: {sealing}"), disk::reseal(text))
            }
            Err(_) => ("take it out by hand".to_owned(), None),
        };
        let refused = stands.zip(known).and_then(|(stands, known)| scrubbed(stands.as_bytes(), known).err());
        let stuck = match refused {
            Some(Refusal::Leak(left)) => left.into_iter().map(|finding| finding.path).collect(),
            _ => HashSet::new(),
        };
        Hiding { command, sealing, stuck }
    }

    /// Returns what to do about what stands at this place.
    pub(super) fn help(&self, path: &str) -> String {
        let is_sealed = ["interactions[", "line "].iter().any(|sealed| path.starts_with(sealed));
        match (self.stuck.contains(path), is_sealed) {
            (false, _) => self.command.clone(),
            (true, true) => format!("no rule hides it there: take it out by hand, then {}", self.sealing),
            (true, false) => "no rule hides it there: take it out by hand".to_owned(),
        }
    }
}
