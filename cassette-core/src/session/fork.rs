//! A recording that begins as another one does: a pool of what was recorded there, and live calls behind it.
//!
//! What is before the fork is served, each recording once, and nothing goes live until all of it has been asked for. So the
//! run comes to the fork as the other one did, or fails saying where it left that way. The file then holds the beginning too,
//! and its head says where it is from: to replay it, the other cassette need not be there.

use std::borrow::Cow;
use std::sync::Arc;

use super::failed::Failed;
use super::open::Loaded;
use super::state::State;
use super::{Plan, Session, Shared};
use crate::decide::Decision;
use crate::disk;
use crate::fork::{NoFork, prefix};
use crate::mode::Mode;
use crate::pending::Over;
use crate::policy::{Recorded, Unused};
use crate::reply::{Outcome, Truncation};
use crate::report::{Change, Damaged, Missing, Place, Refused, Report, Stale, Unreached};
use crate::tape::{Head, Origin, Tape};
use crate::view::gist;

/// What a fork's recording starts from: nothing, where the session is no fork or does not record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pool {
    /// How many recordings, from the first, are before the fork.
    pub(super) size: usize,
    /// Whether they come from the other cassette, and not from the fork's own file.
    pub(super) is_new: bool,
}

/// Returns what the session works with where the plan asks for a fork: the file as it is, or the beginning of the other one.
pub(super) fn begin(plan: &Plan, loaded: Loaded) -> Result<Loaded, Arc<Report>> {
    let Some(origin) = &plan.fork else { return Ok(loaded) };
    if origin.cassette == plan.name {
        return Err(Arc::new(plan.forked_from_itself()));
    }
    let own = loaded.tape.head.origin.as_ref() == Some(origin);
    let holds = own || !loaded.tape.interactions.is_empty();
    match plan.mode {
        Mode::Off => Ok(loaded),
        Mode::Replay | Mode::Record if holds => match own {
            true => Ok(own_beginning(plan, loaded, origin)),
            false => Err(Arc::new(plan.forked_elsewhere(&loaded.tape, origin))),
        },
        Mode::Replay => Ok(loaded),
        Mode::Record | Mode::Refresh => match beginning(plan, origin)? {
            Some(new) if own && same(&new, &loaded.tape) => Ok(own_beginning(plan, loaded, origin)),
            Some(_) if plan.unused == Unused::Allow && holds => Err(Arc::new(plan.begins_for_others(origin))),
            Some(tape) => {
                // Whose the file is stays known: a refresh is its owner's.
                let Head { test, package, registered, .. } = loaded.tape.head;
                let head = Head { test, package, registered, ..tape.head };
                let pool = Pool { size: origin.at, is_new: true };
                Ok(Loaded { tape: Tape { head, ..tape }, pool, ..loaded })
            }
            None if own => Ok(own_beginning(plan, loaded, origin)),
            None => Err(Arc::new(plan.origin_is_missing(origin))),
        },
    }
}

fn own_beginning(plan: &Plan, loaded: Loaded, origin: &Origin) -> Loaded {
    let size = if plan.mode.records() { origin.at } else { 0 };
    Loaded { pool: Pool { size, is_new: false }, ..loaded }
}

/// Returns the other cassette up to the fork, if it is there.
fn beginning(plan: &Plan, origin: &Origin) -> Result<Option<Tape>, Arc<Report>> {
    let bytes = plan.store.load(&origin.cassette).map_err(|error| plan.storage(error))?;
    let Some(bytes) = bytes else { return Ok(None) };
    let tape = disk::read(&bytes).map_err(|error| plan.origin_is_unreadable(origin, error))?;
    prefix(tape, origin).map(Some).map_err(|error| Arc::new(plan.cannot_fork(origin, error)))
}

/// Returns whether a file begins with what the other cassette holds before the fork. Keys are left out: each test makes its own.
fn same(beginning: &Tape, file: &Tape) -> bool {
    let mut pairs = beginning.interactions.iter().zip(&file.interactions);
    beginning.interactions.len() <= file.interactions.len()
        && beginning.head.digests.as_ref().map(|digests| &digests.salt)
            == file.head.digests.as_ref().map(|digests| &digests.salt)
        && pairs
            .all(|(a, b)| (&a.asked, &a.outcome, a.within, a.overlaps) == (&b.asked, &b.outcome, b.within, b.overlaps))
}

