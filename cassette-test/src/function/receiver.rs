//! Whose method is called: nothing of `self` is recorded, and two objects that are asked the same may say different things.
//!
//! The expansion calls `receiver` on `&&Whose`: the compiler takes the first of these traits that fits.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Debug;
use std::hash::{Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use cassette_core::function::Receiver;

/// An object whose method is called.
#[derive(Debug)]
pub struct Whose<'a, T: ?Sized>(&'a T);

impl<T: ?Sized> Whose<'_, T> {
    /// Returns a question about this object.
    #[must_use]
    pub fn new(object: &T) -> Whose<'_, T> {
        Whose(object)
    }
}

/// Knows an object that shows what it is.
pub trait ShownReceiver {
    /// Returns which it is; `None` of one that has nothing in it.
    fn receiver(&self) -> Option<Receiver>;
}

impl<T: Debug + ?Sized> ShownReceiver for &Whose<'_, T> {
    fn receiver(&self) -> Option<Receiver> {
        if size_of_val(self.0) == 0 {
            return None;
        }
        // What shows it is the program's own, and was not to run.
        let shown = catch_unwind(AssertUnwindSafe(|| format!("{:?}", self.0))).ok()?;
        let mut hasher = DefaultHasher::new();
        shown.hash(&mut hasher);
        Some(Receiver { place: std::ptr::from_ref(self.0).addr(), shown: hasher.finish() })
    }
}

/// Knows an object that shows nothing.
pub trait UnshownReceiver {
    /// Returns that nothing is known.
    fn receiver(&self) -> Option<Receiver> {
        None
    }
}

impl<T: ?Sized> UnshownReceiver for Whose<'_, T> {}
