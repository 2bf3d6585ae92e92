//! The call that turns a name into addresses.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

use libc::addrinfo;

use super::next::Next;
use crate::sys::address;
use crate::sys::judge::{self, Lookup};

type Getaddrinfo =
    unsafe extern "C-unwind" fn(*const c_char, *const c_char, *const addrinfo, *mut *mut addrinfo) -> c_int;

// SAFETY: this is the type that getaddrinfo(3) gives.
static GETADDRINFO: Next<Getaddrinfo> = unsafe { Next::new(c"getaddrinfo") };

/// Stands in front of getaddrinfo(3): libc sends its packets to a name server by calls of its own that cannot be
/// interposed, so a name that may not be asked for is refused here.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn getaddrinfo(
    node: *const c_char,
    service: *const c_char,
    hints: *const addrinfo,
    list: *mut *mut addrinfo,
) -> c_int {
    let Some(next) = GETADDRINFO.get() else { return libc::EAI_FAIL };
    // SAFETY: as getaddrinfo(3) asks of its caller.
    unsafe {
        let name = match lookup(node, hints, next) {
            None => return next(node, service, hints, list),
            Some(Lookup::Refuse) => return libc::EAI_FAIL,
            Some(Lookup::Resolve) => node,
            Some(Lookup::AsLocalhost) => c"localhost".as_ptr(),
        };
        let code = next(name, service, hints, list);
        if code == 0 {
            tell(node, *list);
        }
        code
    }
}

/// Asks the judge about a name; a thread without a scope and a call that asks no name server have nothing to ask.
///
/// # Safety
///
/// `node` must be null or a C string, `hints` null or valid.
unsafe fn lookup(node: *const c_char, hints: *const addrinfo, next: Getaddrinfo) -> Option<Lookup> {
    // SAFETY: the caller's promise.
    let numeric_only = unsafe { hints.as_ref() }.is_some_and(|hints| hints.ai_flags & libc::AI_NUMERICHOST != 0);
    if node.is_null() || numeric_only {
        return None;
    }
    judge::ask(Some(Lookup::Refuse), |judge, scope| {
        // SAFETY: the caller's promise.
        let (host, numeric) = unsafe { (CStr::from_ptr(node).to_string_lossy(), is_numeric(node, next)) };
        (!numeric).then(|| judge.name(scope, "getaddrinfo", &host))
    })
    .flatten()
}

/// Whether libc reads an address from this text without asking anyone. It knows more notations than Rust does, such as
/// `127.1` or `fe80::1%eth0`.
///
/// # Safety
///
/// `node` must be a C string.
unsafe fn is_numeric(node: *const c_char, next: Getaddrinfo) -> bool {
    // SAFETY: zero is a valid `addrinfo`, and a list that was made is freed once.
    unsafe {
        let hints = addrinfo { ai_flags: libc::AI_NUMERICHOST, ..std::mem::zeroed() };
        let mut list = ptr::null_mut();
        let numeric = next(node, ptr::null(), &raw const hints, &raw mut list) == 0;
        if numeric {
            libc::freeaddrinfo(list);
        }
        numeric
    }
}

/// Tells the judge what a name stood for.
///
/// # Safety
///
/// `node` must be a C string and `list` a list of libc's.
unsafe fn tell(node: *const c_char, list: *const addrinfo) {
    judge::ask((), |judge, scope| {
        // SAFETY: the caller's promise.
        let (host, addresses) = unsafe { (CStr::from_ptr(node).to_string_lossy(), address::read_list(list)) };
        judge.resolved(scope, &host, &addresses);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::{GuardMode, GuardPolicy, enter};

    /// Looks a name up with a service that does not exist, which libc finds out before it asks a name server.
    fn look_up(host: &CStr, flags: c_int) -> c_int {
        // SAFETY: zero is a valid `addrinfo`, and a list that was made is freed once.
        unsafe {
            let hints = addrinfo { ai_flags: flags, ..std::mem::zeroed() };
            let mut list = ptr::null_mut();
            let code = getaddrinfo(host.as_ptr(), c"no-such-service".as_ptr(), &raw const hints, &raw mut list);
            if code == 0 {
                libc::freeaddrinfo(list);
            }
            code
        }
    }

    #[track_caller]
    fn check(policy: GuardPolicy, flags: c_int, expected: c_int, attempted: Option<&str>) {
        let scope = enter(policy);
        assert_eq!(look_up(c"host.invalid", flags), expected);
        let attempts = scope.attempts();
        assert_eq!(attempts.first().and_then(|attempt| attempt.host.as_deref()), attempted);
    }

    #[test]
    fn only_what_may_be_asked_for_comes_to_libc() {
        let policy = GuardPolicy::new(GuardMode::Deny);
        let allowed = GuardPolicy { allow_hosts: vec!["*.invalid".to_owned()], ..policy.clone() };
        assert_eq!(look_up(c"host.invalid", 0), libc::EAI_SERVICE);
        check(policy.clone(), 0, libc::EAI_FAIL, Some("host.invalid"));
        check(policy, libc::AI_NUMERICHOST, libc::EAI_SERVICE, None);
        check(allowed, 0, libc::EAI_SERVICE, None);
        check(GuardPolicy::new(GuardMode::Watch), 0, libc::EAI_SERVICE, Some("host.invalid"));
    }
}
