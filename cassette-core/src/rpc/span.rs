//! Where a value stands in the text of a message.

use std::ops::Range;

/// Returns where the value at this path of members stands in a JSON document.
///
/// The text is taken for a document that parses: in anything else a place may be found that is none.
pub(crate) fn value(text: &str, path: &[&str]) -> Option<Range<usize>> {
    let mut at = skip_space(text, 0);
    for name in path {
        at = member(text, at, name)?;
    }
    Some(at..end(text, at)?)
}

/// Returns the text with the value at this path replaced, where there is one.
pub(crate) fn replaced(text: &str, path: &[&str], by: &str) -> String {
    match value(text, path) {
        Some(place) => format!("{}{by}{}", &text[..place.start], &text[place.end..]),
        None => text.to_owned(),
    }
}

/// Returns where the value of this member of the object at `at` begins.
fn member(text: &str, at: usize, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = skip_space(text, (bytes.get(at)? == &b'{').then_some(at + 1)?);
    while bytes.get(at)? == &b'"' {
        let after = end(text, at)?;
        let found = text[at + 1..after - 1] == *name;
        let colon = skip_space(text, after);
        let start = skip_space(text, (bytes.get(colon)? == &b':').then_some(colon + 1)?);
        if found {
            return Some(start);
        }
        let comma = skip_space(text, end(text, start)?);
        at = skip_space(text, (bytes.get(comma)? == &b',').then_some(comma + 1)?);
    }
    None
}

/// Returns where the value ends that begins at `at`.
fn end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.get(at)? {
        b'"' => string_end(bytes, at),
        b'{' | b'[' => {
            let (mut depth, mut at) = (0_usize, at);
            loop {
                match bytes.get(at)? {
                    b'"' => {
                        at = string_end(bytes, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        _ => {
            let length = bytes[at..].iter().position(|byte| b",]} \t\r\n".contains(byte));
            let end = length.map_or(bytes.len(), |length| at + length);
            (end > at).then_some(end)
        }
    }
}

fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn skip_space(text: &str, at: usize) -> usize {
    let space = text.as_bytes()[at.min(text.len())..].iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
    at + space
}
