//! The end of a session: the verdict, and the file.

use std::sync::Arc;

use super::save::outages;
use super::state::State;
use super::summary::Summary;
use super::{Plan, Session, Shared};
use crate::mode::Mode;
use crate::policy::Unused;
use crate::report::{Grounds, Report};

/// How the test's own body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    /// It passed.
    Passed,
    /// It returned an error.
    Failed,
    /// It panicked.
    Panicked,
}

/// What the session has to say at the end of its test.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What failed the test, the headline first; empty where nothing did.
    pub reports: Vec<Arc<Report>>,
    /// What else there is to tell.
    pub summary: Summary,
}

impl Session {
    /// Ends the session, writes the cassette if it is to be written, and gives the verdict; a second time, an empty one.
    pub fn finish(&self, end: BodyEnd) -> Verdict {
        let mut state = self.shared.state();
        if std::mem::replace(&mut state.finished, true) {
            return Verdict::default();
        }
        let mut summary = self.shared.summary(&state);
        if end != BodyEnd::Passed && self.shared.plan.mode.records() {
            summary.outages = outages(&state);
        }
        let latched = state.failure.clone();
        let passed = end == BodyEnd::Passed && latched.is_none();
        let report = match self.shared.plan.mode {
            Mode::Off => None,
            Mode::Replay => passed.then(|| self.shared.left_over(&state)).flatten(),
            Mode::Record | Mode::Refresh => self.shared.conclude(&mut state, passed, &mut summary),
        };
        let reports = latched.map(|(report, _)| report).into_iter().chain(report.map(Arc::new)).collect();
        Verdict { reports, summary }
    }
}

impl Shared {
    fn summary(&self, state: &State) -> Summary {
        let served: Vec<usize> = state.served().collect();
        let groups = (0..self.tape.interactions.len()).scan(0, |start, i| {
            *start = if self.tape.interactions[i].overlaps { *start } else { i };
            Some(*start)
        });
        let groups: Vec<usize> = groups.collect();
        let mut furthest = 0;
        let late = |index: &usize| {
            let late = groups[*index] < furthest;
            furthest = furthest.max(groups[*index]);
            late.then(|| self.place(*index))
        };
        let explored = state.approximate.iter().any(|served| served.grounds != Grounds::Matcher);
        let out_of_order = served.iter().filter_map(late);
        let (faults, unasked) = self.fired(state);
        let is_lost = |index: &usize| state.lost[*index] && !state.used[*index];
        let is_outer = |index: &usize| self.tape.interactions[*index].within.is_none();
        let lost = (0..state.used.len()).filter(|index| is_lost(index) && is_outer(index));
        Summary {
            lost: lost.map(|index| self.place(index)).collect(),
            cassette: self.plan.name.clone(),
            file: self.plan.file(),
            served: served.len(),
            out_of_order: out_of_order.collect(),
            drifted: state.drifted.clone(),
            help: explored.then(|| self.plan.explored(&state.approximate)),
            approximate: state.approximate.clone(),
            by_position: state.by_position.clone(),
            of_another: self.unshared_owner().filter(|_| !served.is_empty()),
            unread: state.unread.clone(),
            ran_live: state.ran_live.iter().cloned().collect(),
            of_several: state.of_several.iter().cloned().collect(),
            unrun: self.plan.mode.records().then(|| self.told_unrun(state)).flatten(),
            cut_short: state.cut_short.clone(),
            damaged: self.damaged.clone(),
            faults,
            unasked,
            ..Summary::default()
        }
    }

    /// Returns the other test that has recorded the cassette, where this one is a test too and does not say that it shares it, or only
    /// replays.
    fn unshared_owner(&self) -> Option<String> {
        let Plan { unused, pinned, rerun, .. } = &self.plan;
        let is_meant = *unused == Unused::Allow || pinned.is_some() || !rerun.target.is_cargos();
        if is_meant { None } else { self.another_owner() }
    }

    /// Returns the report of a replay that passed but left recordings over, or made no call.
    pub(super) fn left_over(&self, state: &State) -> Option<Report> {
        if state.calls.is_empty() {
            return Some(self.plan.no_calls());
        }
        if let Some(report) = self.unfired(state) {
            return Some(report);
        }
        let unused = state.unasked();
        let fails = self.plan.unused == Unused::Fail && !unused.is_empty() && !state.faults.have_harmed();
        let places = || unused.iter().map(|i| self.place(*i)).collect();
        let beside = self.function_beside(&unused, &state.used);
        fails.then(|| self.plan.unused(places(), state.used.len(), self.another_owner().as_deref(), beside))
    }

    /// Returns where the group of overlapping recordings begins that this one belongs to.
    pub(super) fn group(&self, index: usize) -> usize {
        let overlapping = self.tape.interactions[..=index].iter().rev().take_while(|interaction| interaction.overlaps);
        index - overlapping.count()
    }
}
