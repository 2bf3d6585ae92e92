//! Which codec fits what a function returns, asked of the type where it is written down: in the expansion.
//!
//! The expansion calls `codec` on `&&&&&&&&Returned`, and the compiler takes the first of these traits that fits, the most referenced one first: an error goes by [`ReplayedError`] where it can be made of one, else by serde.

use std::convert::Infallible;
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;
use std::time::Duration;

use cassette_core::function::{
    ByDescription, BySerde, ByType, Codec, Encode, Fallible, Known, Misread, Plain, ReplayedError, Unwritable, layers,
    layers_beneath, layers_lent, rebuilt,
};
use cassette_core::json::Json;
use cassette_core::reply::Reply;
use cassette_core::report::Report;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::comparing::Equals;
use super::named::Describing;
use crate::abandon::never;

/// What a function returns.
#[derive(Debug)]
pub struct Returned<R>(PhantomData<fn() -> R>);

/// A type of which a recording can be made. It is implemented for none: what can be recorded is found by other traits first, and
/// this one says what is missing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be recorded: nothing rebuilds it on replay",
    label = "neither serde nor `ReplayedError` rebuilds this",
    note = "a value needs `Serialize` and `DeserializeOwned`; an error needs these, or `From<ReplayedError>` and `Display`",
    note = "the error of another crate has neither: `describe = .., rebuild = ..` in the attribute says how it comes back, or wrap it in a type of yours",
    note = "in a generic function say how the error is rebuilt: `error = \"serde\"` or `error = \"from\"`"
)]
pub trait Recordable {}

impl<R> Returned<R> {
    /// Returns a question about this type.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the expansion names the type, and nothing else")]
    pub fn new() -> Returned<R> {
        Returned(PhantomData)
    }
}

impl<T: Serialize + DeserializeOwned, E> Returned<Result<T, E>> {
    /// Returns the codec whose errors go by serde: `error = "serde"`.
    pub fn by_serde(&self, equal: Equals<T, E>) -> Fallible<T, BySerde<E>>
    where
        E: Serialize + DeserializeOwned,
    {
        Fallible::new(equal.values, BySerde::new(equal.shown_errors, None))
    }

    /// Returns the codec whose errors are rebuilt from what is known of them: `error = "from"`.
    pub fn by_from(&self, equal: Equals<T, E>) -> Fallible<T, ByDescription<E>>
    where
        E: From<ReplayedError> + Display + 'static,
    {
        let by = ByDescription::new(ReplayedError::of_displayed, rebuilt::<E>).with(layers);
        let errors = equal.of_displayed();
        Fallible::new(equal.values, by.exactly(errors))
    }

    /// Returns the codec whose errors are described and rebuilt so: `describe = .., rebuild = ..`.
    pub fn by_functions(
        &self,
        equal: Equals<T, E>,
        describe: fn(&E) -> ReplayedError,
        rebuild: fn(ReplayedError) -> E,
    ) -> Fallible<T, ByDescription<E>> {
        Fallible::new(equal.values, ByDescription::new(describe, rebuild).exactly(equal.errors))
    }

    /// Returns the codec whose errors may be of these types: `errors(..)`. Others are described so.
    pub fn by_type<const N: usize>(
        &self,
        equal: Equals<T, E>,
        types: [Known<E>; N],
        describing: Describing<E>,
    ) -> Fallible<T, ByType<E>>
    where
        E: From<ReplayedError> + 'static,
    {
        let others = match describing {
            Describing::Itself(describe) => ByDescription::new(describe, rebuilt::<E>).itself(),
            Describing::Shown(describe) => ByDescription::new(describe, rebuilt::<E>),
        };
        Fallible::new(equal.values, ByType::new(types.into(), others))
    }

    /// Returns the type `M` that an error may be of.
    pub fn known<M>(
        &self,
        encode: Encode<E>,
        decode: fn(&Json) -> Result<E, Misread>,
        context: fn(E, String) -> E,
    ) -> Known<E> {
        Known::new::<M>(encode, decode, context)
    }
}

/// Writes a trait whose one method chooses a codec.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        pub trait $name {
            /// What the codec wants to know: how what is given is compared.
            type Equal;
            /// The codec.
            type Codec;
            /// Returns the codec.
            fn codec(&self, equal: Self::Equal) -> Self::Codec;
        })*
    };
}

