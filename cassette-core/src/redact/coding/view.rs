//! Decoded texts that know where they came from.

use std::ops::Range;

use crate::json::Text;

/// A decoded text, and for each of its bytes the place in the source.
pub(crate) struct View {
    pub(crate) text: String,
    /// The source offset of each byte of `text`, and of its end.
    places: Vec<usize>,
    /// Spells a text as the source would.
    pub(crate) respell: fn(&str) -> String,
}

impl View {
    fn new(capacity: usize, respell: fn(&str) -> String) -> View {
        View { text: String::with_capacity(capacity), places: Vec::with_capacity(capacity + 1), respell }
    }

    fn push(&mut self, c: char, place: usize) {
        self.text.push(c);
        self.places.resize(self.text.len(), place);
    }

    fn copy(&mut self, source: &str, from: Range<usize>) {
        self.text.push_str(&source[from.clone()]);
        self.places.extend(from);
    }

    fn end(mut self, place: usize) -> View {
        self.places.push(place);
        self
    }

    /// Returns the stretch of the source from which this stretch of the text was decoded.
    pub(crate) fn source(&self, range: &Range<usize>) -> Range<usize> {
        self.places[range.start]..self.places[range.end]
    }
}

/// Resolves backslash escapes, those of JSON and what else programming languages write; `None` where there are none.
pub(crate) fn escapes(text: &str) -> Option<View> {
    decode(
        text,
        '\\',
        |text| Text::new(text).source().to_owned(),
        |rest| match *rest.as_bytes().get(1)? {
            b'n' => Some(('\n', 2)),
            b'r' => Some(('\r', 2)),
            b't' => Some(('\t', 2)),
            b'b' => Some(('\u{8}', 2)),
            b'f' => Some(('\u{c}', 2)),
            byte @ (b'"' | b'\'' | b'\\' | b'/' | b'`' | b'$') => Some((char::from(byte), 2)),
            // The bytes of one character, or a character of Latin-1 as it is in JavaScript and Python.
            b'x' => in_units(rest, 4, byte_escape).or_else(|| Some((char::from(byte_escape(rest)?), 4))),
            b'u' => unicode_escape(rest),
            b'0' | b'1' => octal_escape(rest)
                .filter(|byte| byte.is_ascii_graphic() || *byte == b' ')
                .map(|byte| (char::from(byte), 4)),
            b'2' | b'3' => in_units(rest, 4, octal_escape),
            _ => None,
        },
    )
}

/// Reads three octal digits: fewer are a reference or a zero.
fn octal_escape(rest: &str) -> Option<u8> {
    let digits = rest.strip_prefix('\\')?.get(..3).filter(|digits| digits.bytes().all(|b| matches!(b, b'0'..=b'7')))?;
    u8::from_str_radix(digits, 8).ok()
}

fn byte_escape(rest: &str) -> Option<u8> {
    let digits = rest.strip_prefix("\\x")?;
    u8::try_from(hex(digits, 0, 2)?).ok()
}

/// Reads the character that begins here in bytes, each so long, and how long it is.
fn in_units(text: &str, length: usize, byte: impl Fn(&str) -> Option<u8>) -> Option<(char, usize)> {
    let bytes: Vec<u8> = (0..4).map_while(|i| byte(text.get(length * i..)?)).collect();
    (1..=bytes.len()).find_map(|count| {
        let c = std::str::from_utf8(&bytes[..count]).ok()?.chars().next()?;
        Some((c, length * count))
    })
}

fn unicode_escape(rest: &str) -> Option<(char, usize)> {
    if let Some(braced) = rest.get(2..).and_then(|rest| rest.strip_prefix('{')) {
        let digits = &braced[..braced.bytes().take(7).position(|b| b == b'}')?];
        let code = u32::from_str_radix(digits, 16).ok()?;
        return char::from_u32(code).map(|c| (c, digits.len() + 4));
    }
    let high = hex(rest, 2, 4)?;
    if let Some(c) = char::from_u32(high) {
        return Some((c, 6));
    }
    let low = rest.get(6..8).filter(|mark| *mark == "\\u").and_then(|_| hex(rest, 8, 4));
    match low {
        Some(low @ 0xdc00..=0xdfff) if high < 0xdc00 => {
            char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).map(|c| (c, 12))
        }
        _ => Some((char::REPLACEMENT_CHARACTER, 6)),
    }
}

