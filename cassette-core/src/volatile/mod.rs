//! Which values of a reply change from run to run although the service says the same: ids, dates, padding.
//!
//! A reply in a known dialect is judged by its dialect's table of [`Slot`]s and by nothing else, so that what a model said
//! (a tool's arguments, a text) is never taken for noise. Any other JSON reply is judged by name and shape together: a
//! value under `id` or `created_at` that looks like an id or a moment. What is not named here has to come back equal.

mod shape;
mod tables;

use crate::call::{Call, Kind};
use crate::dialect::{self, Dialect};
use crate::json::Json;
use shape::Shape;

/// How a value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Volatile {
    /// It names something, so one new name stands for one old name wherever it occurs.
    Id,
    /// It says when, or how long, or where something was made: two that were equal may come back different.
    Free,
    /// It fills up, and may be missing.
    Padding,
}

/// A place in a reply, and how what stands there changes: members joined by dots, `[]` for each element of an array, and
/// `**.` in front for any depth.
pub(crate) type Slot = (&'static str, Volatile);

/// The places of one reply whose values are volatile.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slots {
    /// Those of a dialect.
    Spoken(&'static [&'static [Slot]]),
    /// Those whose name and shape say so.
    ByName,
    /// The value itself, if its shape says so: it was asked for alone, as a clock or an id.
    Itself,
}

/// Objects in which a stream repeats what a plain reply says at the top.
const WRAPPERS: [&str; 3] = ["[].", "response.", "message."];

impl Slots {
    /// Returns the slots of the replies to this call.
    pub(crate) fn of(call: &Call) -> Slots {
        match (call.kind, dialect::detect(call)) {
            (Kind::Value, _) => Slots::Itself,
            (_, Some(dialect)) => Slots::Spoken(tables::of(dialect)),
            (_, None) => Slots::ByName,
        }
    }

    /// Returns how the value at this place changes, if it does.
    pub(crate) fn at(self, place: &str, recorded: &Json, incoming: &Json) -> Option<Volatile> {
        match self {
            Slots::Spoken(tables) => {
                let unwrapped = WRAPPERS.iter().filter_map(|wrapper| place.strip_prefix(wrapper));
                let mut places = std::iter::once(place).chain(unwrapped);
                let known = |place: &str| tables.iter().flat_map(|table| table.iter()).find(|slot| fits(slot.0, place));
                places.find_map(known).map(|slot| slot.1)
            }
            Slots::ByName => by_name(place.rsplit('.').next().unwrap_or_default(), recorded, incoming),
            Slots::Itself if place.is_empty() => alike(recorded, incoming).map(Shape::volatile),
            Slots::Itself => None,
        }
    }

    /// Returns whether what stands at this place fills up and may be missing.
    pub(crate) fn is_padding(self, place: &str) -> bool {
        self.at(place, &Json::Null, &Json::Null) == Some(Volatile::Padding)
    }
}

/// Returns whether the bytes of a member are a document of the model's own, in base64.
pub(crate) fn is_nested(call: &Call, place: &str) -> bool {
    place == "chunk.bytes" && dialect::detect(call) == Some(Dialect::BedrockInvoke)
}

fn fits(pattern: &str, place: &str) -> bool {
    match pattern.strip_prefix("**.") {
        Some(end) => place.strip_suffix(end).is_some_and(|front| front.is_empty() || front.ends_with('.')),
        None => pattern == place,
    }
}

fn by_name(name: &str, recorded: &Json, incoming: &Json) -> Option<Volatile> {
    if name == "system_fingerprint" {
        // A batch's replies are repeated in a file that speaks no dialect.
        return Some(Volatile::Free);
    }
    let changes = alike(recorded, incoming)?.volatile();
    let named = match changes {
        Volatile::Id => shape::names_an_id(name),
        Volatile::Free | Volatile::Padding => shape::names_a_moment(name),
    };
    named.then_some(changes)
}

/// Returns the shape of two values, where both have the same.
fn alike(recorded: &Json, incoming: &Json) -> Option<Shape> {
    Shape::of(recorded).filter(|shape| Shape::of(incoming).as_ref() == Some(shape))
}

/// Returns whether two texts have the form of one and the same kind of moment or id.
pub(crate) fn is_alike(recorded: &str, incoming: &str) -> bool {
    Shape::of_text(recorded).is_some_and(|shape| Shape::of_text(incoming) == Some(shape))
}

#[cfg(test)]
mod tests;
