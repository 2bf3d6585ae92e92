//! What a run may write down of its requests: all of it, or digests alone.
//!
//! Whatever goes to a disk goes through here: the journal, what is kept pending, and the cassette. A file that holds
//! digests goes on holding them, whoever adds to it; only its owner, by a refresh, makes it hold requests again.

use super::state::State;
use super::{Plan, Shared};
use crate::digested::{Digested, Digests};
use crate::key::{SCHEME, Salt};
use crate::mode::Mode;
use crate::policy::Requests;
use crate::redact::{self, Depth, TABLE};
use crate::report::{Change, Doubt, Refused, Report, Stale, Version};
use crate::tape::{Asked, Head, Interaction, Tape};

impl Shared {
    /// Returns how this run makes digests of what it writes down, if it is to.
    pub(super) fn digests_of(plan: &Plan, tape: &Tape, keeps: bool) -> Option<Digests> {
        let old = tape.head.digests.as_ref();
        let wanted = plan.requests == Requests::Digest || (keeps && old.is_some());
        let salt = || old.map_or_else(|| Salt::of(&plan.name, &plan.test), |old| old.salt.clone());
        wanted.then(|| Digests::of(salt(), &plan.matching, &plan.rules))
    }

    /// Returns an exchange as it may be written down.
    pub(super) fn at_rest(&self, interaction: Interaction) -> Interaction {
        match (&self.digests, &interaction.asked) {
            (Some(digests), Asked::Whole(call)) => {
                let call = redact::redact_recorded(call, &self.plan.rules, Depth::Shape, &mut self.secrets());
                let (key, digested) = Digested::of(&call, &self.plan.matching, &digests.salt);
                Interaction { key, asked: Asked::Digest(digested), ..interaction }
            }
            _ => interaction,
        }
    }

    /// Returns a tape as it may be written down.
    pub(super) fn tape_at_rest(&self, mut tape: Tape) -> Tape {
        tape.head.needs.retain(|need| need != NEED);
        tape.head.digests = self.digests.clone();
        let Some(digests) = &mut tape.head.digests else { return tape };
        tape.head.needs.push(NEED.to_owned());
        let kept = tape.interactions.iter().any(|interaction| matches!(interaction.asked, Asked::Digest(_)));
        if let (true, Some(old)) = (kept, &self.tape.head.digests) {
            // Some were made under the rules of then, and nothing makes them anew.
            digests.rules = old.rules;
            tape.head.redaction = self.tape.head.redaction;
        }
        tape.interactions = tape.interactions.into_iter().map(|interaction| self.at_rest(interaction)).collect();
        tape
    }

    /// Returns the head that the recording is to have.
    pub(super) fn head_at_rest(&self, state: &State) -> Head {
        self.tape_at_rest(Tape { head: self.head(state), interactions: Vec::new() }).head
    }

    /// Returns what else may have made digests differ than what the program asks.
    pub(super) fn doubts(&self) -> Vec<Doubt> {
        let Some(digests) = &self.tape.head.digests else { return Vec::new() };
        let then = self.tape.head.redaction;
        let rules = Digests::of(digests.salt.clone(), &self.plan.matching, &self.plan.rules).rules;
        let table = (then != TABLE).then_some(Doubt::Table(then, TABLE));
        let rules = (rules != digests.rules).then_some(Doubt::Rules);
        let normalize = (digests.compared.normalize > 0).then_some(Doubt::Normalize);
        [table, rules, normalize].into_iter().flatten().collect()
    }
}

/// The feature that a file of digests needs.
const NEED: &str = "digests";

impl Plan {
    /// Returns the report of a cassette whose requests this run cannot compare, or should not find there.
    ///
    /// `keeps` says whether the run goes on with what is recorded.
    pub(super) fn unfit_requests(&self, tape: &Tape, keeps: bool) -> Option<Report> {
        let digests = self.requests == Requests::Digest || (keeps && tape.head.digests.is_some());
        if let (true, Some(report)) = (digests, self.needs_requests()) {
            return Some(report);
        }
        if tape.interactions.is_empty() {
            return None;
        }
        let Some(digests) = &tape.head.digests else {
            let whole = self.requests == Requests::Digest && self.mode == Mode::Replay;
            let change = |asked: &str| Some(asked.to_owned());
            let named = vec![Change { path: "requests".into(), recorded: change("full"), incoming: change("digest") }];
            return whole.then(|| self.unfit(named, Mode::Record));
        };
        if !keeps {
            return None;
        }
        if let Some(old) = tape.interactions.iter().find(|interaction| !interaction.key.is_current()) {
            let scheme = old.key.as_str().split('.').next().unwrap_or_default();
            return Some(Report::Version(Version {
                file: self.file(),
                needs: format!("digests made by key scheme {scheme}"),
                known: format!("those made by scheme {SCHEME}"),
                help: format!(
                    "digests cannot be made anew from the file; record it again: {}",
                    self.command(Mode::Refresh)
                ),
            }));
        }
        let now = Digests::of(digests.salt.clone(), &self.matching, &self.rules);
        let changes = digests.compared.changes(&now.compared).into_iter();
        let named: Vec<_> =
            changes.map(|(path, recorded, incoming)| Change { path: path.to_owned(), recorded, incoming }).collect();
        (!named.is_empty()).then(|| self.unfit(named, Mode::Refresh))
    }

    /// Returns the report of a test that compares requests by what they say, where digests alone are kept of them.
    fn needs_requests(&self) -> Option<Report> {
        let file = self.file();
        if self.matching.matcher.is_some() {
            let what = format!("{file} is to hold digests of requests, and the test's matcher compares what they say");
            return Some(Report::Refused(Refused::new(what, "take the matcher away, or keep requests in full")));
        }
        let explores = self.mode == Mode::Replay && !self.order.is_exact();
        explores.then(|| {
            let order = self.order.as_str();
            let what = format!("{file} holds digests of requests, and the order `{order}` compares what they say");
            Report::Refused(Refused::new(what, "use the order `any` or `strict` with this cassette"))
        })
    }

    fn unfit(&self, named: Vec<Change>, mend: Mode) -> Report {
        let help = self
            .help_of_fork()
            .unwrap_or_else(|| format!("record it with what the test names: {}", self.command(mend)));
        Report::Stale(Stale { cassette: self.name.clone(), named, file: self.file(), help })
    }
}
