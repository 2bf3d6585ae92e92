//! The encodings in which a secret may hide, each with the way back to the source.
//!
//! A [`View`] is a decoded text that knows where each of its bytes came from, so that what is found in it is cut out of
//! the source itself and everything around keeps its spelling. Base64, base32, hexadecimal, gzip, UTF-16 and arrays that spell a text have no such map: they are
//! decoded, edited and encoded again.

pub(crate) mod base32;
pub(crate) mod base64;
pub(crate) mod counted;
mod decimal;
pub(crate) mod documents;
mod dump;
mod entries;
pub(crate) mod gzip;
mod held;
pub(crate) mod hex;
mod number;
mod runs;
mod spelled;
pub(crate) mod tar;
mod view;
mod wide;
pub(crate) mod zip;

pub(crate) use held::{Held, held};
pub(crate) use hex::{may_be_numbered, number_texts, packed_numbers};
pub(crate) use number::NumberText;
pub(crate) use runs::{Run, runs};
pub(crate) use spelled::{LEAST, Spelling, may_spell, single, spell, spelled};
pub(crate) use view::{View, entities, escapes, may_be_quoted, percent, quoted};
pub(crate) use wide::{WideText, utf16, wide_texts, widened};

/// Returns whether bytes say that something is packed in them.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    zip::is_archive(bytes) || tar::is_archive(bytes) || gzip::is_packed(bytes)
}

/// Returns bytes that are text a person could have written: UTF-8, no control characters but white space.
pub(crate) fn as_text(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // A text that was cut may end within a character.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let printable = text.bytes().all(|b| b >= b' ' && b != 0x7f || matches!(b, b'\t' | b'\n' | b'\r'));
    (printable && !text.is_empty()).then_some(text)
}
