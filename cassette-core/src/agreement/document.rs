//! The walk through two JSON documents at once.

use super::Comparison;
use crate::call::Call;
use crate::json::{Json, Member, Text};
use crate::redact::coding::base64;
use crate::volatile::{Volatile, is_nested};

/// Where the walk stands.
pub(super) struct Walk<'a, 'b> {
    pub(super) call: &'a Call,
    pub(super) comparison: &'a mut Comparison<'b>,
    /// The place as the tables write it.
    pub(super) place: String,
}

impl Walk<'_, '_> {
    pub(super) fn node(&mut self, recorded: &Json, incoming: &Json) {
        match (recorded, incoming) {
            (Json::Object(ours), Json::Object(theirs)) => self.members(ours, theirs),
            (Json::Array(ours), Json::Array(theirs)) => {
                self.comparison.require(ours.len() == theirs.len());
                let length = self.place.len();
                self.place.push_str("[]");
                ours.iter().zip(theirs).for_each(|(ours, theirs)| self.node(ours, theirs));
                self.place.truncate(length);
            }
            _ => self.leaf(recorded, incoming),
        }
    }

    /// Compares members by name: their order says nothing.
    fn members(&mut self, ours: &[Member], theirs: &[Member]) {
        for (name, value) in ours {
            let other = theirs.iter().find(|(other, _)| other.canonical() == name.canonical());
            self.at(name, |walk| match other {
                Some((_, other)) => walk.node(value, other),
                None => walk.missing(),
            });
        }
        let new =
            theirs.iter().filter(|(name, _)| !ours.iter().any(|(other, _)| other.canonical() == name.canonical()));
        new.for_each(|(name, _)| self.at(name, Walk::missing));
    }

    fn at(&mut self, name: &Text, walk: impl FnOnce(&mut Self)) {
        let length = self.place.len();
        if length > 0 {
            self.place.push('.');
        }
        self.place.push_str(&name.value());
        walk(self);
        self.place.truncate(length);
    }

    fn missing(&mut self) {
        let padding = self.comparison.slots.is_padding(&self.place);
        self.comparison.require(padding);
    }

    fn leaf(&mut self, recorded: &Json, incoming: &Json) {
        let both = match (recorded, incoming) {
            (Json::String(ours), Json::String(theirs)) => Some((ours.value(), theirs.value())),
            (Json::Number(ours), Json::Number(theirs)) => Some((ours.source().into(), theirs.source().into())),
            _ => None,
        };
        match (self.comparison.slots.at(&self.place, recorded, incoming), &both) {
            (Some(Volatile::Padding), _) => {}
            (Some(Volatile::Id), Some((ours, theirs))) => self.comparison.volatile_id(ours, theirs),
            (Some(Volatile::Free), Some((ours, theirs))) => self.comparison.volatile_moment(ours, theirs),
            _ => self.fact(recorded, incoming),
        }
    }

    /// Compares what is no volatile value.
    fn fact(&mut self, recorded: &Json, incoming: &Json) {
        if let (Json::String(ours), Json::String(theirs)) = (recorded, incoming) {
            if let (Some(ours), Some(theirs)) = (self.nested(ours), self.nested(theirs)) {
                let outer = std::mem::take(&mut self.place);
                self.node(&ours, &theirs);
                self.place = outer;
                return;
            }
            // A lone surrogate has no value of its own: the spelling tells them apart.
            let lossy = |text: &Text| text.value().contains(char::REPLACEMENT_CHARACTER);
            if lossy(ours) || lossy(theirs) {
                return self.comparison.require(ours.canonical() == theirs.canonical());
            }
            return self.comparison.texts(&ours.value(), &theirs.value());
        }
        self.comparison.require(recorded.canonical() == incoming.canonical());
    }

    fn nested(&self, text: &Text) -> Option<Json> {
        let bytes = if is_nested(self.call, &self.place) { base64::decode(&text.value())? } else { return None };
        Json::parse(&String::from_utf8(bytes).ok()?).ok()
    }
}
