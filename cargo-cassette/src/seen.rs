//! A cassette as it stands, for whoever looks at it: one that somebody has changed by hand too.
//!
//! What is changed by hand and not sealed is not what was recorded, and replays nothing. It can be looked at all the same, before
//! anybody vouches for it. Nothing that serves, counts or writes reads a cassette so: there is [`Spot::open`] for that.

use cassette_core::files;

use cassette_core::disk;
use cassette_core::json::Json;
use cassette_core::tape::Tape;

use crate::shelf::{self, Spot, Unreadable};

/// A cassette as it stands.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Seen {
    /// What it says.
    pub tape: Tape,
    /// The numbers of the interactions that are not as they were sealed, from 1.
    pub by_hand: Vec<usize>,
}

impl From<Tape> for Seen {
    /// Takes a sound cassette for what it is.
    fn from(tape: Tape) -> Seen {
        Seen { tape, by_hand: Vec::new() }
    }
}

/// Reads a cassette to look at it.
///
/// # Errors
///
/// Fails where the file cannot be read, or where more is wrong with it than that somebody changed it.
pub fn of(spot: &Spot) -> Result<Seen, Unreadable> {
    match spot.open() {
        Err(error @ Unreadable::Damaged(..)) => changed(&files::read(&spot.path).unwrap_or_default()).ok_or(error),
        read => read.map(Seen::from),
    }
}

/// Reads a cassette from its bytes, to look at it.
///
/// # Errors
///
/// Fails where more is wrong with them than that somebody changed them.
pub fn read(bytes: &[u8]) -> Result<Seen, Unreadable> {
    shelf::read(bytes).map(Seen::from).or_else(|error| changed(bytes).ok_or(error))
}

/// Returns whether nothing is wrong with a cassette but that somebody changed it.
#[must_use]
pub fn is_edited(text: &str) -> bool {
    changed(text.as_bytes()).is_some()
}

/// Returns the numbers of the interactions that are not as they were sealed, or have no seal, from 1.
#[must_use]
pub fn unsealed(text: &str) -> Vec<usize> {
    let Ok(document) = Json::parse_around(text) else { return Vec::new() };
    let interactions = document.get("interactions").map_or(&[][..], Json::elements);
    let is_sealed =
        |object: &Json| object.get("seal").and_then(Json::as_str).is_some_and(|it| it == disk::seal(object));
    (1..).zip(interactions).filter(|(_, object)| !is_sealed(object)).map(|(number, _)| number).collect()
}

/// Returns what a cassette says of which somebody changed an interaction; `None` where more is wrong with it.
fn changed(bytes: &[u8]) -> Option<Seen> {
    let text = std::str::from_utf8(bytes).ok()?;
    let by_hand = unsealed(text);
    let sealed = disk::reseal(text).filter(|_| !by_hand.is_empty())?;
    Some(Seen { tape: shelf::read(sealed.as_bytes()).ok()?, by_hand })
}
