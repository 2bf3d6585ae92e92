//! How an error is written into a recording and read out of it again: by serde, by [`ReplayedError`], or by trying a list of types on
//! an error of no particular type.

use std::any::type_name;
use std::mem::discriminant;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::chain::{Layer, lost};
use super::parting::{Equal, Parting};
use super::write::UNEQUAL;
use super::{Misread, Part, ReplayedError, Unwritable, faithful_error, restored};
use crate::json::Json;

/// Writes and reads an error.
pub trait ErrorCodec<E> {
    /// Writes an error.
    fn encode(&self, error: &E) -> Result<Json, Unwritable>;

    /// Reads an error.
    fn decode(&self, json: &Json) -> Result<E, Misread>;

    /// Returns the error that stands for a failure of the cassette, if there can be one.
    fn missed(&self, error: ReplayedError) -> Option<E>;
}

/// An error that serde writes.
#[derive(Clone, Copy, Debug)]
pub struct BySerde<E> {
    equal: Option<Equal<E>>,
    message: Option<fn(&E) -> String>,
}

/// An error that is rebuilt from what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct ByDescription<E> {
    describe: fn(&E) -> ReplayedError,
    rebuild: fn(ReplayedError) -> E,
    /// What of it a program may ask for by type.
    layers: Option<fn(&E) -> Vec<Layer>>,
    likeness: Likeness<E>,
}

/// How like an error has to be to what comes back of it.
#[derive(Clone, Copy, Debug)]
enum Likeness<E> {
    /// It says the same.
    Said,
    /// It says the same itself, whatever is beneath it.
    SaidItself,
    /// It is of the same variant too.
    Variant,
    /// It is equal, too, by this.
    Equal(Equal<E>),
}

/// An error of no particular type, which may be one of these.
#[derive(Clone, Debug)]
pub struct ByType<E> {
    types: Vec<Known<E>>,
    others: ByDescription<E>,
}

/// A type that an error of no particular type may be of.
#[derive(Clone, Copy, Debug)]
pub struct Known<E> {
    type_name: &'static str,
    encode: Encode<E>,
    decode: fn(&Json) -> Result<E, Misread>,
    /// Puts a context above the error, if its type has such a thing.
    context: fn(E, String) -> E,
}

/// Writes an error if it is of a type, or has one of it beneath contexts: its text, and itself.
pub type Encode<E> = fn(&E) -> Option<(String, Result<Json, Unwritable>)>;

impl<E> BySerde<E> {
    /// Returns the codec of errors that are compared so and whose text is this, where they can be and have one.
    pub fn new(equal: Option<Equal<E>>, message: Option<fn(&E) -> String>) -> BySerde<E> {
        BySerde { equal, message }
    }
}

impl<E: Serialize + DeserializeOwned> ErrorCodec<E> for BySerde<E> {
    fn encode(&self, error: &E) -> Result<Json, Unwritable> {
        let message = self.message.map(|message| message(error)).unwrap_or_default();
        let value = faithful_error(error, self.equal, &message)?;
        ReplayedError::new(type_name::<E>(), message).to_json(Some(value))
    }

    fn decode(&self, json: &Json) -> Result<E, Misread> {
        match ReplayedError::value(json) {
            Some(_) if json.get("source").is_some() => {
                let now = type_name::<E>();
                let what =
                    format!("the error was recorded with contexts above it, and the function gives a {now} alone");
                Err(Misread::whole(what))
            }
            Some(value) => restored(value),
            None => Err(Misread::whole("an error was recorded of which serde wrote nothing")),
        }
    }

    fn missed(&self, _: ReplayedError) -> Option<E> {
        None
    }
}

impl<E> ByDescription<E> {
    /// Returns the codec of errors that are described and rebuilt so.
    pub fn new(describe: fn(&E) -> ReplayedError, rebuild: fn(ReplayedError) -> E) -> ByDescription<E> {
        ByDescription { describe, rebuild, layers: None, likeness: Likeness::Said }
    }

    /// Returns the codec that sees to it, too, that an error comes back as the variant that it is, and equal where it can be compared.
    #[must_use]
    pub fn exactly(self, equal: Option<Equal<E>>) -> ByDescription<E> {
        ByDescription { likeness: equal.map_or(Likeness::Variant, Likeness::Equal), ..self }
    }

    /// Returns the codec of errors beneath which others may be lost, and of which nothing else may be.
    #[must_use]
    pub fn itself(self) -> ByDescription<E> {
        ByDescription { likeness: Likeness::SaidItself, ..self }
    }

    /// Returns the codec that sees to it, too, that the errors within one come back as what they are.
    #[must_use]
    pub fn with(self, layers: fn(&E) -> Vec<Layer>) -> ByDescription<E> {
        ByDescription { layers: Some(layers), ..self }
    }

    /// Rebuilds an error, of which nothing may be lost.
    fn back(&self, recorded: &ReplayedError) -> Result<E, Misread> {
        let back = (self.rebuild)(recorded.clone());
        match self.likeness.unsaid(recorded, &(self.describe)(&back)) {
            Some(what) => Err(Misread::whole(what)),
            None => Ok(back),
        }
    }
}

impl<E> Likeness<E> {
    /// Returns what is no longer said of an error by what describes the one that was rebuilt from it.
    fn unsaid(&self, was: &ReplayedError, is: &ReplayedError) -> Option<String> {
        match self {
            Likeness::SaidItself => was.clone().alone().lost_in(&is.clone().alone()),
            Likeness::Said | Likeness::Variant | Likeness::Equal(_) => was.lost_in(is),
        }
    }

