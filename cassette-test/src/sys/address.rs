//! Socket addresses as C callers pass them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ptr;

use libc::{addrinfo, sockaddr, sockaddr_in, sockaddr_in6, socklen_t};

/// The least the kernel takes for an IPv6 address: the scope at its end may be missing (RFC 2133).
const SHORTEST_V6: usize = 24;

/// The most that the kernel takes for an address of whatever kind.
pub(in crate::sys) const LONGEST: usize = size_of::<libc::sockaddr_storage>();

/// What an address without a family means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sys) enum Unspecified {
    /// That the socket is to have no peer any more (connect(2)).
    Dissolves,
    /// An address of IPv4: so a datagram's is taken (net/ipv4/udp.c).
    IsV4,
}

/// Returns the internet address behind the pointer; nothing for a null pointer, another family, or a length that the kernel refuses.
///
/// # Safety
///
/// `address` must be null or point to `length` readable bytes.
pub(in crate::sys) unsafe fn read(
    address: *const sockaddr,
    length: socklen_t,
    unspecified: Unspecified,
) -> Option<SocketAddr> {
    let length = length as usize;
    if address.is_null() || !(size_of::<libc::sa_family_t>()..=LONGEST).contains(&length) {
        return None;
    }
    // SAFETY: the family is the first member of each kind of address, and that many bytes are there.
    let family = i32::from(unsafe { ptr::read_unaligned(&raw const (*address).sa_family) });
    let family = if family == libc::AF_UNSPEC && unspecified == Unspecified::IsV4 { libc::AF_INET } else { family };
    match family {
        libc::AF_INET if length >= size_of::<sockaddr_in>() => {
            // SAFETY: the bytes are there, and any of them make a valid `sockaddr_in`.
            let v4 = unsafe { ptr::read_unaligned(address.cast::<sockaddr_in>()) };
            let ip = Ipv4Addr::from(u32::from_be(v4.sin_addr.s_addr));
            Some(SocketAddr::new(ip.into(), u16::from_be(v4.sin_port)))
        }
        libc::AF_INET6 if length >= SHORTEST_V6 => {
            // SAFETY: zero is a valid `sockaddr_in6`, of which at most its own size is overwritten by bytes that exist.
            let v6 = unsafe {
                let mut v6 = std::mem::zeroed::<sockaddr_in6>();
                let size = length.min(size_of::<sockaddr_in6>());
                ptr::copy_nonoverlapping(address.cast::<u8>(), (&raw mut v6).cast::<u8>(), size);
                v6
            };
            Some(SocketAddr::new(Ipv6Addr::from(v6.sin6_addr.s6_addr).into(), u16::from_be(v6.sin6_port)))
        }
        _ => None,
    }
}

/// Returns the internet addresses of a list that `getaddrinfo` made.
///
/// # Safety
///
/// `list` must be null or a list of libc's that has not been freed.
pub(in crate::sys) unsafe fn read_list(mut list: *const addrinfo) -> Vec<IpAddr> {
    let mut addresses = Vec::new();
    // SAFETY: each pointer is null or an entry of the list, whose address has the length that stands beside it.
    while let Some(entry) = unsafe { list.as_ref() } {
        addresses.extend(
            unsafe { read(entry.ai_addr, entry.ai_addrlen, Unspecified::Dissolves) }.map(|address| address.ip()),
        );
        list = entry.ai_next;
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(family: i32, rest: &[u8]) -> Vec<u8> {
        let family = family as libc::sa_family_t;
        [&family.to_ne_bytes(), rest].concat()
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<&str>) {
        // SAFETY: that many bytes are there.
        let address = unsafe { read(bytes.as_ptr().cast(), bytes.len() as socklen_t, Unspecified::Dissolves) };
        assert_eq!(address, expected.map(|address| address.parse().unwrap()));
    }

    #[test]
    fn internet_addresses_are_read_and_nothing_else_is() {
        let v4 = bytes(libc::AF_INET, &[0, 9, 240, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
        check(&v4, Some("240.0.0.1:9"));
        check(&v4[..15], None);
        check(&[v4.clone(), vec![0; LONGEST]].concat()[..LONGEST + 1], None);
        let v6 = bytes(libc::AF_INET6, &[[1, 187, 0, 0, 0, 0, 0xfd, 0].as_slice(), &[0; 13], &[7], &[0; 4]].concat());
        check(&v6, Some("[fd00::7]:443"));
        check(&v6[..SHORTEST_V6], Some("[fd00::7]:443"));
        check(&v6[..SHORTEST_V6 - 1], None);
        check(&bytes(libc::AF_UNIX, b"/tmp/a socket whose path is long enough"), None);
        check(&bytes(libc::AF_UNSPEC, &[0; 14]), None);
        check(&[2], None);
        check(&[], None);
        // SAFETY: a null pointer is allowed.
        assert_eq!(unsafe { read(ptr::null(), 16, Unspecified::IsV4) }, None);
    }
}
