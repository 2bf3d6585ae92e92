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
        CALLING.with_borrow_mut(Vec::pop);
    }
}

/// Runs what a client does for a live call of this scope's adapter.
pub(super) fn run<T>(scope: &Weak<Scope>, client: impl FnOnce() -> T) -> T {
    CALLING.with_borrow_mut(|calling| calling.push(Weak::clone(scope)));
    let _calling = Calling;
    client()
}

/// Returns whether this runs for a live call of an adapter of this scope.
pub(super) fn is_within(scope: &Arc<Scope>) -> bool {
    CALLING.with_borrow(|calling| calling.iter().any(|known| known.as_ptr() == Arc::as_ptr(scope)))
}
