//! The ways to end the process past all that is to be done as it exits.

use std::ffi::c_int;

use crate::sys::exit;

/// Stands in front of _exit(2): a test that ends its process so, as if all had gone well, ends with it the verdict on itself.
#[unsafe(no_mangle)]
unsafe extern "C" fn _exit(code: c_int) -> ! {
    leave(code)
}

/// Stands in front of `_Exit`, which is the same (C17, section 7.22.4.5).
#[unsafe(no_mangle)]
unsafe extern "C" fn _Exit(code: c_int) -> ! {
    leave(code)
}

fn leave(code: c_int) -> ! {
    // So much of it the parent sees.
    let code = exit::judged(code & 0xff);
    loop {
        // SAFETY: it has no preconditions, and does not return.
        unsafe { libc::syscall(libc::SYS_exit_group, code) };
    }
}
