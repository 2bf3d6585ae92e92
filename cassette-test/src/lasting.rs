//! What a thread has at hand until it has ended, in the destructors of its thread-locals too.

use std::cell::RefCell;
use std::fmt;
use std::mem::ManuallyDrop;

/// A value that nothing drops as the thread ends, so that it is there to the last: whoever puts one there takes it back.
pub(crate) struct Lasting<T>(RefCell<ManuallyDrop<Option<T>>>);

impl<T> Lasting<T> {
    /// Returns that there is none.
    pub(crate) const fn new() -> Lasting<T> {
        Lasting(RefCell::new(ManuallyDrop::new(None)))
    }

    /// Puts another in its place, and returns what was there.
    pub(crate) fn replace(&self, value: Option<T>) -> Option<T> {
        ManuallyDrop::into_inner(self.0.replace(ManuallyDrop::new(value)))
    }

    /// Returns what this finds in it.
    pub(crate) fn see<R>(&self, found: impl FnOnce(Option<&T>) -> R) -> R {
        found(self.0.borrow().as_ref())
    }
}

impl<T> fmt::Debug for Lasting<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lasting").finish_non_exhaustive()
    }
}
