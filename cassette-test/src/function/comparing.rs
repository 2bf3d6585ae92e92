//! How what a function returns is compared with what is read back of it, asked of the type where it is written down.
//!
//! The expansion calls `equal` on `&&&&&&Comparing`, and the compiler takes the first of these traits that fits. Serde may leave out
//! a part of a value or an error without a word; where they can be compared, that is seen.

use std::marker::PhantomData;

use cassette_core::function::Equal;

/// What a function returns, to be compared.
#[derive(Debug)]
pub struct Comparing<R>(PhantomData<fn() -> R>);

/// How the values and the errors of a `Result` are compared, where they can be.
#[derive(Debug)]
pub struct Equals<T, E> {
    /// How values are.
    pub(super) values: Option<Equal<T>>,
    /// How errors are.
    pub(super) errors: Option<Equal<E>>,
}

impl<R> Comparing<R> {
    /// Returns a question about this type.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the expansion names the type, and nothing else")]
    pub fn new() -> Comparing<R> {
        Comparing(PhantomData)
    }
}

/// Writes a trait whose one method tells how something is compared.
macro_rules! tellers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        pub trait $name {
            /// The answer.
            type Equal;
            /// Returns how it is compared.
            fn equal(&self) -> Self::Equal;
        })*
    };
}

tellers! {
    /// Knows a `Result` whose values and errors can be compared.
    TellsBoth;
    /// Knows a `Result` whose values can be compared.
    TellsValues;
    /// Knows a `Result` whose errors can be compared.
    TellsErrors;
    /// Knows a `Result` of which nothing can be compared.
    TellsNeither;
    /// Knows what is no `Result`, and can be compared.
    TellsWhole;
    /// Knows what cannot be compared.
    Unequal;
}

/// Says how a `Result` with such values and errors is compared.
macro_rules! of_results {
    ($($name:ident on $on:ty, [$($value:ident)?] [$($error:ident)?], $values:expr, $errors:expr;)*) => {
        $(impl<T $(: $value)?, E $(: $error)?> $name for $on {
            type Equal = Equals<T, E>;

            fn equal(&self) -> Equals<T, E> {
                Equals { values: $values, errors: $errors }
            }
        })*
    };
}

of_results! {
    TellsBoth on &&&&&Comparing<Result<T, E>>, [PartialEq] [PartialEq], Some(T::eq), Some(E::eq);
    TellsValues on &&&&Comparing<Result<T, E>>, [PartialEq] [], Some(T::eq), None;
    TellsErrors on &&&Comparing<Result<T, E>>, [] [PartialEq], None, Some(E::eq);
    TellsNeither on &&Comparing<Result<T, E>>, [] [], None, None;
}

impl<R: PartialEq> TellsWhole for &Comparing<R> {
    type Equal = Option<Equal<R>>;

    fn equal(&self) -> Option<Equal<R>> {
        Some(R::eq)
    }
}

impl<R> Unequal for Comparing<R> {
    type Equal = Option<Equal<R>>;

    fn equal(&self) -> Option<Equal<R>> {
        None
    }
}
