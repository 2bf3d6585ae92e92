//! The rehearsal: would the run that recorded a tape pass on it?

use std::collections::HashSet;
use std::sync::Arc;

use super::begin::{Begun, Refusal};
use super::open::Loaded;
use super::{Plan, Shared, Source};
use crate::call::{Call, Medium};
use crate::mode::Mode;
use crate::redact::{self, Rules, Secrets};
use crate::reply::Outcome;
use crate::report::{Late, Report};
use crate::rerun::{Rerun, Target};
use crate::store::MemoryStore;
use crate::tape::{Interaction, Tape};

/// A call that is rehearsed.
pub(super) struct Line {
    /// What it is called in a reason.
    pub(super) name: String,
    /// Its number in the run, from 0, where the program asks it on a replay too, and not within a function that is served.
    pub(super) number: Option<usize>,
    pub(super) call: Arc<Call>,
    /// What it has to be served.
    pub(super) expected: Outcome,
}

/// A call that would not be served, and what was known for a secret by then.
struct Missed<'a> {
    line: &'a Line,
    known: Secrets,
}

impl Shared {
    /// Makes the calls of a run, in the order in which they were started, against the tape alone: by identity, for what is only
    /// served where a replay explores is not recorded.
    ///
    /// # Errors
    ///
    /// Fails with the first call that would not be served what it has to be, and with a recording that nothing would ask for.
    pub(super) fn rehearse(&self, tape: &Tape, script: &[Line]) -> Result<(), String> {
        let stage = self.stage(tape, self.secrets().clone());
        for line in script {
            stage.act(line)?;
        }
        match stage.left_over(&stage.state()) {
            Some(report) => Err(report.to_string()),
            None => Ok(()),
        }
    }

    /// Makes the calls of a run as a replay makes them that knows no more of secrets than what was known as the run began, and what
    /// it has met since. Returns the places in the calls that would not be served, at which a value stands that only what comes
    /// later shows to be secret: it is hidden in the file, and the replay would compare it as it is. Known from the start, these
    /// values are in nobody's way.
    pub(super) fn too_late(&self, tape: &Tape, script: &[Line]) -> Vec<Late> {
        let secrets = self.secrets().clone();
        let mut first = secrets.at_first();
        let mut late = Vec::new();
        while !secrets.beyond(&first).is_empty() {
            let Some(Missed { line, known }) = self.missed(tape, script, first.clone()) else { break };
            let held = self.held(&line.call, &known, secrets.beyond(&known));
            let count = first.count();
            for value in &held.values {
                // What is too short to be found again was not known either.
                let _ = first.declare(value);
            }
            if first.count() == count {
                break;
            }
            late.extend(self.late(line, &known, &held));
        }
        late
    }

    /// Makes the calls of a run as a replay makes them on a machine whose environment holds none of the secrets of this one. Returns
    /// where the first call that would not be served speaks of one of them, with the name of the variable.
    pub(super) fn by_environment(&self, tape: &Tape, script: &[Line], declared: &[String]) -> Option<String> {
        let here: Vec<_> = redact::in_environment(&self.plan.environment)
            .filter(|(_, value)| !declared.iter().any(|it| it == value))
            .collect();
        if here.is_empty() {
            return None;
        }
        let values: Vec<&str> = here.iter().map(|(_, value)| *value).collect();
        let secrets = self.secrets().at_first().without(&values);
        let Missed { line, known } = self.missed(tape, script, secrets)?;
        here.iter().find_map(|(variable, value)| {
            let place = self.held(&line.call, &known, vec![value]).places.into_iter().next()?;
            Some(format!("the value of `{variable}` stands in {}: {place}", line.name))
        })
    }

