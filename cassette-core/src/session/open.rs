//! The opening of a session: the file is read, and everything settled that does not change.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use super::fork::{self, Pool};
use super::left::{lost, may_be_left, races};
use super::refusals::Refusals;
use super::stale::stale;
use super::state::State;
use super::watch::Watchers;
use super::{Plan, Session, Shared, Source};
use crate::account::Tally;
use crate::audit::Allowed;
use crate::disk::{self, ReadError};
use crate::fault::Faults;
use crate::lookup::Lookup;
use crate::mode::Mode;
use crate::pending::Over;
use crate::policy::{Policy, Unused};
use crate::redact::{self, Secrets};
use crate::reply::Outcome;
use crate::report::Report;
use crate::settings::is_field_name;
use crate::tape::{Asked, Tape};

/// The file as it was opened.
#[derive(Default)]
pub(super) struct Loaded {
    pub(super) tape: Tape,
    pub(super) opened: Over,
    pub(super) damaged: Option<String>,
    pub(super) pool: Pool,
}

impl Session {
    /// Opens a cassette for one test.
    ///
    /// # Errors
    ///
    /// Fails where the cassette is missing in replay, cannot be read, is damaged (unless it is refreshed), needs a newer
    /// reader, or belongs to another test and would be refreshed; where the plan asks for a comparison that is none, or is to hide a
    /// field without a name; and
    /// where the cassette was recorded with other hooks, another provider or version than the plan names, or was forked
    /// elsewhere; where the cassette that it is forked from is missing, damaged or too short.
    pub fn open(mut plan: Plan) -> Result<Session, Arc<Report>> {
        if let Some(what) = plan.matching.mistakes().into_iter().next() {
            return Err(Arc::new(plan.matching_is_wrong(what)));
        }
        if let Some(what) = plan.fuzziness.mistake() {
            return Err(Arc::new(plan.fuzziness_is_wrong(what)));
        }
        if let Some(name) = plan.rules.fields.iter().find(|name| !is_field_name(name)) {
            return Err(Arc::new(plan.field_is_unnamed(name)));
        }
        let counting = plan.matching.counting_headers().into_iter().map(str::to_owned);
        plan.rules.keep_request_headers.extend(counting);
        let loaded = fork::begin(&plan, load(&plan)?)?;
        let allowed = allowed(&plan)?;
        let mut shared = Shared::new(plan, loaded, allowed);
        let owner = shared.another_owner();
        shared.plan.pinned.iter_mut().for_each(|pinned| pinned.owner.clone_from(&owner));
        if let Some(report) = stale(&shared) {
            return Err(Arc::new(report));
        }
        if let Some(report) = shared.plan.unfit_requests(&shared.tape, shared.keeps()) {
            return Err(Arc::new(report));
        }
        match (shared.plan.mode, shared.another_owner()) {
            (Mode::Refresh, Some(owner)) if shared.plan.unused == Unused::Fail => {
                Err(Arc::new(shared.plan.not_the_owner(&owner)))
            }
            _ => Ok(Session { shared: Arc::new(shared) }),
        }
    }

    /// Returns a session whose every call fails with this report.
    pub fn blocked(plan: Plan, report: Arc<Report>) -> Session {
        let session = Session { shared: Arc::new(Shared::new(plan, Loaded::default(), Vec::new())) };
        session.shared.latch(report);
        session
    }
}

