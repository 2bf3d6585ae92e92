//! The test from whose thread a thread descends.
//!
//! A scope says so of the tests that have a cassette. libtest gives every other test a thread of its own too, named after the test,
//! and what such a thread creates belongs to that test and to no cassette.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// The thread that libtest made for a test: every one of this process is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stem(u32);

/// What is known of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Descent {
    /// Nothing yet.
    Unknown,
    /// It is this thread, or descends from it.
    Of(Stem),
    /// It belongs to the harness, whoever's thread made it.
    Nobodys,
}

// Constant and without a destructor: readable at any moment of a thread's life, its last included.
thread_local! {
    static DESCENT: Cell<Descent> = const { Cell::new(Descent::Unknown) };
}

/// Returns the test's thread that this one is or descends from; `None` where it is that of no test.
pub(crate) fn current() -> Option<Stem> {
    match descent() {
        Descent::Of(stem) => Some(stem),
        Descent::Unknown | Descent::Nobodys => None,
    }
}

/// Returns what is known of this thread.
pub(crate) fn descent() -> Descent {
    let known = DESCENT.try_with(Cell::get).unwrap_or(Descent::Nobodys);
    if known != Descent::Unknown || !name::is_a_tests() {
        return known;
    }
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let found = Descent::Of(Stem(NEXT.fetch_add(1, Ordering::Relaxed)));
    replace(found);
    found
}

/// Says what is known of this thread, and returns what was.
pub(crate) fn replace(descent: Descent) -> Descent {
    DESCENT.try_with(|current| current.replace(descent)).unwrap_or(Descent::Nobodys)
}

/// Where threads are seen as they are made: this may be asked within libc, for a thread that Rust does not know, so nothing is
/// allocated.
#[cfg(all(glibc, not(target_feature = "crt-static"), not(sanitized)))]
mod name {
    use std::sync::OnceLock;

    type Name = [u8; 16];

    /// Returns whether this thread has a name of its own which is a path of Rust's, as far as the kernel keeps it.
    pub(super) fn is_a_tests() -> bool {
        // SAFETY: both are calls without arguments.
        let is_main = unsafe { libc::getpid() == libc::gettid() };
        !is_main && own().is_some_and(|name| is_path(&name) && mains() != Some(name))
    }

    fn is_path(name: &Name) -> bool {
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let is_of_path = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b':' || !byte.is_ascii();
        name.first().is_some_and(|first| !first.is_ascii_digit()) && name.iter().all(is_of_path)
    }

    /// Returns the name that a thread without one of its own has.
    fn mains() -> Option<Name> {
        static MAINS: OnceLock<Option<Name>> = OnceLock::new();
        *MAINS.get_or_init(|| {
            let mut name = Name::default();
            // SAFETY: the path is a C string, and what is read fits in the buffer.
            unsafe {
                let file = libc::open(c"/proc/self/comm".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
                let read = libc::read(file, name.as_mut_ptr().cast(), name.len());
                libc::close(file);
                let line = usize::try_from(read).ok()?.checked_sub(1)?;
                name[line..].fill(0);
            }
            Some(name)
        })
    }

    fn own() -> Option<Name> {
        let mut name = Name::default();
        // SAFETY: the buffer is as long as it says.
        let code = unsafe { libc::pthread_getname_np(libc::pthread_self(), name.as_mut_ptr().cast(), name.len()) };
        (code == 0).then_some(name)
    }
}

#[cfg(not(all(glibc, not(target_feature = "crt-static"), not(sanitized))))]
mod name {
    /// Returns whether this thread has a name which is a path of Rust's.
    pub(super) fn is_a_tests() -> bool {
        let is_ident = |part: &str| {
            !part.is_empty()
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !part.starts_with(char::is_numeric)
        };
        std::thread::current().name().is_some_and(|name| name != "main" && name.split("::").all(is_ident))
    }
}

#[cfg(test)]
#[cfg(all(glibc, not(target_feature = "crt-static"), not(sanitized)))]
mod tests {
    use std::thread;

    use super::current;
    use crate::guard::{exempt, spawn_exempt};

    #[test]
    fn what_a_test_makes_is_its_own_and_what_the_harness_makes_is_nobodys() {
        let own = current();
        assert!(own.is_some());
        let named = |name: &str| thread::Builder::new().name(name.to_owned()).spawn(current).unwrap().join().unwrap();
        assert_eq!(thread::spawn(|| thread::spawn(current).join().unwrap()).join().unwrap(), own);
        assert_eq!((named("worker"), named("tokio-rt-worker"), named("suite::other")), (own, own, own));
        assert_eq!(exempt(|| named("worker")), None);
        assert_eq!(exempt(current), None);
        let of_the_harness =
            || thread::Builder::new().name("client".to_owned()).spawn(current).unwrap().join().unwrap();
        assert_eq!(spawn_exempt("gateway", of_the_harness).unwrap().join().unwrap(), None);
        assert_eq!(current(), own);
    }
}
