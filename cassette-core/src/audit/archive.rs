//! The members of archives: documents of an office, wheels, packages.

use super::inspect::{Auditor, Hit, MAX_DEPTH, letters};
use crate::redact::coding::zip;
use crate::redact::detect::UNSEARCHED;

impl Auditor<'_> {
    /// Returns what is secret in the members of an archive by its looks, and what is known: of names in it the file has thousands.
    pub(super) fn archive(self, bytes: &[u8], depth: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        let members = zip::members(bytes);
        let mut whole = members.whole && depth <= MAX_DEPTH;
        for member in members.held {
            self.work.spend(member.len() / 64);
            if depth > MAX_DEPTH || self.work.is_spent() {
                whole = false;
                break;
            }
            hits.extend(self.shapes(&letters(&member)));
            if zip::is_archive(&member) {
                hits.extend(self.archive(&member, depth + 1));
            }
        }
        if !whole {
            hits.push((UNSEARCHED.to_owned(), letters(bytes)));
        }
        hits
    }
}
