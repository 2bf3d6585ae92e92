//! Texts by the numbers of their bytes, in hexadecimal above all (RFC 4648, section 8), pair by pair or in one: `736b2d`, `73:6b:2d`,
//! `0x73, 0x6b`, `73006b00`.

use std::ops::Range;

use super::decimal::{decimal_texts, spaced};
use super::number::{Digits, LEAST, NumberText, WIDE, is_of_text, spoken};
use super::{dump, is_packed, tar};

/// What may stand between two pairs of digits.
const SEPARATORS: [&str; 7] = [":", " ", "-", ",", ", ", ",0x", ", 0x"];

/// The digits, and what may stand between them.
const OF_STRETCH: [bool; 256] = {
    let mut of = [false; 256];
    let mut i = 0;
    while i < 128 {
        of[i] = (i as u8).is_ascii_hexdigit() || matches!(i as u8, b':' | b' ' | b'-' | b',' | b'x');
        i += 1;
    }
    of
};

/// Returns the texts that stand in numbers in a text.
pub(crate) fn number_texts(text: &str) -> Vec<NumberText> {
    let mut found = hex_texts(text);
    if super::may_spell(text) {
        found.extend(decimal_texts(text));
    }
    found.extend(dump_texts(text));
    found
}

/// Returns the texts that stand in dumps.
fn dump_texts(text: &str) -> impl Iterator<Item = NumberText> {
    let one = |(range, text, layout)| NumberText { range, text, separator: " ", digits: Digits::Dump(layout) };
    dump::read(text).into_iter().map(one)
}

/// Returns whether anything may stand in hexadecimal in a text.
pub(crate) fn may_be_numbered(text: &str) -> bool {
    let has_any =
        || !hex_texts(text).is_empty() || !packed_numbers(text).is_empty() || dump_texts(text).next().is_some();
    !stretches(text.as_bytes()).is_empty() && has_any()
}

/// Returns the stretches of digits in one that say that they are compressed.
pub(crate) fn packed_numbers(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for stretch in stretches(bytes) {
        let mut at = stretch.start;
        while at < stretch.end {
            let length = digits(bytes, at);
            let head = at + length.min(2 * tar::LEAST) / 2 * 2;
            let head = text.get(at..head).filter(|_| length >= 2 * LEAST).and_then(decode);
            if head.is_some_and(|head| is_packed(&head)) {
                found.push(at..at + length / 2 * 2);
            }
            at += length.max(1);
        }
    }
    found
}

/// Returns the bytes of digits in one.
pub(crate) fn decode(digits: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(pair).collect()
}

/// Returns bytes in digits as these.
pub(crate) fn encode(bytes: &[u8], like: &str) -> String {
    let upper = like.bytes().any(|b| b.is_ascii_uppercase());
    bytes.iter().map(|byte| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") }).collect()
}

/// Returns the texts that stand in hexadecimal in a text, in order.
fn hex_texts(text: &str) -> Vec<NumberText> {
    let mut found = Vec::new();
    for stretch in stretches(text.as_bytes()) {
        in_stretch(text, stretch, &mut found);
    }
    found
}

/// Returns the stretches of digits and of what may stand between them that are long enough to hold a text.
fn stretches(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    // A stretch of the least length covers every so-many-th byte: the others need not be looked at.
    while at + 2 * LEAST <= bytes.len() {
        let probe = at + 2 * LEAST - 1;
        if !OF_STRETCH[usize::from(bytes[probe])] {
            at = probe + 1;
            continue;
        }
        let mut start = probe;
        while start > at && OF_STRETCH[usize::from(bytes[start - 1])] {
            start -= 1;
        }
        let mut end = probe + 1;
        while end < bytes.len() && OF_STRETCH[usize::from(bytes[end])] {
            end += 1;
        }
        at = end;
        if end - start >= 2 * LEAST {
            found.push(start..end);
        }
    }
    found
}

/// Finds the texts of a stretch.
fn in_stretch(text: &str, stretch: Range<usize>, found: &mut Vec<NumberText>) {
    let bytes = &text.as_bytes()[..stretch.end];
    let mut at = stretch.start;
    // Up to where numbers are read in decimal: what stands in them is not read once more from its middle.
    let mut spelled = at;
    while at + 2 * LEAST <= bytes.len() {
        let length = digits(bytes, at);
        if length >= 2 * LEAST {
            // Digits that belong to something else may stand before it.
            found.extend((0..2).flat_map(|skipped| texts(text, at + skipped..at + length, "")));
            // Each letter of two bytes, one of them zero.
            if text[at..at + length].matches("00").count() + 1 >= LEAST {
                found.extend((0..4).flat_map(|skipped| texts(text, at + skipped..at + length, WIDE)));
            }
        } else if length == 2
            && let Some((end, separator)) = separated(text, at)
        {
            found.extend(texts(text, at..end, separator));
            if let Some((numbers, end)) = (at >= spelled).then(|| spaced(text, at)).flatten() {
                spelled = end;
                found.extend(numbers);
            }
            at = end;
            continue;
        } else if at >= spelled
            && matches!(length, 2 | 3)
            && bytes.get(at + length) == Some(&b' ')
            && let Some((numbers, end)) = spaced(text, at)
        {
            at = end;
            found.extend(numbers);
            continue;
        }
        at += length.max(1);
    }
}

fn digits(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count()
}

/// Returns where pairs end that begin here, and what separates them.
fn separated(text: &str, start: usize) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    SEPARATORS.into_iter().find_map(|separator| {
        let mut end = start + 2;
        while bytes[end..].starts_with(separator.as_bytes()) && digits(bytes, end + separator.len()) == 2 {
            end += separator.len() + 2;
        }
        let width = 2 + separator.len();
        (end - start >= (LEAST - 1) * width + 2).then_some((end, separator))
    })
}

