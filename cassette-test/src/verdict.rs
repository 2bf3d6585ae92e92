//! The verdict over a test: what its body did and what its cassette found, made into one end.
//!
//! Blame goes by time: what failed first is the headline, the rest follows as notes. A body's own panic is never masked.

use std::sync::Arc;

use cassette_core::report::Report;
use cassette_core::session::BodyEnd;

use crate::blame::First;

/// What a test says about panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panics {
    /// Nothing: a panic fails it.
    Unexpected,
    /// `#[should_panic]`
    Expected,
    /// `#[should_panic(expected = "..")]`
    With(&'static str),
}

/// How a body ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It passed, with the panic that was expected of it if one was.
    Passed,
    /// It returned an error.
    Failed,
    /// It panicked with this message.
    Panicked(String),
    /// It did not panic as it should have: why.
    Unfulfilled(String),
    /// It was abandoned for its cassette.
    Abandoned,
}

/// What is to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// What to print before.
    pub(crate) aside: Option<String>,
    /// The end of the test.
    pub(crate) then: Then,
}

/// How a test ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// As its body did.
    AsItDid,
    /// With this panic; before it, the body's error is shown.
    Panic(String),
}

impl End {
    /// Returns this end in the light of what the test says about panics.
    pub(crate) fn read(self, panics: Panics) -> End {
        match (panics, self) {
            (Panics::Unexpected, end) => end,
            (Panics::Expected, End::Panicked(_)) => End::Passed,
            (Panics::With(expected), End::Panicked(message)) if message.contains(expected) => End::Passed,
            (Panics::With(expected), End::Panicked(message)) => {
                let told = "the panic did not contain the expected text";
                End::Unfulfilled(format!("{told}\n  panicked with  {message:?}\n  expected       {expected:?}"))
            }
            (_, End::Passed | End::Failed) => End::Unfulfilled("the test did not panic as expected".to_owned()),
            (_, end) => end,
        }
    }

    /// Returns what the session has to know of it.
    pub(crate) fn for_session(&self) -> BodyEnd {
        match self {
            End::Passed => BodyEnd::Passed,
            End::Failed | End::Unfulfilled(_) | End::Abandoned => BodyEnd::Failed,
            End::Panicked(_) => BodyEnd::Panicked,
        }
    }
}

/// Returns how the test ends.
pub(crate) fn judge(end: &End, reports: &[Arc<Report>], first: First) -> Judgement {
    let found = reports.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (also, body_first) = match end {
        End::Passed | End::Abandoned => (None, false),
        End::Failed => (Some("the test then returned an error".to_owned()), first == First::Body),
        End::Panicked(message) => (Some(format!("the test then panicked: {message}")), first == First::Body),
        End::Unfulfilled(text) => (Some(text.clone()), first == First::Body),
    };
    match (end, found.is_empty(), body_first) {
        (End::Unfulfilled(text), true, _) => Judgement::panic(vec![text.clone()]),
        (End::Unfulfilled(text), false, true) => Judgement::panic([vec![text.clone()], found].concat()),
        (End::Abandoned, true, _) => Judgement::panic(vec!["the test was abandoned, and nothing says why".to_owned()]),
        (_, true, _) => Judgement { aside: None, then: Then::AsItDid },
        (_, false, true) => {
            let aside = found.iter().map(|report| format!("note: besides, {report}")).collect::<Vec<_>>();
            Judgement { aside: Some(aside.join("\n")), then: Then::AsItDid }
        }
        (_, false, false) => Judgement::panic(found.into_iter().chain(also).collect()),
    }
}

impl Judgement {
    fn panic(lines: Vec<String>) -> Judgement {
        Judgement { aside: None, then: Then::Panic(lines.join("\nnote: ")) }
    }
}

#[cfg(test)]
mod tests {
    use cassette_core::report::Wiring;

    use super::*;

    fn judged(end: End, reports: &[&str], first: First) -> (String, bool) {
        let reports: Vec<_> =
            reports.iter().map(|what| Arc::new(Report::Wiring(Wiring::new(*what, "mend it")))).collect();
        let Judgement { aside, then } = judge(&end, &reports, first);
        match then {
            Then::AsItDid => (aside.unwrap_or_default(), true),
            Then::Panic(text) => (text, false),
        }
    }

    fn check(end: End, reports: &[&str], first: First, as_it_did: bool, text: &str) {
        let (told, did) = judged(end.clone(), reports, first);
        let told = told.replace("cassette wiring: ", "").replace("\nhelp: mend it", "");
        assert_eq!((told.as_str(), did), (text, as_it_did), "{end:?}, {reports:?}, {first:?}");
    }

    #[test]
    fn what_failed_first_is_the_headline() {
        use First::{Body, Cassette};
        let panicked = || End::Panicked("boom".to_owned());
        check(End::Passed, &[], Body, true, "");
        check(End::Failed, &[], Body, true, "");
        check(panicked(), &[], Body, true, "");
        check(End::Passed, &["miss", "bypass"], Cassette, false, "miss\nnote: bypass");
        check(End::Abandoned, &["miss"], Cassette, false, "miss");
        check(End::Failed, &["miss"], Body, true, "note: besides, miss");
        check(End::Failed, &["miss"], Cassette, false, "miss\nnote: the test then returned an error");
        check(panicked(), &["miss"], Body, true, "note: besides, miss");
        check(panicked(), &["miss"], Cassette, false, "miss\nnote: the test then panicked: boom");
    }

    #[test]
    fn a_panic_that_is_expected_is_the_bodys_alone() {
        let read = |panics, end: End| end.read(panics);
        let panicked = || End::Panicked("boom at 3".to_owned());
        assert_eq!(read(Panics::Expected, panicked()), End::Passed);
        assert_eq!(read(Panics::With("boom"), panicked()), End::Passed);
        assert_eq!(read(Panics::Expected, End::Abandoned), End::Abandoned);
        assert!(matches!(read(Panics::With("bang"), panicked()), End::Unfulfilled(text) if text.contains("\"bang\"")));
        assert!(matches!(read(Panics::Expected, End::Passed), End::Unfulfilled(_)));
        assert_eq!(read(Panics::Unexpected, panicked()), panicked());
        let unfulfilled = || End::Unfulfilled("no panic".to_owned());
        check(unfulfilled(), &[], First::Body, false, "no panic");
        check(unfulfilled(), &["miss"], First::Body, false, "no panic\nnote: miss");
        check(unfulfilled(), &["miss"], First::Cassette, false, "miss\nnote: no panic");
    }
}
