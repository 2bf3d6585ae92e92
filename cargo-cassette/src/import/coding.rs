//! Base64, hexadecimal and content codings.

use std::io::Read;

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// The most that a compressed file or body may become.
const LARGEST: u64 = 256 << 20;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns the bytes that a text spells in base64, white space aside.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    BASE64.decode(digits).ok()
}

/// Returns the bytes that a text spells in hexadecimal.
pub(super) fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
    text.as_bytes().chunks(2).map(pair).collect()
}

/// Returns whether these bytes begin as gzip does.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Returns what was packed with gzip; nothing where it is damaged or larger than anybody needs.
pub(super) fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    whole(flate2::read::MultiGzDecoder::new(bytes))
}

/// Returns what was packed with zlib.
pub(super) fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    whole(flate2::read::ZlibDecoder::new(bytes))
}

fn whole(decoder: impl Read) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    decoder.take(LARGEST + 1).read_to_end(&mut out).ok()?;
    (out.len() as u64 <= LARGEST).then_some(out)
}