impl Shared {
    pub(super) fn new(plan: Plan, loaded: Loaded, allowed: Vec<Allowed>) -> Shared {
        let Loaded { tape, opened, damaged, pool } = loaded;
        let placeholders: HashSet<_> = placeholders(&tape).collect();
        let mut secrets = Secrets::new(&plan.environment);
        secrets.start_after(placeholders.iter().map(String::as_str));
        if let Source::Recording(hidden) = &plan.source {
            secrets.start_after(hidden.iter().map(String::as_str));
        }
        let state = State {
            calls: Vec::new(),
            slots: Vec::new(),
            went_live: false,
            used: vec![false; tape.interactions.len()],
            covered: may_be_left(&tape),
            lost: lost(&tape),
            races: races(&tape),
            inner: inner(&tape),
            lookup: Lookup::new(&tape, &plan.matching),
            bound: HashMap::new(),
            renamed: HashMap::new(),
            meta: Vec::new(),
            journal: None,
            journal_head: None,
            journalled: Vec::new(),
            journal_knew: 0,
            cut_short: None,
            failure: None,
            refused: 0,
            wakers: Vec::new(),
            bypassed: Vec::new(),
            declared: Vec::new(),
            gateways: Vec::new(),
            lacking: Vec::new(),
            drifted: Vec::new(),
            approximate: Vec::new(),
            by_position: Vec::new(),
            unwritten: HashMap::new(),
            unread: Vec::new(),
            ran_live: BTreeSet::new(),
            of_several: BTreeSet::new(),
            faults: Faults::default(),
            broken: Vec::new(),
            tally: Tally::default(),
            finished: false,
        };
        let policy = Policy::of(plan.mode, plan.order, plan.repeat);
        let policy = Policy { threshold: plan.fuzziness.score().unwrap_or(policy.threshold), ..policy };
        let (secrets, state) = (Mutex::new(secrets), Mutex::new(state));
        let digests = None;
        let watchers = Watchers::default();
        let mut shared = Shared {
            plan,
            policy,
            tape,
            pool,
            digests,
            opened,
            damaged,
            placeholders,
            allowed,
            secrets,
            state,
            watchers,
            refusals: Refusals::default(),
        };
        shared.digests = Shared::digests_of(&shared.plan, &shared.tape, shared.keeps());
        shared
    }
}

fn load(plan: &Plan) -> Result<Loaded, Arc<Report>> {
    if plan.mode == Mode::Off {
        return Ok(Loaded::default());
    }
    let bytes = plan.store.load(&plan.name).map_err(|error| plan.storage(error))?;
    // What replays never replaces it.
    let opened = if plan.mode.records() { Over::of(bytes.as_deref()) } else { Over::Unknown };
    match bytes.as_deref().map(|bytes| (bytes, disk::read(bytes))) {
        Some((_, Ok(tape))) => Ok(Loaded { tape, opened, ..Loaded::default() }),
        Some((bytes, Err(ReadError::Damaged(..)))) if plan.mends_damage() => {
            let aside = format!("{}.damaged", plan.name);
            let kept = plan.store.keep_pending(&aside, &String::from_utf8_lossy(bytes));
            kept.map_err(|error| plan.storage(error))?;
            let damaged = Some(plan.store.pending_place(&aside));
            Ok(Loaded { opened, damaged, ..Loaded::default() })
        }
        Some((_, Err(error))) => Err(Arc::new(plan.unreadable(error))),
        None if plan.mode == Mode::Replay => Err(Arc::new(plan.missing())),
        None => Ok(Loaded { opened, ..Loaded::default() }),
    }
}

/// Returns the recordings within each function of a tape.
fn inner(tape: &Tape) -> HashMap<usize, Vec<usize>> {
    let mut inner: HashMap<usize, Vec<usize>> = HashMap::new();
    for (i, interaction) in tape.interactions.iter().enumerate() {
        interaction.within.into_iter().for_each(|function| inner.entry(function).or_default().push(i));
    }
    inner
}

/// Returns every placeholder in a tape, repeated ones repeatedly.
fn placeholders(tape: &Tape) -> impl Iterator<Item = String> + '_ {
    tape.interactions.iter().flat_map(|interaction| {
        let mut texts = match &interaction.asked {
            Asked::Whole(call) => {
                let values = call.headers.iter().map(|(_, value)| value.as_str().into());
                [String::from_utf8_lossy(&call.body), call.name.as_str().into()].into_iter().chain(values).collect()
            }
            Asked::Digest(digested) => digested.hidden.iter().map(|hidden| hidden.as_str().into()).collect::<Vec<_>>(),
        };
        match &interaction.outcome {
            Outcome::Reply(reply) => {
                texts.push(String::from_utf8_lossy(&reply.body()).into_owned().into());
                texts.extend(reply.headers.iter().chain(&reply.trailers).map(|(_, value)| value.as_str().into()));
            }
            Outcome::Error(error) => texts.push(error.message.as_str().into()),
        }
        texts.iter().flat_map(|text| redact::placeholders(text)).map(str::to_owned).collect::<Vec<_>>()
    })
}

/// Reads the findings that the user vouches for.
fn allowed(plan: &Plan) -> Result<Vec<Allowed>, Arc<Report>> {
    let bytes = plan.store.allow_list().map_err(|error| plan.storage(error))?;
    let Some(bytes) = bytes else { return Ok(Vec::new()) };
    crate::audit::read_allow_list(&bytes, &plan.name).map_err(|what| Arc::new(plan.allow_list_is_damaged(what)))
}
