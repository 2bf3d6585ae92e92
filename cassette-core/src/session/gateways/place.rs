//! Where an address of this machine stands in bytes, as it is spelled there.

use std::ops::Range;

/// What this machine is called.
pub(super) const HOSTS: [&str; 2] = ["127.0.0.1", "localhost"];

/// How a colon is spelled: as it is, in a query and in one within a query (RFC 3986, section 2.1), in JSON.
const COLONS: [&str; 5] = [":", "%3a", "%253a", "%25253a", "\\u003a"];

/// How a slash is spelled, the longer before what they end in: JSON has a way of its own, and so has JSON within JSON.
const SLASHES: [&str; 7] = ["\\\\\\/", "\\/", "/", "%2f", "%252f", "%25252f", "\\u002f"];

/// An address of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Where it stands, scheme included where it has one.
    pub(super) at: Range<usize>,
    /// Its scheme, with the colon and the slashes as they are spelled.
    pub(super) scheme: Option<Scheme>,
    /// How the colon before the port is spelled.
    pub(super) colon: Range<usize>,
    /// Its port.
    pub(super) port: u16,
}

/// A scheme before an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scheme {
    /// The letters.
    pub(super) name: Range<usize>,
    /// What stands between them and the host.
    pub(super) between: Range<usize>,
}

/// Returns the addresses of this machine in these bytes, first to last.
pub(super) fn places(bytes: &[u8]) -> impl Iterator<Item = Place> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let host = next_host(bytes, from)?;
            from = host.end;
            if let Some(place) = place(bytes, host) {
                from = place.at.end;
                return Some(place);
            }
        }
    })
}

/// Returns where `what` stands first in these bytes.
pub(super) fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let (first, rest) = what.split_first()?;
    let mut from = 0;
    loop {
        let at = from + bytes[from..].iter().position(|byte| byte == first)?;
        if bytes[at + 1..].starts_with(rest) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn next_host(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let rest = &bytes[from..];
    let is_host = |at: usize| HOSTS.iter().find(|host| starts(&rest[at..], host)).map(|host| at..at + host.len());
    let host = rest.iter().enumerate().filter(|(_, byte)| matches!(byte, b'1' | b'l' | b'L'));
    let host = host.map(|(at, _)| at).find_map(is_host)?;
    Some(from + host.start..from + host.end)
}

fn place(bytes: &[u8], host: Range<usize>) -> Option<Place> {
    let colon = COLONS.iter().find(|colon| starts(&bytes[host.end..], colon))?;
    let colon = host.end..host.end + colon.len();
    let digits = bytes[colon.end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let port: u16 = std::str::from_utf8(&bytes[colon.end..colon.end + digits]).ok()?.parse().ok()?;
    let end = colon.end + digits;
    let before = &bytes[..host.start];
    let slash = SLASHES.iter().find(|slash| ends(before, slash) && ends(&before[..before.len() - slash.len()], slash));
    let Some(slash) = slash else {
        return is_begun(before).then_some(Place { at: host.start..end, scheme: None, colon, port });
    };
    let slashes = host.start - 2 * slash.len();
    let scheme = COLONS.iter().find(|colon| ends(&bytes[..slashes], colon)).and_then(|colon| {
        let letters = slashes - colon.len();
        let name = ["https", "http", "wss", "ws"].into_iter().find(|name| ends(&bytes[..letters], name))?;
        Some(Scheme { name: letters - name.len()..letters, between: letters..host.start })
    });
    let start = scheme.as_ref().map_or(host.start, |scheme| scheme.name.start);
    Some(Place { at: start..end, scheme, colon, port })
}

/// Returns whether a host may begin behind this: it is not the end of a longer name.
fn is_begun(before: &[u8]) -> bool {
    match before {
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'\\', b'n' | b't' | b'r'] => true,
        [.., last] => !(last.is_ascii_alphanumeric() || matches!(last, b'.' | b'-' | b'_')),
        [] => true,
    }
}

fn starts(bytes: &[u8], word: &str) -> bool {
    bytes.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

fn ends(bytes: &[u8], word: &str) -> bool {
    bytes.len().checked_sub(word.len()).is_some_and(|at| bytes[at..].eq_ignore_ascii_case(word.as_bytes()))
}
