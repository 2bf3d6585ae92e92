//! What a session writes into the ledger of the run when it ends, where there is one.

use cassette_core::ledger::{self, Ended, Entry};
use cassette_core::session::{BodyEnd, Verdict};

use crate::options::Surroundings;
use crate::scope::Scope;
use crate::tell::tell_now;

/// Writes down how a session ended. A ledger that cannot be written is told of, and fails no test.
pub(crate) fn enter(scope: &Scope, end: BodyEnd, verdict: &Verdict) {
    let (Some(file), Some(session)) = (&Surroundings::of_process().ledger, scope.opened()) else { return };
    let (summary, spent, saved) = (&verdict.summary, session.spent(), session.saved());
    let cost_saved = saved.spent().cost.unwrap_or_default();
    let ended = Ended {
        cassette: session.name().to_owned(),
        directory: scope.settled.directory.display().to_string(),
        test: scope.settled.place.test.clone(),
        mode: session.mode().to_string(),
        failed: end != BodyEnd::Passed || !verdict.reports.is_empty(),
        live: session.live_calls(),
        recorded: if summary.pending.is_some() { 0 } else { summary.recorded },
        replayed: summary.served,
        dropped: summary.dropped.len(),
        pending: summary.pending.clone(),
        cost: spent.cost.unwrap_or_default(),
        unpriced: spent.unpriced,
        saved: cost_saved,
        saved_time: saved.live,
    };
    if let Err(error) = ledger::append(file, &Entry::Ended(Box::new(ended))) {
        tell_now(&format!("note: {}, the ledger of this run, could not be written: {error}", file.display()));
    }
}
