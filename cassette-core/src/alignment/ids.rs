//! Ids that a reply gives and later requests take up: another recording has others in the same places.

use std::collections::HashMap;

use super::leaves::{Leaf, Stream, leaves};
use crate::call::Call;
use crate::json::Json;
use crate::reply::Outcome;
use crate::report::{Difference, Shown};
use crate::tape::Interaction;
use crate::view::{ReplyView, documents_of, view};
use crate::volatile::{Slots, Volatile};

/// The shortest word that is taken for an id: shorter ones occur by chance.
const TELLING: usize = 6;

/// What stands for an id where it does not matter which.
const ANY: &str = "any-id";

/// Members that hold the id of a tool's call, in any provider's words.
const OF_CALLS: [&str; 6] = ["id", "tool_call_id", "call_id", "tool_use_id", "toolUseId", "toolCallId"];

/// Objects in which the last event of a stream repeats what a plain reply says at the top.
const WRAPPERS: [&str; 2] = ["response.", "message."];

/// Ids, each with what stands for it.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Those that are known as such wherever they stand.
    words: HashMap<String, String>,
    /// Those of tools' calls, which may be any words and are ids only where one has to stand.
    calls: HashMap<String, String>,
}

impl Ids {
    /// Returns the ids that these replies give, all of them standing for any.
    pub(super) fn of(interactions: &[Interaction]) -> Ids {
        let ids = interactions.iter().flat_map(|interaction| given(interaction).into_values().flatten());
        Ids { words: ids.map(|id| (id, ANY.to_owned())).collect(), calls: HashMap::new() }
    }

    /// Learns which id of one reply is which of another: those in the same places, and those of the calls of tools in their order,
    /// however the replies came.
    pub(super) fn learn(&mut self, ours: &Interaction, theirs: &Interaction) {
        let new = given(theirs);
        for (path, ids) in given(ours) {
            let pairs = ids.into_iter().zip(new.get(&path).into_iter().flatten().cloned());
            self.words.extend(pairs.filter(|(a, b)| a != b));
        }
        for (a, b) in of_calls(ours).into_iter().zip(of_calls(theirs)).filter(|(a, b)| a != b) {
            if is_telling(&a) {
                self.words.insert(a.clone(), b.clone());
            }
            self.calls.insert(a, b);
        }
    }

    /// Returns whether nothing differs but that a tool's call, to which an earlier reply gave an id, has another one.
    pub(super) fn explains(&self, difference: &Difference) -> bool {
        let [Shown { recorded: Some(recorded), incoming: Some(incoming) }] = difference.shown.as_slice() else {
            return false;
        };
        let member = difference.path.rsplit(['.', '~']).next().unwrap_or_default();
        let text = |shown: &str| Json::parse(shown).ok()?.as_str().map(|text| text.into_owned());
        OF_CALLS.contains(&member)
            && text(recorded).and_then(|id| self.calls.get(&id)).is_some_and(|id| text(incoming).as_ref() == Some(id))
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
        if self.words.is_empty() {
            return None;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let mut out = String::new();
        let mut copied = 0;
        let mut at = 0;
        for word in text.split(|c| !is_word(c)) {
            if let Some(other) = self.words.get(word).filter(|_| word.len() >= TELLING) {
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
        value.as_str().is_some_and(|text| is_telling(&text)) && slots.at(place, value, value) == Some(Volatile::Id)
    };
    let ids = |Leaf { place, values }: Leaf| {
        let ids = values.iter().filter(|value| is_id(&place, value));
        ids.filter_map(|value| Some(value.as_str()?.into_owned())).collect::<Vec<_>>()
    };
    let mut given: HashMap<String, Vec<String>> = HashMap::new();
    for (path, leaf) in leaves(&documents_of(&reply.body()), Stream::Yes) {
        let path = WRAPPERS.iter().find_map(|wrapper| path.strip_prefix(wrapper)).unwrap_or(&path).to_owned();
        let known = given.entry(path).or_default();
        for id in ids(leaf) {
            if !known.contains(&id) {
                known.push(id);
            }
        }
    }
    given
}

/// Returns whether a word is an id wherever it stands, and occurs nowhere by chance.
fn is_telling(word: &str) -> bool {
    word.len() >= TELLING && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns the ids that a reply gives the calls of tools which it asks for, in their order.
fn of_calls(interaction: &Interaction) -> Vec<String> {
    let Outcome::Reply(reply) = &interaction.outcome else { return Vec::new() };
    let Some(ReplyView { tool_calls, others, .. }) = view(&interaction.asked.known(), reply) else { return Vec::new() };
    let calls = tool_calls.into_iter().chain(others.into_iter().flat_map(|other| other.tool_calls));
    calls.map(|call| call.id).filter(|id| !id.is_empty()).collect()
}
