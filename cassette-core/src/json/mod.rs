//! A JSON tree that loses nothing.
//!
//! The text of every number and string is kept as it was written, and members keep their order, so a parsed body can be
//! printed back to the very same bytes. It is our own because switching on `serde_json`'s `preserve_order` or
//! `arbitrary_precision` would, through feature unification, change how the user's program reads and writes JSON.
//!
//! [`Json`] is the tree, [`Text`] a string and [`Number`] a number in it, [`Layout`] a way to print it.
//! Equality (`==`) is that of the written text; [`Json::canonical`] gives the text in which two documents agree exactly
//! when they mean the same: member order, white space, escapes and number spelling aside.

mod canonical;
mod number;
mod parse;
mod print;
mod style;
mod text;

pub(crate) use canonical::unnumbered;
pub use number::Number;
pub use parse::{JsonError, MAX_DEPTH};
pub use print::Layout;
pub use style::Style;
pub use text::Text;

use std::borrow::Cow;

/// One member of an object: its name and its value.
pub type Member = (Text, Json);

/// A JSON value that remembers how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, in its own spelling.
    Number(Number),
    /// A string, in its own escapes.
    String(Text),
    /// An array.
    Array(Vec<Json>),
    /// An object, its members in the order in which they were written. No name occurs twice.
    Object(Vec<Member>),
}

impl Json {
    /// Returns an object with these members, in this order.
    pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (Text::new(name), value)).collect())
    }

    /// Returns the member of this name, or `None` where there is none or this is no object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.members().iter().find(|(key, _)| key.is(name)).map(|(_, value)| value)
    }

    /// Returns the member of this name for change.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json> {
        match self {
            Json::Object(members) => members.iter_mut().find(|(key, _)| key.is(name)).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the members of an object; of anything else, none.
    pub fn members(&self) -> &[Member] {
        match self {
            Json::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements of an array; of anything else, none.
    pub fn elements(&self) -> &[Json] {
        match self {
            Json::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the value of a string.
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        match self {
            Json::String(text) => Some(text.value()),
            _ => None,
        }
    }

    /// Returns a whole number that is not negative and fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Json::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    /// Returns the value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Json {
        Json::String(Text::new(value))
    }
}

impl From<String> for Json {
    fn from(value: String) -> Json {
        Json::String(Text::new(&value))
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Number(Number::from(value))
    }
}

impl From<u128> for Json {
    fn from(value: u128) -> Json {
        Json::Number(Number::from(value))
    }
}

impl From<Vec<Json>> for Json {
    fn from(value: Vec<Json>) -> Json {
        Json::Array(value)
    }
}

#[cfg(test)]
mod tests;
