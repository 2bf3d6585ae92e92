//! Where a seam takes its calls: the session, seen through what a seam needs of it.
//!
//! The session is held weakly. A seam that outlives its session answers every call with a report and keeps nothing alive.

use std::fmt;
use std::sync::{Arc, Weak};

use cassette_core::call::{Call, Kind};
use cassette_core::mode::Mode;
use cassette_core::redact::{Depth, Rules, Secrets, redact_call};
use cassette_core::reply::Outcome;
use cassette_core::report::{Place, Report, Truncated, Wiring};
use cassette_core::session::{Served, Session, Step};

/// Takes calls and says what becomes of them.
///
/// A trait, so that the tests of the seams can see every outcome without a file.
pub(crate) trait Desk: Send + Sync + fmt::Debug {
    /// Decides what becomes of a call, of which nobody knows whether a recorded function makes it.
    fn begin(&self, call: Call) -> Ruling;

    /// Decides what becomes of a call that no recorded function makes.
    #[cfg_attr(not(feature = "_adapters"), expect(dead_code, reason = "an adapter alone knows the task"))]
    fn begin_aside(&self, call: Call) -> Ruling {
        self.begin(call)
    }

    /// Returns the name of a call as a report may show it: the raw one is for nobody's eyes but the upstream's.
    fn shown(&self, name: &str) -> String;

    /// Latches a failure; returns the one that came first.
    fn fail(&self, report: Report) -> Arc<Report>;

    /// Returns whether a call of this name has still to be asked for; `None` where nothing is replayed.
    fn awaits(&self, _name: &str) -> Option<bool> {
        None
    }

    /// Returns how many answers of an MCP client's under this id have still to be asked for.
    fn awaited_answers(&self, _id: &str) -> usize {
        0
    }

    /// Returns the cassette's name and the command that runs its test again in this mode.
    fn rerun(&self, mode: Mode) -> (String, String);

    /// Returns what to do where a client wants more than was recorded at this place.
    fn to_record_all_of(&self, place: &Place) -> String;

    /// Returns what the recording at this place asks, in a few words.
    fn asks(&self, place: &Place) -> Option<String>;
}

/// What becomes of a call.
pub(crate) enum Ruling {
    /// It is answered with what was recorded.
    Serve(Served),
    /// It goes live, and how it ends is filed here.
    Live(File),
    /// It fails.
    Fail(Arc<Report>),
}

/// Files how a live call ended.
pub(crate) type File = Box<dyn FnOnce(Outcome) + Send + Sync>;

impl Desk for Weak<Session> {
    fn begin(&self, call: Call) -> Ruling {
        rule(self, call, |session, call| session.begin(call))
    }

    fn begin_aside(&self, call: Call) -> Ruling {
        rule(self, call, |session, call| session.begin_aside(call))
    }

    fn shown(&self, name: &str) -> String {
        self.upgrade().map_or_else(|| bare(name), |session| session.shown(name))
    }

    fn fail(&self, report: Report) -> Arc<Report> {
        match self.upgrade() {
            Some(session) => session.fail(report),
            None => Arc::new(report),
        }
    }

    fn awaits(&self, name: &str) -> Option<bool> {
        self.upgrade().and_then(|session| session.awaits(name))
    }

    fn awaited_answers(&self, id: &str) -> usize {
        self.upgrade().map_or(0, |session| session.awaited_answers(id))
    }

    fn rerun(&self, mode: Mode) -> (String, String) {
        match self.upgrade() {
            Some(session) => (session.name().to_owned(), session.command(mode)),
            None => (String::new(), String::new()),
        }
    }

    fn to_record_all_of(&self, place: &Place) -> String {
        self.upgrade().map_or_else(String::new, |session| session.to_record_all_of(place.interaction - 1))
    }

    fn asks(&self, place: &Place) -> Option<String> {
        self.upgrade().and_then(|session| session.asks(place.interaction - 1))
    }
}

fn rule(session: &Weak<Session>, call: Call, begin: impl FnOnce(&Session, Call) -> Step) -> Ruling {
    let Some(session) = session.upgrade() else {
        let what = format!("a call was made after its test had ended: {}", bare(&call.name));
        let report = Wiring::new(what, "finish every task before the test returns");
        return Ruling::Fail(Arc::new(Report::Wiring(report)));
    };
    match begin(&session, call) {
        Step::Serve(served) => Ruling::Serve(served),
        Step::Fail(report) => Ruling::Fail(report),
        Step::Live(ticket) => Ruling::Live(Box::new(move |outcome| {
            // A failure to record has been latched by the session; the client gets its answer all the same.
            let _ = ticket.finish(outcome);
        })),
    }
}

/// Returns where what is served stands in the cassette.
pub(crate) fn place(served: &Served) -> Place {
    Place { interaction: served.index + 1, name: served.name.clone(), asks: None }
}

/// Returns the name of a call where no session is left that knows the test's own secrets: without its query, and without
/// what anybody would know for a secret.
fn bare(name: &str) -> String {
    let call = Call { kind: Kind::Http, name: name.to_owned(), headers: Vec::new(), body: Vec::new() };
    let mut secrets = Secrets::new(&cassette_core::env::of_secrets());
    let redacted = redact_call(&call, &Rules::default(), Depth::Known, &mut secrets);
    redacted.name.split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// Returns the report of a client that waits for more than was recorded.
pub(crate) fn truncated(desk: &dyn Desk, place: Place, events: usize) -> Report {
    let (cassette, _) = desk.rerun(Mode::Refresh);
    let help = desk.to_record_all_of(&place);
    let place = Place { asks: desk.asks(&place), ..place };
    Report::Truncated(Truncated::new(&cassette, place, events, help))
}
