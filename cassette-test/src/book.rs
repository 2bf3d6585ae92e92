//! What a session writes into the ledger of the run when it begins and when it ends, where there is one.

use cassette_core::ledger::{self, Began, Ended, Entry};
use cassette_core::session::{BodyEnd, Session, Verdict};

use crate::options::Surroundings;
use crate::scope::Scope;
use crate::tell::tell_now;

/// Writes down that a session begins, so that one which is cut off with its process is missed.
pub(crate) fn begin(scope: &Scope) {
    append(|| {
        let directory = scope.settled.directory.display().to_string();
        Entry::Began(Began { cassette: scope.label.clone(), test: scope.settled.place.test.clone(), directory })
    });
}

/// Writes down how a session ended.
pub(crate) fn end(scope: &Scope, end: BodyEnd, verdict: &Verdict) {
    let failed = end != BodyEnd::Passed || !verdict.reports.is_empty();
    append(|| match scope.opened() {
        Some(session) => told(Ended { failed, ..ended(scope) }, session, verdict),
        None => Entry::Ended(Box::new(Ended { failed, ..ended(scope) })),
    });
}

/// Writes down that a session did not come to be, which fails its test.
pub(crate) fn refuse(scope: &Scope) {
    append(|| Entry::Ended(Box::new(Ended { failed: true, ..ended(scope) })));
}

/// Writes a line. A ledger that cannot be written is told of, and fails no test.
fn append(entry: impl FnOnce() -> Entry) {
    let Some(file) = &Surroundings::of_process().ledger else { return };
    if let Err(error) = ledger::append(file, &entry()) {
        tell_now(&format!("note: {}, the ledger of this run, could not be written: {error}", file.display()));
    }
}

fn ended(scope: &Scope) -> Ended {
    Ended {
        cassette: scope.label.clone(),
        directory: scope.settled.directory.display().to_string(),
        test: scope.settled.place.test.clone(),
        mode: scope.settled.mode.to_string(),
        ..Ended::default()
    }
}

fn told(ended: Ended, session: &Session, verdict: &Verdict) -> Entry {
    let (summary, spent, saved) = (&verdict.summary, session.spent(), session.saved());
    let answers = saved.spent();
    Entry::Ended(Box::new(Ended {
        cassette: session.name().to_owned(),
        mode: session.mode().to_string(),
        live: session.live_calls(),
        recorded: if summary.pending.is_some() || summary.unkept.is_some() { 0 } else { summary.recorded },
        replayed: summary.served,
        dropped: summary.dropped.len(),
        pending: summary.pending.clone(),
        cost: spent.cost.unwrap_or_default(),
        unpriced: spent.unpriced,
        saved: answers.cost.unwrap_or_default(),
        saved_unpriced: answers.unpriced,
        saved_time: saved.live.unwrap_or_default(),
        saved_untimed: saved.untimed,
        hidden: summary.hidden.clone(),
        unrun: summary.unrun.clone(),
        ..ended
    }))
}
