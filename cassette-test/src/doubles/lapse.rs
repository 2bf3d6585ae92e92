//! What went wrong with a double, kept until somebody is told of it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use cassette_core::redact::{Rules, Secrets, redact_text};
use cassette_core::report::{Double, Misuse, Report};

use crate::ambient;

/// The first thing that went wrong with a double. It fails the test as its last handle goes, where the panic that told of it was
/// swallowed and nobody has asked.
#[derive(Debug, Default)]
pub(super) struct Lapse(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    report: Option<Arc<Report>>,
    /// Whether the test was given the report.
    asked_for: bool,
}

impl Lapse {
    /// Keeps what went wrong, unless something did before, and returns what did first. A cassette that is current fails with it.
    pub(super) fn keep(&self, name: &str, misuse: Misuse) -> Arc<Report> {
        let report = Report::Double(Double::new(name, misuse));
        // The one that is current, or the only one that may be meant: in a recording no thread of the test's inherits it.
        if let Ok(scope) = ambient::current() {
            scope.fail(report.clone());
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(kept.report.get_or_insert_with(|| Arc::new(report)))
    }

    /// Hands out what went wrong.
    pub(super) fn hand_out(&self) -> Option<Arc<Report>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.asked_for = true;
        kept.report.clone()
    }
}

impl Drop for Lapse {
    fn drop(&mut self) {
        let Kept { report, asked_for } = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let (Some(report), false, false) = (report, *asked_for, std::thread::panicking()) {
            panic!("{report}");
        }
    }
}

/// Returns what was asked as a report may show it.
pub(super) fn shown(asked: &impl fmt::Debug) -> String {
    redact_text(&format!("{asked:?}"), &Rules::default(), &mut Secrets::new(&cassette_core::env::vars()))
}
