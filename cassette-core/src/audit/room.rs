//! How much may be unpacked of one body, and what comes out of it.

use std::cell::Cell;

use super::inspect::Auditor;
use crate::redact::coding::gzip::{self, End, Unpacked};
use crate::redact::coding::{tar, zip};

/// The bytes that may yet be unpacked of one body, whatever in it is packed and however often.
#[derive(Debug)]
pub(super) struct Room {
    left: Cell<usize>,
}

impl Room {
    pub(super) fn new() -> Room {
        Room { left: Cell::new(gzip::LIMIT) }
    }

    /// Makes room for the next body.
    pub(super) fn renew(&self) {
        self.left.set(gzip::LIMIT);
    }

    fn take(&self, bytes: usize) {
        self.left.set(self.left.get().saturating_sub(bytes));
    }
}

/// What something packed is made of.
pub(super) struct Opened {
    /// What its members hold.
    pub(super) held: Vec<Vec<u8>>,
    /// What stands beside them.
    pub(super) beside: Vec<Vec<u8>>,
    /// Whether that is all of it.
    pub(super) end: End,
}

impl From<Unpacked> for Opened {
    fn from(unpacked: Unpacked) -> Opened {
        Opened { held: vec![unpacked.bytes], beside: Vec::new(), end: unpacked.end }
    }
}

impl Auditor<'_> {
    /// Unpacks gzip and zlib, as much as there is room for.
    pub(super) fn unpacked(self, bytes: &[u8]) -> Unpacked {
        let unpacked = gzip::unpacked(bytes, self.room.left.get());
        self.room.take(unpacked.bytes.len());
        unpacked
    }

    /// Opens what is packed in these bytes, as much as there is room for.
    pub(super) fn opened(self, bytes: &[u8]) -> Opened {
        if zip::is_archive(bytes) {
            let zip::Members { held, beside, whole } = zip::members(bytes, self.room.left.get());
            self.room.take(held.iter().map(Vec::len).sum());
            Opened { held, beside, end: end(whole) }
        } else if tar::is_archive(bytes) {
            let members = tar::members(bytes);
            let owned = |stretches: Vec<&[u8]>| stretches.into_iter().map(<[u8]>::to_vec).collect();
            Opened { held: owned(members.held), beside: owned(members.heads), end: end(members.whole) }
        } else {
            Opened::from(self.unpacked(bytes))
        }
    }
}

/// Returns where the reading of an archive ended: what is damaged in one may be as much as what there is no room for.
fn end(whole: bool) -> End {
    if whole { End::Whole } else { End::Limit }
}
