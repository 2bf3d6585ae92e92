//! What is being typed.

use super::Key;

/// What is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Typing {
    Nothing,
    /// What to search for.
    Search(String),
    /// A call's number.
    Number(String),
}

/// Returns what is typed once this key is pressed; `None` where it is given up.
pub(super) fn typed(mut text: String, key: Key, may: &dyn Fn(char) -> bool) -> Option<String> {
    match key {
        Key::Escape => None,
        Key::Erase => text.pop().map(|_| text),
        Key::Char(c) if may(c) => {
            text.push(c);
            Some(text)
        }
        _ => Some(text),
    }
}
