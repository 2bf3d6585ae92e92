//! Bodies that come coded although no coding was asked for.

use std::io::{self, Write};

use cassette_core::call::{Header, header};
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// A content coding that can be undone. Any other stays as it is, header and body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// RFC 1952.
    Gzip,
    /// RFC 1950; some servers send RFC 1951 under this name.
    Deflate,
}

/// Undoes a coding piece by piece.
pub(crate) enum Decoder {
    Gzip(MultiGzDecoder<Vec<u8>>),
    Zlib(ZlibDecoder<Vec<u8>>),
    Raw(DeflateDecoder<Vec<u8>>),
    /// Nothing has come yet: no bytes are no body, in every coding.
    Unfed(Coding),
}

impl Coding {
    /// Returns the coding of a body with these headers.
    pub(crate) fn of(headers: &[Header]) -> Option<Coding> {
        match header(headers, "content-encoding")?.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Some(Coding::Gzip),
            "deflate" => Some(Coding::Deflate),
            _ => None,
        }
    }

    /// Returns a decoder at the start of a body.
    pub(crate) fn decoder(self) -> Decoder {
        Decoder::Unfed(self)
    }
}

impl Decoder {
    /// Returns the decoder of a body that starts with this byte.
    fn fed(coding: Coding, first: u8) -> Decoder {
        match coding {
            Coding::Gzip => Decoder::Gzip(MultiGzDecoder::new(Vec::new())),
            // RFC 1950: the method is 8, in the low half of the first byte. In RFC 1951 these bits would be a stored or a
            // dynamic block with a header that no encoder writes.
            Coding::Deflate if first & 0x0f == 8 => Decoder::Zlib(ZlibDecoder::new(Vec::new())),
            Coding::Deflate => Decoder::Raw(DeflateDecoder::new(Vec::new())),
        }
    }

    /// Returns what these bytes add to the body.
    ///
    /// # Errors
    ///
    /// Fails where they are not what the header says.
    pub(crate) fn decode(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        if let (Decoder::Unfed(coding), Some(first)) = (&*self, bytes.first()) {
            *self = Decoder::fed(*coding, *first);
        }
        match self {
            Decoder::Gzip(decoder) => step(decoder, bytes, MultiGzDecoder::get_mut),
            Decoder::Zlib(decoder) => step(decoder, bytes, ZlibDecoder::get_mut),
            Decoder::Raw(decoder) => step(decoder, bytes, DeflateDecoder::get_mut),
            Decoder::Unfed(_) => Ok(Vec::new()),
        }
    }

    /// Returns what is left at the end of the body.
    ///
    /// # Errors
    ///
    /// Fails where the coded body breaks off or its check sum is wrong.
    pub(crate) fn end(&mut self) -> io::Result<Vec<u8>> {
        match self {
            Decoder::Gzip(decoder) => decoder.try_finish().map(|()| std::mem::take(decoder.get_mut())),
            Decoder::Zlib(decoder) => decoder.try_finish().map(|()| std::mem::take(decoder.get_mut())),
            Decoder::Raw(decoder) => decoder.try_finish().map(|()| std::mem::take(decoder.get_mut())),
            Decoder::Unfed(_) => Ok(Vec::new()),
        }
    }
}

fn step<D: Write>(decoder: &mut D, bytes: &[u8], out: fn(&mut D) -> &mut Vec<u8>) -> io::Result<Vec<u8>> {
    decoder.write_all(bytes)?;
    decoder.flush()?;
    Ok(std::mem::take(out(decoder)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::Coding;

    #[track_caller]
    fn check(coding: Coding, coded: &[u8], expected: &str) {
        for size in [1, 7, coded.len().max(1)] {
            let mut decoder = coding.decoder();
            let mut body = Vec::new();
            for piece in coded.chunks(size) {
                body.extend(decoder.decode(piece).unwrap());
            }
            body.extend(decoder.end().unwrap());
            assert_eq!(String::from_utf8(body).unwrap(), expected, "pieces of {size}");
        }
    }

    #[test]
    fn a_coded_body_is_undone_whatever_its_pieces() {
        let text = "the train to Bergen leaves at 10:04; ".repeat(50);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        let mut twice = gzip.finish().unwrap();
        check(Coding::Gzip, &twice, &text);
        twice.extend(twice.clone());
        check(Coding::Gzip, &twice, &text.repeat(2));
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(text.as_bytes()).unwrap();
        check(Coding::Deflate, &zlib.finish().unwrap(), &text);
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
        raw.write_all(text.as_bytes()).unwrap();
        check(Coding::Deflate, &raw.finish().unwrap(), &text);
    }

    #[test]
    fn each_flush_of_the_encoder_comes_out_at_once() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        let mut decoder = Coding::Gzip.decoder();
        for event in ["data: 1\n\n", "data: 2\n\n"] {
            gzip.write_all(event.as_bytes()).unwrap();
            gzip.flush().unwrap();
            let piece = std::mem::take(gzip.get_mut());
            assert_eq!(decoder.decode(&piece).unwrap(), event.as_bytes());
        }
    }

    #[test]
    fn no_bytes_are_no_body() {
        check(Coding::Gzip, &[], "");
        check(Coding::Deflate, &[], "");
    }

    #[test]
    fn what_is_not_coded_is_an_error() {
        assert!(Coding::Gzip.decoder().decode(b"{\"plain\": true, \"long\": \"enough\"}").is_err());
    }
}
