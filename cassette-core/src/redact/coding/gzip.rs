//! Compressed bytes, known by their first two.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

/// What is unpacked at most: enough for any text, too little for a bomb.
pub(crate) const LIMIT: usize = 64 << 20;

/// Returns whether the bytes say that they are compressed.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
        || bytes.len() > 2 && bytes[0] == 0x78 && matches!(bytes[1], 0x01 | 0x5e | 0x9c | 0xda)
}

/// What came out of packed bytes.
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) end: End,
}

/// Where unpacking ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the end.
    Whole,
    /// Where the packed bytes are cut off or damaged, or something else follows them.
    Broken,
    /// At as many bytes as there may be: there are more.
    Limit,
}

/// Returns all that gzip or zlib bytes hold, if they can be unpacked.
pub(crate) fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    if !is_packed(bytes) {
        return None;
    }
    let unpacked = unpacked(bytes, LIMIT);
    (unpacked.end == End::Whole).then_some(unpacked.bytes)
}

/// Unpacks all members, one behind the other, up to so many bytes.
pub(crate) fn unpacked(bytes: &[u8], most: usize) -> Unpacked {
    let mut unpacked = Vec::new();
    let limit = (most as u64).saturating_add(1);
    let read = if bytes.first() == Some(&0x1f) {
        MultiGzDecoder::new(bytes).take(limit).read_to_end(&mut unpacked).is_ok()
    } else {
        let mut decoder = ZlibDecoder::new(bytes).take(limit);
        let read = decoder.read_to_end(&mut unpacked).is_ok();
        read && decoder.get_ref().total_in() == bytes.len() as u64
    };
    let end = match read {
        _ if unpacked.len() > most => End::Limit,
        true => End::Whole,
        false => End::Broken,
    };
    unpacked.truncate(most);
    Unpacked { bytes: unpacked, end }
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

#[cfg(test)]
mod tests {
    use super::{End, pack, unpacked};

    #[test]
    fn what_is_more_than_there_may_be_is_told_from_what_is_cut_or_goes_on() {
        for like in [&b"\x1f"[..], b"\x78"] {
            let packed = pack(b"the next train", like).expect("it packs");
            let check = |bytes: &[u8], most: usize, end: End| assert_eq!(unpacked(bytes, most).end, end, "{most}");
            check(&packed, 14, End::Whole);
            check(&packed, 13, End::Limit);
            check(&[&packed[..], b"behind"].concat(), 14, End::Broken);
        }
        let packed = pack(b"the next train", b"\x1f").expect("it packs");
        assert_eq!(unpacked(&packed[..packed.len() - 1], 14).end, End::Broken);
    }
}
