//! The definition that ours hides.

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A function of libc, looked up at its first use.
pub(super) struct Next<F> {
    name: &'static CStr,
    found: AtomicPtr<c_void>,
    signature: PhantomData<fn() -> F>,
}

impl<F: Copy> Next<F> {
    /// Names a function.
    ///
    /// # Safety
    ///
    /// `F` must be the type of a pointer to libc's function of that name.
    pub(super) const unsafe fn new(name: &'static CStr) -> Next<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        Next { name, found: AtomicPtr::new(ptr::null_mut()), signature: PhantomData }
    }

    /// Returns the function, or nothing if no library of this process has it.
    pub(super) fn get(&self) -> Option<F> {
        let mut found = self.found.load(Ordering::Relaxed);
        if found.is_null() {
            found = look_up(self.name);
            self.found.store(found, Ordering::Relaxed);
        }
        // SAFETY: `new` was promised that this is a pointer to a function of type `F`, and it is not null.
        (!found.is_null()).then(|| unsafe { std::mem::transmute_copy::<*mut c_void, F>(&found) })
    }
}

fn look_up(name: &CStr) -> *mut c_void {
    // SAFETY: the name is a C string, and the handle is one of libc's own constants.
    let next = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    if !next.is_null() {
        return next;
    }
    // The order of the libraries can put ours last. Then ask those that are known to have it; none is loaded for this.
    [c"libc.so.6", c"libpthread.so.0"].into_iter().fold(ptr::null_mut(), |found, library| {
        if !found.is_null() {
            return found;
        }
        // SAFETY: both names are C strings; the handle is used only if there is one.
        unsafe {
            let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
            if handle.is_null() { found } else { libc::dlsym(handle, name.as_ptr()) }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Getpid = unsafe extern "C-unwind" fn() -> libc::pid_t;

    #[test]
    fn a_function_of_libc_is_found_and_a_missing_one_is_not() {
        // SAFETY: that is its type; the second is never called.
        let (getpid, missing) =
            unsafe { (Next::<Getpid>::new(c"getpid"), Next::<Getpid>::new(c"cassette_has_no_such_function")) };
        // SAFETY: it has no preconditions.
        assert_eq!(unsafe { getpid.get().unwrap()() }, std::process::id().cast_signed());
        assert!(missing.get().is_none());
    }
}
