//! The calls that give a socket an address to go to.

use std::ffi::{c_int, c_long, c_uint, c_void};
use std::slice;

use libc::{mmsghdr, msghdr, size_t, sockaddr, socklen_t, ssize_t};

use super::next::Next;
use crate::sys::address::{self, Unspecified};
use crate::sys::judge::{self, Verdict};

type Connect = unsafe extern "C-unwind" fn(c_int, *const sockaddr, socklen_t) -> c_int;
type Sendto = unsafe extern "C-unwind" fn(c_int, *const c_void, size_t, c_int, *const sockaddr, socklen_t) -> ssize_t;
type Sendmsg = unsafe extern "C-unwind" fn(c_int, *const msghdr, c_int) -> ssize_t;
type Sendmmsg = unsafe extern "C-unwind" fn(c_int, *mut mmsghdr, c_uint, c_int) -> c_int;

// SAFETY: these are the types that connect(2), send(2) and sendmmsg(2) give.
static CONNECT: Next<Connect> = unsafe { Next::new(c"connect") };
static SENDTO: Next<Sendto> = unsafe { Next::new(c"sendto") };
static SENDMSG: Next<Sendmsg> = unsafe { Next::new(c"sendmsg") };
static SENDMMSG: Next<Sendmmsg> = unsafe { Next::new(c"sendmmsg") };

/// Stands in front of connect(2).
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn connect(socket: c_int, to: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: as connect(2) asks of its caller.
    unsafe {
        if denied("connect", to, length) {
            return refuse() as c_int;
        }
        match CONNECT.get() {
            Some(connect) => connect(socket, to, length),
            None => libc::syscall(libc::SYS_connect, socket, to, length) as c_int,
        }
    }
}

/// Stands in front of sendto(2).
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sendto(
    socket: c_int,
    bytes: *const c_void,
    count: size_t,
    flags: c_int,
    to: *const sockaddr,
    length: socklen_t,
) -> ssize_t {
    // SAFETY: as sendto(2) asks of its caller.
    unsafe {
        if denied("sendto", to, length) {
            return refuse() as ssize_t;
        }
        match SENDTO.get() {
            Some(sendto) => sendto(socket, bytes, count, flags, to, length),
            None => libc::syscall(libc::SYS_sendto, socket, bytes, count, flags, to, length) as ssize_t,
        }
    }
}

/// Stands in front of sendmsg(2).
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sendmsg(socket: c_int, message: *const msghdr, flags: c_int) -> ssize_t {
    // SAFETY: as sendmsg(2) asks of its caller.
    unsafe {
        if message.as_ref().is_some_and(|message| denied("sendmsg", message.msg_name.cast(), message.msg_namelen)) {
            return refuse() as ssize_t;
        }
        match SENDMSG.get() {
            Some(sendmsg) => sendmsg(socket, message, flags),
            None => libc::syscall(libc::SYS_sendmsg, socket, message, flags) as ssize_t,
        }
    }
}

/// Stands in front of sendmmsg(2). The messages before the first that is denied are sent, as the kernel does when a later
/// one fails; the caller sees the refusal when it comes back with the rest.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sendmmsg(socket: c_int, messages: *mut mmsghdr, count: c_uint, flags: c_int) -> c_int {
    // SAFETY: as sendmmsg(2) asks of its caller.
    unsafe {
        let allowed = if messages.is_null() { count } else { allowed(slice::from_raw_parts(messages, count as usize)) };
        if allowed == 0 && count > 0 {
            return refuse() as c_int;
        }
        match SENDMMSG.get() {
            Some(sendmmsg) => sendmmsg(socket, messages, allowed, flags),
            None => libc::syscall(libc::SYS_sendmmsg, socket, messages, allowed, flags) as c_int,
        }
    }
}

/// Returns how many messages stand before the first that may not be sent.
///
/// # Safety
///
/// The messages must be such as sendmmsg(2) takes.
unsafe fn allowed(messages: &[mmsghdr]) -> c_uint {
    // SAFETY: the caller's promise.
    let denied =
        |message: &mmsghdr| unsafe { denied("sendmmsg", message.msg_hdr.msg_name.cast(), message.msg_hdr.msg_namelen) };
    messages.iter().take_while(|message| !denied(message)).count() as c_uint
}

/// Asks the judge about an address; what is no internet address is never denied.
///
/// # Safety
///
/// `to` must be null or point to `length` readable bytes.
unsafe fn denied(call: &'static str, to: *const sockaddr, length: socklen_t) -> bool {
    let unspecified = if call == "connect" { Unspecified::Dissolves } else { Unspecified::IsV4 };
    // SAFETY: the caller's promise.
    let Some(to) = (unsafe { address::read(to, length, unspecified) }) else { return false };
    judge::ask(Verdict::Deny, |judge, scope| judge.address(scope, call, to)) == Some(Verdict::Deny)
}

