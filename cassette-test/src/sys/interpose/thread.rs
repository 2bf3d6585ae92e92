//! The call that makes a thread: the new one belongs where its creator does.

use std::ffi::{c_int, c_void};

use libc::{pthread_attr_t, pthread_t};

use super::next::Next;
use crate::sys::scope::{self, FilterId, ScopeId};
use crate::sys::stem::{self, Descent};

type Main = unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void;
type PthreadCreate = unsafe extern "C-unwind" fn(*mut pthread_t, *const pthread_attr_t, Main, *mut c_void) -> c_int;

// SAFETY: this is the type that pthread_create(3) gives.
static PTHREAD_CREATE: Next<PthreadCreate> = unsafe { Next::new(c"pthread_create") };

/// What the new thread needs to know.
struct Birth {
    scope: Option<ScopeId>,
    filter: Option<FilterId>,
    descent: Descent,
    main: Main,
    argument: *mut c_void,
}

/// Stands in front of pthread_create(3).
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    main: Main,
    argument: *mut c_void,
) -> c_int {
    let Some(next) = PTHREAD_CREATE.get() else { return libc::EAGAIN };
    // SAFETY: as pthread_create(3) asks of its caller; the box is taken over by the new thread or, without one, here.
    unsafe {
        let (scope, filter, descent) = (scope::current(), scope::filter(), stem::descent());
        if (scope, filter, descent) == (None, None, Descent::Unknown) {
            return next(thread, attributes, main, argument);
        }
        let birth = Box::into_raw(Box::new(Birth { scope, filter, descent, main, argument }));
        let code = next(thread, attributes, begin, birth.cast());
        if code != 0 {
            drop(Box::from_raw(birth));
        }
        code
    }
}

/// Runs in the new thread. It owns nothing while the thread's own `main` runs, which may leave by `pthread_exit`.
///
/// # Safety
///
/// `birth` must come from `Box::into_raw`.
unsafe extern "C-unwind" fn begin(birth: *mut c_void) -> *mut c_void {
    // SAFETY: the caller's promise, and `main` with its argument is what `pthread_create` was given.
    unsafe {
        let Birth { scope, filter, descent, main, argument } = *Box::from_raw(birth.cast::<Birth>());
        scope::note_filter(filter);
        scope::replace(scope);
        stem::replace(descent);
        main(argument)
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;
    use crate::guard::{GuardMode, GuardPolicy, enter};

    unsafe extern "C" {
        fn pthread_exit(value: *mut c_void) -> !;
    }

    /// Writes the scope it has where the argument points to, and leaves in the way C programs may.
    unsafe extern "C-unwind" fn exits(argument: *mut c_void) -> *mut c_void {
        // SAFETY: the test passes such a pointer, and nothing here needs dropping.
        unsafe {
            *argument.cast::<Option<ScopeId>>() = scope::current();
            pthread_exit(ptr::without_provenance_mut(7))
        }
    }

    #[test]
    fn a_thread_of_c_code_inherits_and_may_leave_by_pthread_exit() {
        let scope = enter(GuardPolicy::new(GuardMode::Deny));
        let mut inherited: Option<ScopeId> = None;
        let mut value = ptr::null_mut();
        // SAFETY: the thread is joined before `inherited` goes away.
        unsafe {
            let mut thread = std::mem::zeroed();
            assert_eq!(pthread_create(&raw mut thread, ptr::null(), exits, (&raw mut inherited).cast()), 0);
            assert_eq!(libc::pthread_join(thread, &raw mut value), 0);
        }
        assert_eq!((inherited, value.addr()), (Some(scope.id()), 7));
    }

    #[test]
    fn a_thread_that_cannot_be_made_is_an_error() {
        let _scope = enter(GuardPolicy::new(GuardMode::Deny));
        // SAFETY: the attributes are initialised before they are used, and no thread comes of it.
        unsafe {
            let (mut thread, mut attributes) = (std::mem::zeroed(), std::mem::zeroed());
            assert_eq!(libc::pthread_attr_init(&raw mut attributes), 0);
            assert_eq!(libc::pthread_attr_setstacksize(&raw mut attributes, usize::MAX / 4 + 1), 0);
            assert_ne!(pthread_create(&raw mut thread, &raw const attributes, exits, ptr::null_mut()), 0);
        }
    }
}
