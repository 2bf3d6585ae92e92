//! What the members of a ZIP archive hold (APPNOTE 6.3.10), of which office documents and wheels are made.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

/// What is unpacked at most of one archive.
const LIMIT: usize = 64 << 20;

/// What begins each member, and the length of what stands before its name.
const MARK: &[u8] = b"PK\x03\x04";
const HEAD: usize = 30;

/// The numbers of the two methods in use.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Returns whether the bytes say that they are an archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// What the members of an archive hold.
pub(crate) struct Members {
    /// Each by itself, of one that cannot be unpacked what came out.
    pub(crate) held: Vec<Vec<u8>>,
    /// Whether that is all of it: there is an end to what is unpacked.
    pub(crate) whole: bool,
}

/// Returns what the members of an archive hold.
pub(crate) fn members(bytes: &[u8]) -> Members {
    let mut held = Vec::new();
    let mut left = LIMIT;
    let mut at = 0;
    while let Some(next) = next(bytes, at) {
        let head = next;
        let number =
            |place: usize| bytes.get(head + place..head + place + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
        let start = head + HEAD + usize::from(number(26)) + usize::from(number(28));
        at = head + MARK.len();
        let Some(packed) = bytes.get(start..) else { continue };
        let (member, read) = match number(8) {
            DEFLATED => unpacked(packed, left),
            STORED => {
                let end = self::next(bytes, at.max(start)).unwrap_or(bytes.len());
                (bytes[start..end].to_vec(), end - start)
            }
            _ => continue,
        };
        let spent = member.len().max(read);
        held.push(member);
        if spent >= left {
            return Members { held, whole: false };
        }
        left -= spent;
    }
    Members { held, whole: true }
}

/// Returns where the next member begins.
fn next(bytes: &[u8], at: usize) -> Option<usize> {
    Some(at + bytes.get(at..)?.windows(MARK.len()).position(|window| window == MARK)?)
}

/// Returns what a packed member holds, up to so many bytes, and how many were read for it.
fn unpacked(packed: &[u8], left: usize) -> (Vec<u8>, usize) {
    let mut unpacked = Vec::new();
    let mut decoder = DeflateDecoder::new(packed).take(left as u64);
    // What was unpacked before it broke off is looked into all the same.
    let _ = decoder.read_to_end(&mut unpacked);
    let read = decoder.into_inner().total_in();
    (unpacked, usize::try_from(read).unwrap_or(usize::MAX))
}
