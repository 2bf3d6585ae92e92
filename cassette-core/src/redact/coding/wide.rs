//! Texts in UTF-16 (RFC 2781), either way round, alone or among other bytes.

use std::ops::Range;

use super::as_text;

/// The fewest letters that are looked into: no secret is shorter.
const LEAST: usize = 8;

/// A stretch of UTF-16 whose letters are ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WideText {
    /// From the byte of its first letter to that of its last.
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

/// Returns the stretches of UTF-16 among these bytes, in order.
pub(crate) fn wide_texts(bytes: &[u8]) -> Vec<WideText> {
    let mut found = Vec::new();
    // One letter is found much faster than its place: few texts hold a zero at all.
    if !bytes.contains(&0) {
        return found;
    }
    let mut at = 0;
    // Every letter but the last has a zero after it, whichever way round.
    while let Some(zero) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == 0)).map(|zero| at + zero) {
        let Some(start) = zero.checked_sub(1).filter(|start| *start >= at && is_letter(bytes[*start])) else {
            at = zero + 1;
            continue;
        };
        let mut end = start + 1;
        while bytes.get(end) == Some(&0) && bytes.get(end + 1).is_some_and(|byte| is_letter(*byte)) {
            end += 2;
        }
        let text: String = bytes[start..end].iter().step_by(2).map(|byte| char::from(*byte)).collect();
        if text.len() >= LEAST {
            found.push(WideText { range: start..end, text });
        }
        at = end;
    }
    found
}

/// Returns this text as a stretch of UTF-16 between the bytes of its first letter and its last.
pub(crate) fn widened(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * text.len());
    for byte in text.bytes() {
        bytes.extend((!bytes.is_empty()).then_some(0));
        bytes.push(byte);
    }
    bytes
}

/// Returns the text that these bytes are in UTF-16, if they say so by the mark at their beginning, and at least half of it is ASCII: bytes
/// of any kind may begin so, and most of them spell something.
pub(crate) fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, []) = bytes[2..].as_chunks::<2>() else { return None };
    let text: String = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<_, _>>().ok()?;
    let (letters, plain) = (text.chars().count(), text.bytes().filter(u8::is_ascii).count());
    let is_text = letters >= LEAST && 2 * plain >= letters;
    as_text(text.as_bytes()).is_some_and(|read| is_text && read.len() == text.len()).then_some(text)
}

fn is_letter(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::{utf16, wide_texts, widened};

    fn little(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn big(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn either_way_round_and_among_other_bytes() {
        for wide in [little("secret 1"), big("secret 1"), [b"\xff\xfe", &*little("\u{e9}secret 1\u{20ac}")].concat()] {
            let [found] = &wide_texts(&wide)[..] else { panic!("one: {:?}", wide_texts(&wide)) };
            assert_eq!(found.text, "secret 1");
            assert_eq!(widened(&found.text), wide[found.range.clone()]);
        }
        assert_eq!(wide_texts(&little("secret")), []);
        assert_eq!(wide_texts(b"a\0b\0\0\0c\0\0d"), []);
        let two = [little("secret 1"), vec![1, 2, 0], big("secret 2")].concat();
        assert_eq!(
            wide_texts(&two).iter().map(|found| found.text.as_str()).collect::<Vec<_>>(),
            ["secret 1", "secret 2"]
        );
    }

    #[test]
    fn a_mark_says_that_all_is_utf_16() {
        let text = "the \u{1f600} key";
        assert_eq!(utf16(&[b"\xff\xfe", &*little(text)].concat()).as_deref(), Some(text));
        assert_eq!(utf16(&[b"\xfe\xff", &*big(text)].concat()).as_deref(), Some(text));
        assert_eq!(utf16(&little(text)), None);
        assert_eq!(utf16(b"\xff\xfe\x00\x01"), None);
        assert_eq!(
            utf16(&[b"\xff\xfe", &*little("\u{65e5}\u{672c}\u{8a9e} 1 \u{65e5}\u{672c}\u{8a9e}")].concat()),
            None
        );
        assert_eq!(utf16(b"\xff\xfea"), None);
        assert_eq!(utf16(b"\xff\xfe\x00\xd8"), None);
        assert_eq!(utf16(b"\xff\xfe\x01\x00"), None);
    }
}
