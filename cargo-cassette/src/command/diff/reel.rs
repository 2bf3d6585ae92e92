//! What is looked through with `-i`: the one cassette that differs.

use cargo_cassette::comparison::{Comparison, Fate};
use cassette_core::tape::Tape;

use super::super::around::Surroundings;
use super::super::browse::{Offer, Offered, Reel, Side};
use super::super::failure::Failure;
use super::super::named::named;
use super::shown::summary;
use super::{Compared, Diff, DiffError};
use crate::output::{quoted, typed};

/// Returns it, with the recording that may be settled: one that is shown.
pub(super) fn reel(compared: Compared, diff: &Diff, around: &Surroundings) -> Result<(Reel, Offered), Failure> {
    let mut differing: Vec<_> = compared.all.into_iter().filter(|comparison| !comparison.is_same()).collect();
    let count = differing.len();
    let Some(comparison) = differing.pop().filter(|_| count == 1) else {
        let base = diff.base.as_deref().map(|base| format!(" --base {}", quoted(base))).unwrap_or_default();
        let first = differing.first().map_or("", |comparison| &comparison.name);
        return Err(DiffError::NotOne(count, format!("cargo cassette diff{base} -i {}", typed(first))).into());
    };
    let offered = offered(diff, &comparison, around);
    let facts = summary(&comparison);
    let reel = match comparison.fate {
        Fate::Kept(kept) => Reel::beside(&comparison.name, &facts, *kept, Side::After),
        Fate::Added(tape) | Fate::Removed(tape) => Reel::of(&comparison.name, &facts, tape),
        Fate::Unreadable(..) => Reel::of(&comparison.name, &facts, Tape::default()),
    };
    Ok((reel, offered))
}

/// Returns what there is to settle: the second of two files, where it is a recording that was not taken over.
fn offered(diff: &Diff, comparison: &Comparison, around: &Surroundings) -> Offered {
    let words = if diff.base.is_some() { std::slice::from_ref(&comparison.name) } else { &diff.cassettes };
    let spots: Vec<_> = words.iter().filter_map(|word| named(word, around).ok()).collect();
    if let Some(Ok(offer)) = spots.last().filter(|_| diff.base.is_none()).and_then(|spot| Offer::at(&spot.path, around))
        && let Fate::Kept(kept) = &comparison.fate
        // It may have been recorded again since it was compared.
        && kept.1 == *offer.tape()
    {
        return Offered::This(Box::new(offer));
    }
    let waits = spots.iter().find(|spot| Offer::over(spot, around).is_some());
    waits.map_or_else(Offered::nothing, |spot| Offered::elsewhere(&spot.name))
}
