//! Base64 in both alphabets (RFC 4648, sections 4 and 5).

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Stands for a byte that is no digit of either alphabet.
const NONE: u8 = 0xff;

const DIGITS: [u8; 256] = {
    let mut digits = [NONE; 256];
    let mut i = 0;
    while i < 64 {
        digits[STANDARD[i] as usize] = i as u8;
        digits[URL[i] as usize] = i as u8;
        i += 1;
    }
    digits
};

/// Which digits stand for 62 and 63, and whether the text is filled up to a multiple of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) url: bool,
    pub(crate) padded: bool,
}

impl Spelling {
    /// Returns how this text is spelled.
    pub(crate) fn of(text: &str) -> Spelling {
        let digits = text.bytes().filter(|b| DIGITS[usize::from(*b)] != NONE).count();
        Spelling { url: text.contains(['-', '_']), padded: text.ends_with('=') || digits.is_multiple_of(4) }
    }
}

/// Returns whether a byte is a digit of one of the two alphabets.
pub(crate) fn is_digit(byte: u8) -> bool {
    DIGITS[byte as usize] != NONE
}

/// Returns the bytes of a base64 text; white space and padding are passed over.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in text.bytes() {
        let digit = DIGITS[usize::from(byte)];
        if digit == NONE {
            if matches!(byte, b'\r' | b'\n' | b' ' | b'\t' | b'=') {
                continue;
            }
            return None;
        }
        bits = (bits << 6) | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

/// Returns the base64 text of these bytes.
pub(crate) fn encode(bytes: &[u8], spelling: Spelling) -> String {
    let alphabet = if spelling.url { URL } else { STANDARD };
    let mut text = String::with_capacity(bytes.len() / 3 * 4 + 4);
    for group in bytes.chunks(3) {
        let word = group.iter().enumerate().fold(0u32, |word, (i, byte)| word | u32::from(*byte) << (16 - 8 * i));
        for i in 0..=group.len() {
            text.push(char::from(alphabet[(word >> (18 - 6 * i) & 63) as usize]));
        }
        if spelling.padded {
            text.extend(std::iter::repeat_n('=', 3 - group.len()));
        }
    }
    text
}

/// Returns what every base64 text of something that holds `value` holds too, for each of the three alignments.
pub(crate) fn cores(value: &str) -> [String; 3] {
    [0, 1, 2].map(|before| {
        let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(value.bytes()).collect();
        let text = encode(&bytes, Spelling { url: false, padded: false });
        // The first digits mix in what stands before the value, the last may mix in what follows.
        let start = [0, 2, 3][before];
        let end = bytes.len() / 3 * 4;
        text.get(start..end).unwrap_or_default().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::{Spelling, cores, decode, encode};

    #[track_caller]
    fn check(text: &str, bytes: &[u8]) {
        assert_eq!(decode(text).as_deref(), Some(bytes));
        assert_eq!(encode(bytes, Spelling::of(text)), text);
    }

    #[test]
    fn both_alphabets_with_and_without_padding() {
        check("", b"");
        check("aGVsbG8=", b"hello");
        check("aGVsbG8", b"hello");
        check("-_-_", &[0xfb, 0xff, 0xbf]);
        check("+/+/", &[0xfb, 0xff, 0xbf]);
        assert_eq!(decode("no base64!"), None);
    }

    #[test]
    fn a_core_stands_in_every_text_around_the_value() {
        for before in ["", "a", "ab", "abc", "abcd"] {
            let text = encode(format!("{before}some value&more").as_bytes(), Spelling { url: false, padded: true });
            assert!(cores("some value").iter().any(|core| text.contains(core.as_str())), "{text}");
        }
    }
}