/// Resolves percent-encoding (RFC 3986, section 2.1); `None` where there is none.
pub(crate) fn percent(text: &str) -> Option<View> {
    let byte = |rest: &str| u8::try_from(hex(rest.strip_prefix('%')?, 0, 2)?).ok();
    // What is no UTF-8 is Latin-1, as older forms are.
    decode(text, '%', percent_encoded, |rest| {
        in_units(rest, 3, byte).or_else(|| byte(rest).map(|byte| (char::from(byte), 3)))
    })
}

/// Resolves the entities of XML and the numeric ones of HTML; `None` where there are none.
pub(crate) fn entities(text: &str) -> Option<View> {
    decode(
        text,
        '&',
        |text| text.replace('"', "&quot;"),
        |rest| {
            // A number ends with its digits too, as every browser reads it.
            if let Some((code, end)) = numbered(rest) {
                // The first digits of what was cut off here say no letter.
                let c = char::from_u32(code).filter(|c| !(c.is_control() && end == rest.len()))?;
                return Some((c, end + usize::from(rest[end..].starts_with(';'))));
            }
            let end = rest.bytes().take(12).position(|b| b == b';')?;
            let c = match &rest[1..end] {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => return None,
            };
            Some((c, end + 1))
        },
    )
}

/// Returns whether a text may be in quoted-printable, so that it is looked into.
pub(crate) fn may_be_quoted(text: &str) -> bool {
    // Where every letter is coded, several stand in a row.
    let row = |at: usize| {
        (0..3).all(|i| text.as_bytes().get(at + 3 * i) == Some(&b'=') && hex(text, at + 3 * i + 1, 2).is_some())
    };
    let marks = ["=3D", "=\n", "=\r\n"];
    // So do the bytes of a letter beyond ASCII.
    let letter = |at: usize| units(&text[at..]).is_some_and(|(_, length)| length > 3);
    text.match_indices('=')
        .any(|(at, _)| marks.iter().any(|mark| text[at..].starts_with(mark)) || row(at) || letter(at))
}

/// Resolves quoted-printable (RFC 2045, section 6.7); `None` where there is none, or no sign of equality and no broken line, without
/// which it would be anybody's.
pub(crate) fn quoted(text: &str) -> Option<View> {
    if !may_be_quoted(text) {
        return None;
    }
    let broken = |text: &str| text.replace('=', "=3D");
    // What ends a line here stands for nothing, and so has no character.
    let mut view = View::new(text.len(), broken);
    let mut at = 0;
    while let Some(next) = text[at..].find('=').map(|next| at + next) {
        view.copy(text, at..next);
        let rest = &text[next + 1..];
        let soft = ["\r\n", "\n"].iter().find(|end| rest.starts_with(**end));
        at = match (soft, units(&text[next..])) {
            (Some(end), _) => next + 1 + end.len(),
            (None, Some((c, length))) => {
                view.push(c, next);
                next + length
            }
            (None, None) => {
                view.copy(text, next..next + 1);
                next + 1
            }
        };
    }
    view.copy(text, at..text.len());
    Some(view.end(text.len()))
}

/// Returns the character that begins here in pairs of hexadecimal digits, and how many bytes it stands in.
fn units(text: &str) -> Option<(char, usize)> {
    in_units(text, 3, |rest| u8::try_from(hex(rest.strip_prefix('=')?, 0, 2)?).ok())
}

