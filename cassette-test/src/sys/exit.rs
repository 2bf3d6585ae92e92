//! What happens as the process exits.

use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// The variable that names the file into which the process writes, as it exits, which cassettes it owns.
pub(crate) const REGISTRY: &str = "CASSETTE_REGISTRY";

/// The code with which libtest ends a process whose tests failed.
const FAILED: c_int = 101;

/// The process for which something is arranged: one that was forked off it leaves it alone.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Something to be done as the process exits, by a thread that runs no test any more, or has a test end the process.
pub(crate) struct AtExit(pub(crate) fn() -> Ends);

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// As it was to.
    AsItWas,
    /// As one whose tests failed.
    Failed,
}

inventory::collect!(AtExit);

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> c_int;
    fn fflush(stream: *mut c_void) -> c_int;
    fn _exit(code: c_int) -> !;
}

/// Arranges that everything submitted as [`AtExit`] is done as the process exits; a second time, nothing happens.
pub(crate) fn arrange() {
    static ARRANGED: Once = Once::new();
    ARRANGED.call_once(|| {
        PROCESS.store(std::process::id(), Ordering::SeqCst);
        // SAFETY: the handler is a function of this program, which is there as long as the process is.
        unsafe { atexit(leave) };
    });
}

/// Returns the code with which a process ends that is to end at once with this one: no handler will be asked. Whatever is arranged
/// is done here, unless the code tells of a failure already.
#[cfg_attr(
    not(all(glibc, not(target_feature = "crt-static"), not(sanitized))),
    expect(dead_code, reason = "nobody asks")
)]
pub(super) fn judged(code: c_int) -> c_int {
    if code == 0 && fails() { FAILED } else { code }
}

/// Does what is arranged, and returns whether the process has failed. A forked child has nothing of its own.
fn fails() -> bool {
    if PROCESS.load(Ordering::SeqCst) != std::process::id() {
        return false;
    }
    // Unwinding out of a handler of C's would abort the process and hide how it ended.
    let ends = catch_unwind(|| {
        let all: Vec<Ends> = inventory::iter::<AtExit>.into_iter().map(|AtExit(leave)| leave()).collect();
        all.contains(&Ends::Failed)
    });
    ends.unwrap_or_default()
}

extern "C" fn leave() {
    if fails() {
        // SAFETY: both are called as C has it; what is left of the exit is given up.
        unsafe {
            fflush(std::ptr::null_mut());
            _exit(FAILED)
        }
    }
}
