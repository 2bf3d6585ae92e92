//! System calls as no libc makes them for us. Nothing leaves: addresses are of 240.0.0.0/4, which nobody has, and the sockets
//! are datagram sockets.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::os::fd::AsRawFd;
use std::ptr;

use libc::{c_long, iovec, mmsghdr, msghdr, sa_family_t, sockaddr_in};

use crate::guard::{Guard, GuardMode, GuardPolicy, GuardScope, Strict, enter};

const SIZE: usize = size_of::<sockaddr_in>();

fn strict() -> (Strict, GuardScope) {
    let scope = enter(GuardPolicy { guard: Guard::Strict, ..GuardPolicy::new(GuardMode::Deny) });
    (Strict::stand(scope.id()).unwrap(), scope)
}

fn address(family: i32, ip: Ipv4Addr, port: u16) -> sockaddr_in {
    sockaddr_in {
        sin_family: family as sa_family_t,
        sin_port: port.to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from(ip).to_be() },
        sin_zero: [0; 8],
    }
}

fn outside() -> sockaddr_in {
    address(libc::AF_INET, Ipv4Addr::new(240, 0, 0, 1), 9)
}

/// Returns what the system call returned, or the code it failed with.
fn ended(code: c_long) -> Result<c_long, i32> {
    if code < 0 { Err(io::Error::last_os_error().raw_os_error().unwrap()) } else { Ok(code) }
}

fn message(to: *mut sockaddr_in, part: &mut iovec) -> mmsghdr {
    // SAFETY: zero is a valid `msghdr`.
    let mut message = unsafe { std::mem::zeroed::<msghdr>() };
    message.msg_name = to.cast();
    message.msg_namelen = if to.is_null() { 0 } else { SIZE as u32 };
    message.msg_iov = part;
    message.msg_iovlen = 1;
    mmsghdr { msg_hdr: message, msg_len: 0 }
}

#[test]
fn every_call_that_takes_an_address_is_caught() {
    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (sender, connected) = (UdpSocket::bind("0.0.0.0:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
    connected.connect(receiver.local_addr().unwrap()).unwrap();
    let mut here = address(libc::AF_INET, Ipv4Addr::LOCALHOST, receiver.local_addr().unwrap().port());
    let (mut out, unspecified) = (outside(), address(libc::AF_UNSPEC, Ipv4Addr::new(240, 0, 0, 2), 9));
    let none = ptr::null_mut::<sockaddr_in>();
    let byte = *b"x";
    let part = iovec { iov_base: byte.as_ptr().cast_mut().cast(), iov_len: 1 };
    let mut parts = [part; 4];
    let [a, b, c, d] = &mut parts;
    let mut messages = [message(&raw mut here, a), message(&raw mut out, b)];
    let mut well = [message(&raw mut here, c), message(&raw mut here, d)];

    let (_strict, scope) = strict();
    let (fd, to) = (sender.as_raw_fd(), ended);
    // SAFETY: everything these calls are given is alive.
    unsafe {
        let sendto = |fd: i32, address: *const sockaddr_in, size: usize| {
            to(libc::syscall(libc::SYS_sendto, fd, byte.as_ptr(), 1, 0, address, size))
        };
        let connect = |address: *const sockaddr_in| to(libc::syscall(libc::SYS_connect, fd, address, SIZE));
        assert_eq!(sendto(fd, &raw const here, SIZE), Ok(1));
        assert_eq!(sendto(connected.as_raw_fd(), none, 0), Ok(1));
        assert_eq!(sendto(fd, &raw const out, SIZE), Err(libc::EACCES));
        assert_eq!(sendto(fd, &raw const unspecified, SIZE), Err(libc::EACCES));
        assert_eq!(to(libc::syscall(libc::SYS_sendmsg, fd, &raw const messages[0].msg_hdr, 0)), Ok(1));
        assert_eq!(to(libc::syscall(libc::SYS_sendmsg, fd, &raw const messages[1].msg_hdr, 0)), Err(libc::EACCES));
        assert_eq!(to(libc::syscall(libc::SYS_sendmmsg, fd, well.as_mut_ptr(), 2, 0)), Ok(2));
        assert_eq!(to(libc::syscall(libc::SYS_sendmmsg, fd, messages.as_mut_ptr(), 2, 0)), Err(libc::EACCES));
        assert_eq!(connect(&raw const out), Err(libc::EACCES));
        assert_eq!(connect(&raw const here), Ok(0));
        // Without a family it takes the peer away, and leads nowhere.
        assert_eq!(connect(&raw const unspecified), Ok(0));
        assert_eq!(connect(ptr::without_provenance(8)), Err(libc::EFAULT));
        let ring = [0_u8; 256];
        assert_eq!(to(libc::syscall(libc::SYS_io_uring_setup, 4, ring.as_ptr())), Err(libc::ENOSYS));
    }
    let attempts: Vec<_> =
        scope.attempts().iter().map(|attempt| (attempt.call, attempt.addr.unwrap().to_string())).collect();
    let attempts: Vec<_> = attempts.iter().map(|(call, to)| (*call, to.as_str())).collect();
    let expected = [
        ("sendto", "240.0.0.1:9"),
        ("sendto", "240.0.0.2:9"),
        ("sendmsg", "240.0.0.1:9"),
        ("sendmmsg", "240.0.0.1:9"),
        ("connect", "240.0.0.1:9"),
    ];
    assert_eq!(attempts, expected);
}

#[test]
fn a_call_by_another_name_for_the_architecture_is_denied() {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let (_strict, scope) = strict();
    let out = outside();
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    // SAFETY: the address is alive.
    let code = unsafe {
        libc::syscall(libc::SYS_connect + i64::from(super::filter::FOREIGN), socket.as_raw_fd(), &raw const out, SIZE)
    };
    assert_eq!(ended(code), Err(libc::EACCES));
    assert_eq!(scope.attempts()[0].place(), "an address that cannot be told");
}
