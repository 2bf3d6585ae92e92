//! Where in a run a sweep puts a fault.

use super::{At, Fault, What};
use crate::reply::{Outcome, Reply};

/// Returns the faults that a sweep of this one plans where this recording is served, each for a run of its own.
///
/// There are none where the recording has no such place.
pub(crate) fn positions(fault: &Fault, index: usize, recorded: &Outcome) -> Vec<Fault> {
    let one = |what: What| Fault { what, at: At::Recording(index) };
    match (&fault.what, recorded) {
        (What::EverySplit, Outcome::Reply(reply)) => (1..size(reply)).map(|at| one(What::SplitAt(at))).collect(),
        (What::EveryCut, Outcome::Reply(reply)) => (0..=reply.chunks.len()).map(|k| one(What::CutAfter(k))).collect(),
        (What::EverySplit | What::EveryCut, Outcome::Error(_)) => Vec::new(),
        (what, recorded) => {
            let fits = match (what, recorded) {
                (What::Status { .. } | What::Reset | What::Stall, _) => true,
                (what, Outcome::Reply(reply)) => super::damage::damage(&mut reply.clone(), what).is_ok(),
                (_, Outcome::Error(_)) => false,
            };
            fits.then(|| one(what.clone())).into_iter().collect()
        }
    }
}

fn size(reply: &Reply) -> usize {
    reply.chunks.iter().map(|chunk| chunk.bytes.len()).sum()
}
