//! What was recorded and not taken over: kept for a person to look at, the reason with it.

use super::Shared;
use super::save::outages;
use super::state::State;
use super::summary::Summary;
use crate::audit::{self, Finding};
use crate::disk;
use crate::pending::{Pending, Reason};
use crate::report::{Place, Why};
use crate::tape::Tape;

impl Shared {
    /// Keeps what was not taken over, the reason in its head and whatever is secret in it masked. Where even that fails,
    /// the journal stays.
    pub(super) fn set_aside(&self, state: &mut State, mut tape: Tape, reason: Pending, summary: &mut Summary) {
        let mut pending = Pending { over: self.opened.clone(), ..reason };
        if self.digests.is_some() {
            pending.found.iter_mut().for_each(|line| *line = without_queries(line));
        }
        let mut written = |pending: &Pending| {
            pending.put(&mut tape.head);
            disk::write(&tape)
        };
        let mask = |text: &str| audit::mask(text, &self.plan.rules, &self.secrets());
        let text = written(&pending);
        let mut kept = mask(&text);
        if kept != text {
            pending.masked = true;
            kept = mask(&written(&pending));
        }
        match self.plan.store.keep_pending(&self.plan.name, &kept) {
            Ok(()) => {
                summary.pending = Some(self.plan.store.pending_place(&self.plan.name));
                // The journal says nothing that the pending document does not: a leftover is harmless.
                let _ = self.close_journal(state);
            }
            Err(error) => summary.unkept = Some(error.to_string()),
        }
    }
}

/// Returns a line in which no URL has a query: where digests are kept, nothing of what was asked may stand.
fn without_queries(line: &str) -> String {
    let bare = |word: &str| {
        let Some(end) = word.find("://").and_then(|_| word.find(['?', '#'])) else { return word.to_owned() };
        let last = word.chars().next_back().filter(|c| matches!(c, ':' | ',' | ';' | ')' | '`' | '"'));
        format!("{}{}", &word[..end], last.map(String::from).unwrap_or_default())
    };
    line.split(' ').map(bare).collect::<Vec<_>>().join(" ")
}

/// Returns that the test failed, with what the session knows of it: the first failure, and what of upstreams was out of order, which
/// often is why.
pub(super) fn failed(state: &State) -> Pending {
    let report = state.failure.as_ref().map(|(report, _)| report.to_string());
    let first = report.and_then(|report| report.lines().next().map(str::to_owned));
    Pending::new(Reason::Failed, first.into_iter().chain(outages(state)).collect())
}

/// Returns that the audit found something. Nothing of what it found is told but where it stood.
pub(super) fn leak(findings: &[Finding]) -> Pending {
    let lines = findings.iter().map(|finding| format!("{}: {}", finding.path, finding.rule));
    Pending::new(Reason::Leak, lines.collect())
}

/// Returns what the head of a recording says that was not taken over for this.
pub(super) fn reason(why: &Why) -> Pending {
    let (reason, found) = match why {
        Why::TestFailed => (Reason::Failed, Vec::new()),
        Why::Outage(calls) => (Reason::Outage, calls.clone()),
        Why::Bypass(hosts) => (Reason::Bypass, hosts.clone()),
        Why::UnderWay(calls) => (Reason::UnderWay, calls.clone()),
        Why::Broken(calls) => (Reason::Broken, calls.clone()),
        Why::Late(late) => (Reason::Late, late.iter().map(|late| late.place.clone()).collect()),
        Why::SentOn(sent) => (Reason::SentOn, sent.iter().map(|sent| sent.place.clone()).collect()),
        Why::Matcher(places) => {
            let line = |Place { interaction, name, .. }: &Place| format!("interaction {interaction}, {name}");
            (Reason::Denied, places.iter().map(line).collect())
        }
        Why::Meanwhile(file, since) => (Reason::Meanwhile, vec![format!("{file} {}", since.words())]),
        Why::Unproven(what) => (Reason::Unproven, what.lines().map(str::to_owned).collect()),
    };
    Pending::new(reason, found)
}
