//! What stands in a cassette where a secret stood: `REDACTED.openai-key.1`.
//!
//! The characters mean nothing in URLs, JSON, forms and HTML, so a placeholder fits wherever the secret did. A program's
//! own text that looks like one gets one more dot after `REDACTED` on its way into the file and loses it on the way out.

use std::ops::Range;

pub(super) const MARK: &str = "REDACTED";

/// The longest kind that a placeholder names.
pub(crate) const MAX_KIND: usize = 32;

/// A text of the form of a placeholder, with one dot after the mark or, escaped, with more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shaped {
    /// Where it stands.
    pub(crate) range: Range<usize>,
    /// How many dots follow the mark.
    pub(crate) dots: usize,
}

/// Returns the placeholder of this kind and number.
pub(crate) fn placeholder(kind: &str, number: usize) -> String {
    format!("{MARK}.{kind}.{number}")
}

/// Returns what stands for a secret within base64, where no number could be changed later: the same for all values.
pub(crate) fn unnumbered(kind: &str) -> String {
    placeholder(kind, 0)
}

/// Returns what stands for a secret in a body that counts its bytes, filled with zeros to this length and so without a number:
/// the kind is cut where it has to be, and `None` where even then nothing is short enough.
pub(crate) fn filled(kind: &str, length: usize) -> Option<String> {
    let room = length.checked_sub(MARK.len() + 3)?;
    let kind = kind.get(..room.min(kind.len())).filter(|kind| !kind.is_empty())?;
    Some(format!("{MARK}.{kind}.{}", "0".repeat(length - MARK.len() - 2 - kind.len())))
}

/// Returns where anything stands that must not be hidden again: placeholders, escaped ones, unnumbered ones.
pub(crate) fn marks(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    found(text, form).map(|shaped| shaped.range)
}

/// Returns the kind and the number of a placeholder.
pub(crate) fn parts(placeholder: &str) -> Option<(&str, usize)> {
    let shaped = at(placeholder, 0).filter(|shaped| shaped.dots == 1 && shaped.range.len() == placeholder.len())?;
    let (kind, number) = placeholder[MARK.len() + shaped.dots..].split_once('.')?;
    Some((kind, number.parse().ok()?))
}

/// Returns everything in a text that has the form of a placeholder, escaped ones included.
pub(crate) fn shaped(text: &str) -> impl Iterator<Item = Shaped> + '_ {
    found(text, at)
}

/// Returns the kind of a placeholder, `openai-key`; of what is none, nothing.
pub(crate) fn kind(placeholder: &str) -> Option<&str> {
    parts(placeholder).map(|(kind, _)| kind)
}

fn found(text: &str, of: fn(&str, usize) -> Option<Shaped>) -> impl Iterator<Item = Shaped> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        // One letter is found much faster than a word where nothing is optimised.
        while let Some(next) = text[from..].find('R') {
            let start = from + next;
            from = start + 1;
            if let Some(shaped) = of(text, start) {
                from = shaped.range.end;
                return Some(shaped);
            }
        }
        None
    })
}

/// Returns the placeholders in a text, in order, repeated ones repeatedly.
///
/// ```
/// let text = "Bearer REDACTED.openai-key.1 and REDACTED..not-one.2";
/// assert_eq!(cassette_core::redact::placeholders(text).collect::<Vec<_>>(), ["REDACTED.openai-key.1"]);
/// ```
pub fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    shaped(text).filter(|shaped| shaped.dots == 1).map(|shaped| &text[shaped.range])
}

/// Returns the kind and the number of everything in a text that stands for a secret; of what bears no number that is 0.
pub(super) fn hidings(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let hiding = |shaped: Shaped| {
        let (kind, number) = text[shaped.range.start + MARK.len() + 1..shaped.range.end].split_once('.')?;
        Some((kind, number.parse().ok()?))
    };
    found(text, form).filter(|shaped| shaped.dots == 1).filter_map(hiding)
}

/// Returns the text with each placeholder replaced by what `put` gives for it.
pub(crate) fn replace_placeholders(text: &str, mut put: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for shaped in shaped(text).filter(|shaped| shaped.dots == 1) {
        out.push_str(&text[copied..shaped.range.start]);
        out.push_str(&put(&text[shaped.range.clone()]));
        copied = shaped.range.end;
    }
    out.push_str(&text[copied..]);
    out
}

/// Returns the place in a text of the form of a placeholder where a further dot escapes it.
pub(crate) fn escape_at(shaped: &Shaped) -> usize {
    shaped.range.start + MARK.len()
}

/// Reads what has the form of a placeholder, its number from 1.
fn at(text: &str, start: usize) -> Option<Shaped> {
    let shaped = form(text, start)?;
    let number = text[shaped.range.clone()].rsplit('.').next()?;
    (!number.starts_with('0')).then_some(shaped)
}

/// Reads a mark, dots, a kind, a dot and digits.
fn form(text: &str, start: usize) -> Option<Shaped> {
    let bytes = text.as_bytes();
    let run = |from: usize, of: fn(&u8) -> bool| bytes[from..].iter().take_while(|b| of(b)).count();
    let after_mark = start + text[start..].starts_with(MARK).then_some(MARK.len())?;
    let dots = run(after_mark, |b| *b == b'.');
    let kind = after_mark + dots;
    let kind_length = run(kind, |b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-');
    let number = kind + kind_length + 1;
    let well = dots > 0 && (1..=MAX_KIND).contains(&kind_length) && bytes.get(number - 1) == Some(&b'.');
    let digits = if well { run(number, u8::is_ascii_digit) } else { 0 };
    (digits > 0).then(|| Shaped { range: start..number + digits, dots })
}

#[cfg(test)]
mod tests {
    use super::{parts, placeholders};

    #[test]
    fn the_form_is_exact() {
        let text = "REDACTED.a.1 REDACTED.A.1 REDACTED.a.01 REDACTED.a-b2.23x REDACTED.a. REDACTED..a.1 REDACTED";
        assert_eq!(placeholders(text).collect::<Vec<_>>(), ["REDACTED.a.1", "REDACTED.a-b2.23"]);
        assert_eq!(parts("REDACTED.a-b2.23"), Some(("a-b2", 23)));
        assert_eq!(parts("REDACTED.a-b2.23x"), None);
        let long = format!("REDACTED.{}.1", "k".repeat(33));
        assert_eq!(placeholders(&long).count(), 0);
    }
}
