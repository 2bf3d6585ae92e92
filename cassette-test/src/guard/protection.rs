//! Whether the guard works here.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::OnceLock;
use std::thread;

use super::{GuardMode, GuardPolicy, GuardScope, current, enter};
use crate::sys;

/// What the guard has been seen to do in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protection {
    /// A call that led outside was denied and kept, and a new thread had the scope of its creator.
    Full,
    /// Calls are denied, but only on the thread that entered the scope: a sanitizer owns the creation of threads.
    NoThreadHook,
    /// Nothing is denied, for this reason.
    Unavailable(&'static str),
}

/// Returns what the guard does in this process, tried once.
pub(crate) fn protection() -> Protection {
    static PROTECTION: OnceLock<Protection> = OnceLock::new();
    *PROTECTION.get_or_init(try_out)
}

/// An address that nobody has (RFC 1112, section 4). A datagram socket that is connected sends nothing.
const NOWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(240, 0, 0, 1)), 9);

fn try_out() -> Protection {
    if !sys::INTERPOSES {
        return Protection::Unavailable("libc's calls can be interposed only where glibc is linked dynamically");
    }
    let scope = enter(GuardPolicy::new(GuardMode::Deny));
    let Err(error) = connect() else {
        return Protection::Unavailable("a connection was not denied: its call goes past this program's own `connect`");
    };
    let kept = scope.attempts().iter().any(|attempt| attempt.addr == Some(NOWHERE));
    match (error.kind(), kept) {
        (ErrorKind::PermissionDenied, true) if inherits(&scope) => Protection::Full,
        (ErrorKind::PermissionDenied, true) => Protection::NoThreadHook,
        _ => Protection::Unavailable("a connection failed for another reason than the guard"),
    }
}

fn connect() -> io::Result<()> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.set_nonblocking(true)?;
    socket.connect(NOWHERE)
}

fn inherits(scope: &GuardScope) -> bool {
    let thread = thread::Builder::new().spawn(current);
    thread.ok().and_then(|thread| thread.join().ok()).flatten() == Some(scope.id())
}

#[cfg(test)]
mod tests {
    use crate::guard::{Protection, current, protection};
    use crate::sys;

    #[test]
    fn it_is_what_this_build_can_do() {
        let found = match protection() {
            Protection::Full => "full",
            Protection::NoThreadHook => "without the thread hook",
            Protection::Unavailable(_) => "unavailable",
        };
        let expected = match (sys::INTERPOSES, cfg!(sanitized)) {
            (false, _) => "unavailable",
            (true, true) => "without the thread hook",
            (true, false) => "full",
        };
        assert_eq!(found, expected);
        assert_eq!(current(), None);
    }
}