/// Returns the stretches of printable text among the bytes of these digits.
fn texts(text: &str, digits: Range<usize>, separator: &'static str) -> Vec<NumberText> {
    let width = 2 + separator.len();
    let mut found = Vec::new();
    let mut said: Vec<u8> = Vec::new();
    let mut at = digits.start;
    loop {
        let byte =
            text.get(at..at + 2).filter(|_| at + 2 <= digits.end).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let letter = byte.filter(|byte| is_of_text(*byte, separator));
        let goes_on = said.is_empty() || text.as_bytes()[..at.min(text.len())].ends_with(separator.as_bytes());
        if let (false, _) | (_, None) = (goes_on, letter) {
            let start = at - said.len() * width;
            found.extend(spoken(&said, separator).into_iter().map(|(places, said)| {
                let range = start + places.start * width..start + places.end * width - separator.len();
                let lower = text[range.clone()].bytes().any(|b| matches!(b, b'a'..=b'f'));
                let digits = if lower { Digits::Lower } else { Digits::Upper };
                NumberText { range, text: said, separator, digits }
            }));
            said.clear();
        }
        if at >= digits.end {
            return found;
        }
        said.extend(letter);
        at += width;
    }
}

#[cfg(test)]
mod tests {
    use super::number_texts;

    #[track_caller]
    fn check(source: &str, expected: &[(&str, &str)]) {
        let found = number_texts(source);
        let told: Vec<(&str, &str)> =
            found.iter().map(|found| (&source[found.range.clone()], found.text.as_str())).collect();
        assert_eq!(told, expected);
        for found in &found {
            assert_eq!(found.spelled(&found.text), source[found.range.clone()].to_owned());
        }
    }

    #[test]
    fn in_one_or_pair_by_pair() {
        check("x'73656372657421212121'", &[("73656372657421212121", "secret!!!!")]);
        check("736B2D70726F6A2D", &[("736B2D70726F6A2D", "sk-proj-")]);
        check("73:65:63:72:65:74:73:31, 73:65", &[("73:65:63:72:65:74:73:31", "secrets1")]);
        check(
            "[0x73, 0x65, 0x63, 0x72, 0x65, 0x74, 0x73, 0x31]",
            &[("73, 0x65, 0x63, 0x72, 0x65, 0x74, 0x73, 0x31", "secrets1")],
        );
        check("736563726574", &[]);
        check("73:65:63:72:65:74:73", &[]);
        check("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", &[]);
    }

    #[test]
    fn letters_beyond_ascii_are_letters() {
        let said = "gr\u{fc}\u{df}e 12";
        let pairs: Vec<_> = said.bytes().map(|byte| format!("{byte:02x}")).collect();
        for (separator, around) in [("", "ff"), (":", ""), (", 0x", "0x")] {
            let digits = pairs.join(separator);
            check(&format!("{around}{digits}"), &[(&digits, said)]);
        }
        let numbers: Vec<_> = said.bytes().map(|byte| byte.to_string()).collect();
        check(&format!("[1, 200, {}]", numbers.join(", ")), &[(&numbers.join(", "), said)]);
        check(&format!("200 {}", numbers.join(" ")), &[(&numbers.join(" "), said)]);
        let wide: String = said.chars().map(|c| format!("{:02x}00", u32::from(c))).collect();
        check(&format!("fffe{wide}"), &[(&wide[..wide.len() - 2], said)]);
    }

    #[test]
    fn in_decimal_with_blanks_and_in_dumps() {
        check("115 101 99 114 101 116 115 49 ", &[("115 101 99 114 101 116 115 49", "secrets1")]);
        check("10 20 30 40 50 60 70 80", &[]);
        let last = format!("00000010: {:<39}  hi.", "6869 ff");
        let line = format!("00000000: 7365 6372 6574 7331 0a61 6263 6465 6667  secrets1.abcdefg\n{last}");
        check(&line, &[(&line, "secrets1\nabcdefghi\u{ff}")]);
    }

    #[test]
    fn among_other_bytes_and_digits() {
        check("00ff7365637265747331ff00", &[("7365637265747331", "secrets1")]);
        check("a7365637265747331", &[("7365637265747331", "secrets1")]);
        let wide = "73006500630072006500740073003100";
        check(&format!("fffe{wide}"), &[(&wide[..30], "secrets1")]);
        check("feff00730065006300720065007400730031", &[("730065006300720065007400730031", "secrets1")]);
        check("00 ff 73 65 63 72 65 74 73 31 ff", &[("73 65 63 72 65 74 73 31", "secrets1")]);
    }
}