impl Session {
    /// Returns what to do where the recording at this position, from 0, is shorter than what the program wants. What is before a fork
    /// is never recorded here, not by a refresh either.
    pub fn to_record_all_of(&self, index: usize) -> String {
        let Shared { plan, tape, .. } = &*self.shared;
        let again = plan.command(Mode::Refresh);
        match tape.head.origin.as_ref().filter(|origin| plan.fork.is_some() && index < origin.at) {
            None if self.shared.was_left(index) => format!(
                "where nothing has changed but that a replay is faster, and whoever passes the stream on runs ahead of who leaves it, say \
                 `pace = \"recorded\"`; to record all of it, {again}"
            ),
            None => format!("to record all of it, {again}"),
            Some(Origin { cassette, .. }) => {
                let before = self.shared.group(index);
                format!(
                    "it comes from `{cassette}`: fork before it, `fork(\"{cassette}\", at = {before})`, or let the test of `{cassette}` read \
                     on and record that anew; then {again}"
                )
            }
        }
    }
}

impl Shared {
    /// Returns whether the program left the recorded stream while it waited for nothing of it.
    fn was_left(&self, index: usize) -> bool {
        let recorded = self.tape.interactions.get(index).map(|interaction| &interaction.outcome);
        matches!(recorded, Some(Outcome::Reply(reply)) if reply.truncated == Some(Truncation::Left))
    }

    /// Returns the recordings before the fork that have still to be asked for.
    pub(super) fn due(&self, state: &State) -> Vec<usize> {
        (0..self.pool.size).filter(|i| state.is_due(*i)).collect()
    }

    /// Returns which recordings are on offer no more, where that is more than have been served: before the fork a refresh
    /// serves nothing from behind it.
    pub(super) fn withheld(&self, state: &State) -> Option<Vec<bool>> {
        let withholds = self.policy.recorded == Recorded::Live && !self.due(state).is_empty();
        withholds.then(|| {
            let mut used = state.used.clone();
            used[self.pool.size..].fill(true);
            used
        })
    }

    /// Returns where the file comes from, once the run has ended so.
    pub(super) fn origin(&self, state: &State) -> Option<Origin> {
        if self.pool.size > 0 || self.pool.is_new {
            return self.plan.fork.clone();
        }
        // Another run goes on from a fork: it is one as long as its beginning is what it was.
        let origin = self.tape.head.origin.clone()?;
        let again = state.slots.iter().any(|slot| slot.is_recorded_over(origin.at));
        let left = !self.is_shared() && (0..origin.at).any(|i| state.is_due(i));
        (!again && !left).then_some(origin)
    }

    /// Returns the report of a run that passed without having come to its fork.
    pub(super) fn unreached(&self, state: &State) -> Option<Report> {
        let left = self.due(state);
        (!left.is_empty()).then(|| Report::Unreached(Box::new(self.before_the_fork(left, state))))
    }

    /// Returns the report of a call that is none of those before the fork.
    pub(super) fn off_the_way(&self, failed: &Failed<'_>, state: &State) -> Report {
        let place = |index: usize| self.place(index);
        let (recorded, early) = match failed.decision {
            Decision::Unreached(recorded) => (recorded, None),
            Decision::Misplaced { expected, recorded } => (0, Some((place(recorded), place(expected)))),
            _ => (0, None),
        };
        let (call, nearest) = match early {
            Some(_) => (Cow::Borrowed(failed.call), None),
            None => self.beside_the_nearest(failed.call, state),
        };
        let way = self.before_the_fork(self.due(state), state);
        let hidden = self.plan.hide_again(nearest.iter().flat_map(|nearest| &nearest.differences));
        let help = match hidden {
            Some(hidden) => format!("{hidden}, {}", way.help),
            None => way.help.clone(),
        };
        Report::Unreached(Box::new(Unreached {
            call: Some((failed.number + 1, call.title())),
            asks: gist(&call),
            recorded,
            nearest,
            early,
            tried: failed.tried.clone(),
            help,
            ..way
        }))
    }

