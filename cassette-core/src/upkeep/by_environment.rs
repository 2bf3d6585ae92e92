//! What is hidden in a file at rest for no other reason than that this machine's environment holds it.

use super::Known;
use super::known::read;
use super::scrub::{Scrubbed, hidden};
use crate::call::Call;
use crate::disk;
use crate::redact::in_environment;
use crate::session::{UNMATCHED, later_places};

/// Returns where a request of a file speaks of a value that was hidden in it since this environment holds it under a secret name, with
/// that name and what follows: a run without the variable sends it as it is, and finds no recording of that. `None` where there is no
/// such place.
#[must_use]
pub fn by_environment(
    document: &[u8],
    scrubbed: &Scrubbed,
    known: &Known,
    environment: &[(String, String)],
) -> Option<String> {
    let clean = disk::read(scrubbed.document.as_ref()?.text().as_bytes()).ok()?;
    let tape = read(document).ok()?;
    let here: Vec<_> = in_environment(environment).collect();
    let values: Vec<&str> = here.iter().map(|(_, value)| *value).collect();
    let mut elsewhere = known.secrets.without(&values);
    elsewhere.start_after_text(&disk::write(&tape));
    let rules = known.rules(&tape);
    let sent = hidden(tape, &rules, &mut elsewhere);
    let calls = (1..).zip(sent.interactions.iter().zip(&clean.interactions));
    let calls = calls.filter_map(|(number, (sent, kept))| Some((number, sent.call()?, kept.call()?)));
    let mut places = calls.flat_map(|(number, sent, kept)| {
        here.iter().filter_map(move |(variable, value)| {
            let place = later_places(sent, &[value]).into_iter().find(|place| !speaks(kept, value, place))?;
            let title = sent.title();
            Some(format!("the value of `{variable}` stands in call {number}, {title}: {place}; {UNMATCHED}"))
        })
    });
    places.next()
}

/// Returns whether a value still stands at a place of a call, as where somebody vouches for it.
fn speaks(call: &Call, value: &str, place: &str) -> bool {
    later_places(call, &[value]).iter().any(|known| known == place)
}