    /// Returns what is not alike.
    fn lost(&self, error: &E, back: &E) -> Option<(&'static str, Option<Parting>)> {
        let is_same_variant = discriminant(error) == discriminant(back);
        match self {
            Likeness::Said | Likeness::SaidItself => None,
            Likeness::Variant | Likeness::Equal(_) if !is_same_variant => {
                Some(("comes back as another variant of its type", None))
            }
            Likeness::Equal(equal) => equal(error, back).err().map(|parting| (UNEQUAL, Some(parting))),
            Likeness::Variant => None,
        }
    }
}

impl<E> ErrorCodec<E> for ByDescription<E> {
    fn encode(&self, error: &E) -> Result<Json, Unwritable> {
        let described = (self.describe)(error);
        let written = described.to_json(None)?;
        let back = ReplayedError::from_json(&written)
            .map(self.rebuild)
            .map_err(|error| Unwritable::error(format!("what is written does not read back: {error}")))?;
        if let Some(what) = self.likeness.unsaid(&described, &(self.describe)(&back)) {
            let part = match self.likeness {
                Likeness::Said => Part::Text,
                Likeness::SaidItself => Part::Description,
                Likeness::Variant | Likeness::Equal(_) => Part::OwnError,
            };
            return Err(Unwritable { part, ..Unwritable::whole(what) });
        }
        if let Some(what) = self.layers.and_then(|layers| lost(&layers(error), &layers(&back))) {
            return Err(Unwritable::error(what));
        }
        match self.likeness.lost(error, &back) {
            Some((what, parting)) => {
                let parting = parting.map(Box::new);
                Err(Unwritable { parting, ..Unwritable::own_error(format!("the error `{described}` {what}")) })
            }
            None => Ok(written),
        }
    }

    fn decode(&self, json: &Json) -> Result<E, Misread> {
        if ReplayedError::value(json).is_some() {
            return Err(other_type(json, type_name::<E>()));
        }
        let recorded = ReplayedError::from_json(json)?;
        let now = (self.describe)(&(self.rebuild)(recorded.clone())).type_name;
        if recorded.is_of(&now) { self.back(&recorded) } else { Err(other_type(json, &now)) }
    }

    fn missed(&self, error: ReplayedError) -> Option<E> {
        Some((self.rebuild)(error))
    }
}

impl<E> ByType<E> {
    /// Returns the codec of errors that may be of these types, others being described and rebuilt so.
    pub fn new(types: Vec<Known<E>>, others: ByDescription<E>) -> ByType<E> {
        ByType { types, others }
    }
}

impl<E> ErrorCodec<E> for ByType<E> {
    fn encode(&self, error: &E) -> Result<Json, Unwritable> {
        let one = |known: &Known<E>| Some((known.type_name, (known.encode)(error)?));
        let Some((type_name, (text, value))) = self.types.iter().find_map(one) else {
            return self.others.encode(error);
        };
        let described = (self.others.describe)(error);
        let mut contexts = described.texts();
        contexts.truncate(contexts.iter().position(|context| *context == text).unwrap_or(contexts.len()));
        let beneath = ReplayedError { source: None, ..described.clone() };
        let found = ReplayedError { type_name: type_name.to_owned(), ..beneath }.beneath(contexts, text);
        let written = found.to_json(Some(value?))?;
        match self.decode(&written).map(|back| (self.others.describe)(&back).texts()) {
            Ok(texts) if texts == described.texts() => Ok(written),
            Ok(texts) => {
                let (was, is) = (described.texts().join(": "), texts.join(": "));
                Err(Unwritable::error(format!("the error `{was}` reads back as `{is}`")))
            }
            Err(error) => Err(Unwritable::error(format!("what is written does not read back: {error}"))),
        }
    }

    fn decode(&self, json: &Json) -> Result<E, Misread> {
        let error = ReplayedError::from_json(json)?;
        let known = self.types.iter().find(|known| known.type_name == error.type_name);
        match (known, ReplayedError::value(json)) {
            (Some(known), Some(value)) => {
                let mut contexts = error.texts();
                contexts.pop();
                Ok(contexts.into_iter().rev().fold((known.decode)(value)?, known.context))
            }
            (None, Some(_)) => {
                Err(Misread::whole(format!("the error is a {}, which `errors(..)` does not name", error.type_name)))
            }
            // One that is not told apart is named as it names itself, whatever it is within.
            (_, None) if error.names_itself() => self.others.back(&error),
            (_, None) => self.others.decode(json),
        }
    }

    fn missed(&self, error: ReplayedError) -> Option<E> {
        self.others.missed(error)
    }
}

impl<E> Known<E> {
    /// Returns the type `M`, of errors which are written and read so, and get a context so.
    pub fn new<M>(encode: Encode<E>, decode: fn(&Json) -> Result<E, Misread>, context: fn(E, String) -> E) -> Known<E> {
        Known { type_name: type_name::<M>(), encode, decode, context }
    }
}

/// Returns that an error was recorded of another type than it has now.
fn other_type(recorded: &Json, now: &str) -> Misread {
    let was = recorded.get("type").and_then(Json::as_str).unwrap_or_default();
    let was = if was.is_empty() { "an error without a type" } else { &was };
    Misread::whole(format!("the error was recorded as {was}, and the function gives {now}"))
}
