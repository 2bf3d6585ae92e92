//! A file at rest, written anew as today's version writes it.

use super::known::{proven, read};
use super::{Known, Refusal};
use crate::canonical::Canonical;
use crate::disk;
use crate::matching::Matching;
use crate::prove::Proven;
use crate::redact::{self, Depth};
use crate::tape::Tape;

/// A file that was written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compacted {
    /// The document; `None` where it is what the file says already.
    pub document: Option<Proven>,
    /// How many keys were made anew by today's scheme.
    pub keys: usize,
    /// How many keys are of an older scheme and cannot be made anew, since digests alone are kept of their requests.
    pub stuck: usize,
}

/// Returns a file as today's version writes it: laid out anew, with keys of today's scheme. What it replays is the same.
///
/// A key of an older scheme is made anew under the default comparison: it is a hint for tools, and a test makes its own.
///
/// # Errors
///
/// Fails where the file cannot be read, and where it would not be saved today.
pub fn compacted(document: &[u8], known: &Known) -> Result<Compacted, Refusal> {
    let tape = read(document)?;
    let mut written = tape.clone();
    let (mut keys, mut stuck) = (0, 0);
    let rules = known.rules(&tape);
    for interaction in written.interactions.iter_mut().filter(|interaction| !interaction.key.is_current()) {
        let Some(call) = interaction.call() else {
            stuck += 1;
            continue;
        };
        let call = redact::redact_recorded(call, &rules, Depth::Shape, &mut known.secrets.clone());
        interaction.key = Canonical::of(&call, &Matching::default()).key();
        keys += 1;
    }
    if disk::write(&written).as_bytes() == document {
        return Ok(Compacted { document: None, keys, stuck });
    }
    let proven = proven(&written, known)?;
    let back = disk::read(proven.text().as_bytes())?;
    match keyless(&back, &written) == keyless(&tape, &written) {
        true => Ok(Compacted { document: Some(proven), keys, stuck }),
        false => Err(Refusal::Broken("more than its layout and its keys would change".to_owned())),
    }
}

/// Returns a tape with the keys of another: nothing is served by them.
fn keyless(tape: &Tape, other: &Tape) -> Tape {
    let mut tape = tape.clone();
    for (interaction, other) in tape.interactions.iter_mut().zip(&other.interactions) {
        interaction.key = other.key.clone();
    }
    tape
}