/// Decodes what `unit` makes of the text at each `mark`: a character and how many bytes it stood in.
fn decode(
    text: &str,
    mark: char,
    respell: fn(&str) -> String,
    unit: impl Fn(&str) -> Option<(char, usize)>,
) -> Option<View> {
    let mut view: Option<View> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(next) = text[at..].find(mark) {
        at += next;
        let Some((c, length)) = unit(&text[at..]) else {
            at += 1;
            continue;
        };
        let view = view.get_or_insert_with(|| View::new(text.len(), respell));
        view.copy(text, copied..at);
        view.push(c, at);
        at += length;
        copied = at;
    }
    let mut view = view?;
    view.copy(text, copied..text.len());
    Some(view.end(text.len()))
}

/// Returns the number of a character reference and where its digits end: `&#90`, `&#x5a`.
fn numbered(rest: &str) -> Option<(u32, usize)> {
    let digits = rest.strip_prefix("&#")?;
    let (digits, radix) = digits.strip_prefix(['x', 'X']).map_or((digits, 10), |digits| (digits, 16));
    let zeros = digits.bytes().take_while(|b| *b == b'0').count();
    let length = zeros + digits[zeros..].bytes().take(7).take_while(|b| char::from(*b).is_digit(radix)).count();
    let code = u32::from_str_radix(digits.get(zeros..length).filter(|said| !said.is_empty())?, radix).ok()?;
    Some((code, rest.len() - digits.len() + length))
}

fn percent_encoded(text: &str) -> String {
    let spell = |b: u8| {
        let bare = b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~');
        if bare { char::from(b).to_string() } else { format!("%{b:02X}") }
    };
    text.bytes().map(spell).collect()
}

fn hex(text: &str, start: usize, length: usize) -> Option<u32> {
    let digits = text.get(start..start + length)?;
    if digits.bytes().all(|b| b.is_ascii_hexdigit()) { u32::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{View, entities, escapes, percent, quoted};

    #[track_caller]
    fn check(decode: fn(&str) -> Option<View>, source: &str, text: &str) {
        let view = decode(source).expect("something to decode");
        assert_eq!(view.text, text);
        assert_eq!(view.source(&(0..text.len())), 0..source.len());
    }

    #[test]
    fn escapes_of_json_and_of_languages() {
        check(escapes, r#"a\"b\\c\/\n"#, "a\"b\\c/\n");
        check(escapes, r"\u0073\u006b-\ud83d\ude00\ud83d", "sk-\u{1f600}\u{fffd}");
        check(escapes, r"\q \x41 \u12", r"\q A \u12");
        assert!(escapes("none").is_none());
    }

    #[test]
    fn letters_beyond_ascii_in_bytes_and_in_latin_1() {
        check(escapes, r"Gr\xc3\xbc\xc3\x9fe \xfc\303\274\374", "Gr\u{fc}\u{df}e \u{fc}\u{fc}\\374");
        check(percent, "Gr%C3%BC%DFe%FC", "Gr\u{fc}\u{df}e\u{fc}");
        check(quoted, "a3=C3=B6b", "a3\u{f6}b");
    }

    #[test]
    fn percent_and_entities() {
        check(percent, "a%3Db%C3%A9%zz%", "a=b\u{e9}%zz%");
        check(entities, "a&amp;b&#x3d;&#61;&nope;&", "a&b==&nope;&");
        check(entities, "&#90&#x71;&#55&#;", "Zq7&#;");
    }

    #[test]
    fn quoted_printable_and_its_broken_lines() {
        check(quoted, "a=3Db=C3=A9=\r\nc=zz=", "a=b\u{e9}c=zz=");
        let view = quoted("key=3Dab=\nc; x").expect("something to decode");
        assert_eq!((view.text.as_str(), view.source(&(4..7))), ("key=abc; x", 6..11));
        assert!(quoted("a=b&c=d0&e=C3").is_none());
        check(quoted, "=5A=71=37", "Zq7");
    }

    #[test]
    fn a_stretch_goes_back_to_its_source() {
        let view = percent("key%3Dabc%26x").expect("something to decode");
        let found = view.text.find("abc").expect("a hit");
        assert_eq!(view.source(&(found..found + 3)), 6..9);
        assert_eq!(view.source(&(3..4)), 3..6);
    }
}