    fn before_the_fork(&self, due: Vec<usize>, state: &State) -> Unreached {
        let (size, name) = (self.pool.size, self.plan.name.clone());
        let origin = self.plan.fork.as_ref();
        let first = due.first().copied().unwrap_or(size);
        let places: Vec<Place> = due.iter().map(|i| self.place(*i)).collect();
        let origin = origin.map_or_else(|| name.clone(), |origin| origin.cassette.clone());
        let again = self.plan.command(if matches!(self.opened, Over::File(_)) { Mode::Refresh } else { Mode::Record });
        let help = format!(
            "fork where the run leaves that way, `fork(\"{origin}\", at = {first})`, or record `{origin}` anew; then {again}"
        );
        Unreached {
            file: if self.pool.is_new { self.plan.store.place(&origin) } else { self.plan.file() },
            cassette: name,
            origin,
            at: size,
            call: None,
            asks: None,
            recorded: 0,
            early: None,
            nearest: None,
            tried: Vec::new(),
            served: state.used[..size].iter().filter(|used| **used).count(),
            due: places,
            help,
        }
    }
}

impl Plan {
    /// Returns what to do where the other cassette was recorded with something else than this test names.
    pub(super) fn help_of_fork(&self) -> Option<String> {
        let origin = self.fork.as_ref().filter(|_| self.mode.records())?;
        Some(format!(
            "name here what the test of `{0}` does, or record `{0}` anew with what is named here",
            origin.cassette
        ))
    }

    fn forked_from_itself(&self) -> Report {
        let what = format!("`{}` is forked from itself", self.name);
        Report::Refused(Refused::new(what, "name the cassette that it is to begin as"))
    }

    fn forked_elsewhere(&self, tape: &Tape, origin: &Origin) -> Report {
        let recorded = tape.head.origin.as_ref().map(Origin::to_string);
        let named = vec![Change { path: "fork".into(), recorded, incoming: Some(origin.to_string()) }];
        let help = format!("record it from where the test forks: {}", self.command(Mode::Refresh));
        Report::Stale(Stale { cassette: self.name.clone(), named, file: self.file(), help })
    }

    fn begins_for_others(&self, origin: &Origin) -> Report {
        let what = format!(
            "`{}` says `unused = \"allow\"`, so its recordings may be other tests' too, and it does not begin as {origin} does",
            self.name
        );
        Report::Refused(Refused::new(what, "give the fork a cassette of its own"))
    }

    fn origin_is_missing(&self, origin: &Origin) -> Report {
        let help = format!(
            "restore it from git, or {}; then fork it: {}",
            self.recording_the_other(Mode::Record),
            self.command(self.mode)
        );
        let Origin { cassette, .. } = origin;
        let file = self.store.place(cassette);
        Report::Missing(Missing { cassette: cassette.clone(), file, pending: None, orphan: None, help })
    }

    /// Returns that its own test records the cassette from which this one is forked, with the command where that test is known.
    fn recording_the_other(&self, mode: Mode) -> String {
        let anew = if mode == Mode::Refresh { " anew" } else { "" };
        let recorder = self.fork_recorder.as_ref();
        let recorder = recorder.map_or(String::new(), |test| format!(", {test}: {}", self.command_of(test, mode)));
        format!("record it{anew} with its own test{recorder}")
    }

    fn origin_is_unreadable(&self, origin: &Origin, error: disk::ReadError) -> Arc<Report> {
        let file = self.store.place(&origin.cassette);
        Arc::new(match error {
            disk::ReadError::Damaged(line, what) => {
                let help = format!(
                    "restore it from git, or {}; then fork it: {}",
                    self.recording_the_other(Mode::Refresh),
                    self.command(self.mode)
                );
                Report::Damaged(Damaged { file, line, what, help })
            }
            newer @ disk::ReadError::Newer(..) => {
                let plan = Plan { name: origin.cassette.clone(), ..self.clone() };
                plan.unreadable(newer)
            }
        })
    }

    fn cannot_fork(&self, origin: &Origin, error: NoFork) -> Report {
        let what = format!("`{}` cannot be forked from {origin}: {error}", self.name);
        Report::Refused(Refused::new(what, error.instead()))
    }
}
