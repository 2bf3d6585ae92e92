//! How an argument is written, asked of its type where it is written down.
//!
//! The expansion calls `write` on `&&&&&&&&Argument`, and the compiler takes the first of these traits that fits: what can be read back and
//! compared, or shown, has to say which argument it is.
//!
//! They ask for `Deserialize<'static>`, since the compiler chooses without a look at lifetimes: a `&str` would seem to be read back as
//! one that lasts, and is in truth never read back at all.

use std::borrow::Borrow as _;
use std::fmt::Debug;

use cassette_core::function::{Unwritable, distinct, unordered, write};
use cassette_core::json::Json;
use serde::{Deserialize, Serialize};

use super::shown::is_shown_alike;

/// An argument, to be written.
#[derive(Debug)]
pub struct Argument<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Argument<'a, T> {
    /// Returns a question about this argument.
    #[must_use]
    pub fn new(argument: &'a T) -> Argument<'a, T> {
        Argument(argument)
    }
}

/// Writes a trait that writes an argument.
macro_rules! ways {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        pub trait $name {
            /// Writes it.
            ///
            /// # Errors
            ///
            /// Fails where it cannot be written, or does not say all.
            fn write(&self) -> Result<Json, Unwritable>;
        })*
    };
}

ways! {
    /// Knows a value that can be read back and compared.
    Comparable;
    /// Knows a reference to such a value.
    ComparableBeneath;
    /// Knows some such values in a row.
    ComparableRow;
    /// Knows a reference to what can be read back as something of one's own.
    ComparableOwned;
    /// Knows a value that can be read back and shown.
    Showable;
    /// Knows a reference to such a value.
    ShowableBeneath;
    /// Knows some such values in a row.
    ShowableRow;
}

/// Knows what can be written, if anything.
pub trait Incomparable<T: ?Sized> {
    /// Writes it.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    fn write(&self) -> Result<Json, Unwritable>
    where
        T: Writable;

    /// Writes its elements, which have no order of their own.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written, and where it is no sequence.
    fn sorted(&self) -> Result<Json, Unwritable>
    where
        T: Writable;
}

/// What serde writes. It is a trait of its own so that the compiler says what to do about an argument that serde does not.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{Self}` cannot be recorded: serde does not write it",
    label = "`{Self}` is not `Serialize`",
    note = "leave the argument out of the recording, `skip(..)` with its name in the attribute, if what is given does not depend on it",
    note = "or let `{Self}` implement `serde::Serialize`; `also(name = ..)` records a value in its place"
)]
pub trait Writable {
    /// Writes it.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    fn written(&self) -> Result<Json, Unwritable>;

    /// Writes its elements, sorted.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written, and where it is no sequence.
    fn written_sorted(&self) -> Result<Json, Unwritable>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> Writable for T {
    fn written(&self) -> Result<Json, Unwritable> {
        write(self)
    }

    fn written_sorted(&self) -> Result<Json, Unwritable> {
        unordered(self)
    }
}

impl<T: Serialize + Deserialize<'static> + PartialEq> Comparable for &&&&&&&Argument<'_, T> {
    fn write(&self) -> Result<Json, Unwritable> {
        distinct(self.0, |value: &T, back: &T| value == back)
    }
}

impl<T: Serialize + Deserialize<'static> + PartialEq> ComparableBeneath for &&&&&&Argument<'_, &T> {
    fn write(&self) -> Result<Json, Unwritable> {
        distinct(*self.0, |value: &T, back: &T| value == back)
    }
}

impl<T: Serialize + Deserialize<'static> + PartialEq> ComparableRow for &&&&&Argument<'_, &[T]> {
    fn write(&self) -> Result<Json, Unwritable> {
        distinct(*self.0, |value: &[T], back: &Vec<T>| value == back.as_slice())
    }
}

impl<T> ComparableOwned for &&&&Argument<'_, &T>
where
    T: Serialize + PartialEq + ToOwned<Owned: Serialize + Deserialize<'static>> + ?Sized,
{
    fn write(&self) -> Result<Json, Unwritable> {
        distinct(*self.0, |value: &T, back: &T::Owned| value == back.borrow())
    }
}

impl<T: Serialize + Deserialize<'static> + Debug> Showable for &&&Argument<'_, T> {
    fn write(&self) -> Result<Json, Unwritable> {
        distinct(self.0, is_shown_alike::<T>)
    }
}

impl<T: Serialize + Deserialize<'static> + Debug> ShowableBeneath for &&Argument<'_, &T> {
    fn write(&self) -> Result<Json, Unwritable> {
        distinct(*self.0, is_shown_alike::<T>)
    }
}

impl<T: Serialize + Deserialize<'static> + Debug> ShowableRow for &Argument<'_, &[T]> {
    fn write(&self) -> Result<Json, Unwritable> {
        distinct(*self.0, |value: &[T], back: &Vec<T>| is_shown_alike(value, back.as_slice()))
    }
}

impl<T: ?Sized> Incomparable<T> for Argument<'_, T> {
    fn write(&self) -> Result<Json, Unwritable>
    where
        T: Writable,
    {
        self.0.written()
    }

    fn sorted(&self) -> Result<Json, Unwritable>
    where
        T: Writable,
    {
        self.0.written_sorted()
    }
}
