//! Ids that a reply gives and later requests take up: another recording has others in the same places.

use std::collections::HashMap;

use super::leaves::{Leaf, Stream, leaves};
use crate::call::Call;
use crate::json::Json;
use crate::reply::Outcome;
use crate::tape::Interaction;
use crate::view::documents_of;
use crate::volatile::{Slots, Volatile};

/// The shortest word that is taken for an id: shorter ones occur by chance.
const TELLING: usize = 6;

/// What stands for an id where it does not matter which.
const ANY: &str = "any-id";

/// Ids, each with what stands for it.
#[derive(Debug, Default)]
pub(super) struct Ids(HashMap<String, String>);

impl Ids {
    /// Returns the ids that these replies give, all of them standing for any.
    pub(super) fn of(interactions: &[Interaction]) -> Ids {
        let ids = interactions.iter().flat_map(|interaction| given(interaction).into_values().flatten());
        Ids(ids.map(|id| (id, ANY.to_owned())).collect())
    }

    /// Learns which id of one reply is which of another: those in the same places.
    pub(super) fn learn(&mut self, ours: &Interaction, theirs: &Interaction) {
        let new = given(theirs);
        for (path, ids) in given(ours) {
            let pairs = ids.into_iter().zip(new.get(&path).into_iter().flatten().cloned());
            self.0.extend(pairs.filter(|(a, b)| a != b));
        }
    }

    /// Returns the call with each known id replaced by what stands for it.
    pub(super) fn hidden(&self, call: &Call) -> Call {
        let replaced = |text: &str| self.replaced(text).unwrap_or_else(|| text.to_owned());
        let body = std::str::from_utf8(&call.body).ok().and_then(|text| self.replaced(text));
        Call {
            name: replaced(&call.name),
            headers: call.headers.iter().map(|(name, value)| (name.clone(), replaced(value))).collect(),
            body: body.map_or_else(|| call.body.clone(), String::into_bytes),
            ..call.clone()
        }
    }

    /// Returns the text with other ids; `None` where none is in it.
    fn replaced(&self, text: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let mut out = String::new();
        let mut copied = 0;
        let mut at = 0;
        for word in text.split(|c| !is_word(c)) {
            if let Some(other) = self.0.get(word).filter(|_| word.len() >= TELLING) {
                out.push_str(&text[copied..at]);
                out.push_str(other);
                copied = at + word.len();
            }
            at += word.len();
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
        (copied > 0).then(|| out + &text[copied..])
    }
}

/// Returns the ids that a reply gives, by where they stand.
fn given(interaction: &Interaction) -> HashMap<String, Vec<String>> {
    let Outcome::Reply(reply) = &interaction.outcome else { return HashMap::new() };
    let slots = Slots::of(&interaction.asked.known());
    let is_id = |place: &str, value: &Json| {
        let telling = |text: &str| text.len() >= TELLING && text.bytes().any(|byte| byte.is_ascii_digit());
        value.as_str().is_some_and(|text| telling(&text)) && slots.at(place, value, value) == Some(Volatile::Id)
    };
    let ids = |Leaf { place, values }: Leaf| {
        let ids = values.iter().filter(|value| is_id(&place, value));
        ids.filter_map(|value| Some(value.as_str()?.into_owned())).collect()
    };
    let found = leaves(&documents_of(&reply.body()), Stream::Yes);
    found.into_iter().map(|(path, leaf)| (path, ids(leaf))).collect()
}
