//! What is decoded, edited and encoded again.

use std::ops::Range;

use super::coding::{NumberText, Run, WideText, as_text, base32, base64, gzip, hex, wide_texts, widened};
use super::detect;
use super::edit::{By, Edit, Edited, merge};
use super::lens::{Lens, replaced};
use super::placeholder::unnumbered;

impl Lens<'_> {
    /// Decodes a run of base64, edits what it holds and encodes it again.
    pub(super) fn in_base64(self, text: &str, run: &Run, depth: usize) -> Option<Edit> {
        let source = &text[run.range.clone()];
        if !detect::decodes(source) {
            return None;
        }
        let bytes = base64::decode(source)?;
        let wide = self.in_wide(&bytes, depth + 1);
        if !wide.is_empty() {
            let encoded = base64::encode(&replaced(&bytes, &wide), base64::Spelling::of(source));
            return Some(Edit { range: run.range.clone(), by: By::Text(run.wrapped(&encoded)) });
        }
        let changed = self.in_bytes(&bytes, depth)?;
        let encoded = base64::encode(&changed, base64::Spelling::of(source));
        Some(Edit { range: run.range.clone(), by: By::Text(run.wrapped(&encoded)) })
    }

    /// Decodes a run of base32, edits what it holds and encodes it again.
    pub(super) fn in_base32(self, text: &str, range: Range<usize>, depth: usize) -> Option<Edit> {
        let source = &text[range.clone()];
        if !detect::decodes_from_base32(source) {
            return None;
        }
        let changed = self.in_bytes(&base32::decode(source)?, depth)?;
        Some(Edit { range, by: By::Text(base32::encode(&changed, base32::Spelling::of(source))) })
    }

    /// Unpacks what stands in hexadecimal, edits what it holds and packs it again.
    pub(super) fn in_packed(self, text: &str, range: Range<usize>, depth: usize) -> Option<Edit> {
        let source = &text[range.clone()];
        let changed = self.in_bytes(&hex::decode(source)?, depth)?;
        Some(Edit { range, by: By::Text(hex::encode(&changed, source)) })
    }

    /// Returns these bytes without the secrets of the text that they are, packed or not; `None` where nothing is to be changed.
    fn in_bytes(self, bytes: &[u8], depth: usize) -> Option<Vec<u8>> {
        let unpacked = gzip::unpack(bytes);
        let inner = as_text(unpacked.as_deref().unwrap_or(bytes))?;
        let edits = merge(inner, self.edits(inner, depth + 1));
        if edits.is_empty() {
            return None;
        }
        let edited = Edited::new(inner, &edits, |_, rule| unnumbered(rule));
        match unpacked {
            Some(_) => gzip::pack(edited.text.as_bytes(), bytes),
            None => Some(edited.text.into_bytes()),
        }
    }

    /// Edits what stands in UTF-16 among these bytes, and writes it so again.
    pub(crate) fn in_wide(self, bytes: &[u8], depth: usize) -> Vec<Edit> {
        let edit = |found: WideText| {
            let edits = merge(&found.text, self.edits(&found.text, depth + 1));
            if edits.is_empty() {
                return None;
            }
            let edited = Edited::new(&found.text, &edits, |_, rule| unnumbered(rule));
            // All of it is ASCII, and so text among zeros.
            let wide = String::from_utf8(widened(&edited.text)).ok()?;
            Some(Edit { range: found.range, by: By::Text(wide) })
        };
        wide_texts(bytes).into_iter().filter_map(edit).collect()
    }

    /// Edits what stands in numbers, and writes it so again.
    pub(super) fn in_numbers(self, found: &NumberText, depth: usize) -> Option<Edit> {
        let edits = merge(&found.text, self.edits(&found.text, depth + 1));
        if edits.is_empty() {
            return None;
        }
        let edited = Edited::new(&found.text, &edits, |_, rule| unnumbered(rule));
        Some(Edit { range: found.range.clone(), by: By::Text(found.spelled(&edited.text)) })
    }
}
