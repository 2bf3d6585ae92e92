//! Which placeholders stand for the same secret on both sides.

use std::collections::BTreeMap;

use crate::redact::placeholders;

/// What each recorded placeholder was met as so far, and the other way round.
///
/// The number of a placeholder says nothing by itself: only that two of them are, or are not, the same.
#[derive(Debug, Default)]
pub(super) struct Sameness {
    incoming: BTreeMap<String, (String, String)>,
    recorded: BTreeMap<String, (String, String)>,
}

impl Sameness {
    /// Takes in two texts that agree but for their placeholders; returns the path where one of these was met as
    /// another, if one was.
    pub(super) fn take(&mut self, recorded: &str, incoming: &str, path: &str) -> Option<String> {
        let mut earlier = None;
        for (ours, theirs) in placeholders(recorded).zip(placeholders(incoming)) {
            let clash = |met: Option<&(String, String)>, now: &str| {
                met.filter(|(known, _)| known != now).map(|(_, place)| place.clone())
            };
            let found = clash(self.incoming.get(ours), theirs).or_else(|| clash(self.recorded.get(theirs), ours));
            if found.is_none() {
                self.incoming.entry(ours.to_owned()).or_insert_with(|| (theirs.to_owned(), path.to_owned()));
                self.recorded.entry(theirs.to_owned()).or_insert_with(|| (ours.to_owned(), path.to_owned()));
            }
            earlier = earlier.or(found);
        }
        earlier
    }
}
