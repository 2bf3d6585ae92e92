//! Texts by the numbers of their bytes: in hexadecimal (RFC 4648, section 8), pair by pair or in one: `736b2d`, `73:6b:2d`,
//! `0x73, 0x6b`, `73006b00`; and in decimal: `115, 107`.

use std::ops::Range;

use super::dump::{self, Layout};

/// The fewest bytes that are looked into: no secret is shorter.
const LEAST: usize = 8;

/// What may stand between two pairs of digits.
const SEPARATORS: [&str; 7] = [":", " ", "-", ",", ", ", ",0x", ", 0x"];

/// A text that stands in numbers, alone or among other bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberText {
    /// Where its digits stand.
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
    separator: &'static str,
    digits: Digits,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    Lower,
    Upper,
    Decimal,
    /// As a dump writes them, so many bytes a line.
    Dump(Layout),
}

impl NumberText {
    /// Returns another text in digits as these.
    pub(crate) fn spelled(&self, text: &str) -> String {
        let pair = |byte: u8| match self.digits {
            Digits::Lower | Digits::Dump(_) => format!("{byte:02x}"),
            Digits::Upper => format!("{byte:02X}"),
            Digits::Decimal => byte.to_string(),
        };
        if let Digits::Dump(layout) = self.digits {
            return dump::written(text, layout);
        }
        text.bytes().map(pair).collect::<Vec<_>>().join(self.separator)
    }
}

/// Returns the texts that stand in numbers in a text.
pub(crate) fn number_texts(text: &str) -> Vec<NumberText> {
    let mut found = hex_texts(text);
    if super::may_spell(text) {
        found.extend(decimal_texts(text));
    }
    found.extend(dump::read(text).into_iter().map(|(range, text, layout)| NumberText {
        range,
        text,
        separator: " ",
        digits: Digits::Dump(layout),
    }));
    found
}

/// Returns the texts that stand in decimal, number by number.
fn decimal_texts(text: &str) -> Vec<NumberText> {
    let bytes = text.as_bytes();
    let number = |at: usize| {
        let length = bytes[at..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
        let byte: u8 = text.get(at..at + length)?.parse().ok()?;
        matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r').then_some((byte, at + length))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'.';
        let Some((first, mut end)) = number(at).filter(|_| begins) else {
            at += 1;
            continue;
        };
        let separator = if bytes[end..].starts_with(b", ") { ", " } else { "," };
        let mut said = String::from(char::from(first));
        while bytes[end..].starts_with(separator.as_bytes())
            && let Some((byte, next)) = number(end + separator.len())
        {
            said.push(char::from(byte));
            end = next;
        }
        if said.len() >= LEAST {
            found.push(NumberText { range: at..end, text: said, separator, digits: Digits::Decimal });
        }
        at = end;
    }
    found
}

/// Returns the text that begins here in decimal, number by number, blanks between.
fn spaced(text: &str, start: usize) -> Option<NumberText> {
    let bytes = text.as_bytes();
    let (mut said, mut at, mut end) = (String::new(), start, start);
    while let Some(length) = Some(bytes[at..].iter().take(4).take_while(|b| b.is_ascii_digit()).count())
        && let Some(byte) = text[at..at + length].parse::<u8>().ok()
        && matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
    {
        said.push(char::from(byte));
        end = at + length;
        at = end + bytes[end..].iter().take(2).take_while(|b| **b == b' ').count();
        if at == end {
            break;
        }
    }
    (said.len() >= LEAST).then_some(NumberText {
        range: start..end,
        text: said,
        separator: " ",
        digits: Digits::Decimal,
    })
}

/// Returns the texts that stand in hexadecimal in a text, in order.
fn hex_texts(text: &str) -> Vec<NumberText> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at + 2 * LEAST <= bytes.len() {
        let length = digits(bytes, at);
        if length >= 2 * LEAST {
            // Digits that belong to something else may stand before it.
            found.extend((0..2).flat_map(|skipped| texts(text, at + skipped..at + length, "")));
            // Each letter of two bytes, one of them zero.
            if text[at..at + length].matches("00").count() + 1 >= LEAST {
                found.extend((0..4).flat_map(|skipped| texts(text, at + skipped..at + length, "00")));
            }
        } else if length == 2
            && let Some((end, separator)) = separated(text, at)
        {
            found.extend(texts(text, at..end, separator));
            found.extend(spaced(text, at));
            at = end;
            continue;
        } else if matches!(length, 2 | 3)
            && bytes[at + length] == b' '
            && let Some(numbers) = spaced(text, at)
        {
            at = numbers.range.end;
            found.push(numbers);
            continue;
        }
        at += length.max(1);
    }
    found
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
    let separated = |at: usize| at == digits.start || text.as_bytes()[..at].ends_with(separator.as_bytes());
    let pair =
        |at: usize| text.get(at..at + 2).filter(|_| separated(at)).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let mut found = Vec::new();
    let mut said = String::new();
    let mut at = digits.start;
    loop {
        let byte = pair(at).filter(|_| at + 2 <= digits.end);
        match byte.filter(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
            Some(byte) => said.push(char::from(byte)),
            None if said.len() < LEAST => said.clear(),
            None => {
                let range = at - said.len() * width..at - separator.len();
                let lower = text[range.clone()].bytes().any(|b| matches!(b, b'a'..=b'f'));
                let digits = if lower { Digits::Lower } else { Digits::Upper };
                found.push(NumberText { range, text: std::mem::take(&mut said), separator, digits });
            }
        }
        if byte.is_none() {
            return found;
        }
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
        check("00 ff 73 65 63 72 65 74 73 31 ff", &[("73 65 63 72 65 74 73 31", "secrets1")]);
    }
}
