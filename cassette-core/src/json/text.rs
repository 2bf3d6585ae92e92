//! A string of a JSON document, in the escapes in which it was written.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A JSON string: the source text between its quotation marks.
///
/// Two spellings of one string are different `Text`s with the same [`value`](Text::value).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    source: Box<str>,
}

impl Text {
    /// Returns the string `value`, written with the fewest escapes.
    pub fn new(value: &str) -> Text {
        Text { source: escape(value).into() }
    }

    /// Returns the string whose source text, which the parser has checked, is `source`.
    pub(super) fn from_source(source: &str) -> Text {
        Text { source: source.into() }
    }

    /// Returns the text between the quotation marks, escapes and all.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns what the string says. A lone surrogate, which no Rust string can hold, reads as U+FFFD.
    pub fn value(&self) -> Cow<'_, str> {
        if !self.source.contains('\\') {
            return Cow::Borrowed(&self.source);
        }
        Cow::Owned(units(&self.source).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    }

    /// Returns what the string says; `None` where it holds a lone surrogate, which no Rust string can.
    pub fn exact(&self) -> Option<Cow<'_, str>> {
        if !self.source.contains('\\') {
            return Some(Cow::Borrowed(&self.source));
        }
        units(&self.source).collect::<Result<String, u16>>().ok().map(Cow::Owned)
    }

    /// Returns whether the string says exactly this.
    pub fn is(&self, value: &str) -> bool {
        self.value() == value
    }

    /// Returns the source with the fewest escapes, lone surrogates kept: equal exactly for equal strings.
    pub fn canonical(&self) -> Cow<'_, str> {
        if !self.source.contains('\\') {
            return Cow::Borrowed(&self.source);
        }
        Cow::Owned(respell(&self.source, push_escaped))
    }

    /// Returns this string with everything outside printable ASCII escaped, as Python's `json.dumps` writes it.
    pub fn ascii(&self) -> Text {
        Text { source: respell(&self.source, push_ascii).into() }
    }

    /// Returns this string with the fewest escapes.
    pub fn plain(&self) -> Text {
        Text { source: self.canonical().into() }
    }
}

impl From<&str> for Text {
    fn from(value: &str) -> Text {
        Text::new(value)
    }
}

/// Writes `value` with the fewest escapes that JSON allows.
fn escape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    value.chars().for_each(|c| push_escaped(&mut out, c));
    out
}

fn respell(source: &str, push: fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(source.len());
    for unit in units(source) {
        match unit {
            Ok(c) => push(&mut out, c),
            Err(surrogate) => push_unit(&mut out, surrogate),
        }
    }
    out
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        c if c < ' ' => push_unit(out, c as u16),
        c => out.push(c),
    }
}

fn push_ascii(out: &mut String, c: char) {
    if c < '\u{7f}' {
        return push_escaped(out, c);
    }
    let mut pair = [0; 2];
    c.encode_utf16(&mut pair).iter().for_each(|unit| push_unit(out, *unit));
}

fn push_unit(out: &mut String, unit: u16) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

/// Walks the characters that a checked source text stands for; a lone surrogate comes as an error.
fn units(source: &str) -> impl Iterator<Item = Result<char, u16>> + '_ {
    char::decode_utf16(Utf16 { rest: source.chars(), low: None }).map(|unit| unit.map_err(|e| e.unpaired_surrogate()))
}

/// The UTF-16 units of a source text, escapes resolved: JSON's own view of a string (RFC 8259, section 7).
struct Utf16<'a> {
    rest: std::str::Chars<'a>,
    low: Option<u16>,
}

impl Iterator for Utf16<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        if let Some(low) = self.low.take() {
            return Some(low);
        }
        let c = match self.rest.next()? {
            '\\' => match self.rest.next()? {
                'u' => return Some(self.hex()),
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'b' => '\u{8}',
                'f' => '\u{c}',
                other => other,
            },
            c => c,
        };
        let mut pair = [0; 2];
        if let [_, low] = c.encode_utf16(&mut pair) {
            self.low = Some(*low);
        }
        Some(pair[0])
    }
}

impl Utf16<'_> {
    fn hex(&mut self) -> u16 {
        (0..4).fold(0, |unit, _| (unit << 4) | self.rest.next().and_then(|c| c.to_digit(16)).unwrap_or(0) as u16)
    }
}
