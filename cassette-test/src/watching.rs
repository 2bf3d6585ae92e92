//! Whether this thread is telling somebody of a call.
//!
//! The call is under way until they have been told, so nobody may wait meanwhile for all calls to end.

use std::cell::Cell;

use cassette_core::step::Step;

thread_local! {
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

/// Tells this of a call.
pub(crate) fn tell(watcher: &(impl Fn(&Step) + ?Sized), step: &Step) {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            TELLING.set(self.0);
        }
    }
    let _before = Before(TELLING.replace(true));
    watcher(step);
}

/// Returns whether somebody is being told.
pub(crate) fn is_telling() -> bool {
    TELLING.get()
}