    /// Returns the first call of a run that would not be served in a replay that knows these secrets as it begins.
    fn missed<'a>(&self, tape: &Tape, script: &'a [Line], first: Secrets) -> Option<Missed<'a>> {
        let secrets = self.secrets().clone();
        let stage = self.stage(tape, first);
        for line in script {
            if stage.act(line).is_err() {
                let known = stage.secrets().clone();
                return Some(Missed { line, known });
            }
            let placeholders = placeholders(&line.expected);
            secrets.values(&placeholders).for_each(|value| stage.secrets().learn(value));
        }
        None
    }

    pub(super) fn stage(&self, tape: &Tape, mut secrets: Secrets) -> Shared {
        let plan = Plan { mode: Mode::Replay, order: self.plan.order.exact(), ..self.plan.clone() };
        let stage = Shared::new(plan, Loaded { tape: tape.clone(), ..Loaded::default() }, Vec::new());
        match &self.plan.source {
            Source::Services => secrets.start_after(stage.placeholders.iter().map(String::as_str)),
            // What was imported was served nothing of this file: what its calls hold is told by where they are from.
            Source::Recording(hidden) => secrets.start_after(hidden.iter().map(String::as_str)),
        }
        *stage.secrets() = secrets;
        // Here the losers of a race are asked again, and behind the winner.
        stage.state().races.clear();
        stage
    }

    pub(super) fn act(&self, Line { name, call, expected, .. }: &Line) -> Result<(), String> {
        let got = match self.begin(Arc::clone(call), Medium::Itself) {
            Ok(Begun::Serve(index)) => &self.tape.interactions[index].outcome,
            // A function of the user's that panics is asked nowhere else.
            Err(Refusal::Latch(report)) if matches!(*report, Report::Wiring(_)) => {
                let report = report.to_string();
                return Err(format!("{name}: {}", report.lines().next().unwrap_or_default()));
            }
            _ => return Err(format!("{name} would not be served")),
        };
        if told(got) == told(expected) {
            Ok(())
        } else {
            Err(format!("{name} would be served another reply than it got"))
        }
    }
}

/// Checks that each recording of a file is what its own request is served, asked for in the order of the file, and nothing else
/// would be left over. What the test compares is not known here: everything is.
///
/// Digests are not asked: what they are of is not there any more.
///
/// # Errors
///
/// Fails with the first recording of which it is not so.
pub(crate) fn replays(tape: &Tape, rules: &Rules) -> Result<(), String> {
    let line = |(i, interaction): (usize, &Interaction)| {
        let mut call = interaction.call()?.clone();
        redact::unescape_call(&mut call);
        let (name, call) = (format!("interaction {}", i + 1), Arc::new(call));
        Some(Line { name, number: None, call, expected: interaction.outcome.clone() })
    };
    let all = || tape.interactions.iter().enumerate();
    let outer = all().filter(|(_, interaction)| interaction.within.is_none());
    let inner = all().filter(|(_, interaction)| interaction.within.is_some());
    let script: Option<Vec<Line>> = outer.chain(inner).map(line).collect();
    let Some(script) = script.filter(|script| !script.is_empty()) else { return Ok(()) };
    let (target, test) = (Target::Lib, "at_rest".to_owned());
    let rerun = Rerun { package: "at-rest".to_owned(), target, test, ignored: false };
    let plan = Plan::new("at-rest", Arc::new(MemoryStore::default()), Mode::Replay, "at_rest", rerun);
    let plan = Plan { rules: rules.clone(), ..plan };
    Shared::new(plan, Loaded::default(), Vec::new()).rehearse(tape, &script)
}

/// Returns the placeholders in an outcome.
pub(super) fn placeholders(outcome: &Outcome) -> HashSet<String> {
    let text = match outcome {
        Outcome::Reply(reply) => {
            let headers = reply.headers.iter().chain(&reply.trailers).map(|(_, value)| value.as_str());
            headers.chain([&*String::from_utf8_lossy(&reply.body())]).collect::<Vec<_>>().join("\n")
        }
        Outcome::Error(error) => error.message.clone(),
    };
    redact::placeholders(&text).map(str::to_owned).collect()
}

/// Returns what an outcome tells a program, but for the numbers of placeholders.
fn told(outcome: &Outcome) -> (String, String) {
    let plain = |text: &str| redact::replace_placeholders(text, |_| String::new());
    match outcome {
        Outcome::Reply(reply) => {
            (format!("{} {:?}", reply.status, reply.truncated), plain(&String::from_utf8_lossy(&reply.body())))
        }
        Outcome::Error(error) => (error.class.as_str().to_owned(), plain(&error.message)),
    }
}
