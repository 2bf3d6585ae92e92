//! The debugger that holds this process, if one does.

/// Returns whether another program traces this one.
#[cfg(glibc)]
pub(crate) fn holds_us() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}

/// Stops this thread in the debugger, which is sent what a breakpoint of its own would send.
///
/// A tracer that is no debugger hands the signal on; so for this moment the process takes it, and is not ended by it.
#[cfg(glibc)]
pub(crate) fn stop() {
    extern "C" fn go_on(_signal: libc::c_int) {}

    // SAFETY: all-zero is a valid action for both; the handler does nothing, so it may run anywhere; the old action is put
    // back as it was.
    unsafe {
        let mut ours: libc::sigaction = std::mem::zeroed();
        let mut old: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = go_on as *const () as libc::sighandler_t;
        libc::sigemptyset(&mut ours.sa_mask);
        if libc::sigaction(libc::SIGTRAP, &ours, &mut old) == 0 {
            libc::raise(libc::SIGTRAP);
            libc::sigaction(libc::SIGTRAP, &old, std::ptr::null_mut());
        }
    }
}

/// Returns whether another program traces this one: here there is no way to know.
#[cfg(not(glibc))]
pub(crate) fn holds_us() -> bool {
    false
}

/// Stops nothing: no debugger is known here.
#[cfg(not(glibc))]
pub(crate) fn stop() {}
