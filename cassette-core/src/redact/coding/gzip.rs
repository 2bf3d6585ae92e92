//! Compressed bytes, known by their first two.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

/// What is unpacked at most: enough for any text, too little for a bomb.
const LIMIT: u64 = 64 << 20;

/// Returns whether the bytes say that they are compressed.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
        || bytes.len() > 2 && bytes[0] == 0x78 && matches!(bytes[1], 0x01 | 0x5e | 0x9c | 0xda)
}

/// Returns what gzip or zlib bytes hold, if they can be unpacked.
pub(crate) fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    if !is_packed(bytes) {
        return None;
    }
    let (unpacked, read) = read(bytes);
    read.then_some(unpacked)
}

/// Returns what gzip or zlib bytes hold as far as they can be unpacked, and whether no more was to be unpacked than there may be.
pub(crate) fn unpacked(bytes: &[u8]) -> (Vec<u8>, bool) {
    let (unpacked, _) = read(bytes);
    let whole = (unpacked.len() as u64) < LIMIT;
    (unpacked, whole)
}

/// Unpacks all members, one behind the other, up to where they break off; returns too whether they do not.
fn read(bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut unpacked = Vec::new();
    let read = if bytes.first() == Some(&0x1f) {
        MultiGzDecoder::new(bytes).take(LIMIT).read_to_end(&mut unpacked)
    } else {
        ZlibDecoder::new(bytes).take(LIMIT).read_to_end(&mut unpacked)
    };
    (unpacked, read.is_ok())
}

/// Packs `unpacked` in the format of `like`, stored and without a time: the bytes hang on no compressor's version.
pub(crate) fn pack(unpacked: &[u8], like: &[u8]) -> Option<Vec<u8>> {
    if like.first() == Some(&0x1f) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
        encoder.write_all(unpacked).ok()?;
        encoder.finish().ok()
    } else {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::none());
        encoder.write_all(unpacked).ok()?;
        encoder.finish().ok()
    }
}