/// Sets `errno` and returns what such a call returns when it fails.
fn refuse() -> c_long {
    // SAFETY: it points to this thread's own `errno`.
    unsafe { *libc::__errno_location() = libc::EACCES };
    -1
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::net::{Ipv4Addr, UdpSocket};
    use std::os::fd::AsRawFd;

    use libc::{iovec, sockaddr_in};

    use super::*;
    use crate::guard::{GuardMode, GuardPolicy, enter};

    fn address(ip: Ipv4Addr, port: u16) -> sockaddr_in {
        sockaddr_in {
            sin_family: libc::AF_INET as libc::sa_family_t,
            sin_port: port.to_be(),
            sin_addr: libc::in_addr { s_addr: u32::from(ip).to_be() },
            sin_zero: [0; 8],
        }
    }

    /// Returns a message of one byte; both pointers must live as long as it is used.
    fn message(to: &mut sockaddr_in, part: &mut iovec) -> msghdr {
        // SAFETY: zero is a valid `msghdr`.
        let mut message = unsafe { std::mem::zeroed::<msghdr>() };
        message.msg_name = (&raw mut *to).cast();
        message.msg_namelen = size_of::<sockaddr_in>() as socklen_t;
        message.msg_iov = part;
        message.msg_iovlen = 1;
        message
    }

    /// Compiles a shared library of C code that connects to an address outside, and returns that function.
    fn compiled() -> Option<unsafe extern "C" fn(c_int) -> c_int> {
        let code = "#include <arpa/inet.h>\nint reach(int socket) { struct sockaddr_in to = { AF_INET, htons(9) };
            inet_pton(AF_INET, \"240.0.0.1\", &to.sin_addr);
            return connect(socket, (void *)&to, sizeof to); }";
        let library = std::env::temp_dir().join(format!("cassette-reach-{}.so", std::process::id()));
        let compile = format!("printf '%s' \"$0\" | cc -shared -fPIC -x c -o '{}' -", library.display());
        let ended = std::process::Command::new("sh").args(["-c", &compile, code]).output().ok()?;
        let path = std::ffi::CString::new(library.to_str()?).ok()?;
        // SAFETY: both names are C strings, and the function has that type.
        let reach = unsafe {
            let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
            let reach = if handle.is_null() { handle } else { libc::dlsym(handle, c"reach".as_ptr()) };
            (ended.status.success() && !reach.is_null())
                .then(|| std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int) -> c_int>(reach))
        };
        let _ = std::fs::remove_file(library);
        reach
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
    fn a_library_of_c_code_is_denied_however_it_finds_connect() {
        let outside = address(Ipv4Addr::new(240, 0, 0, 1), 9);
        let reach = compiled();
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        let scope = enter(GuardPolicy::new(GuardMode::Deny));
        let denied = |code: c_int| {
            assert_eq!((code, io::Error::last_os_error().raw_os_error()), (-1, Some(libc::EACCES)));
        };
        // SAFETY: the function has that type, and the address is alive.
        unsafe {
            let found = libc::dlsym(libc::RTLD_DEFAULT, c"connect".as_ptr());
            let found = std::mem::transmute::<*mut c_void, Connect>(found);
            denied(found(socket.as_raw_fd(), (&raw const outside).cast(), size_of::<sockaddr_in>() as socklen_t));
            match reach {
                Some(reach) => denied(reach(socket.as_raw_fd())),
                None => eprintln!("skipped: no C compiler makes a library here"),
            }
        }
        assert_eq!(scope.attempts().len(), 1 + usize::from(reach.is_some()));
        assert!(scope.attempts().iter().all(|attempt| attempt.place() == "240.0.0.1:9"));
    }

    #[test]
    fn messages_are_denied_one_by_one() {
        let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
        let sender = UdpSocket::bind("0.0.0.0:0").unwrap();
        let mut here = address(Ipv4Addr::LOCALHOST, receiver.local_addr().unwrap().port());
        let mut outside = address(Ipv4Addr::new(240, 0, 0, 1), 9);
        let mut part = iovec { iov_base: (&raw const b"x"[0]).cast_mut().cast(), iov_len: 1 };
        let mut parts = [part; 3];
        let [a, b, c] = &mut parts;
        let mut again = here;
        let mut messages = [message(&mut here, a), message(&mut outside, b), message(&mut again, c)]
            .map(|msg_hdr| mmsghdr { msg_hdr, msg_len: 0 });

        let scope = enter(GuardPolicy::new(GuardMode::Deny));
        let fd = sender.as_raw_fd();
        // SAFETY: everything the messages point to is alive.
        unsafe {
            assert_eq!(sendmmsg(fd, messages.as_mut_ptr(), 3, 0), 1, "only what stands before the denied one");
            assert_eq!(sendmmsg(fd, messages.as_mut_ptr().add(1), 2, 0), -1);
            assert_eq!(io::Error::last_os_error().raw_os_error(), Some(libc::EACCES));
            assert_eq!(sendmmsg(fd, messages.as_mut_ptr(), 0, 0), 0);
            let mut outside = address(Ipv4Addr::new(240, 0, 0, 1), 9);
            assert_eq!(sendmsg(fd, &message(&mut outside, &mut part), 0), -1);
            assert_eq!(io::Error::last_os_error().raw_os_error(), Some(libc::EACCES));
            assert_eq!(sendmsg(fd, &messages[2].msg_hdr, 0), 1);
        }
        let calls: Vec<_> = scope.attempts().iter().map(|attempt| attempt.call).collect();
        assert_eq!(calls, ["sendmmsg", "sendmmsg", "sendmsg"]);
    }
}
