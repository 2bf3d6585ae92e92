//! Sessions that are still open as their process exits: nothing that was asked of them is checked, and nothing is saved.
//!
//! A session in a `static` never ends, and a test that calls [`std::process::exit`] ends none. Either would be a green test that
//! asserts nothing, so the process fails.

use std::task::Waker;

use cassette_core::mode::Mode;
use cassette_core::report::{Report, Wiring};
use cassette_core::typed::typed;

use crate::ambient;
use crate::scope::Scope;
use crate::sys::exit::{AtExit, Ends};
use crate::tell::tell_now;

inventory::submit!(AtExit(fail));

fn fail() -> Ends {
    let open: Vec<_> = ambient::left().into_iter().filter(|scope| scope.settled.mode != Mode::Off).collect();
    for scope in &open {
        // What it failed with already would be told by nobody.
        if let Some(report) = scope.opened().and_then(|session| session.poll_failure(Waker::noop())) {
            tell_now(&format!("{report}"));
        }
        tell_now(&Report::Wiring(unended(scope)).to_string());
    }
    if open.is_empty() { Ends::AsItWas } else { Ends::Failed }
}

fn unended(scope: &Scope) -> Wiring {
    let live = scope.opened().filter(|session| session.live_calls() > 0);
    let (what, first) = match (scope.settled.mode, live) {
        (Mode::Replay, _) => ("what was asked of it is not checked", String::new()),
        (_, None) => ("nothing of it is saved", String::new()),
        (_, Some(session)) => (
            "what it has recorded is left in its journal",
            format!("get that back: cargo cassette recover {}, and ", typed(session.name())),
        ),
    };
    let what = format!("the process exits while `{}` is open, so that {what}", scope.label);
    let help = "end the session within its test: one in a `static` never ends, and `std::process::exit` ends none";
    Wiring::new(what, format!("{first}{help}"))
}
