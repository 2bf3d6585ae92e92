//! Whether two replies say the same: everything equal but for volatile values, and those under one renaming.
//!
//! Streams are compared event by event, wherever the network cut them; heartbeats, whose number hangs on how long the
//! service took, do not count. JSON is compared by what it means, anything else as text or byte by byte. The renaming
//! learns on the way, also from replies that turn out to differ: what comes later may still agree.

mod document;
mod events;

use std::collections::{BTreeMap, BTreeSet};

use crate::call::{Call, Header};
use crate::json::Json;
use crate::redact::headers;
use crate::renaming::{Renaming, without_secrets};
use crate::reply::{Outcome, Reply};
use crate::volatile::Slots;
use document::Walk;
use events::{Event, Field};

/// How two replies to one request compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// Whether they say the same.
    pub(crate) same: bool,
    /// The ids that differ, those that stand in its texts included: the recorded one of each new one.
    pub(crate) ids: BTreeMap<String, String>,
    /// The other volatile values that differ, likewise.
    pub(crate) moments: BTreeMap<String, String>,
    /// All ids in the new reply.
    pub(crate) named: BTreeSet<String>,
    /// Whether they are written otherwise, be it for what differs above, or for the order of members alone.
    pub(crate) respelled: bool,
}

impl Agreement {
    /// Returns whether the program may have seen something else than what is recorded.
    pub(crate) fn may_show(&self) -> bool {
        self.respelled || self.moved().next().is_some()
    }

    /// Returns the new values of everything volatile that differs.
    pub(crate) fn moved(&self) -> impl Iterator<Item = &String> {
        self.ids.keys().chain(self.moments.keys())
    }
}

/// Compares a new outcome of this call with a recorded one.
pub(crate) fn agree(call: &Call, recorded: &Outcome, incoming: &Outcome, renaming: &mut Renaming) -> Agreement {
    let agreement = Agreement { same: true, ..Agreement::default() };
    let mut comparison = Comparison { slots: Slots::of(call), renaming, agreement };
    match (recorded, incoming) {
        (Outcome::Reply(recorded), Outcome::Reply(incoming)) => comparison.replies(call, recorded, incoming),
        (Outcome::Error(recorded), Outcome::Error(incoming)) => {
            comparison.require(recorded.class == incoming.class);
            comparison.texts(&recorded.message, &incoming.message);
        }
        _ => comparison.require(false),
    }
    comparison.agreement
}

/// A comparison under way.
struct Comparison<'a> {
    slots: Slots,
    renaming: &'a mut Renaming,
    agreement: Agreement,
}

impl Comparison<'_> {
    fn require(&mut self, holds: bool) {
        self.agreement.same &= holds;
    }

    fn replies(&mut self, call: &Call, recorded: &Reply, incoming: &Reply) {
        self.require(recorded.status == incoming.status && recorded.truncated == incoming.truncated);
        self.headers(&recorded.headers, &incoming.headers);
        self.headers(&recorded.trailers, &incoming.trailers);
        let (old, new) = (recorded.body(), incoming.body());
        self.agreement.respelled = old != new;
        match (events::messages(&old), events::messages(&new)) {
            (Some(old), Some(new)) => return self.events(call, &old, &new),
            (None, None) => {}
            _ => return self.require(false),
        }
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let (Some(old_text), Some(new_text)) = (text(&old), text(&new)) else { return self.require(old == new) };
        match (events::framing(recorded, &old_text), events::framing(incoming, &new_text)) {
            (Some(ours), Some(theirs)) if ours == theirs => {
                self.events(call, &events::cut(ours, &old_text), &events::cut(theirs, &new_text));
            }
            _ => self.contents(call, &old_text, &new_text),
        }
    }

    fn contents(&mut self, call: &Call, recorded: &str, incoming: &str) {
        match (Json::parse(recorded), Json::parse(incoming)) {
            (Ok(recorded), Ok(incoming)) => self.document(call, "", &recorded, &incoming),
            _ => self.texts(recorded, incoming),
        }
    }

    fn events(&mut self, call: &Call, recorded: &[Event], incoming: &[Event]) {
        self.require(recorded.len() == incoming.len());
        for (recorded, incoming) in recorded.iter().zip(incoming) {
            self.require(recorded.fields.len() == incoming.fields.len());
            for fields in recorded.fields.iter().zip(&incoming.fields) {
                match fields {
                    (Field::Text(recorded), Field::Text(incoming)) => self.texts(recorded, incoming),
                    (Field::Id(recorded), Field::Id(incoming)) => self.volatile_id(recorded, incoming),
                    (Field::Json { event, document }, Field::Json { event: other, document: incoming }) => {
                        self.require(event == other);
                        self.document(call, event, document, incoming);
                    }
                    _ => self.require(false),
                }
            }
        }
    }

    fn document(&mut self, call: &Call, place: &str, recorded: &Json, incoming: &Json) {
        Walk { call, comparison: self, place: place.to_owned() }.node(recorded, incoming);
    }

    fn headers(&mut self, recorded: &[Header], incoming: &[Header]) {
        self.require(recorded.len() == incoming.len());
        for ((name, recorded), (other, incoming)) in recorded.iter().zip(incoming) {
            self.require(name == other);
            let stands_in = |value: &str| headers::stand_in(name, value).as_deref() == Some(value);
            match headers::is_volatile(name) {
                true if stands_in(recorded) && stands_in(incoming) => {}
                true if !stands_in(recorded) && !stands_in(incoming) => self.volatile_id(recorded, incoming),
                _ => self.texts(recorded, incoming),
            }
        }
    }

    /// Compares two texts: what is known under another name is put back first.
    fn texts(&mut self, recorded: &str, incoming: &str) {
        let (recorded, ours) = without_secrets(recorded);
        let (incoming, theirs) = without_secrets(incoming);
        self.require(recorded == self.renaming.text(&incoming) && ours.len() == theirs.len());
        // An earlier reply brought them; whoever takes them out of this one hangs on both.
        self.agreement.ids.extend(self.renaming.ids_in(&incoming));
        for (recorded, incoming) in ours.iter().zip(&theirs) {
            let agrees = self.renaming.secret(recorded, incoming);
            self.require(agrees);
        }
    }

    fn volatile_id(&mut self, recorded: &str, incoming: &str) {
        if recorded.contains("REDACTED.") || incoming.contains("REDACTED.") {
            return self.texts(recorded, incoming);
        }
        let agrees = self.renaming.id(recorded, incoming);
        self.require(agrees);
        self.agreement.named.insert(incoming.to_owned());
        if recorded != incoming {
            self.agreement.ids.insert(incoming.to_owned(), recorded.to_owned());
        }
    }

    fn volatile_moment(&mut self, recorded: &str, incoming: &str) {
        self.renaming.free(recorded, incoming);
        if recorded != incoming {
            self.agreement.moments.insert(incoming.to_owned(), recorded.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
