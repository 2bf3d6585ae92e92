//! Values from JSON, every number from its own text.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::compare::SHUFFLED;
use super::key::Key;
use crate::json::{Json, Layout, Member, Number, Text};
use crate::path::{Path, Step};

/// The name under which `serde_json` asks for a value's own text.
const RAW: &str = "$serde_json::private::RawValue";

/// Why JSON does not read as a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The way to the place, the last step first.
    steps: Vec<Step>,
    /// What the type said.
    pub what: String,
}

impl Misread {
    /// Returns that this is wrong with the whole.
    pub(super) fn whole(what: impl Into<String>) -> Misread {
        Misread { steps: Vec::new(), what: what.into() }
    }

    /// Returns the place, as reports name it; empty for the whole.
    pub fn path(&self) -> String {
        let steps: Vec<_> = self.steps.iter().rev().cloned().collect();
        if steps.is_empty() { String::new() } else { Path::Body(steps).to_string() }
    }

    /// Returns whether it is that elements are read in another order, as those of a set are.
    pub(crate) fn is_of_order(&self) -> bool {
        self.what == SHUFFLED
    }

    /// Returns the same of what stands below this step.
    pub(super) fn below(mut self, step: Step) -> Misread {
        self.steps.push(step);
        self
    }
}

impl Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path().as_str() {
            "" => f.write_str(&self.what),
            path => write!(f, "{path}: {}", self.what),
        }
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    fn custom<T: Display>(what: T) -> Misread {
        Misread::whole(what.to_string())
    }
}

/// Reads a value.
///
/// # Errors
///
/// Fails with the place where the JSON does not fit the type.
pub fn read<T: DeserializeOwned>(json: &Json) -> Result<T, Misread> {
    T::deserialize(json)
}

/// Reads a value that may borrow: nothing is ever lent to it.
pub(super) fn read_lasting<T: Deserialize<'static>>(json: &Json) -> Result<T, Misread> {
    T::deserialize(json)
}

impl<'de> Deserializer<'de> for &Json {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Number(number) => visit_number(number, visitor),
            Json::String(text) => visit_text(text, visitor),
            Json::Array(elements) => {
                let mut elements = Elements { elements: elements.iter(), next: 0 };
                let value = visitor.visit_seq(&mut elements)?;
                match elements.elements.len() {
                    0 => Ok(value),
                    left => Err(de::Error::invalid_length(elements.next + left, &"fewer elements")),
                }
            }
            Json::Object(members) => visitor.visit_map(Members { members: members.iter(), value: None }),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self {
            // By way of a longer float it would be rounded twice.
            Json::Number(number) => match number.source().parse::<f32>() {
                Ok(value) => visitor.visit_f32(value),
                Err(_) => visit_number(number, visitor),
            },
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self {
            Json::Null => visitor.visit_none(),
            some => visitor.visit_some(some),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Misread> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        visitor.visit_map(MapDeserializer::new(std::iter::once((RAW, self.print(Layout::Compact)))))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        match self {
            Json::String(text) => visitor.visit_enum(Variant { name: text, content: None }),
            Json::Object(members) => match members.as_slice() {
                [(name, content)] => visitor.visit_enum(Variant { name, content: Some(content) }),
                _ => Err(de::Error::invalid_length(members.len(), &"one member, the variant's")),
            },
            other => Err(de::Error::invalid_type(unexpected(other), &"the name of a variant, or an object with it")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Misread> {
    let source = number.source();
    // A negative zero is none of the whole numbers.
    if source.contains(['.', 'e', 'E']) || source == "-0" {
        return match source.parse() {
            Ok(value) => visitor.visit_f64(value),
            Err(_) => Err(Misread::whole(format!("{source} is no number"))),
        };
    }
    if let Ok(value) = source.parse() {
        visitor.visit_u64(value)
    } else if let Ok(value) = source.parse() {
        visitor.visit_i64(value)
    } else if let Ok(value) = source.parse() {
        visitor.visit_u128(value)
    } else if let Ok(value) = source.parse() {
        visitor.visit_i128(value)
    } else {
        Err(Misread::whole(format!("{source} is a whole number beyond any type")))
    }
}

fn visit_text<'de, V: Visitor<'de>>(text: &Text, visitor: V) -> Result<V::Value, Misread> {
    match text.value() {
        Cow::Borrowed(value) => visitor.visit_str(value),
        Cow::Owned(value) => visitor.visit_string(value),
    }
}

fn unexpected(json: &Json) -> de::Unexpected<'_> {
    match json {
        Json::Null => de::Unexpected::Unit,
        Json::Bool(value) => de::Unexpected::Bool(*value),
        Json::Number(number) => de::Unexpected::Other(number.source()),
        Json::String(_) => de::Unexpected::Other("string"),
        Json::Array(_) => de::Unexpected::Seq,
        Json::Object(_) => de::Unexpected::Map,
    }
}

/// The elements of an array.
struct Elements<'a> {
    elements: std::slice::Iter<'a, Json>,
    next: usize,
}

impl<'de> de::SeqAccess<'de> for &mut Elements<'_> {
    type Error = Misread;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misread> {
        let Some(element) = self.elements.next() else { return Ok(None) };
        self.next += 1;
        let step = Step::Element(self.next - 1);
        seed.deserialize(element).map(Some).map_err(|error| error.below(step))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

/// The members of an object.
struct Members<'a> {
    members: std::slice::Iter<'a, Member>,
    value: Option<&'a Member>,
}

impl<'de> de::MapAccess<'de> for Members<'_> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misread> {
        self.value = self.members.next();
        let Some((name, _)) = self.value else { return Ok(None) };
        let step = || Step::Member(name.value().into_owned());
        seed.deserialize(Key::new(name)).map(Some).map_err(|error| error.below(step()))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Misread> {
        let Some((name, value)) = self.value.take() else { return Err(Misread::whole("a value without a key")) };
        seed.deserialize(value).map_err(|error| error.below(Step::Member(name.value().into_owned())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// A variant of an enum.
struct Variant<'a> {
    name: &'a Text,
    content: Option<&'a Json>,
}

impl<'de, 'a> de::EnumAccess<'de> for Variant<'a> {
    type Error = Misread;
    type Variant = Variant<'a>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Variant<'a>), Misread> {
        let name = self.name.value();
        let name: StrDeserializer<'_, Misread> = name.as_ref().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'a> Variant<'a> {
    fn content(&self) -> Result<&'a Json, Misread> {
        let name = self.name.value();
        self.content.ok_or_else(|| Misread::whole(format!("the variant `{name}` is without its content")))
    }

    fn within(&self, error: Misread) -> Misread {
        error.below(Step::Member(self.name.value().into_owned()))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_> {
    type Error = Misread;

    fn unit_variant(self) -> Result<(), Misread> {
        match self.content {
            None | Some(Json::Null) => Ok(()),
            Some(other) => Err(self.within(de::Error::invalid_type(unexpected(other), &"a variant without content"))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Misread> {
        seed.deserialize(self.content()?).map_err(|error| self.within(error))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misread> {
        self.content()?.deserialize_any(visitor).map_err(|error| self.within(error))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Misread> {
        self.content()?.deserialize_any(visitor).map_err(|error| self.within(error))
    }
}
