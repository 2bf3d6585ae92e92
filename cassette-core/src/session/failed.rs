//! The reports of calls that are neither served nor sent.

use super::Shared;
use super::renamed::keeping;
use super::state::State;
use crate::call::Call;
use crate::canonical::Canonical;
use crate::decide::Decision;
use crate::dialect;
use crate::mode::Mode;
use crate::nearest::{nearest, nearest_digested};
use crate::report::{Difference, Edit, Exhausted, Mismatch, Misplaced, Nature, Nearest, Report, Tried};
use crate::view::gist;

/// How many paths a help names.
const NAMED: usize = 3;

/// A call that is neither served nor sent.
pub(super) struct Failed<'a> {
    pub(super) decision: Decision,
    /// Which call of the run it is, from 0.
    pub(super) number: usize,
    /// The call, redacted.
    pub(super) call: &'a Call,
    pub(super) tried: Vec<Tried>,
}

impl Shared {
    /// Returns the recording that is most like a call: before a fork, of those before it.
    pub(super) fn nearest(&self, call: &Call, state: &State) -> Option<Nearest> {
        let matching = &self.plan.matching;
        let all = self.tape.interactions.len();
        let offered = if self.due(state).is_empty() { all } else { self.pool.size };
        if self.tape.head.digests.is_none() {
            return nearest(call, &self.tape.interactions[..offered], &state.used, matching);
        }
        let found = nearest_digested(call, (&self.tape, offered), &state.used, matching)?;
        Some(Nearest { digests: Some(self.doubts()), ..found })
    }

    /// Returns what `match_on` names, where nothing of it is in this call.
    fn unnamed(&self, call: &Call) -> Option<String> {
        let matching = &self.plan.matching;
        let is_whole = Canonical::in_dialect(call, dialect::detect(call), matching).is_whole();
        is_whole.then(|| matching.named())
    }

    /// Returns what to do where nothing is another but the name of a function or of a server.
    fn renamed(&self, nearest: &Nearest, call: &Call) -> Option<String> {
        let [Difference { path, .. }] = nearest.differences.as_slice() else { return None };
        let recorded = self.tape.interactions.get(nearest.interaction - 1).filter(|_| path == "@name")?;
        let keeping = keeping(recorded.asked.name(), call)?;
        Some(format!("{keeping}; if another is meant"))
    }

    /// Returns the report of a call that is neither served nor sent.
    pub(super) fn failed(&self, failed: Failed<'_>, state: &State) -> Report {
        let is_before_the_fork = !self.due(state).is_empty();
        if matches!(failed.decision, Decision::Unreached(_))
            || (is_before_the_fork && matches!(failed.decision, Decision::Misplaced { .. }))
        {
            return self.off_the_way(&failed, state);
        }
        let Failed { decision, number, call, tried } = failed;
        let interactions = &self.tape.interactions;
        let cassette = self.plan.name.clone();
        let (call_number, name, file) = (number + 1, call.title(), self.plan.file());
        let served = state.used.iter().filter(|used| **used).count();
        let total = interactions.len();
        let place = |index: usize| self.place(index);
        // What comes from a recorded reply, such as a session's id, is sent to no real service: all of it is recorded anew.
        let is_bound = state.calls.get(number).is_some_and(|call| self.sends_a_stand_in(call));
        let record = if is_bound { self.plan.command(Mode::Refresh) } else { self.recording_of(call, state) };
        let asks = gist(call);
        match decision {
            Decision::Misplaced { expected, recorded } => Report::Misplaced(Misplaced {
                cassette,
                call: call_number,
                name,
                asks,
                expected: place(expected),
                recorded: place(recorded),
                file,
                help: format!("if the new order is meant, {}", self.plan.command(Mode::Refresh)),
            }),
            Decision::Exhausted(recorded) => Report::Exhausted(Exhausted {
                cassette,
                call: call_number,
                name,
                asks,
                recorded,
                tried,
                served,
                total,
                file,
                help: format!("if the repeated call is meant, {record}"),
            }),
            _ => {
                let (call, nearest) = self.beside_the_nearest(call, state);
                let hidden = self.plan.hide_again(nearest.iter().flat_map(|nearest| &nearest.differences));
                let meant = hidden.or_else(|| {
                    let nearest = nearest.as_ref()?;
                    passing(nearest).or_else(|| self.renamed(nearest, &call)).or_else(|| shuffled(nearest))
                });
                let help = format!("{}, {record}", meant.as_deref().unwrap_or("if the change is meant"));
                Report::Mismatch(Box::new(Mismatch {
                    cassette,
                    call: call_number,
                    name,
                    asks: gist(&call),
                    unnamed: self.unnamed(&call),
                    nearest,
                    tried,
                    served,
                    total,
                    file,
                    help,
                }))
            }
        }
    }
}

/// Returns what to do where a call differs in nothing but what a run alone knows: once recorded, the next one differs again.
fn passing(nearest: &Nearest) -> Option<String> {
    let is_passing = |found: &Difference| found.nature == Some(Nature::Passing);
    if nearest.differences.is_empty() || !nearest.differences.iter().all(is_passing) {
        return None;
    }
    let mut paths: Vec<_> = nearest.differences.iter().take(NAMED).map(|found| format!("{:?}", found.path)).collect();
    paths.dedup();
    let paths = paths.join(", ");
    Some(format!(
        "what each run has anew, such as a clock or an id, comes back where the test asks for it by \
         `cassette.value(\"now\", ..)`, or is not compared by `ignore({paths})`; if the change is meant"
    ))
}

/// Returns what to do where a call says the same in another order: what comes from a set has another one in each run.
fn shuffled(nearest: &Nearest) -> Option<String> {
    let first = nearest.differences.first().filter(|found| found.edit == Edit::Moved)?;
    if !nearest.differences.iter().all(|found| found.edit == Edit::Moved) {
        return None;
    }
    let list = first.path.rsplit_once('[').map_or(first.path.as_str(), |(list, _)| list);
    Some(format!(
        "where `{list}` has no order of its own, as what comes from a `HashSet` or a `HashMap`, sort it before it is \
         given, in a `BTreeSet` or a `BTreeMap`; if the new order is meant"
    ))
}
