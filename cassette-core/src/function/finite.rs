//! The search for what JSON has no word for: numbers, which `serde_json` writes as `null`, so that an `Option` reads them back as
//! nothing and no comparison of texts would notice, and keys of maps, of which `serde_json` does not say where they are.

use std::fmt::Display;

use serde::ser::{self, Serialize, Serializer};

use super::write::{Part, Unwritable};
use crate::path::member;

/// Fails with the place of the first number that is not finite, or map whose keys are no texts.
pub(super) fn finite<T: Serialize + ?Sized>(value: &T) -> Result<(), Unwritable> {
    value.serialize(&mut Walk { path: String::new() })
}

/// Where the walk is.
struct Walk {
    path: String,
}

/// A walk through something with parts.
struct Parts<'a> {
    walk: &'a mut Walk,
    /// The length of the path to the whole.
    whole: usize,
    element: usize,
    key: String,
}

impl ser::Error for Unwritable {
    fn custom<T: Display>(what: T) -> Unwritable {
        Unwritable::whole(what.to_string())
    }
}

impl Walk {
    fn parts(&mut self) -> Result<Parts<'_>, Unwritable> {
        let whole = self.path.len();
        Ok(Parts { walk: self, whole, element: 0, key: String::new() })
    }

    /// Enters the one member of an enum's variant.
    fn variant(&mut self, variant: &str) -> Result<Parts<'_>, Unwritable> {
        self.path = member(&self.path, variant);
        self.parts()
    }

    fn number(&self, number: f64) -> Result<(), Unwritable> {
        let what = || format!("JSON has no word for {number}");
        if number.is_finite() {
            Ok(())
        } else {
            Err(Unwritable { path: self.path.clone(), ..Unwritable::whole(what()) })
        }
    }
}

impl Parts<'_> {
    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Unwritable> {
        self.walk.path = member(&self.walk.path, name);
        self.below(value)
    }

    fn next<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.walk.path.push_str(&format!("[{}]", self.element));
        self.element += 1;
        self.below(value)
    }

    fn below<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        value.serialize(&mut *self.walk)?;
        self.walk.path.truncate(self.whole);
        Ok(())
    }
}

/// Writes the methods of a serializer that have nothing to find.
macro_rules! plain {
    ($($method:ident: $kind:ty),*) => {
        $(fn $method(self, _: $kind) -> Result<(), Unwritable> {
            Ok(())
        })*
    };
}

impl<'a> Serializer for &'a mut Walk {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    plain!(serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64);
    plain!(serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);
    plain!(serialize_u128: u128, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8]);
    plain!(serialize_unit_struct: &'static str);

    fn serialize_f32(self, number: f32) -> Result<(), Unwritable> {
        self.number(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Unwritable> {
        self.number(number)
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Unwritable> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        let whole = self.path.len();
        self.path = member(&self.path, variant);
        value.serialize(&mut *self)?;
        self.path.truncate(whole);
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Unwritable> {
        self.parts()
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Unwritable> {
        self.parts()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Unwritable> {
        self.parts()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Unwritable> {
        self.variant(variant)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, Unwritable> {
        self.parts()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Unwritable> {
        self.parts()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Unwritable> {
        self.variant(variant)
    }
}

/// Writes the traits of sequences.
macro_rules! elements {
    ($($of:ident: $method:ident),*) => {
        $(impl ser::$of for Parts<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
                self.next(value)
            }

            fn end(self) -> Result<(), Unwritable> {
                Ok(())
            }
        })*
    };
}

/// Writes the traits of structs.
macro_rules! fields {
    ($($of:ident),*) => {
        $(impl ser::$of for Parts<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Unwritable> {
                self.named(name, value)
            }

            fn end(self) -> Result<(), Unwritable> {
                Ok(())
            }
        })*
    };
}

elements!(SerializeSeq: serialize_element, SerializeTuple: serialize_element);
elements!(SerializeTupleStruct: serialize_field, SerializeTupleVariant: serialize_field);
fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        let key = serde_json::to_string(key).unwrap_or_default();
        // What else is no key for JSON fails when it is written.
        if key == "null" || key.starts_with(['[', '{']) {
            let what = "its keys are no texts, and JSON knows none else".to_owned();
            return Err(Unwritable { path: self.walk.path.clone(), part: Part::Keys, ..Unwritable::whole(what) });
        }
        self.key = key.trim_matches('"').to_owned();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        let key = std::mem::take(&mut self.key);
        self.named(&key, value)
    }

    fn end(self) -> Result<(), Unwritable> {
        Ok(())
    }
}
