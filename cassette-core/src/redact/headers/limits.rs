//! What stands for the value of a rate limit's header: programs read how much is left, and take another way where nothing is.

use super::{STAND_IN, of_shape};

/// Words that stay: they say what is limited, and whether it is. Any other may be somebody's name.
const WORDS: [&str; 24] = [
    "true",
    "false",
    "yes",
    "no",
    "ok",
    "allowed",
    "denied",
    "blocked",
    "limited",
    "throttled",
    "exceeded",
    "exhausted",
    "default",
    "burst",
    "requests",
    "tokens",
    "input",
    "output",
    "second",
    "minute",
    "hour",
    "day",
    "month",
    "volatile",
];

/// Returns what stands for the value of such a header: of its form, with nothing of it that counts. Zero stays zero, and a word
/// such as `true` or `exceeded` the word.
pub(super) fn of_limit(value: &str) -> String {
    let value = value.trim();
    match of_shape(value) {
        STAND_IN => of_structure(value),
        _ if is_zero(value) => value.to_owned(),
        shape => shape.to_owned(),
    }
}

/// Returns a structured value (RFC 9651), such as `limit=100, remaining=0, reset=5` or `"default";r=50;t=30`, with each of its items
/// made one that stands for it.
fn of_structure(value: &str) -> String {
    let (mut whole, mut rest) = (String::new(), value);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | ':' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ if is_between(first) => first.len_utf8(),
            _ => rest.find(is_between).unwrap_or(rest.len()),
        };
        let (item, after) = rest.split_at(end);
        match first {
            _ if is_between(first) => whole.push_str(item),
            '"' if WORDS.contains(&&*item.trim_matches('"').to_ascii_lowercase()) => whole.push_str(item),
            '"' => whole.push_str(&format!("\"{STAND_IN}\"")),
            // Bytes in base64.
            ':' => whole.push_str(":AA==:"),
            _ if WORDS.contains(&&*item.to_ascii_lowercase()) || after.starts_with('=') && is_name(item) => {
                whole.push_str(item);
            }
            _ if is_zero(item) => whole.push_str(item),
            _ => whole.push_str(of_shape(item)),
        }
        rest = after;
    }
    whole
}

fn is_between(c: char) -> bool {
    matches!(c, ',' | ';' | '=' | '(' | ')') || c.is_whitespace()
}

/// Returns whether this may be the name of a parameter.
fn is_name(text: &str) -> bool {
    text.len() <= 24 && text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-' || b == b'_')
}

/// Returns whether this is a zero: `0`, `0.0`, `0s`.
fn is_zero(value: &str) -> bool {
    let digits = || value.chars().filter(char::is_ascii_digit);
    of_shape(value) != STAND_IN && digits().all(|digit| digit == '0')
}
