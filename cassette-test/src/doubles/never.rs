//! What is never to be called.

use std::fmt;
use std::sync::Arc;

use cassette_core::report::{Misuse, Report};

use super::lapse::{Lapse, shown};

/// A stand-in for what a test says is never called: a call of it fails the test, and the report says what was asked.
///
/// It proves that a replay needs no live model, or that a program does without one. A call panics; where the panic is swallowed,
/// so does the drop of its last handle.
///
/// ```
/// use cassette_test::NeverCalled;
///
/// /// The code under test: it asks a model only for what the table does not hold.
/// fn departure(town: &str, model: impl Fn(&str) -> String) -> String {
///     if town == "Bergen" { "09:04".to_owned() } else { model(town) }
/// }
///
/// let model = NeverCalled::new("model");
/// assert_eq!(departure("Bergen", |town| model.call(town)), "09:04");
/// ```
#[derive(Clone)]
pub struct NeverCalled {
    double: Arc<Never>,
}

struct Never {
    name: String,
    lapse: Lapse,
}

impl NeverCalled {
    /// Returns a stand-in of this name, for reports.
    #[must_use]
    pub fn new(name: impl Into<String>) -> NeverCalled {
        NeverCalled { double: Arc::new(Never { name: name.into(), lapse: Lapse::new() }) }
    }

    /// Fails the test. Whatever the caller would be given is never made.
    ///
    /// # Panics
    ///
    /// Panics.
    #[track_caller]
    pub fn call<Reply>(&self, request: impl fmt::Debug) -> Reply {
        panic!("{}", self.called(&request))
    }

    /// Fails the test where it is awaited, as [`call`](NeverCalled::call) does.
    ///
    /// # Panics
    ///
    /// Panics.
    pub async fn call_async<Reply>(&self, request: impl fmt::Debug) -> Reply {
        self.call(request)
    }

    /// Tells whether it was not called.
    ///
    /// # Errors
    ///
    /// Fails where it was: then its drop says nothing of it any more.
    pub fn try_assert_never_called(&self) -> Result<(), Arc<Report>> {
        self.double.lapse.hand_out().map_or(Ok(()), Err)
    }

    /// Asserts that it was not called: at once, and not only as it is dropped.
    ///
    /// # Panics
    ///
    /// Panics where it was.
    #[track_caller]
    pub fn assert_never_called(&self) {
        if let Err(report) = self.try_assert_never_called() {
            panic!("{report}");
        }
    }

    fn called(&self, request: &impl fmt::Debug) -> Arc<Report> {
        self.double.lapse.keep(&self.double.name, Misuse::Called { asked: shown(request) })
    }
}

impl fmt::Debug for NeverCalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NeverCalled").field("name", &self.double.name).finish_non_exhaustive()
    }
}
