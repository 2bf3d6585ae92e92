//! What the members of a ZIP archive hold (APPNOTE 6.3.10), of which office documents and wheels are made.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

/// What is unpacked at most of one archive.
const LIMIT: usize = 64 << 20;

/// What begins each member, and the length of what stands before its name.
const MARK: &[u8] = b"PK\x03\x04";
const HEAD: usize = 30;

/// The number of the one method in use.
const DEFLATED: u16 = 8;

/// Returns whether the bytes say that they are an archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Returns what the packed members of an archive hold; those that are stored stand in its own bytes, and of one that cannot be
/// unpacked it is what came out.
pub(crate) fn members(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut members = Vec::new();
    let mut left = LIMIT;
    let mut at = 0;
    while let Some(next) = bytes[at..].windows(MARK.len()).position(|window| window == MARK) {
        at += next;
        let head = at;
        let short =
            |place: usize| bytes.get(head + place..head + place + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
        let start = head + HEAD + usize::from(short(26)) + usize::from(short(28));
        at += MARK.len();
        if short(8) != DEFLATED {
            continue;
        }
        let Some(packed) = bytes.get(start..) else { continue };
        let mut unpacked = Vec::new();
        let mut decoder = DeflateDecoder::new(packed).take(left as u64);
        // What was unpacked before it broke off is looked into all the same.
        let _ = decoder.read_to_end(&mut unpacked);
        left -= unpacked.len();
        members.push(unpacked);
        if left == 0 {
            break;
        }
    }
    members
}
