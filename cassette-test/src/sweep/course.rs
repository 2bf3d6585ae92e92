//! The runs of a sweep, one after the other: first without a fault, then with it at each position.

use std::any::Any;
use std::sync::Arc;

use cassette_core::fault::Fault;
use cassette_core::mode::Mode;
use cassette_core::report::{Perished, Refused, Report, Swept};
use cassette_core::session::BodyEnd;

use super::failed::{Failed, Fell, Stopped};
use super::{Survived, Sweep};
use crate::session::Session;
use crate::tell::{tell, tell_now};

/// A sweep under way.
pub(super) struct Course {
    sweep: Sweep,
    /// The positions, the next one last; `None` before the run without a fault.
    ahead: Option<Vec<(usize, Fault)>>,
    /// Where the run under way has its fault.
    now: Option<(usize, Fault)>,
    /// The call of each position.
    swept: Vec<usize>,
    survived: Survived,
}

/// How a body ended: with an error or without, or with a panic.
pub(super) type Ended = Result<Option<String>, Box<dyn Any + Send>>;

impl Course {
    pub(super) fn of(sweep: Sweep) -> Course {
        Course { sweep, ahead: None, now: None, swept: Vec::new(), survived: Survived::default() }
    }

    /// Opens the session of the next run, if there is one more.
    pub(super) fn next(&mut self) -> Result<Option<Session>, Stopped> {
        if let Some(ahead) = &mut self.ahead {
            let Some(now) = ahead.pop() else { return Ok(None) };
            self.now = Some(now);
        }
        let mut session = self.sweep.builder.clone().open()?;
        if let Some((_, fault)) = &self.now
            && let Err(report) = session.cassette().try_fault(fault.clone())
        {
            let _ = session.end(BodyEnd::Failed);
            return Err(report.into());
        }
        Ok(Some(session))
    }

    /// Ends a run.
    pub(super) fn ended(&mut self, mut session: Session, ended: Ended) -> Result<(), Stopped> {
        let end = match &ended {
            Ok(None) => BodyEnd::Passed,
            Ok(Some(_)) => BodyEnd::Failed,
            Err(_) => BodyEnd::Panicked,
        };
        let scope = Arc::clone(session.cassette().as_scope());
        if ended.is_ok() {
            scope.blame.note_end();
        }
        let first = scope.blame.first();
        let met = scope.opened().is_some_and(|opened| opened.met_a_fault());
        let positions = scope.opened().map(|opened| opened.positions(&self.sweep.fault)).unwrap_or_default();
        let (mode, name) = (session.cassette().mode(), session.cassette().name().to_owned());
        let verdict = session.end(end);
        if self.now.is_none() && !verdict.summary.is_quiet() {
            let tell = if verdict.summary.explored() { tell_now } else { tell };
            tell(&verdict.summary.to_string());
        }
        match (&self.now, Failed::of(Fell::of(ended), verdict.reports, first)) {
            (None, Some(failed)) => Err(failed.without_fault(&self.sweep.fault, &name)),
            (None, None) if mode != Mode::Replay => {
                tell(&format!(
                    "the sweep of `{}` over `{name}` waits for a replay; this run met no fault",
                    self.sweep.fault
                ));
                self.ahead = Some(Vec::new());
                self.sweep.declared.clear();
                Ok(())
            }
            (None, None) if positions.is_empty() => {
                let what = format!("the run over `{name}` has no place for the fault `{}`", self.sweep.fault);
                Err(refused(what, "sweep a fault that fits a call of the run over HTTP: what functions give has none"))
            }
            (None, None) => {
                self.survived.positions = positions.len();
                self.swept = positions.iter().map(|(call, _)| *call).collect();
                self.ahead = Some(positions.into_iter().rev().collect());
                Ok(())
            }
            (Some((call, fault)), failed) if !met => {
                let why = failed.map_or(String::new(), |failed| format!(": {}", failed.told()));
                let what = format!("a run of a sweep over `{name}` never met its fault, `{fault}` at call {call}{why}");
                Err(refused(what, "let the body make the same calls each time"))
            }
            (Some(_), None) => Ok(()),
            (Some((call, fault)), Some(failed)) => {
                self.survived.perished.push(Perished::new(*call, fault.to_string(), failed.after_fault()));
                Ok(())
            }
        }
    }

    pub(super) fn end(self) -> Result<Survived, Stopped> {
        let Course { sweep, survived, swept: calls, .. } = self;
        let swept = (sweep.builder.label(), sweep.fault.to_string());
        match Swept::of(swept, &calls, &survived.perished, &sweep.declared) {
            Some(swept) => Err(Arc::new(Report::Swept(swept)).into()),
            None => Ok(survived),
        }
    }
}

fn refused(what: String, help: &str) -> Stopped {
    Arc::new(Report::Refused(Refused::new(what, help))).into()
}
