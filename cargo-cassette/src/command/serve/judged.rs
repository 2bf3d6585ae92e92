//! What is told when serving has ended.

use cassette_core::session::Verdict;

use super::{End, unsaid};
use crate::command::Found;
use crate::output::{complain, note};

/// Tells what was found, and returns the exit code: the program's own where it failed.
pub(in crate::command) fn judge(end: End, verdicts: &[(String, Verdict)]) -> Found {
    let reports = verdicts.iter().flat_map(|(_, verdict)| &verdict.reports);
    unsaid::tell(&reports.map(ToString::to_string).collect::<Vec<_>>());
    for (_, verdict) in verdicts {
        if !verdict.summary.is_quiet() {
            note(&verdict.summary.to_string());
        }
        verdict.reports.iter().for_each(|report| complain(&report.to_string()));
    }
    let failed: Vec<_> =
        verdicts.iter().filter(|(_, verdict)| !verdict.reports.is_empty()).map(|(shown, _)| shown.as_str()).collect();
    if verdicts.len() > 1 && !failed.is_empty() {
        note(&format!("{} of {} cassettes failed: {}", failed.len(), verdicts.len(), failed.join(", ")));
    }
    match end {
        End::Code(code) if code != 0 => Found::Ended(code),
        _ => Found::something_if(!failed.is_empty()),
    }
}
