//! Why a run of a sweep failed, and what stops the sweep: what its cassette found where that failed first, the body's error beside it.

use std::fmt;
use std::sync::Arc;

use cassette_core::fault::Fault;
use cassette_core::report::{Refused, Report};
use cassette_core::typed::visible;

use super::course::Ended;
use crate::blame::First;
use crate::run::message;
use crate::tell::tell;

/// What ends a sweep.
pub(super) struct Stopped {
    report: Arc<Report>,
    /// What else there is to say.
    notes: Vec<String>,
}

/// How a body failed.
pub(super) enum Fell {
    /// It returned this error.
    Error(String),
    /// It panicked with this message.
    Panic(String),
}

/// Why a run failed.
pub(super) enum Failed {
    /// Its body did, and its cassette then perhaps.
    Body(Fell, Option<Arc<Report>>),
    /// Its cassette did, and the body then perhaps.
    Cassette(Arc<Report>, Option<Fell>),
}

impl Stopped {
    /// Returns the report, once the rest is told.
    pub(super) fn told(self) -> Arc<Report> {
        self.notes.iter().for_each(|note| tell(&format!("note: {note}")));
        self.report
    }
}

impl From<Arc<Report>> for Stopped {
    fn from(report: Arc<Report>) -> Stopped {
        Stopped { report, notes: Vec::new() }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)?;
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {}", visible(note)))
    }
}

impl Fell {
    /// Returns how a body failed that ended so, if it did.
    pub(super) fn of(ended: Ended) -> Option<Fell> {
        match ended {
            Ok(error) => error.map(Fell::Error),
            Err(payload) => Some(Fell::Panic(message(payload.as_ref()))),
        }
    }

    /// Returns what is said of it beside this report; nothing where it says no more.
    fn beside(&self, report: &Report) -> Option<String> {
        let (Fell::Error(text) | Fell::Panic(text)) = self;
        let what = match self {
            Fell::Error(_) => "returned an error",
            Fell::Panic(_) => "panicked",
        };
        (!text.contains(&report.to_string())).then(|| format!("the body then {what}: {text}"))
    }
}

impl fmt::Display for Fell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fell::Error(text) => f.write_str(text),
            Fell::Panic(text) => write!(f, "panicked: {text}"),
        }
    }
}

impl Failed {
    /// Returns why a run failed whose body and cassette say this, if it did.
    pub(super) fn of(fell: Option<Fell>, reports: Vec<Arc<Report>>, first: First) -> Option<Failed> {
        match (fell, reports.into_iter().next()) {
            (None, None) => None,
            (Some(fell), None) => Some(Failed::Body(fell, None)),
            (Some(fell), report) if first == First::Body => Some(Failed::Body(fell, report)),
            (fell, Some(report)) => Some(Failed::Cassette(report, fell)),
        }
    }

    /// Returns what stops a sweep whose run without a fault failed so.
    pub(super) fn without_fault(self, fault: &Fault, name: &str) -> Stopped {
        match self {
            Failed::Body(fell, besides) => {
                let what = format!("the body of a sweep of `{fault}` over `{name}` fails without any fault: {fell}");
                let besides = besides.map(|report| format!("besides, {}", without_help(&report)));
                let report = Arc::new(Report::Refused(Refused::new(what, "let it pass first")));
                Stopped { report, notes: besides.into_iter().collect() }
            }
            Failed::Cassette(report, fell) => {
                let begins = format!("a sweep of `{fault}` begins with a run without any fault, which failed so");
                let notes = fell.and_then(|fell| fell.beside(&report)).into_iter().chain([begins]).collect();
                Stopped { report, notes }
            }
        }
    }

    /// Returns what is told of a run that met its fault.
    pub(super) fn after_fault(&self) -> String {
        let mends = |report: &Report| {
            matches!(
                report,
                Report::Mismatch(_)
                    | Report::Misplaced(_)
                    | Report::Exhausted(_)
                    | Report::Unused(_)
                    | Report::Truncated(_)
            )
        };
        match self {
            Failed::Cassette(report, _) if mends(report) => {
                self.told() + "\nnote: this run met a fault, and nothing is recorded through one"
            }
            Failed::Cassette(report, fell) => with(&report.to_string(), fell.as_ref(), report),
            Failed::Body(fell, _) => fell.to_string(),
        }
    }

    /// Returns what is told of a run, without what its report has for help: to record would not mend it.
    pub(super) fn told(&self) -> String {
        match self {
            Failed::Body(fell, _) => fell.to_string(),
            Failed::Cassette(report, fell) => with(&without_help(report), fell.as_ref(), report),
        }
    }
}

/// Returns what a report says, and what the body did then.
fn with(text: &str, fell: Option<&Fell>, report: &Report) -> String {
    let beside = fell.and_then(|fell| fell.beside(report)).map(|beside| format!("\nnote: {beside}"));
    text.to_owned() + &beside.unwrap_or_default()
}

fn without_help(report: &Report) -> String {
    let text = report.to_string();
    text.rsplit_once("\nhelp: ").map_or(text.clone(), |(told, _)| told.to_owned())
}
