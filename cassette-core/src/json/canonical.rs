//! The text in which two documents agree exactly when they mean the same.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{Json, Member, Text};

impl Json {
    /// Returns the canonical text: members sorted by name, no white space, the fewest escapes, numbers by value.
    ///
    /// `1` and `1.0` agree; `1` and `"1"` differ, and so do `null` and a missing member. Strings are compared by code
    /// point, without Unicode normalisation.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.canonical_into(&mut out);
        out
    }

    fn canonical_into(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(number) => out.push_str(&number.canonical()),
            Json::String(text) => push_string(out, text),
            Json::Array(elements) => {
                out.push('[');
                for (i, element) in elements.iter().enumerate() {
                    separate(out, i);
                    element.canonical_into(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_by(|a, b| in_order(a, b));
                out.push('{');
                for (i, (name, value)) in sorted.into_iter().enumerate() {
                    separate(out, i);
                    push_string(out, name);
                    out.push(':');
                    value.canonical_into(out);
                }
                out.push('}');
            }
        }
    }
}

fn separate(out: &mut String, index: usize) {
    if index > 0 {
        out.push(',');
    }
}

fn push_string(out: &mut String, text: &Text) {
    out.push('"');
    out.push_str(&text.canonical());
    out.push('"');
}

/// Orders members by name. Names that differ only in the numbers of placeholders, which mean nothing outside their
/// request, are ordered by what they say.
fn in_order((a, ours): &Member, (b, theirs): &Member) -> Ordering {
    let (a, b) = (a.canonical(), b.canonical());
    let by_name = unnumbered(&a).cmp(&unnumbered(&b));
    by_name.then_with(|| if a == b { Ordering::Equal } else { ours.canonical().cmp(&theirs.canonical()) })
}

/// Returns a text without the numbers of the placeholders in it: `REDACTED.email.` of `REDACTED.email.12`.
pub(crate) fn unnumbered(text: &str) -> Cow<'_, str> {
    const MARK: &str = "REDACTED.";
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut pieces = text.split(MARK);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let kind = piece.find('.').map_or(piece.len(), |dot| dot + 1);
        out.push_str(MARK);
        out.push_str(&piece[..kind]);
        out.push_str(piece[kind..].trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    Cow::Owned(out)
}