choices! {
    /// Knows an error that says itself what is known of it.
    ByOwnDescription;
    /// Knows an error.
    ByError;
    /// Knows an error of no particular type.
    ByAnyError;
    /// Knows what can be shown.
    ByDisplay;
    /// Knows what serde writes, and what can be shown.
    BySerdeShown;
    /// Knows what serde writes.
    BySerdeAlone;
    /// Knows what is no `Result`.
    ByValue;
}

impl<T: Serialize + DeserializeOwned, E: From<ReplayedError>> ByOwnDescription for &&&&&&&Returned<Result<T, E>>
where
    for<'a> ReplayedError: From<&'a E>,
{
    type Equal = Equals<T, E>;
    type Codec = Fallible<T, ByDescription<E>>;

    fn codec(&self, equal: Equals<T, E>) -> Self::Codec {
        let by = ByDescription::new(|error| ReplayedError::from(error), E::from);
        Fallible::new(equal.values, by.exactly(equal.shown_errors))
    }
}

impl<T: Serialize + DeserializeOwned, E: From<ReplayedError> + Error + 'static> ByError
    for &&&&&&Returned<Result<T, E>>
{
    type Equal = Equals<T, E>;
    type Codec = Fallible<T, ByDescription<E>>;

    fn codec(&self, equal: Equals<T, E>) -> Self::Codec {
        let by = ByDescription::new(ReplayedError::of, E::from).with(layers_beneath);
        Fallible::new(equal.values, by.exactly(equal.shown_errors))
    }
}

impl<T, E> ByAnyError for &&&&&Returned<Result<T, E>>
where
    T: Serialize + DeserializeOwned,
    E: From<ReplayedError> + AsRef<dyn Error + Send + Sync> + Display + 'static,
{
    type Equal = Equals<T, E>;
    type Codec = Fallible<T, ByDescription<E>>;

    fn codec(&self, equal: Equals<T, E>) -> Self::Codec {
        let describe = |error: &E| ReplayedError::of_dyn(std::any::type_name::<E>(), error.as_ref());
        let by = ByDescription::new(describe, rebuilt::<E>).with(layers_lent).exactly(equal.of_displayed());
        Fallible::new(equal.values, by)
    }
}

impl<T: Serialize + DeserializeOwned, E: From<ReplayedError> + Display + 'static> ByDisplay
    for &&&&Returned<Result<T, E>>
{
    type Equal = Equals<T, E>;
    type Codec = Fallible<T, ByDescription<E>>;

    fn codec(&self, equal: Equals<T, E>) -> Self::Codec {
        Returned::<Result<T, E>>::new().by_from(equal)
    }
}

impl<T: Serialize + DeserializeOwned, E: Serialize + DeserializeOwned + Display> BySerdeShown
    for &&&Returned<Result<T, E>>
{
    type Equal = Equals<T, E>;
    type Codec = Fallible<T, BySerde<E>>;

    fn codec(&self, equal: Equals<T, E>) -> Self::Codec {
        Fallible::new(equal.values, BySerde::new(equal.shown_errors, Some(E::to_string)))
    }
}

impl<T: Serialize + DeserializeOwned, E: Serialize + DeserializeOwned> BySerdeAlone for &&Returned<Result<T, E>> {
    type Equal = Equals<T, E>;
    type Codec = Fallible<T, BySerde<E>>;

    fn codec(&self, equal: Equals<T, E>) -> Self::Codec {
        Returned::<Result<T, E>>::new().by_serde(equal)
    }
}

impl<R: Serialize + DeserializeOwned> ByValue for &Returned<R> {
    type Equal = Equals<R, Infallible>;
    type Codec = Plain<R>;

    fn codec(&self, equal: Equals<R, Infallible>) -> Plain<R> {
        Plain::new(equal.values)
    }
}

/// Says what is missing of a type that nothing else knows.
pub trait Otherwise<R> {
    /// Returns a codec that is never asked: where this is called, nothing compiles.
    fn codec<Q>(&self, equal: Q) -> Unrecordable
    where
        R: Recordable;
}

/// The codec of what cannot be recorded.
#[derive(Debug)]
pub struct Unrecordable;

impl<R> Otherwise<R> for Returned<R> {
    fn codec<Q>(&self, _: Q) -> Unrecordable
    where
        R: Recordable,
    {
        Unrecordable
    }
}

impl<R> Codec<R> for Unrecordable {
    fn encode(&self, _: &R, _: Duration) -> Result<Reply, Unwritable> {
        never()
    }

    fn decode(&self, _: &Reply) -> Result<R, Misread> {
        never()
    }

    fn missed(&self, _: &Report) -> Option<R> {
        None
    }
}
