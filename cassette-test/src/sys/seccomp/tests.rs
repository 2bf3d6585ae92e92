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

/// Addresses of every shape, by what they are; none that passes leads outside.
fn shapes() -> Vec<(&'static str, Vec<u8>)> {
    let bytes = |family: i32, rest: &[u8]| [&(family as sa_family_t).to_ne_bytes(), rest].concat();
    let v4 = |family: i32, ip: [u8; 4]| bytes(family, &[&[0, 9][..], &ip, &[0; 8]].concat());
    let v6 = |ip: &str| {
        let ip: std::net::Ipv6Addr = ip.parse().unwrap();
        bytes(libc::AF_INET6, &[&[0, 9, 0, 0, 0, 0][..], &ip.octets(), &[0; 4]].concat())
    };
    let (out, here) = ([240, 0, 0, 1], [127, 0, 0, 1]);
    let long = |mut bytes: Vec<u8>, length: usize| {
        bytes.resize(length, 7);
        bytes
    };
    vec![
        ("v4", v4(libc::AF_INET, out)),
        ("v4 here", v4(libc::AF_INET, here)),
        ("v4 anywhere", v4(libc::AF_INET, [0; 4])),
        ("v4 short", v4(libc::AF_INET, out)[..15].to_vec()),
        ("v4 long", long(v4(libc::AF_INET, out), 28)),
        ("v4 longest", long(v4(libc::AF_INET, out), 128)),
        ("v4 too long", long(v4(libc::AF_INET, out), 129)),
        ("v6", v6("2001:db8::1")),
        ("v6 short", v6("2001:db8::1")[..24].to_vec()),
        ("v6 too short", v6("2001:db8::1")[..23].to_vec()),
        ("v6 here", v6("::1")),
        ("v6 anywhere", v6("::")),
        ("v6 mapped", v6("::ffff:240.0.0.1")),
        ("v6 mapped here", v6("::ffff:127.0.0.1")),
        ("v6 of old", v6("::240.0.0.1")),
        ("v6 link", v6("fe80::1")),
        ("none", v4(libc::AF_UNSPEC, out)),
        ("none here", v4(libc::AF_UNSPEC, here)),
        ("none short", v4(libc::AF_UNSPEC, out)[..15].to_vec()),
        ("unix", bytes(libc::AF_UNIX, b"/nowhere/cassette\0")),
        ("netlink", bytes(libc::AF_NETLINK, &[0; 10])),
        ("byte", vec![2]),
        ("family", bytes(libc::AF_INET, &[])),
        ("empty", Vec::new()),
    ]
}

/// Makes every call with every address, by libc or past it; returns those that were denied, and what was kept.
fn denied_of(scope: &GuardScope, by_libc: bool) -> (Vec<String>, Vec<String>) {
    let byte = *b"x";
    let mut part = iovec { iov_base: byte.as_ptr().cast_mut().cast(), iov_len: 1 };
    let mut denied = Vec::new();
    for (name, mut bytes) in shapes() {
        let length = bytes.len() as u32;
        for call in ["connect", "sendto", "sendmsg", "sendmmsg"] {
            let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
            let (fd, to) = (socket.as_raw_fd(), bytes.as_mut_ptr());
            let mut message = message(ptr::null_mut(), &mut part);
            (message.msg_hdr.msg_name, message.msg_hdr.msg_namelen) = (to.cast(), length);
            // SAFETY: everything these calls are given is alive.
            let code = unsafe {
                match (call, by_libc) {
                    ("connect", true) => libc::connect(fd, to.cast(), length).into(),
                    ("connect", false) => libc::syscall(libc::SYS_connect, fd, to, length),
                    ("sendto", true) => libc::sendto(fd, byte.as_ptr().cast(), 1, 0, to.cast(), length) as c_long,
                    ("sendto", false) => libc::syscall(libc::SYS_sendto, fd, byte.as_ptr(), 1, 0, to, length),
                    ("sendmsg", true) => libc::sendmsg(fd, &raw const message.msg_hdr, 0) as c_long,
                    ("sendmsg", false) => libc::syscall(libc::SYS_sendmsg, fd, &raw const message.msg_hdr, 0),
                    (_, true) => libc::sendmmsg(fd, &raw mut message, 1, 0).into(),
                    (_, false) => libc::syscall(libc::SYS_sendmmsg, fd, &raw mut message, 1, 0),
                }
            };
            if ended(code) == Err(libc::EACCES) {
                denied.push(format!("{call} {name}"));
            }
        }
    }
    (denied, scope.attempts().iter().map(|attempt| format!("{} {}", attempt.call, attempt.place())).collect())
}

#[test]
fn the_plain_guard_and_the_strict_one_agree_on_every_shape_of_address() {
    let plain = std::thread::spawn(|| {
        let scope = enter(GuardPolicy::new(GuardMode::Deny));
        denied_of(&scope, true)
    });
    let strict = std::thread::spawn(|| {
        let (_strict, scope) = strict();
        denied_of(&scope, false)
    });
    let (plain, strict) = (plain.join().unwrap(), strict.join().unwrap());
    assert_eq!(plain, strict);
    let outside = ["v4", "v4 long", "v4 longest", "v6", "v6 short", "v6 mapped", "v6 of old", "v6 link"];
    let mut expected: Vec<_> = shapes()
        .iter()
        .flat_map(|(name, _)| ["connect", "sendto", "sendmsg", "sendmmsg"].map(|call| (call, *name)))
        .filter(|(call, name)| outside.contains(name) || *name == "none" && *call != "connect")
        .map(|(call, name)| format!("{call} {name}"))
        .collect();
    expected.sort();
    let mut denied = plain.0;
    denied.sort();
    assert_eq!(denied, expected);
    assert_eq!(plain.1.len(), expected.len());
}
