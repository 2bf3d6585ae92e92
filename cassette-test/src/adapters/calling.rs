//! Which adapters are letting their client call here: another of the same cassette below one would record the call again.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use crate::scope::Scope;

thread_local! {
    static CALLING: RefCell<Vec<Weak<Scope>>> = const { RefCell::new(Vec::new()) };
}

/// Notes that an adapter's call is over, or waits.
struct Calling;

impl Drop for Calling {
    fn drop(&mut self) {
        let _ = CALLING.try_with(|calling| calling.borrow_mut().pop());
    }
}

/// Runs what a client does for a live call of this scope's adapter.
pub(super) fn run<T>(scope: &Weak<Scope>, client: impl FnOnce() -> T) -> T {
    // A thread that is ending has no client within another.
    let _ = CALLING.try_with(|calling| calling.borrow_mut().push(Weak::clone(scope)));
    let _calling = Calling;
    client()
}

/// Returns whether this runs for a live call of an adapter of this scope.
pub(super) fn is_within(scope: &Arc<Scope>) -> bool {
    let is_it = |known: &Weak<Scope>| known.as_ptr() == Arc::as_ptr(scope);
    CALLING.try_with(|calling| calling.borrow().iter().any(is_it)).unwrap_or(false)
}
