//! A text in which the addresses of gateways are those of the servers for which they stand.

use std::sync::LazyLock;

use super::Stands;
use super::place::{HOSTS, Place, places};
use crate::redact::coding::{base64, gzip};

/// How deep codings are taken off: JSON in base64 in base64.
const DEPTH: usize = 3;

/// What is done to decoded bytes that are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    /// They may count themselves, and are left as they are.
    Left,
    /// They are read all the same: nothing will be made of them.
    Read,
}

/// How servers are put into the place of gateways.
#[derive(Clone, Copy, Debug)]
pub(super) struct Putting<'a> {
    pub(super) gateways: &'a [Stands],
    pub(super) binary: Binary,
}

impl Putting<'_> {
    /// Returns a text that speaks of servers; `None` where it speaks of no gateway.
    pub(super) fn text(self, text: &str) -> Option<String> {
        String::from_utf8(self.within(text.as_bytes(), DEPTH)?).ok()
    }

    /// Returns bytes that speak of servers; `None` where they speak of no gateway.
    pub(super) fn bytes(self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.within(bytes, DEPTH)
    }

    /// Returns compressed bytes, of which this is so, compressed again: stored, so that they hang on no compressor's version.
    pub(super) fn packed(self, bytes: &[u8]) -> Option<Vec<u8>> {
        if gzip::is_packed(bytes) { self.within(bytes, DEPTH) } else { None }
    }

    fn within(self, bytes: &[u8], depth: usize) -> Option<Vec<u8>> {
        let depth = depth.checked_sub(1)?;
        if let Some(unpacked) = gzip::unpack(bytes) {
            let read = self.reads(&unpacked).then(|| self.within(&unpacked, depth)).flatten();
            return gzip::pack(&read?, bytes);
        }
        let plain = may_name(bytes).then(|| self.plain(bytes)).flatten();
        let coded = self.coded(plain.as_deref().unwrap_or(bytes), depth);
        coded.or(plain)
    }

    fn reads(self, bytes: &[u8]) -> bool {
        self.binary == Binary::Read || std::str::from_utf8(bytes).is_ok()
    }

    /// Puts servers where gateways stand as they are, in the spelling that each has.
    fn plain(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut put = Vec::new();
        let mut end = 0;
        for place in places(bytes) {
            let Some((_, server)) = self.gateways.iter().find(|(port, _)| *port == place.port) else { continue };
            put.extend(&bytes[end..place.at.start]);
            put.extend(spelled(server, bytes, &place));
            end = place.at.end;
        }
        (end > 0).then(|| {
            put.extend(&bytes[end..]);
            put
        })
    }

    /// Puts servers where gateways stand in base64.
    fn coded(self, bytes: &[u8], depth: usize) -> Option<Vec<u8>> {
        if !may_code(bytes) {
            return None;
        }
        let mut put = Vec::new();
        let (mut end, mut from) = (0, 0);
        while let Some(start) = bytes[from..].iter().position(|byte| base64::is_digit(*byte)).map(|at| from + at) {
            let length = bytes[start..].iter().take_while(|byte| base64::is_digit(**byte)).count();
            from = start + length;
            let run = &bytes[start..from];
            if !may_code(run) {
                continue;
            }
            // In a path a slash parts what is no digit there.
            let pieces = run.split(|byte| *byte == b'/').map(|piece| {
                let at = piece.as_ptr() as usize - run.as_ptr() as usize;
                start + at..start + at + piece.len()
            });
            for piece in std::iter::once(start..from).chain(pieces) {
                if piece.start < end {
                    continue;
                }
                if let Some(coded) = self.recoded(&bytes[piece.clone()], depth) {
                    put.extend(&bytes[end..piece.start]);
                    put.extend(coded.into_bytes());
                    end = piece.end + padding(&bytes[piece.end..]);
                    from = from.max(end);
                }
            }
        }
        (end > 0).then(|| {
            put.extend(&bytes[end..]);
            put
        })
    }

    /// Returns digits of base64 that speak of servers. They are not filled up: whether a text was that needed no filling, nobody
    /// knows, and a port of another length may have needed some.
    fn recoded(self, digits: &[u8], depth: usize) -> Option<String> {
        let digits = std::str::from_utf8(digits).ok()?;
        let decoded = base64::decode(digits).filter(|decoded| self.reads(decoded) || gzip::is_packed(decoded))?;
        let mut spelling = base64::Spelling::of(digits);
        spelling.padded = false;
        if base64::encode(&decoded, spelling) != digits {
            return None;
        }
        Some(base64::encode(&self.within(&decoded, depth)?, spelling))
    }
}

/// Returns a server as it is written in the place of this address.
fn spelled(server: &str, bytes: &[u8], place: &Place) -> Vec<u8> {
    let (scheme, authority) = server.split_once("://").unwrap_or(("", server));
    let mut put = Vec::new();
    if let Some(found) = &place.scheme {
        let is_socket = bytes[found.name.clone()].to_ascii_lowercase().starts_with(b"ws");
        let scheme = match (is_socket, scheme) {
            (true, "https") => "wss",
            (true, _) => "ws",
            (false, scheme) => scheme,
        };
        put.extend(scheme.as_bytes());
        put.extend(&bytes[found.between.clone()]);
    }
    for byte in authority.bytes() {
        match byte {
            b':' => put.extend(&bytes[place.colon.clone()]),
            byte => put.push(byte),
        }
    }
    put
}

/// Returns how many of these bytes fill up the base64 before them.
fn padding(after: &[u8]) -> usize {
    let marks =
        |mark: &str| after.chunks(mark.len()).take_while(|chunk| *chunk == mark.as_bytes()).count() * mark.len();
    ["=", "%3D", "%3d"].into_iter().map(marks).max().unwrap_or_default()
}

/// Returns whether the name of this machine may stand here: a whole text is searched much faster than it is read.
pub(super) fn may_name(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    HOSTS.iter().any(|host| text.contains(&host[1..]) || text.contains(&host[1..].to_ascii_uppercase()))
}

/// Returns whether the name of this machine may stand in base64 here.
fn may_code(bytes: &[u8]) -> bool {
    static CORES: LazyLock<Vec<String>> = LazyLock::new(|| HOSTS.iter().flat_map(|host| base64::cores(host)).collect());
    let text = String::from_utf8_lossy(bytes);
    CORES.iter().any(|core| text.contains(core.as_str()))
}
