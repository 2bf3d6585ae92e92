//! What variables settle for every test that does not say otherwise, and what each test refuses of it.

use cassette_core::env;
use cassette_core::policy::Order;
use cassette_core::report::{Refused, Report};
use cassette_core::settings::Settings;

use crate::options::{Ci, Options, Surroundings};
use crate::order::Serving;
use crate::purse;

/// A variable that is set, and means something to tests. `CASSETTE_MODE` and `CASSETTE_DIR` are none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Why every test fails because of it, and what to do instead.
    pub refused: Option<String>,
}

/// Returns the variables that are set, as tests of this environment read them.
#[must_use]
pub fn variables() -> Vec<Variable> {
    let surroundings = Surroundings { mode: String::new(), ..Surroundings::of_process().clone() };
    let (options, settings) = (Options::default(), Settings::default());
    let set = |name: &'static str, refused: Result<(), Report>| {
        let value = env::var(name).filter(|value| !value.is_empty())?;
        Some(Variable { name, value, refused: refused.err().as_ref().map(told) })
    };
    let in_ci = |name: &'static str| set(name, Ok(())).filter(|_| surroundings.ci != Ci::Off);
    [
        set("CASSETTE_ORDER", options.settle(&surroundings, &settings).and_then(|(_, serving)| sound(&serving))),
        set("CASSETTE_GUARD", options.guard(&surroundings, &settings).map(drop)),
        set("CASSETTE_BUDGET", purse::limit(&surroundings.budget, &settings).map(drop)),
        set("CASSETTE_ALLOW_HOSTS", Ok(())),
        set("CASSETTE_BREAK_AT", options.breakpoints(&surroundings).map(drop)),
        set(cassette_core::ledger::VARIABLE, Ok(())),
        in_ci("CI"),
        set("CASSETTE_ALLOW_CI", Ok(())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Refuses an order that every session refuses which has it.
fn sound(serving: &Serving) -> Result<(), Report> {
    let what = (serving.order == Order::Fuzzy).then(|| serving.fuzziness.mistake()).flatten();
    what.map_or(Ok(()), |what| {
        Err(Report::Refused(Refused::new(what, "take a threshold above 0 and up to 1, and a window of 1 or more")))
    })
}

/// Returns what a report says, on one line.
fn told(report: &Report) -> String {
    match report {
        Report::Refused(refused) => format!("{}; {}", refused.what, refused.help),
        other => other.to_string(),
    }
}
