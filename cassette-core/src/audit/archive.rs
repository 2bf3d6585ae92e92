//! What is packed: documents of an office, wheels, packages, and archives in archives.

use super::inspect::{Auditor, Hit, MAX_DEPTH, letters};
use crate::redact::coding::{gzip, tar, zip};
use crate::redact::detect::UNSEARCHED;

/// Returns whether bytes say that something is packed in them.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    zip::is_archive(bytes) || tar::is_archive(bytes) || gzip::is_packed(bytes)
}

impl Auditor<'_> {
    /// Returns what is secret in what is packed in these bytes by its looks, and what is known: of names in it the file has thousands.
    pub(super) fn archive(self, bytes: &[u8], depth: usize) -> Vec<Hit> {
        if depth > MAX_DEPTH || self.work.is_spent() {
            return vec![(UNSEARCHED.to_owned(), letters(bytes))];
        }
        // The names of members, and comments.
        let mut hits = self.certain(&letters(bytes));
        let (held, whole) = held(bytes);
        for member in held {
            self.work.spend(member.len() / 64);
            hits.extend(self.shapes(&letters(&member)));
            if is_packed(&member) {
                hits.extend(self.archive(&member, depth + 1));
            }
        }
        if !whole {
            hits.push((UNSEARCHED.to_owned(), letters(bytes)));
        }
        hits
    }
}

/// Returns what is packed in these bytes, and whether that is all of it.
fn held(bytes: &[u8]) -> (Vec<Vec<u8>>, bool) {
    if zip::is_archive(bytes) {
        let members = zip::members(bytes);
        (members.held, members.whole)
    } else if tar::is_archive(bytes) {
        (tar::members(bytes).into_iter().map(<[u8]>::to_vec).collect(), true)
    } else {
        let (unpacked, whole) = gzip::unpacked(bytes);
        (vec![unpacked], whole)
    }
}
