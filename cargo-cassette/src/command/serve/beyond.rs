//! What stands in a cassette and no program can ask for at an address: what functions answered, and servers that are no HTTP servers.

use std::collections::BTreeSet;
use std::sync::Arc;

use cassette_core::call::Kind;
use cassette_core::env;
use cassette_core::mode::Mode;
use cassette_core::report::Report;
use cassette_core::session::Verdict;
use cassette_core::tape::Tape;

use super::upstream::{Upstream, remembered};
use super::{Place, ServeError};
use crate::output::{count, note, typed};

/// Returns the cassettes of which something can be served, and tells which are left out. What goes live may be asked for anything.
pub(super) fn served(
    cassettes: Vec<(Place, Tape)>,
    mode: Option<Mode>,
    asked: &[Upstream],
) -> Result<Vec<(Place, Tape)>, ServeError> {
    let variable = || Mode::parse(&env::var("CASSETTE_MODE").unwrap_or_default()).ok();
    if mode.or_else(variable) != Some(Mode::Replay) {
        return Ok(cassettes);
    }
    let is_beyond =
        |(_, tape): &(Place, Tape)| !tape.interactions.is_empty() && of(tape, asked).len() == tape.interactions.len();
    let (left_out, served): (Vec<_>, Vec<_>) = cassettes.into_iter().partition(is_beyond);
    for (place, tape) in &left_out {
        let (what, help) = instead(place, tape);
        if served.is_empty() {
            return Err(ServeError::Beyond(place.shown.clone(), what, help));
        }
        note(&format!("{} is not served, since it holds {what} alone", place.shown));
    }
    Ok(served)
}

/// Returns what a cassette holds that cannot be served, and what to do with it.
fn instead(place: &Place, tape: &Tape) -> (&'static str, String) {
    let name = typed(&place.shown);
    let is_mcp = |kind: Kind| kind == Kind::Mcp;
    match tape.interactions.iter().all(|interaction| is_mcp(interaction.asked().kind())) {
        true => (
            "messages of an MCP server",
            format!("stand in for that server: cargo cassette mcp --cassette {name} -- .."),
        ),
        false => {
            ("what functions answered", format!("its own test replays it; look at it: cargo cassette show {name}"))
        }
    }
}

/// Returns the numbers of the interactions that no program can ask for. An MCP server may be one of HTTP, and its messages do not say so;
/// where an upstream is named, it may be that.
pub(super) fn of(tape: &Tape, asked: &[Upstream]) -> BTreeSet<usize> {
    let is_named = !asked.is_empty() || !remembered(tape).is_empty();
    let is_beyond = |kind: Kind| match kind {
        Kind::Http => false,
        Kind::Mcp => !is_named,
        _ => true,
    };
    let numbered = (1..).zip(&tape.interactions);
    numbered.filter(|(_, interaction)| is_beyond(interaction.asked().kind())).map(|(number, _)| number).collect()
}

/// Tells once how many of a cassette's recordings no program can ask for.
pub(super) fn tell(shown: &str, tape: &Tape, beyond: &BTreeSet<usize>) {
    if !beyond.is_empty() {
        let (n, all) = (beyond.len(), count(tape.interactions.len(), "recording"));
        note(&format!(
            "{n} of {all} in {shown} no program can ask for at an address, and they are not counted as left over"
        ));
    }
}

/// Returns a verdict in which these are not left over.
pub(super) fn without(verdict: Verdict, beyond: &BTreeSet<usize>) -> Verdict {
    let Verdict { reports, summary } = verdict;
    let told = reports.into_iter().filter_map(|report| {
        let Report::Unused(unused) = &*report else { return Some(report) };
        let mut unused = unused.clone();
        unused.unused.retain(|place| !beyond.contains(&place.interaction));
        unused.total -= beyond.len();
        (!unused.unused.is_empty()).then(|| Arc::new(Report::Unused(unused)))
    });
    Verdict { reports: told.collect(), summary }
}
