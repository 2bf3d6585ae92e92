//! The JSON values of a body, one after the other, whatever frames them.
//!
//! Lines, events, sequences (RFC 7464), values that nothing parts, lines that begin with a mark as in `0:"text"`, the parts of a
//! multipart body: what comes piece by piece comes in one of these. Redaction and audit join the same pieces.

use std::ops::Range;

use super::detect::{Spent, Work};
use super::scan::{Read, Words, read};

/// The longest mark before a value in its line.
const LONGEST_MARK: usize = 24;

/// Members that number the parallel parts of a stream.
pub(crate) const INDEX: &[&str] = &["index", "output_index", "content_index", "summary_index", "choice_index"];

/// A value in a text, its places counted in that text.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) range: Range<usize>,
    /// What stands before it in its line, the colon included: `0:`.
    pub(crate) mark: Range<usize>,
    pub(crate) read: Read,
}

/// What is made of a text that is not values alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// It holds no values.
    Refused,
    /// The lines are left out that no value begins.
    Skipped,
}

/// Returns the values of a text; none where [`Rest::Refused`] is asked for and anything else stands in it.
///
/// # Errors
///
/// Fails where there is no end to looking for them.
pub(crate) fn values(text: &str, rest: Rest) -> Result<Vec<Value>, Spent> {
    let bytes = text.as_bytes();
    let work = Work::on(text);
    let mut values = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if work.is_spent() {
            return Err(Spent);
        }
        if bytes[at].is_ascii_whitespace() || matches!(bytes[at], b',' | 0x1e) {
            at += 1;
            continue;
        }
        let start = at + mark(&text[at..]);
        let opens = matches!(bytes.get(start), Some(b'{' | b'[' | b'"'));
        match opens.then(|| read(text, start, Words::Together)).flatten() {
            Some(read) if read.whole || rest == Rest::Refused => {
                let end = read.end;
                values.push(Value { range: start..end, mark: at..start, read });
                at = end;
            }
            found if rest == Rest::Skipped => {
                if opens {
                    work.spend(found.map_or(64, |read| read.end - start));
                }
                // One letter is found much faster than one of several.
                at += text[at..].find('\n').map_or(text.len() - at, |end| end + 1);
            }
            _ => return Ok(Vec::new()),
        }
    }
    Ok(values)
}

/// Returns the length of the marks that stand before a value: letters, digits and a colon, and capital letters after it.
fn mark(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(length) = one_mark(&bytes[end..]) {
        end += length;
    }
    end
}

fn one_mark(bytes: &[u8]) -> Option<usize> {
    let word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let length = bytes.iter().take(LONGEST_MARK).take_while(word).count();
    if length == 0 || bytes.get(length) != Some(&b':') {
        return None;
    }
    let after = &bytes[length + 1..];
    let blank = after.iter().take_while(|b| **b == b' ').count();
    let capitals = after[blank..].iter().take(2).take_while(|b| b.is_ascii_uppercase()).count();
    let opens = matches!(after.get(blank + capitals), Some(b'{' | b'[' | b'"'));
    Some(length + 1 + blank + if opens { capitals } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::{Rest, values};

    #[track_caller]
    fn check(text: &str, rest: Rest, expected: &[&str]) {
        let values = values(text, rest).unwrap();
        assert_eq!(values.iter().map(|value| &text[value.range.clone()]).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn values_stand_one_after_the_other_in_any_framing() {
        for text in [
            "{\"a\":1}\n[2]\r\n\"x\"\n",
            "{\"a\":1}[2]\"x\"",
            "\u{1e}{\"a\":1}\n\u{1e}[2]\n\u{1e}\"x\"",
            "0:{\"a\":1}\n1:I[2]\n2:\"x\"",
            "data: {\"a\":1}\ndata: [2]\ndata:\"x\"",
        ] {
            check(text, Rest::Refused, &["{\"a\":1}", "[2]", "\"x\""]);
        }
        let parts = "--b\r\ncontent-type: application/json\r\n\r\n{\"a\":1}\r\n--b\r\n\r\n[2]\r\n--b--\r\n";
        check(parts, Rest::Skipped, &["{\"a\":1}", "[2]"]);
        check(parts, Rest::Refused, &[]);
        check("\"Come\" she said", Rest::Refused, &[]);
        check("\"Come\" she said\n{x\n[1", Rest::Skipped, &["\"Come\""]);
        check("{\"a\":\"b", Rest::Refused, &["{\"a\":\"b"]);
    }
}
