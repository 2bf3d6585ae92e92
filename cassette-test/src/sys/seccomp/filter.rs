//! The filter itself: which system calls wait for an answer.

use std::io;
use std::mem::offset_of;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use libc::{seccomp_data, sock_filter, sock_fprog, sockaddr_in};

use super::listener::Listener;

/// The architecture whose system calls have the numbers that this was compiled with (linux/audit.h).
pub(super) const ARCHITECTURE: u32 = if cfg!(target_arch = "x86_64") { 0xC000_003E } else { 0xC000_00B7 };

/// From here on x86_64 counts the system calls of x32, another architecture under the same name.
pub(super) const FOREIGN: u32 = 0x4000_0000;

const NUMBER: u32 = offset_of!(seccomp_data, nr) as u32;
const ARCH: u32 = offset_of!(seccomp_data, arch) as u32;
/// The fifth argument of sendto(2), its address: the low half and the high one, in whichever order.
const ADDRESS: u32 = offset_of!(seccomp_data, args) as u32 + 4 * 8;

// How far it is from a jump to the three ends of the program below.
const LENGTH: usize = 16;
const ALLOW: usize = 13;
const NOTIFY: usize = 14;
const NO_SUCH_CALL: usize = 15;

const PROGRAM: [sock_filter; LENGTH] = [
    load(ARCH),
    jump(libc::BPF_JEQ, ARCHITECTURE, 2, NOTIFY, 1),
    load(NUMBER),
    jump(libc::BPF_JGE, FOREIGN, NOTIFY, 4, 3),
    jump(libc::BPF_JEQ, libc::SYS_connect as u32, NOTIFY, 5, 4),
    jump(libc::BPF_JEQ, libc::SYS_sendmsg as u32, NOTIFY, 6, 5),
    jump(libc::BPF_JEQ, libc::SYS_sendmmsg as u32, NOTIFY, 7, 6),
    // A ring would make its calls past every filter. Whoever wants one does without where the kernel has none.
    jump(libc::BPF_JEQ, libc::SYS_io_uring_setup as u32, NO_SUCH_CALL, 8, 7),
    jump(libc::BPF_JEQ, libc::SYS_sendto as u32, 9, ALLOW, 8),
    load(ADDRESS),
    jump(libc::BPF_JEQ, 0, 11, NOTIFY, 10),
    load(ADDRESS + 4),
    jump(libc::BPF_JEQ, 0, ALLOW, NOTIFY, 12),
    end(libc::SECCOMP_RET_ALLOW),
    end(libc::SECCOMP_RET_USER_NOTIF),
    end(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
];

const fn load(offset: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, jt: 0, jf: 0, k: offset }
}

/// Returns the jump that stands `at` and goes to `then` or to `otherwise`.
const fn jump(test: u32, value: u32, then: usize, otherwise: usize, at: usize) -> sock_filter {
    let code = (libc::BPF_JMP | test | libc::BPF_K) as u16;
    sock_filter { code, jt: (then - at - 1) as u8, jf: (otherwise - at - 1) as u8, k: value }
}

const fn end(with: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: with }
}

/// Puts a filter round this thread, and all threads and processes that come of it from now on.
///
/// What it holds waits for ever unless the listener is served: have the thread that does so at hand before.
///
/// # Errors
///
/// Fails where the kernel has no such filters or forbids them, and where another filter with a listener stands there.
pub(crate) fn install() -> io::Result<Listener> {
    let mut program = PROGRAM;
    let program = sock_fprog { len: LENGTH as u16, filter: program.as_mut_ptr() };
    // SAFETY: the program outlives the call, which copies it; what comes back is a new descriptor of ours alone.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(io::Error::last_os_error());
        }
        let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        let listener = libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program);
        if listener < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Listener::new(OwnedFd::from_raw_fd(listener as RawFd)))
    }
}

/// Connects a datagram socket, which sends nothing, past libc: only a filter can object.
///
/// # Errors
///
/// Fails as connect(2) does.
pub(crate) fn connect_raw(to: SocketAddr) -> io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let IpAddr::V4(ip) = to.ip() else { return Err(io::ErrorKind::Unsupported.into()) };
    let to = sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: to.port().to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from(ip).to_be() },
        sin_zero: [0; 8],
    };
    // SAFETY: the socket is open, and the address is there with its size.
    let code = unsafe { libc::syscall(libc::SYS_connect, socket.as_raw_fd(), &raw const to, size_of::<sockaddr_in>()) };
    if code == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
