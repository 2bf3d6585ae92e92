//! How what a function returns is compared with what is read back of it, asked of the type where it is written down. Serde may leave out
//! a part of a value or an error without a word; where they can be compared, that is seen.
//!
//! The expansion calls `parts` on `&&Comparing`, and of what that gives `alike` on `&&&Part` and `equal` on `&&Part`: the compiler takes the
//! first of these traits that fits. Of what is lent, and of an error that is named, it asks a `Part` alone.

use std::convert::Infallible;
use std::fmt::Debug;
use std::marker::PhantomData;

use cassette_core::function::{Equal, equal, is_holder};

use super::shown::shown_alike;

/// What a function returns, to be compared.
#[derive(Debug)]
pub struct Comparing<R>(PhantomData<fn() -> R>);

/// The values and the errors of what a function returns.
#[derive(Debug)]
pub struct Parts<T, E> {
    /// Its values.
    pub values: Part<T>,
    /// Its errors, if it has any.
    pub errors: Part<E>,
}

/// One of them, to be compared.
#[derive(Debug)]
pub struct Part<T: ?Sized>(PhantomData<fn(&T)>);

/// How the values and the errors of what a function returns are compared, where they can be.
#[derive(Debug)]
pub struct Equals<T, E> {
    /// How values are.
    pub values: Option<Equal<T>>,
    /// How errors are that say themselves whether they are equal.
    pub errors: Option<Equal<E>>,
    /// How errors are, those too that only show what they are.
    pub shown_errors: Option<Equal<E>>,
}

impl<R> Comparing<R> {
    /// Returns a question about this type.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the expansion names the type, and nothing else")]
    pub fn new() -> Comparing<R> {
        Comparing(PhantomData)
    }
}

impl<T, E: 'static> Equals<T, E> {
    /// Returns how errors are compared whose type says nothing of itself but its text.
    pub(super) fn of_displayed(&self) -> Option<Equal<E>> {
        if is_holder::<E>() { self.errors } else { self.shown_errors }
    }
}

impl<T: ?Sized> Part<T> {
    /// Returns a question about this type.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the expansion names the type, and nothing else")]
    pub fn new() -> Part<T> {
        Part(PhantomData)
    }
}

impl<T, E> Parts<T, E> {
    fn new() -> Parts<T, E> {
        Parts { values: Part::new(), errors: Part::new() }
    }
}

/// Knows a `Result`.
pub trait TakenApart {
    /// Its values and errors.
    type Parts;
    /// Returns them.
    fn parts(&self) -> Self::Parts;
}

impl<T, E> TakenApart for &Comparing<Result<T, E>> {
    type Parts = Parts<T, E>;

    fn parts(&self) -> Parts<T, E> {
        Parts::new()
    }
}

/// Knows what is no `Result`.
pub trait TakenWhole {
    /// It, without errors.
    type Parts;
    /// Returns it.
    fn parts(&self) -> Self::Parts;
}

impl<R> TakenWhole for Comparing<R> {
    type Parts = Parts<R, Infallible>;

    fn parts(&self) -> Parts<R, Infallible> {
        Parts::new()
    }
}

/// Writes traits whose one method tells how something is compared, and for what each is.
macro_rules! tellers {
    ($($(#[$doc:meta])* $name:ident: $method:ident on $on:ty where [$($bound:ident)?] => $equal:expr;)*) => {
        $($(#[$doc])*
        pub trait $name<T: ?Sized> {
            /// Returns how it is compared.
            fn $method(&self) -> Option<Equal<T>>;
        }

        impl<T: ?Sized $(+ $bound)?> $name<T> for $on {
            fn $method(&self) -> Option<Equal<T>> {
                $equal
            }
        })*
    };
}

tellers! {
    /// Knows what says itself whether it is equal.
    AlikeByEquality: alike on &&Part<T> where [PartialEq] => Some(equal::<T>);
    /// Knows what can be shown.
    AlikeByDebug: alike on &Part<T> where [Debug] => Some(shown_alike::<T>);
    /// Knows what cannot be compared.
    NotAlike: alike on Part<T> where [] => None;
    /// Knows what says itself whether it is equal, and nothing else: what an error shows of those beneath it is not what comes back.
    EqualByEquality: equal on &Part<T> where [PartialEq] => Some(equal::<T>);
    /// Knows what cannot be compared.
    NotEqual: equal on Part<T> where [] => None;
}
