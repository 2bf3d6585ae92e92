//! What happens as the process exits.

use std::ffi::c_int;
use std::panic::catch_unwind;

/// The variable that names the file into which the process writes, as it exits, which cassettes it owns.
pub(crate) const REGISTRY: &str = "CASSETTE_REGISTRY";

/// Something to be done as the process exits, by a thread that runs no test any more.
pub(crate) struct AtExit(pub(crate) fn());

inventory::collect!(AtExit);

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> c_int;
}

/// Arranges that everything submitted as [`AtExit`] is done as the process exits.
pub(super) fn arrange() {
    // SAFETY: the handler is a function of this program, which is there as long as the process is.
    unsafe { atexit(leave) };
}

extern "C" fn leave() {
    // Unwinding out of a handler of C's would abort the process and hide how it ended.
    let _ = catch_unwind(|| inventory::iter::<AtExit>.into_iter().for_each(|AtExit(leave)| leave()));
}
