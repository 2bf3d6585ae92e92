//! The strings of a JSON text, each with its place in the source.
//!
//! The tree of [`crate::json`] would do, but edits by place keep every byte around them as it was, in documents too that
//! the tree refuses: a name given twice, or an end that never came.

use std::ops::Range;

use super::coding::{View, escapes};

/// What a leaf is in its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The name of a member.
    Key,
    /// A string.
    String,
    /// A number, a boolean or `null`.
    Word,
    /// All that stands in an array of nothing but words, where [`Words::Together`] is asked for.
    Words,
}

/// How the words of an array are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// Each by itself.
    Apart,
    /// As one leaf, where nothing else stands there: an embedding has thousands.
    Together,
}

/// A leaf of a document. The place of a string is that of the text between its quotation marks.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) role: Role,
    pub(crate) span: Range<usize>,
    /// Where the name stands under which it is: that of the array for its elements.
    pub(crate) name: Option<Range<usize>>,
    /// The container it is in.
    pub(crate) container: usize,
    /// How many leaves and containers stand before it there.
    pub(crate) place: usize,
}

/// An object or an array.
#[derive(Clone, Debug)]
pub(crate) struct Container {
    pub(crate) object: bool,
    pub(crate) name: Option<Range<usize>>,
    /// The container it is in; that of the outermost is itself.
    pub(crate) parent: usize,
    /// How many leaves and containers stand before it there.
    pub(crate) place: usize,
    /// How many stand in it, as far as it was read.
    count: usize,
}

/// The leaves of a document in order, and its containers.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) containers: Vec<Container>,
}

/// Returns the leaves of a JSON object or array; `None` where the text is neither.
pub(crate) fn scan(text: &str) -> Option<Scan> {
    let bytes = text.as_bytes();
    let first = bytes.iter().position(|b| !b.is_ascii_whitespace())?;
    if !matches!(bytes[first], b'{' | b'[') {
        return None;
    }
    let read = read(text, first, Words::Apart)?;
    (read.whole && bytes[read.end..].iter().all(u8::is_ascii_whitespace)).then_some(read.scan)
}

/// A value that was read, and where it ends in its text.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) scan: Scan,
    pub(crate) end: usize,
    /// Whether it ended before the text did.
    pub(crate) whole: bool,
}

/// Reads the object, array or string that begins here; `None` where none does.
pub(crate) fn read(text: &str, first: usize, words: Words) -> Option<Read> {
    let bytes = text.as_bytes();
    let mut scan = Scan::default();
    let mut stack: Vec<usize> = Vec::new();
    let mut key: Option<Range<usize>> = None;
    let mut at = first;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => {
                let parent = stack.last().copied();
                let inherited = parent.and_then(|parent| scan.name(parent, &key));
                let place = parent.map_or(0, |parent| scan.counted(parent));
                stack.push(scan.containers.len());
                let parent = parent.unwrap_or(scan.containers.len());
                let object = bytes[at] == b'{';
                scan.containers.push(Container { object, name: inherited, parent, place, count: 0 });
                key = None;
                at += 1;
                if let Some(end) = bare_end(text, at).filter(|_| !object && words == Words::Together) {
                    scan.push(Role::Words, at..end, scan.containers.len() - 1, &mut key);
                    at = end;
                }
            }
            b'}' | b']' => {
                let open = stack.pop()?;
                if scan.containers[open].object != (bytes[at] == b'}') {
                    return None;
                }
                key = None;
                at += 1;
                if stack.is_empty() {
                    return Some(Read { scan, end: at, whole: true });
                }
            }
            b'"' => {
                let bare = stack.is_empty();
                if bare {
                    scan.containers.push(Container { object: false, name: None, parent: 0, place: 0, count: 0 });
                }
                let container = stack.last().copied().unwrap_or_default();
                let end = string_end(text, at + 1)?;
                let whole = end < bytes.len();
                let span = at + 1..end;
                at = (end + 1).min(bytes.len());
                if scan.containers[container].object && key.is_none() {
                    let place = scan.counted(container);
                    scan.leaves.push(Leaf { role: Role::Key, span: span.clone(), name: None, container, place });
                    key = Some(span);
                } else {
                    scan.push(Role::String, span, container, &mut key);
                }
                if bare {
                    return Some(Read { scan, end: at, whole });
                }
            }
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
                let container = *stack.last()?;
                // What begins so may be an object of a language, whose names stand bare.
                if scan.containers[container].object && key.is_none() {
                    return None;
                }
                let length = bytes[at..]
                    .iter()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.'))
                    .count();
                scan.push(Role::Word, at..at + length, container, &mut key);
                at += length;
            }
            _ => return None,
        }
    }
    Some(Read { scan, end: at, whole: false })
}

