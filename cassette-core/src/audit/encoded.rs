//! What stands encoded in a text: in base64 and base32, by the numbers of its bytes, packed or not.

use super::archive::OPAQUE;
use super::inspect::{Auditor, Hit, MAX_DEPTH};
use super::room::Opened;
use crate::redact::coding::gzip::End;
use crate::redact::coding::{as_text, base32, base64, gzip, hex, is_packed, number_texts, packed_numbers, runs};
use crate::redact::detect;

impl Auditor<'_> {
    /// Returns what is secret in what stands encoded in a text.
    pub(super) fn encoded(self, text: &str, depth: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        let runs = runs(text);
        for run in base32::stretches(text, &runs) {
            let bytes = Some(&text[run]).filter(|run| detect::decodes_from_base32(run)).and_then(base32::decode);
            hits.extend(bytes.into_iter().flat_map(|bytes| self.bytes(&bytes, depth)));
        }
        for run in runs {
            hits.extend(self.base64(&text[run.range], depth));
        }
        for digits in packed_numbers(text) {
            hits.extend(hex::decode(&text[digits]).into_iter().flat_map(|bytes| self.bytes(&bytes, depth)));
        }
        for found in number_texts(text) {
            hits.extend(self.text(&found.text, depth + 1));
        }
        hits
    }

    fn base64(self, run: &str, depth: usize) -> Vec<Hit> {
        if !detect::decodes(run) {
            return Vec::new();
        }
        let bytes = base64::decode(run).unwrap_or_default();
        let wide = self.wide(&bytes, depth + 1);
        if wide.is_empty() { self.bytes(&bytes, depth) } else { wide }
    }

    /// Returns what is secret in the text that these bytes are, packed or not.
    fn bytes(self, bytes: &[u8], depth: usize) -> Vec<Hit> {
        match as_text(bytes) {
            Some(text) => self.text(text, depth + 1),
            None if gzip::is_packed(bytes) && depth < MAX_DEPTH => {
                let unpacked = self.unpacked(bytes);
                let end = unpacked.end;
                let mut hits = match as_text(&unpacked.bytes).filter(|_| end == End::Whole) {
                    Some(text) => self.text(text, depth + 1),
                    None => self.within(Opened::from(unpacked), bytes, depth + 1),
                };
                // Many an id begins as if it were packed, and what comes out of that can be read no better than the id.
                hits.retain(|(rule, _)| end != End::Broken || rule != OPAQUE);
                hits
            }
            None if is_packed(bytes) => self.archive(bytes, depth + 1),
            None => Vec::new(),
        }
    }
}
