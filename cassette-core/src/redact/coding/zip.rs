//! What the members of a ZIP archive hold (APPNOTE 6.3.10), of which office documents and wheels are made.

use std::io::{ErrorKind, Read as _};

use flate2::read::DeflateDecoder;

/// What begins each member, and the length of what stands before its name.
const MARK: &[u8] = b"PK\x03\x04";
const HEAD: usize = 30;

/// What the flags say of a member: that it is encrypted, and that its length stands behind it.
const ENCRYPTED: usize = 1;
const COUNTED_BEHIND: usize = 8;

/// The length of a member that is told elsewhere.
const ELSEWHERE: usize = 0xffff_ffff;

/// The numbers of the two methods in use.
const STORED: usize = 0;
const DEFLATED: usize = 8;

/// Returns whether the bytes say that they are an archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// What an archive is made of.
pub(crate) struct Members {
    /// What each member holds, of one that cannot be unpacked what came out.
    pub(crate) held: Vec<Vec<u8>>,
    /// What stands before and behind them: names, comments, the directory.
    pub(crate) beside: Vec<Vec<u8>>,
    /// Whether that is all of it: every member could be read, and nothing is behind one that belongs to no archive.
    pub(crate) whole: bool,
}

/// Returns what an archive is made of, no more than so many bytes of its members.
pub(crate) fn members(bytes: &[u8], mut left: usize) -> Members {
    let mut members = Members { held: Vec::new(), beside: Vec::new(), whole: true };
    let (mut at, mut read) = (0, 0);
    while let Some(head) = next(bytes, at, &[MARK]) {
        let field = |place: usize, length: usize| number(bytes, head + place, length).unwrap_or_default();
        let start = head + HEAD + field(26, 2) + field(28, 2);
        at = head + MARK.len();
        members.frame(&bytes[read..head], Rest::Followed);
        read = bytes.len().min(start);
        members.beside.push(bytes[head..read].to_vec());
        let Some(packed) = bytes.get(start..) else { break };
        let (flags, size) = (field(6, 2), field(18, 4));
        let (member, length) = match field(8, 2) {
            _ if flags & ENCRYPTED != 0 => {
                members.whole = false;
                continue;
            }
            DEFLATED => {
                let unpacked = unpacked(packed, left);
                members.whole &= unpacked.sound;
                (unpacked.bytes, unpacked.read)
            }
            STORED => {
                let told = flags & COUNTED_BEHIND == 0 && size != ELSEWHERE;
                let end = next(bytes, start, RECORDS).map_or(packed.len(), |end| end - start);
                let length = if told { size.min(packed.len()) } else { end };
                (packed[..length].to_vec(), length)
            }
            _ => {
                members.whole = false;
                continue;
            }
        };
        let spent = member.len().max(length);
        members.held.push(member);
        if spent >= left {
            members.whole = false;
            return members;
        }
        left -= spent;
        read = start + length;
        at = at.max(read);
    }
    members.frame(&bytes[read..], Rest::Cut);
    members
}

/// What may follow a stretch of records.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// The next member: the last record ends before it.
    Followed,
    /// Nothing: the last record may have been cut off.
    Cut,
}

impl Members {
    /// Takes up what stands behind a member.
    fn frame(&mut self, bytes: &[u8], rest: Rest) {
        self.whole &= is_frame(bytes, rest);
        if !bytes.is_empty() {
            self.beside.push(bytes.to_vec());
        }
    }
}

/// What begins the records behind a member.
const RECORDS: &[&[u8]] = &[MARK, b"PK\x07\x08", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"];

/// Returns whether bytes are nothing but the records of an archive.
fn is_frame(mut bytes: &[u8], rest: Rest) -> bool {
    while !bytes.is_empty() {
        let field = |place: usize, length: usize| number(bytes, place, length).unwrap_or_default();
        let closes =
            |length: &usize| bytes.get(*length..).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"PK"));
        let length = match bytes.get(..4) {
            Some(b"PK\x07\x08") => [16, 24].into_iter().find(closes).unwrap_or(24),
            Some(b"PK\x01\x02") => 46 + field(28, 2) + field(30, 2) + field(32, 2),
            Some(b"PK\x05\x06") => 22 + field(20, 2),
            Some(b"PK\x06\x06") => field(4, 8).saturating_add(12),
            Some(b"PK\x06\x07") => 20,
            // The lengths of the member before, with no mark of their own.
            Some(_) => match [12, 20].into_iter().find(closes) {
                Some(length) => length,
                None => return false,
            },
            None => bytes.len() + 1,
        };
        let Some(after) = bytes.get(length..) else { return rest == Rest::Cut };
        bytes = after;
    }
    true
}

/// Returns the number of so many bytes at a place.
fn number(bytes: &[u8], place: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(place..place + length)?;
    bytes.iter().rev().try_fold(0usize, |number, byte| number.checked_mul(256)?.checked_add(usize::from(*byte)))
}

/// Returns where the next of these marks stands.
fn next(bytes: &[u8], at: usize, marks: &[&[u8]]) -> Option<usize> {
    Some(at + bytes.get(at..)?.windows(MARK.len()).position(|window| marks.contains(&window))?)
}

/// What a packed member holds.
struct Unpacked {
    bytes: Vec<u8>,
    /// How many bytes were read for it.
    read: usize,
    /// Whether none of them is damaged; the last may be lacking.
    sound: bool,
}

/// Unpacks a member, up to so many bytes.
fn unpacked(packed: &[u8], left: usize) -> Unpacked {
    let mut bytes = Vec::new();
    let mut decoder = DeflateDecoder::new(packed).take(left as u64);
    // What was unpacked before it broke off is looked into all the same.
    let sound = match decoder.read_to_end(&mut bytes) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::UnexpectedEof,
    };
    let read = decoder.into_inner().total_in();
    Unpacked { bytes, read: usize::try_from(read).unwrap_or(usize::MAX), sound }
}