/// Returns where an array ends that begins here and holds nothing but words.
fn bare_end(text: &str, start: usize) -> Option<usize> {
    let first = text.as_bytes()[start..].iter().find(|b| !b.is_ascii_whitespace())?;
    if !first.is_ascii_digit() && *first != b'-' {
        return None;
    }
    // One letter is found much faster than one of several.
    let held = &text[start..start + text[start..].find(']')?];
    let bare = !held.contains('"') && !held.contains('[') && !held.contains('{');
    bare.then_some(start + held.len())
}

impl Scan {
    fn push(&mut self, role: Role, span: Range<usize>, container: usize, key: &mut Option<Range<usize>>) {
        let name = self.name(container, key);
        let place = self.counted(container);
        self.leaves.push(Leaf { role, span, name, container, place });
        *key = None;
    }

    /// Returns how many stand in a container, and counts one more.
    fn counted(&mut self, container: usize) -> usize {
        let count = &mut self.containers[container].count;
        *count += 1;
        *count - 1
    }

    fn name(&self, container: usize, key: &Option<Range<usize>>) -> Option<Range<usize>> {
        if self.containers[container].object { key.clone() } else { self.containers[container].name.clone() }
    }
}

/// Returns what the string at this place says, and where each byte of it came from.
pub(crate) fn decoded(text: &str, span: &Range<usize>) -> Result<View, Range<usize>> {
    escapes(&text[span.clone()]).ok_or_else(|| span.clone())
}

/// Returns what the string at this place says.
pub(crate) fn value(text: &str, span: &Range<usize>) -> String {
    decoded(text, span).map_or_else(|span| text[span].to_owned(), |view| view.text)
}

/// Returns where a string ends, which is the text's end where it was cut short; `None` where it is no string.
fn string_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    // One letter is found much faster than one of several: most strings have no escape.
    let first = text.get(start..).and_then(|rest| rest.find('"')).map(|length| start + length);
    if let Some(end) = first
        && !text[start..end].contains('\\')
        && !text[start..end].contains('\n')
    {
        return Some(end);
    }
    let mut at = start;
    loop {
        match bytes.get(at) {
            None => return Some(bytes.len()),
            Some(b'"') => return Some(at),
            Some(b'\\') => at += 2,
            Some(0..=0x1f) => return None,
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, scan};

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let scan = scan(text).expect("a document");
        let found: Vec<_> = scan
            .leaves
            .iter()
            .filter(|leaf| leaf.role != Role::Key)
            .map(|leaf| (leaf.name.clone().map_or("", |name| &text[name]), &text[leaf.span.clone()]))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn leaves_know_their_names() {
        check(
            r#"{"a": "x", "b": [1, "y", {"c": null}], "a": "\"z"}"#,
            &[("a", "x"), ("b", "1"), ("b", "y"), ("c", "null"), ("a", "\\\"z")],
        );
        check(r#" ["x", [true]] "#, &[("", "x"), ("", "true")]);
    }

    #[test]
    fn what_is_no_document_has_no_leaves() {
        for text in ["", "x", "{a: \"b\"}", "{:a \"b\"}", "\"x\"", "{", "[1}", "{} x", "{\"a\": \"", "[\"\n\"]", "]"] {
            assert!(scan(text).is_none(), "{text}");
        }
    }
}
