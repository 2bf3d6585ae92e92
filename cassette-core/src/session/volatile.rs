//! Values of volatile reply headers, which the file replaces by stand-ins unless a later request needs them.
//!
//! A request id that the program puts into its next request has to be there when it is replayed: the program then reads
//! the stand-in and asks something that was never recorded. So what a later request takes up is recorded as it was.

use std::collections::HashSet;

use super::state::{Fate, State};
use crate::call::Call;
use crate::redact::headers;
use crate::reply::Reply;

/// The shortest value that is looked for: shorter ones occur by chance.
const TELLING: usize = 8;

/// The value of a volatile header.
#[derive(Debug)]
pub(super) struct Volatile {
    /// The header's position in the redacted reply.
    pub(super) header: usize,
    /// What stood there.
    pub(super) value: String,
}

/// The shortest value of several words that is looked for as it stands, such as a date.
const LONG: usize = 16;

/// Returns what stood in the volatile headers of a reply, as far as it tells something.
pub(super) fn volatile(reply: &Reply, redacted: &Reply) -> Vec<Volatile> {
    let changed = |(header, (name, stand_in)): (usize, &(String, String))| {
        let value = reply.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value).next()?;
        // The session of a connection goes back to its server and is compared nowhere: whatever stands for it serves as well.
        let telling = headers::is_volatile(name)
            && name != "mcp-session-id"
            && value != stand_in
            && (is_word(value) || is_long(value));
        telling.then(|| Volatile { header, value: value.clone() })
    };
    redacted.headers.iter().enumerate().filter_map(changed).collect()
}

/// Returns the values of volatile reply headers that a later request of the run takes up.
pub(super) fn taken_up(state: &State) -> HashSet<String> {
    let mut known: HashSet<&str> = HashSet::new();
    let mut taken = HashSet::new();
    for slot in &state.slots {
        if !known.is_empty() {
            let call: &Call = &state.calls[slot.call];
            let body = String::from_utf8_lossy(&call.body);
            let texts = [call.name.as_str(), &*body].into_iter();
            let texts = texts.chain(call.headers.iter().map(|(_, value)| value.as_str()));
            let long = known.iter().filter(|value| !is_word(value) && texts.clone().any(|text| text.contains(**value)));
            taken.extend(long.map(|value| (*value).to_owned()));
            taken.extend(texts.flat_map(words).filter(|word| known.contains(word)).map(str::to_owned));
        }
        if let Fate::Live(_, Some(recorded)) = &slot.fate {
            known.extend(recorded.volatile.iter().map(|volatile| volatile.value.as_str()));
        }
    }
    taken
}

/// Returns whether a value is a single word that may be an id.
fn is_word(value: &str) -> bool {
    words(value).eq([value])
}

/// Returns whether a value is of several words and may be a date: nothing that is hidden, or stands for what is, looks so.
fn is_long(value: &str) -> bool {
    value.len() >= LONG && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | ',' | ':' | '-' | '+'))
}

/// Returns the words of a text that may be ids.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    words.filter(|word| word.len() >= TELLING)
}
