//! How an error of a named type is written and read, and how one of no particular type is described, asked of the types where
//! `errors(..)` names them.
//!
//! The expansion calls `write` and `read` on `&&&&Named`, the former with how errors of the type are compared, and `describe` on
//! `&&&Returned`: the compiler takes the first of these traits that fits.

use std::any::type_name;
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;

use cassette_core::function::{
    ByDescription, Equal, ErrorCodec as _, Misread, ReplayedError, Unwritable, faithful_error, read, restored,
};
use cassette_core::json::Json;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::returned::Returned;
use crate::abandon::never;

/// A type that `errors(..)` may name. It is implemented for none: what can be named is found by other traits first, and this one says
/// what is missing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in `errors(..)`: nothing brings it back on replay",
    label = "neither serde nor `ReplayedError` rebuilds this",
    note = "an error of your own needs `Serialize` and `DeserializeOwned`, or `Error` and `From<ReplayedError>`; `std::io::Error` has the latter",
    note = "leave one of another crate out where the program does not tell it apart; else put it into a type of your own before it becomes an error of no particular type"
)]
pub trait Nameable {}

/// A type that an error may be of.
#[derive(Debug)]
pub struct Named<M>(PhantomData<fn() -> M>);

impl<M> Named<M> {
    /// Returns a question about this type.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the expansion names the type, and nothing else")]
    pub fn new() -> Named<M> {
        Named(PhantomData)
    }
}

/// Writes a trait that writes and reads errors.
macro_rules! ways {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        pub trait $name {
            /// The type.
            type Error;

            /// Writes an error.
            ///
            /// # Errors
            ///
            /// Fails where it would not come back as it is.
            fn write(&self, error: &Self::Error, equal: Option<Equal<Self::Error>>) -> Result<Json, Unwritable>;

            /// Reads an error.
            ///
            /// # Errors
            ///
            /// Fails where something else was recorded.
            fn read(&self, json: &Json) -> Result<Self::Error, Misread>;
        })*
    };
}

ways! {
    /// Knows an error that serde writes.
    NamedWritten;
    /// Knows an error that says itself what is known of it.
    NamedDescribed;
    /// Knows an error that is rebuilt from what is known of it, such as an `io::Error`.
    NamedRebuilt;
}

impl<M: Serialize + DeserializeOwned + Display> NamedWritten for &&&Named<M> {
    type Error = M;

    fn write(&self, error: &M, equal: Option<Equal<M>>) -> Result<Json, Unwritable> {
        faithful_error(error, equal, &error.to_string())
    }

    fn read(&self, json: &Json) -> Result<M, Misread> {
        restored(json)
    }
}

impl<M: From<ReplayedError>> NamedDescribed for &&Named<M>
where
    for<'a> ReplayedError: From<&'a M>,
{
    type Error = M;

    fn write(&self, error: &M, equal: Option<Equal<M>>) -> Result<Json, Unwritable> {
        ByDescription::new(|error| ReplayedError::from(error), M::from).exactly(equal).encode(error)
    }

    fn read(&self, json: &Json) -> Result<M, Misread> {
        read::<ReplayedError>(json).map(M::from)
    }
}

impl<M: Error + From<ReplayedError> + 'static> NamedRebuilt for &Named<M> {
    type Error = M;

    fn write(&self, error: &M, equal: Option<Equal<M>>) -> Result<Json, Unwritable> {
        ByDescription::new(ReplayedError::of, M::from).exactly(equal).encode(error)
    }

    fn read(&self, json: &Json) -> Result<M, Misread> {
        read::<ReplayedError>(json).map(M::from)
    }
}

/// Says what is missing of a type that nothing else knows.
pub trait Unnameable<M> {
    /// Writes no error: where this is called, nothing compiles.
    ///
    /// # Errors
    ///
    /// Fails never.
    fn write(&self, error: &M, equal: Option<Equal<M>>) -> Result<Json, Unwritable>
    where
        M: Nameable;

    /// Reads no error: where this is called, nothing compiles.
    ///
    /// # Errors
    ///
    /// Fails never.
    fn read(&self, json: &Json) -> Result<M, Misread>
    where
        M: Nameable;
}

impl<M> Unnameable<M> for Named<M> {
    fn write(&self, _: &M, _: Option<Equal<M>>) -> Result<Json, Unwritable>
    where
        M: Nameable,
    {
        never()
    }

    fn read(&self, _: &Json) -> Result<M, Misread>
    where
        M: Nameable,
    {
        never()
    }
}

/// How an error is described that is of no named type.
#[derive(Debug)]
pub enum Describing<E> {
    /// As it says itself.
    Itself(fn(&E) -> ReplayedError),
    /// By this.
    Shown(fn(&E) -> ReplayedError),
}

/// Describes an error as it says itself.
pub trait DescribesItself<E> {
    /// Returns how.
    fn describe(&self) -> Describing<E>;
}

/// Describes an error with those beneath it.
pub trait DescribesBeneath<E> {
    /// Returns how.
    fn describe(&self) -> Describing<E>;
}

/// Describes an error by what it shows.
pub trait DescribesShown<E> {
    /// Returns how.
    fn describe(&self) -> Describing<E>;
}

impl<T, E> DescribesItself<E> for &&Returned<Result<T, E>>
where
    for<'a> ReplayedError: From<&'a E>,
{
    fn describe(&self) -> Describing<E> {
        Describing::Itself(|error| ReplayedError::from(error))
    }
}

impl<T, E: AsRef<dyn Error + Send + Sync> + 'static> DescribesBeneath<E> for &Returned<Result<T, E>> {
    fn describe(&self) -> Describing<E> {
        Describing::Shown(|error| ReplayedError::of_dyn(type_name::<E>(), error.as_ref()))
    }
}

impl<T, E: Display + 'static> DescribesShown<E> for Returned<Result<T, E>> {
    fn describe(&self) -> Describing<E> {
        Describing::Shown(ReplayedError::of_displayed)
    }
}

/// Stands in for the method of `anyhow::Error` where an error's type has none: a context is left out, which the recording notices.
pub trait AddsNoContext: Sized {
    /// Returns the error as it is.
    #[must_use]
    fn context(self, _: String) -> Self {
        self
    }
}

impl<E> AddsNoContext for E {}
