//! How what a function returns is compared with what is read back of it, asked of the type where it is written down.
//!
//! The expansion calls `equal` on `&&&&Comparing`, and the compiler takes the first of these traits that fits. Serde may leave out
//! a part of a value without a word; where values can be compared, that is seen.

use std::marker::PhantomData;

use cassette_core::function::Equal;

/// What a function returns, to be compared.
#[derive(Debug)]
pub struct Comparing<R>(PhantomData<fn() -> R>);

impl<R> Comparing<R> {
    /// Returns a question about this type.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the expansion names the type, and nothing else")]
    pub fn new() -> Comparing<R> {
        Comparing(PhantomData)
    }
}

/// Knows how the values of a `Result` are compared.
pub trait TellsResults {
    /// The values.
    type Value;
    /// Returns how they are compared.
    fn equal(&self) -> Option<Equal<Self::Value>>;
}

/// Knows that the values of a `Result` cannot be compared.
pub trait UnequalResults {
    /// The values.
    type Value;
    /// Returns nothing.
    fn equal(&self) -> Option<Equal<Self::Value>>;
}

/// Knows how values are compared.
pub trait TellsValues {
    /// The values.
    type Value;
    /// Returns how they are compared.
    fn equal(&self) -> Option<Equal<Self::Value>>;
}

/// Knows that values cannot be compared.
pub trait Unequal {
    /// The values.
    type Value;
    /// Returns nothing.
    fn equal(&self) -> Option<Equal<Self::Value>>;
}

impl<T: PartialEq, E> TellsResults for &&&Comparing<Result<T, E>> {
    type Value = T;

    fn equal(&self) -> Option<Equal<T>> {
        Some(T::eq)
    }
}

impl<T, E> UnequalResults for &&Comparing<Result<T, E>> {
    type Value = T;

    fn equal(&self) -> Option<Equal<T>> {
        None
    }
}

impl<R: PartialEq> TellsValues for &Comparing<R> {
    type Value = R;

    fn equal(&self) -> Option<Equal<R>> {
        Some(R::eq)
    }
}

impl<R> Unequal for Comparing<R> {
    type Value = R;

    fn equal(&self) -> Option<Equal<R>> {
        None
    }
}
