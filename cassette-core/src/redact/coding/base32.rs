//! Base32 (RFC 4648, section 6), in letters of either case.

use std::ops::Range;

use super::Run;

const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The shortest run worth decoding: fifteen bytes.
const SHORTEST: usize = 24;

/// How a text is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) lower: bool,
    /// Whether it is filled up to a multiple of eight.
    pub(crate) padded: bool,
}

impl Spelling {
    /// Returns how this text is spelled.
    pub(crate) fn of(text: &str) -> Spelling {
        let digits = text.trim_end_matches('=').len();
        Spelling {
            lower: text.bytes().any(|b| b.is_ascii_lowercase()),
            padded: digits != text.len() || digits.is_multiple_of(8),
        }
    }
}

/// Returns whether a byte is a digit, in either case.
pub(crate) fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'2'..=b'7')
}

/// Returns the stretches of base32 among these runs of base64, all of whose digits are letters of one case or numbers.
pub(crate) fn stretches(text: &str, runs: &[Run]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for run in runs {
        let mut at = run.range.start;
        while at < run.range.end {
            let digits = |of: fn(&u8) -> bool| {
                bytes[at..run.range.end].iter().take_while(|b| of(b) || matches!(b, b'2'..=b'7')).count()
            };
            let length = digits(u8::is_ascii_uppercase).max(digits(u8::is_ascii_lowercase));
            let end = at + length;
            let padding = bytes[end..].iter().take(6).take_while(|b| **b == b'=').count();
            if length >= SHORTEST {
                found.push(at..end + padding);
            }
            at = end.max(at + 1);
        }
    }
    found
}

/// Returns the bytes of a base32 text, padding passed over.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 8 * 5 + 4);
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in text.trim_end_matches('=').bytes() {
        let digit = match byte.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' => letter - b'A',
            number @ b'2'..=b'7' => number - b'2' + 26,
            _ => return None,
        };
        bits = (bits << 5) | u32::from(digit);
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

/// Returns the base32 text of these bytes.
pub(crate) fn encode(bytes: &[u8], spelling: Spelling) -> String {
    let mut text = String::with_capacity(bytes.len() / 5 * 8 + 8);
    for group in bytes.chunks(5) {
        let word = group.iter().enumerate().fold(0u64, |word, (i, byte)| word | u64::from(*byte) << (32 - 8 * i));
        let digits = (group.len() * 8).div_ceil(5);
        text.extend((0..digits).map(|i| char::from(DIGITS[(word >> (35 - 5 * i) & 31) as usize])));
        if spelling.padded {
            text.extend(std::iter::repeat_n('=', 8 - digits));
        }
    }
    if spelling.lower { text.to_ascii_lowercase() } else { text }
}

/// Returns what every base32 text of something that holds `value` holds too, for each of the five alignments.
pub(crate) fn cores(value: &str) -> [String; 5] {
    [0, 1, 2, 3, 4].map(|before| {
        let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(value.bytes()).collect();
        let text = encode(&bytes, Spelling { lower: false, padded: false });
        // The first digits mix in what stands before the value, the last may mix in what follows.
        text.get((8 * before).div_ceil(5)..8 * bytes.len() / 5).unwrap_or_default().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::super::runs;
    use super::{Spelling, cores, decode, encode, stretches};

    #[track_caller]
    fn check(text: &str, bytes: &[u8]) {
        assert_eq!(decode(text).as_deref(), Some(bytes));
        assert_eq!(encode(bytes, Spelling::of(text)), text);
    }

    #[test]
    fn either_case_with_and_without_padding() {
        check("", b"");
        check("MY======", b"f");
        check("MZXW6YQ", b"foob");
        check("MZXW6YTB", b"fooba");
        check("mzxw6ytboi======", b"foobar");
        assert_eq!(decode("no base32"), None);
    }

    #[test]
    fn a_core_stands_in_every_text_around_the_value() {
        for before in ["", "a", "ab", "abc", "abcd", "abcde"] {
            let text = encode(format!("{before}some value&more").as_bytes(), Spelling { lower: false, padded: true });
            assert!(cores("some value").iter().any(|core| text.contains(core.as_str())), "{text}");
        }
    }

    #[test]
    fn stretches_are_of_one_case() {
        let found = |text: &str| {
            stretches(text, &runs(text)).into_iter().map(|range| text[range].to_owned()).collect::<Vec<_>>()
        };
        let (upper, lower) = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz");
        assert_eq!(
            found(&format!("key-{upper}==== {lower}1 {lower}{upper}")),
            [&format!("{upper}===="), lower, lower, upper]
        );
        assert_eq!(found("ABCDEFGHIJKLMNOPQRSTUVW ABCabcABCabcABCabcABCabcABCabc"), [""; 0]);
    }
}
