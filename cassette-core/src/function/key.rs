//! The name of a member, read as the key of a map: JSON writes numbers and booleans there as texts.

use std::borrow::Cow;

use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::read::Misread;
use crate::json::Text;

/// The name of a member.
pub(super) struct Key<'a> {
    name: &'a Text,
}

impl<'a> Key<'a> {
    /// Returns the key of this name.
    pub(super) fn new(name: &'a Text) -> Key<'a> {
        Key { name }
    }
}

/// Writes the methods that parse what stands in the text; what is none is a text, for the type to refuse.
macro_rules! parsed {
    ($($method:ident: $visit:ident),*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
            match self.name.value().parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => self.deserialize_any(visitor),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = Misread;

    parsed!(deserialize_bool: visit_bool, deserialize_i8: visit_i8, deserialize_i16: visit_i16);
    parsed!(deserialize_i32: visit_i32, deserialize_i64: visit_i64, deserialize_i128: visit_i128);
    parsed!(deserialize_u8: visit_u8, deserialize_u16: visit_u16, deserialize_u32: visit_u32);
    parsed!(deserialize_u64: visit_u64, deserialize_u128: visit_u128);
    parsed!(deserialize_f32: visit_f32, deserialize_f64: visit_f64);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.name.value() {
            Cow::Borrowed(name) => visitor.visit_str(name),
            Cow::Owned(name) => visitor.visit_string(name),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        let text = self.name.value();
        let text: StrDeserializer<'_, Misread> = text.as_ref().into_deserializer();
        text.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
