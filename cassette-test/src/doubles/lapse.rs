//! What went wrong with a double, kept until somebody is told of it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use cassette_core::redact::{Rules, Secrets, redact_text};
use cassette_core::report::{Double, Misuse, Report};

use crate::ambient;
use crate::sys::exit::{self, AtExit, Ends};
use crate::tell::tell_now;

/// What went wrong with any double.
static LAPSES: Mutex<Vec<Arc<Mutex<Kept>>>> = Mutex::new(Vec::new());

inventory::submit!(AtExit(fail));

/// The first thing that went wrong with a double. Where the panic that told of it was swallowed and nobody has asked, it fails the test as
/// the last handle goes, if that goes with the test, and else the process.
#[derive(Debug)]
pub(super) struct Lapse {
    kept: Arc<Mutex<Kept>>,
    /// The thread that made the double: the test's.
    maker: Thread,
}

#[derive(Debug, Default)]
struct Kept {
    /// What went wrong, and in whose test.
    report: Option<(Arc<Report>, String)>,
    /// Whether the test has been told of it.
    is_told: bool,
}

impl Lapse {
    /// Returns that of a double which this thread makes.
    pub(super) fn new() -> Lapse {
        Lapse { kept: Arc::default(), maker: thread::current() }
    }

    /// Keeps what went wrong, unless something did before, and returns what did first. A cassette that is current fails with it.
    pub(super) fn keep(&self, name: &str, misuse: Misuse) -> Arc<Report> {
        let report = Report::Double(Double::new(name, misuse));
        // The one that is current, or the only one that may be meant: in a recording no thread of the test's inherits it.
        if let Ok(scope) = ambient::current() {
            scope.fail(report.clone());
        }
        let mut kept = held(&self.kept);
        if kept.report.is_none() {
            exit::arrange();
            held(&LAPSES).push(Arc::clone(&self.kept));
        }
        let maker = || self.maker.name().unwrap_or("a thread without a name").to_owned();
        Arc::clone(&kept.report.get_or_insert_with(|| (Arc::new(report), maker())).0)
    }

    /// Hands out what went wrong.
    pub(super) fn hand_out(&self) -> Option<Arc<Report>> {
        let mut kept = held(&self.kept);
        kept.is_told = kept.report.is_some();
        kept.report.as_ref().map(|(report, _)| Arc::clone(report))
    }
}

impl Drop for Lapse {
    fn drop(&mut self) {
        // A panic of another thread need not reach the test, and neither need one that is under way, or that of a task which goes with its
        // runtime: whoever runs tasks on the test's own thread swallows theirs.
        let is_in_task = tokio::task::try_id().is_some();
        if thread::current().id() != self.maker.id() || thread::panicking() || is_in_task {
            return;
        }
        let mut kept = held(&self.kept);
        let was_told = std::mem::replace(&mut kept.is_told, true);
        let report = kept.report.as_ref().map(|(report, _)| Arc::clone(report));
        drop(kept);
        if let (Some(report), false) = (report, was_told) {
            panic!("{report}");
        }
    }
}

/// Tells of what nobody was told of.
fn fail() -> Ends {
    let mut told = BTreeSet::new();
    for kept in held(&LAPSES).drain(..) {
        let kept = held(&kept);
        if let (Some((report, maker)), false) = (&kept.report, kept.is_told) {
            let note = format!(
                "the double is of `{maker}`; if that passed, the panic that told of it was swallowed, or expected: ask `try_assert_..` of a handle that it keeps"
            );
            told.insert(format!("{report}\nnote: {note}"));
        }
    }
    told.iter().for_each(|report| tell_now(report));
    if told.is_empty() { Ends::AsItWas } else { Ends::Failed }
}

fn held<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what was asked as a report may show it.
pub(super) fn shown(asked: &impl fmt::Debug) -> String {
    redact_text(&format!("{asked:?}"), &Rules::default(), &mut Secrets::new(&cassette_core::env::of_secrets()))
}
