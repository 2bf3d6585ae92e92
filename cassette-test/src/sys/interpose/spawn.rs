//! The calls that start a program: the judge is told of each, and none is denied.

use std::ffi::{CStr, c_char, c_int};

use libc::{pid_t, posix_spawn_file_actions_t, posix_spawnattr_t};

use super::next::Next;
use crate::sys::judge;

type Spawn = unsafe extern "C-unwind" fn(
    *mut pid_t,
    *const c_char,
    *const posix_spawn_file_actions_t,
    *const posix_spawnattr_t,
    *const *mut c_char,
    *const *mut c_char,
) -> c_int;

// SAFETY: this is the type that posix_spawn(3) gives for both.
static POSIX_SPAWN: Next<Spawn> = unsafe { Next::new(c"posix_spawn") };
// SAFETY: as above.
static POSIX_SPAWNP: Next<Spawn> = unsafe { Next::new(c"posix_spawnp") };

/// Stands in front of posix_spawn(3).
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn posix_spawn(
    child: *mut pid_t,
    program: *const c_char,
    actions: *const posix_spawn_file_actions_t,
    attributes: *const posix_spawnattr_t,
    arguments: *const *mut c_char,
    environment: *const *mut c_char,
) -> c_int {
    // SAFETY: as posix_spawn(3) asks of its caller.
    unsafe {
        tell(program);
        let Some(next) = POSIX_SPAWN.get() else { return libc::ENOSYS };
        next(child, program, actions, attributes, arguments, environment)
    }
}

/// Stands in front of posix_spawnp(3).
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn posix_spawnp(
    child: *mut pid_t,
    program: *const c_char,
    actions: *const posix_spawn_file_actions_t,
    attributes: *const posix_spawnattr_t,
    arguments: *const *mut c_char,
    environment: *const *mut c_char,
) -> c_int {
    // SAFETY: as posix_spawnp(3) asks of its caller.
    unsafe {
        tell(program);
        let Some(next) = POSIX_SPAWNP.get() else { return libc::ENOSYS };
        next(child, program, actions, attributes, arguments, environment)
    }
}

/// Tells the judge which program is started.
///
/// # Safety
///
/// `program` must be null or a C string.
unsafe fn tell(program: *const c_char) {
    if program.is_null() {
        return;
    }
    judge::ask((), |judge, scope| {
        // SAFETY: the caller's promise.
        let program = unsafe { CStr::from_ptr(program) }.to_string_lossy();
        judge.spawned(scope, &program);
    });
}
