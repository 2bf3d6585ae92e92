//! Formats that count their texts and name them: BSON documents and what PHP serializes.

use std::ops::Range;

/// How many documents are looked into, one within the other.
const MAX_DEPTH: usize = 24;

/// A text and its name.
pub(super) type Entry = (Range<usize>, Range<usize>);

/// Returns the texts of a BSON document with their names (bsonspec.org, version 1.1); none where the bytes are none.
pub(super) fn of_bson(body: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    if document(body, 0..body.len(), 0, &mut entries).is_none() {
        entries.clear();
    }
    entries
}

fn document(body: &[u8], range: Range<usize>, depth: usize, entries: &mut Vec<Entry>) -> Option<()> {
    let end = range.start.checked_add(length(body, range.start)?)?;
    if end != range.end || depth > MAX_DEPTH || range.len() < 5 || body[end - 1] != 0 {
        return None;
    }
    let mut at = range.start + 4;
    while at + 1 < end {
        let kind = body[at];
        let name = at + 1..cstring(body, at + 1)?;
        let value = name.end + 1;
        let counted = || value.checked_add(length(body, value)?);
        at = match kind {
            0x02 | 0x0d | 0x0e => {
                let next = counted()?.checked_add(4)?;
                (next > value + 4 && next < end).then(|| entries.push((value + 4..next - 1, name)))?;
                next
            }
            0x03 | 0x04 => {
                let next = counted().filter(|next| *next < end)?;
                document(body, value..next, depth + 1, entries)?;
                next
            }
            0x05 => counted()?.checked_add(5)?,
            0x0b => cstring(body, cstring(body, value)? + 1)? + 1,
            0x06 | 0x0a | 0x7f | 0xff => value,
            0x08 => value + 1,
            0x10 => value + 4,
            0x01 | 0x09 | 0x11 | 0x12 => value + 8,
            0x07 => value + 12,
            0x13 => value + 16,
            _ => return None,
        };
    }
    (at + 1 == end).then_some(())
}

fn length(body: &[u8], at: usize) -> Option<usize> {
    let bytes = body.get(at..at + 4)?;
    usize::try_from(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).ok()
}

fn cstring(body: &[u8], start: usize) -> Option<usize> {
    Some(start + body.get(start..)?.iter().position(|b| *b == 0)?)
}

/// Returns whether a text is what PHP's `serialize` writes of an array or an object.
pub(super) fn is_php(body: &[u8]) -> bool {
    let digits = |rest: &[u8]| rest.iter().take(9).take_while(|b| b.is_ascii_digit()).count();
    match body {
        [b'a' | b'O', b':', rest @ ..] => {
            let count = digits(rest);
            let after = rest.get(count..).unwrap_or_default();
            let opens: &[u8] = if body[0] == b'a' { b":{" } else { b":\"" };
            count > 0 && after.starts_with(opens) && matches!(body.trim_ascii_end().last(), Some(b'}'))
        }
        _ => false,
    }
}

/// Returns the texts of what PHP serializes with the names before them.
pub(super) fn of_php(body: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut at = 0;
    let mut name: Option<Range<usize>> = None;
    while at < body.len() {
        let Some((text, end)) = string(body, at) else {
            at += 1;
            continue;
        };
        // A name stands right before its value; private ones have their class before them, between zeros.
        match name.take().filter(|name| name.end + 2 == at) {
            Some(name) => entries.push((text, bare(body, name))),
            None => name = Some(text),
        }
        at = end;
    }
    entries
}

/// Reads `s:4:"text";`.
fn string(body: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let rest = body.get(at..)?.strip_prefix(b"s:")?;
    let digits = rest.iter().take(9).take_while(|b| b.is_ascii_digit()).count();
    let length: usize = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let start = at + 2 + digits + 2;
    let end = start.checked_add(length)?;
    let framed = rest.get(digits..digits + 2)? == b":\"" && body.get(end..end + 2)? == b"\";";
    framed.then_some((start..end, end + 2))
}

fn bare(body: &[u8], name: Range<usize>) -> Range<usize> {
    let start = body[name.clone()].iter().rposition(|b| *b == 0).map_or(name.start, |at| name.start + at + 1);
    start..name.end
}

#[cfg(test)]
mod tests {
    use super::{is_php, of_bson, of_php};

    #[track_caller]
    fn check(found: Vec<super::Entry>, body: &[u8], expected: &[(&str, &str)]) {
        let said = |range: std::ops::Range<usize>| String::from_utf8_lossy(&body[range]).into_owned();
        let found: Vec<_> = found.into_iter().map(|(text, name)| (said(name), said(text))).collect();
        let expected: Vec<_> = expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn entries_have_names() {
        let php = b"a:2:{s:4:\"user\";s:2:\"me\";s:1:\"n\";i:7;s:8:\"password\";s:5:\"a\";b;\";}";
        assert!(is_php(php) && !is_php(b"a: 1, b: {}") && !is_php(b"a:1:{"));
        check(of_php(php), php, &[("user", "me"), ("password", "a\";b;")]);
        let string = |name: &str, text: &str| {
            let length = (text.len() as u32 + 1).to_le_bytes();
            [b"\x02", name.as_bytes(), b"\0", &length, text.as_bytes(), b"\0"].concat()
        };
        let document = |content: &[u8]| [&(content.len() as u32 + 5).to_le_bytes(), content, b"\0"].concat();
        let inner = [&b"\x03in\0"[..], &document(&string("b", "two"))].concat();
        let bson = document(&[string("a", "one"), inner, b"\x10n\0\x07\0\0\0".to_vec()].concat());
        check(of_bson(&bson), &bson, &[("a", "one"), ("b", "two")]);
        check(of_bson(&bson[..bson.len() - 1]), &bson, &[]);
        check(of_bson(b""), b"", &[]);
    }
}
