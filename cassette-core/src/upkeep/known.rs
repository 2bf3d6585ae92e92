//! What is known beside a file, and the proof of a file at rest.

use super::Refusal;
use crate::audit::{self, Allowed};
use crate::disk;
use crate::prove::{Proven, Terms, Unproven, prove};
use crate::redact::{Rules, Secrets};
use crate::session;
use crate::store::Store;
use crate::tape::Tape;

/// What is known beside a file: rules, secrets, and what somebody vouches for.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Rules of one's own. Those that stand in the code of tests are not known here.
    pub rules: Rules,
    /// What is secret here.
    pub secrets: Secrets,
    /// The findings in this cassette that somebody vouches for.
    pub allowed: Vec<Allowed>,
}

impl Known {
    /// Returns what is known here of a cassette: the secrets of this environment, and the store's allow list.
    ///
    /// # Errors
    ///
    /// Fails where the allow list cannot be read, or is damaged.
    pub fn of(store: &dyn Store, name: &str, environment: &[(String, String)]) -> Result<Known, Refusal> {
        let allowed = match store.allow_list()? {
            Some(bytes) => audit::read_allow_list(&bytes, name).map_err(Refusal::AllowList)?,
            None => Vec::new(),
        };
        Ok(Known { rules: Rules::default(), secrets: Secrets::new(environment), allowed })
    }

    /// Returns the rules under which every header of a tape stays that its test has kept.
    pub(super) fn rules(&self, tape: &Tape) -> Rules {
        let mut rules = self.rules.clone();
        let calls = tape.interactions.iter().filter_map(|interaction| interaction.call());
        let names = calls.flat_map(|call| call.headers.iter().map(|(name, _)| name.clone()));
        rules.keep_request_headers.extend(names);
        rules.keep_request_headers.sort();
        rules.keep_request_headers.dedup();
        rules
    }
}

/// Reads a file at rest.
pub(super) fn read(document: &[u8]) -> Result<Tape, Refusal> {
    disk::read(document).map_err(|error| {
        let sealed = std::str::from_utf8(document).ok().and_then(disk::reseal);
        match sealed.is_some_and(|sealed| disk::read(sealed.as_bytes()).is_ok()) {
            true => Refusal::Edited(error),
            false => Refusal::Unreadable(error),
        }
    })
}

/// Proves a file at rest: it reads back, the audit finds nothing, and each recording is what its own request is served.
pub(super) fn proven(tape: &Tape, known: &Known) -> Result<Proven, Refusal> {
    let rules = known.rules(tape);
    let terms = Terms { matching: None, rules: &rules, secrets: &known.secrets, allowed: &known.allowed };
    let proven = prove(tape, &terms).map_err(|unproven| match unproven {
        Unproven::Leak(findings) => Refusal::Leak(findings),
        Unproven::Broken(what) => Refusal::Broken(what),
        // There is no matcher where the test is not known.
        Unproven::Denied(_) => Refusal::Broken("a matcher denies it".to_owned()),
        Unproven::Late(late) | Unproven::SentOn(late) => {
            let places: Vec<_> = late.into_iter().map(|late| late.place).collect();
            Refusal::Broken(places.join(", "))
        }
    })?;
    session::replays(tape, &rules).map_err(Refusal::Broken)?;
    Ok(proven)
}
