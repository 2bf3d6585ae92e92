//! What is packed: documents of an office, wheels, packages, and archives in archives.

use super::body::is_media;
use super::inspect::{Auditor, Hit, MAX_DEPTH, letters};
use super::room::Opened;
use crate::redact::Trust;
use crate::redact::coding::gzip::End;
use crate::redact::coding::{base64, gzip, tar, utf16, zip};
use crate::redact::detect::{UNSEARCHED, Work};

/// The rule of bytes that nobody can look into.
pub(super) const OPAQUE: &str = "opaque-body";

impl Auditor<'_> {
    /// Returns what is secret in what is packed in these bytes by its looks, and what is known: of names in it the file has thousands.
    pub(super) fn archive(self, bytes: &[u8], depth: usize) -> Vec<Hit> {
        if depth > MAX_DEPTH || self.work.is_spent() {
            return vec![unsearched(bytes)];
        }
        self.within(self.opened(bytes), bytes, depth)
    }

    /// Returns what is secret in what came out of these bytes.
    pub(super) fn within(self, opened: Opened, bytes: &[u8], depth: usize) -> Vec<Hit> {
        let mut hits = self.certain(&letters(bytes));
        let Opened { held, beside, end } = opened;
        // The names of members, and comments.
        hits.extend(beside.iter().flat_map(|beside| self.shapes(&letters(beside))));
        for member in held {
            let work = Work::decoding(&String::from_utf8_lossy(&member));
            let looks = Auditor { trust: Trust::Looks, work: &work, ..self };
            hits.extend(looks.member(&member, depth + 1));
        }
        // What came before it broke off is all there is: what only begins as if it were compressed is no more than that.
        if end == End::Limit {
            hits.push(unsearched(bytes));
        }
        hits
    }

    /// Returns what is secret in what one member holds, which is as opaque as a body that cannot be read.
    fn member(self, bytes: &[u8], depth: usize) -> Vec<Hit> {
        if bytes.is_empty() {
            return Vec::new();
        }
        if depth > MAX_DEPTH {
            return vec![unsearched(bytes)];
        }
        // Either may be nothing but letters, and so may what begins as if it were compressed.
        let is_archive = zip::is_archive(bytes) || tar::is_archive(bytes);
        if let Some(text) = text(bytes).filter(|_| !is_archive) {
            return self.text(text, depth);
        }
        if is_archive {
            return self.archive(bytes, depth);
        }
        if gzip::is_packed(bytes) {
            let opened = self.opened(bytes);
            let broken = (opened.end == End::Broken).then(|| opaque(bytes));
            return self.within(opened, bytes, depth).into_iter().chain(broken).collect();
        }
        if let Some(text) = utf16(bytes) {
            return self.text(&text, depth);
        }
        let mut hits = self.certain(&letters(bytes));
        hits.extend(self.shapes(&letters(bytes)));
        hits.extend(self.wide(bytes, depth));
        if !is_media(bytes) {
            hits.push(opaque(bytes));
        }
        hits
    }
}

/// Returns bytes as the text that they are, be there control characters in it; a cut may be within a letter.
fn text(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

pub(super) fn unsearched(bytes: &[u8]) -> Hit {
    (UNSEARCHED.to_owned(), letters(bytes))
}

/// Returns what is said of bytes that nobody can look into.
pub(super) fn opaque(bytes: &[u8]) -> Hit {
    (OPAQUE.to_owned(), base64::encode(bytes, base64::Spelling { url: false, padded: true }))
}
