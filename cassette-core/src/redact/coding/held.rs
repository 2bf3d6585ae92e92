//! Texts that hold another text as a whole: a piece of what comes piece by piece may stand in one.

use super::{as_text, base64};

/// The shortest base64 that is taken for a text.
const SHORTEST: usize = 2;

/// A text that another one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// It is JSON itself.
    Json,
    /// In base64.
    Base64(String),
}

/// Returns what a text holds as a whole; `None` of one that only says what it says.
pub(crate) fn held(text: &str) -> Option<Held> {
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '[', '"']) {
        // The rest may still have come.
        return trimmed.as_bytes().get(1).is_some().then_some(Held::Json);
    }
    let digits = trimmed.trim_end_matches('=');
    if digits.len() < SHORTEST || !digits.bytes().all(base64::is_digit) {
        return None;
    }
    let bytes = base64::decode(trimmed)?;
    let whole = as_text(&bytes).filter(|text| text.len() == bytes.len())?;
    Some(Held::Base64(whole.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Held, held};

    #[test]
    fn a_text_holds_json_or_base64() {
        let base64 = |text: &str| Some(Held::Base64(text.to_owned()));
        for (text, expected) in [
            (" {\"a\": 1}", Some(Held::Json)),
            ("[1", Some(Held::Json)),
            ("{", None),
            ("aGVsbG8=", base64("hello")),
            ("aGVsbG8", base64("hello")),
            ("aGVs bG8", None),
            ("the", None),
            ("hello world", None),
            ("", None),
        ] {
            assert_eq!(held(text), expected, "{text}");
        }
    }
}
