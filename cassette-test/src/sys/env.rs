//! The environment variables that keep a proxy away from loopback.
#![expect(clippy::disallowed_methods, reason = "these variables are other programs' settings, and are changed here")]

use std::ffi::{OsStr, OsString};

const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "::1"];

/// Adds loopback to `NO_PROXY` and `no_proxy`, so that no client sends a call for this machine to a proxy.
///
/// # Safety
///
/// No other thread may read or write the environment meanwhile: call it before `main`.
pub(super) unsafe fn spare_loopback_from_proxies() {
    let [upper, lower] = ["NO_PROXY", "no_proxy"].map(|name| (name, std::env::var_os(name)));
    for ((name, own), (_, other)) in [(&upper, &lower), (&lower, &upper)] {
        // Clients differ in which of the two they look at first, so a new one must not hide what the other says.
        let value = with_loopback(own.as_deref().or(other.as_deref()).unwrap_or_default());
        if own.as_ref() != Some(&value) {
            // SAFETY: the caller promises that nothing else looks at the environment now.
            unsafe { std::env::set_var(name, value) };
        }
    }
}

/// Returns a list of hosts without proxy that has the names of loopback in it.
fn with_loopback(list: &OsStr) -> OsString {
    let known = list.to_string_lossy();
    let has = |host: &str| known.split(',').map(str::trim).any(|known| known == host || known == "*");
    let mut value = list.to_owned();
    for host in LOOPBACK.into_iter().filter(|host| !has(host)) {
        if !value.is_empty() {
            value.push(",");
        }
        value.push(host);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::with_loopback;

    #[track_caller]
    fn check(list: &str, expected: &str) {
        assert_eq!(with_loopback(list.as_ref()), expected);
    }

    #[test]
    fn loopback_is_added_once_and_nothing_is_lost() {
        check("", "127.0.0.1,localhost,::1");
        check("intern.example", "intern.example,127.0.0.1,localhost,::1");
        check("localhost, ::1", "localhost, ::1,127.0.0.1");
        check("127.0.0.1,localhost,::1", "127.0.0.1,localhost,::1");
        check("*", "*");
    }

    #[test]
    fn both_spellings_are_set_before_main() {
        for name in ["NO_PROXY", "no_proxy"] {
            let value = std::env::var_os(name).unwrap_or_default();
            assert_eq!(with_loopback(&value), value, "{name}");
            assert!(!value.is_empty(), "{name}");
        }
    }
}
