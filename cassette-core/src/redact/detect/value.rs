//! What a value says about itself.

use crate::redact::placeholder::placeholders;

/// Beginnings of values that say where a secret is kept.
const REFERENCES: &[&str] = &[
    "op://",
    "vault:",
    "vault://",
    "env:",
    "env.",
    "arn:",
    "secret://",
    "secrets.",
    "ref+",
    "ssm:",
    "projects/",
    "file:",
    "keyring:",
    "os.environ",
    "os.getenv",
    "process.env",
    "std::env",
    "ENV[",
    "env!(",
    "getenv",
    "var.",
    "config.",
    "self.",
    "this.",
    "settings.",
    "import.meta",
    "{{",
    "${",
    "$(",
    "<",
    "`",
    "@Microsoft.KeyVault",
];

/// Words that stand where a secret will be filled in.
const BLANKS: &[&str] = &[
    "your",
    "xxxx",
    "****",
    "placeholder",
    "redacted",
    "removed",
    "insert",
    "example",
    "dummy",
    "fake",
    "changeme",
    "change-me",
    "change_me",
    "masked",
    "hidden",
    "filtered",
    "replace",
    "test-key",
    "testkey",
    "my-api-key",
    "todo",
];

/// Values that say that there is none.
const NOTHINGS: &[&str] = &[
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "string",
    "str",
    "required",
    "optional",
    "empty",
    "yes",
    "no",
    "any",
    "object",
    "unknown",
    "password",
    "passwd",
    "secret",
    "token",
    "pass",
    "user",
    "optional_token",
    "bearer",
    "basic",
    "oauth",
    "oauth2",
    "default",
    "ollama",
    "hunter2",
    "guest",
    "admin",
    "root",
    "postgres",
    "test",
    "n/a",
];

/// Returns whether the value says where a secret is, rather than being one: `${X}`, `op://..`, `process.env.X`.
pub(crate) fn is_reference(value: &str) -> bool {
    let value = value.trim();
    REFERENCES.iter().any(|start| value.starts_with(start))
        || value.strip_prefix('$').is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        || value.starts_with('%') && value.ends_with('%')
        || value.starts_with('[') && value.ends_with(']')
        || value.starts_with('{') && value.ends_with('}')
        || value.starts_with('/') && is_words(value)
        || value.starts_with("./")
        || value.contains("${")
        || value.contains("{{")
}

/// Returns whether the value stands for a secret without being one.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    if value.is_empty() || placeholders(value).next().is_some() {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    let first = value.chars().next();
    NOTHINGS.contains(&lower.as_str())
        || is_blank(&lower)
        || ["EXAMPLE", "EXAMPLEKEY"].iter().any(|end| value.ends_with(end))
        || value.contains("...")
        || value.contains('\u{2026}')
        || value.chars().all(|c| Some(c) == first)
}

/// Returns whether a text says that something is to be filled in, and nothing else: `your-api-key-here`, `sk-xxxxxxxx`.
///
/// A word such as `hidden` within a value is no excuse for the rest of it: what is left beside such words must be plain
/// words, or too short to be anything.
fn is_blank(lower: &str) -> bool {
    let mut left = lower.to_owned();
    BLANKS.iter().for_each(|blank| left = left.replace(blank, " "));
    let harmless = |word: &str| word.len() <= 3 || word.len() <= 12 && word.bytes().all(|b| b.is_ascii_lowercase());
    left != lower && left.split(|c: char| !c.is_alphanumeric()).all(harmless)
}

/// Returns whether a value of a name that is secret beyond doubt is to be hidden.
pub(crate) fn is_secret(value: &str) -> bool {
    let value = value.trim();
    let word = value.len() < 8 && value.bytes().all(|b| b.is_ascii_lowercase());
    let sentence = value.contains(' ') && !value.bytes().any(|b| b.is_ascii_digit());
    value.len() >= 4 && !word && !sentence && !is_reference(value) && !is_placeholder(value)
}

/// Returns whether a value looks as if drawn at random, so that an ambiguous name suffices.
pub(crate) fn is_random(value: &str) -> bool {
    let value = value.trim();
    value.len() >= 16
        && !value.contains([' ', '(', '\n'])
        && !is_uuid(value)
        && mixed(value)
        && !is_reference(value)
        && !is_placeholder(value)
        && !is_words(value)
}

/// Returns whether a value in running text, under a name that is secret beyond doubt, looks like one.
pub(crate) fn is_likely(value: &str) -> bool {
    let value = value.trim();
    let special = value.bytes().any(|b| b.is_ascii_punctuation() && !matches!(b, b'-' | b'_' | b'.' | b':' | b'/'));
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let letter = value.bytes().any(|b| b.is_ascii_alphabetic());
    let humps = value.bytes().any(|b| b.is_ascii_lowercase()) && value.bytes().any(|b| b.is_ascii_uppercase());
    let random = value.len() >= 16 && mixed(value) && !is_words(value);
    value.len() >= 8
        && !value.contains(['(', ' ', '\n', '{'])
        && (random || is_uuid(value) || digit && letter && (special || humps || value.len() >= 12 && !is_words(value)))
        && !is_reference(value)
        && !is_placeholder(value)
}

/// Returns whether a value that the user called secret says nothing by chance, so that it may be looked for elsewhere: neither short
/// nor made of ordinary words.
pub(crate) fn is_distinct(value: &str) -> bool {
    let value = value.trim();
    value.len() >= 8 && !is_ordinary(value) && is_secret(value)
}

/// Returns whether a value is made of ordinary words, and of nothing else.
pub(crate) fn is_ordinary(value: &str) -> bool {
    let mut words = value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let telling = value.bytes().any(|b| !b.is_ascii_alphabetic() && !b" -_.:/,".contains(&b));
    !telling && words.all(|word| word.bytes().all(|b| b.is_ascii_alphabetic()) && vowels(word))
}

/// Returns whether a value is what people give to a test: ordinary words, numbered or not, such as `testuser1`, or a number.
pub(crate) fn is_plain(value: &str) -> bool {
    let mut words = value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()));
    words.all(|word| word.is_empty() || word.bytes().all(|b| b.is_ascii_alphabetic()) && vowels(word))
}

/// Returns whether the value is a UUID in its usual form.
pub(crate) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(
            |(i, b)| {
                if matches!(i, 8 | 13 | 18 | 23) { b == b'-' } else { b.is_ascii_hexdigit() }
            },
        )
}

/// Returns whether letters and digits alternate, or upper and lower case do.
fn mixed(value: &str) -> bool {
    let bytes = value.as_bytes();
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = bytes.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let turns = bytes
        .windows(2)
        .filter(|pair| {
            pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()
                || pair[0].is_ascii_digit() != pair[1].is_ascii_digit()
        })
        .count();
    digits > 0 && letters > 0 && turns >= 3 || letters >= 20 && turns >= 5
}

/// Returns whether a value is made of words: an identifier, a slug, a date, a version, a path in a program.
fn is_words(value: &str) -> bool {
    let words: Vec<&str> = value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let plain = |word: &&str| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = word.len() - letters.len();
        letters.is_empty() && digits <= 4
            || digits <= 2 && letters.len() <= 14 && letters.bytes().all(|b| b.is_ascii_alphabetic()) && vowels(letters)
    };
    words.len() > 1 && words.iter().filter(|word| plain(word)).count() * 5 >= words.len() * 4
}

/// Returns whether a word could be spoken: one case, and a vowel among every few letters.
fn vowels(word: &str) -> bool {
    let case = word[1.min(word.len())..].bytes().all(|b| b.is_ascii_lowercase())
        || word.bytes().all(|b| b.is_ascii_uppercase());
    let vowels =
        word.bytes().filter(|b| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y')).count();
    case && (word.len() <= 3 || vowels * 6 >= word.len())
}

#[cfg(test)]
mod tests {
    use super::{is_distinct, is_likely, is_placeholder, is_random, is_reference, is_secret};

    #[test]
    fn references_and_blanks_are_no_secrets() {
        for value in ["${X}", "$OPENAI_API_KEY", "op://vault/item", "{{KEY}}", "<token>", "process.env.X", "[removed]"]
        {
            assert!(is_reference(value), "{value}");
        }
        for value in ["", "YOUR_API_KEY", "xxxxxxxx", "sk-ant-...AbCd", "REDACTED.api-key.1", "None", "********"] {
            assert!(is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn how_random_is_random_enough() {
        let hex = "9fa740a4ca426e39".repeat(2);
        assert!(is_random(&hex) && is_likely(&hex) && is_secret(&hex));
        assert!(is_likely(concat!("PxNPl8", "Eeoice8EMEW!Dp")));
        for value in ["internationalization", "every-90-days-automatically", "2026-06-01-preview", "tenant-42"] {
            assert!(!is_random(value), "{value}");
        }
        for value in ["must", "SecretString", "lexer.next_token", "reset-password", "client.access_secret_version"] {
            assert!(!is_likely(value), "{value}");
        }
    }

    #[test]
    fn what_the_user_named_needs_not_look_random() {
        for value in ["4711a4711b", "K-4711-XY-long", "customer-4711", "20260701", "anna@berg.no", "XKCDQRTZ"] {
            assert!(is_distinct(value), "{value}");
        }
        for value in
            ["1", "true", "default", "4711", "production", "every-other-day", "Anna Berg", "${CUSTOMER_ID}", "00000000"]
        {
            assert!(!is_distinct(value), "{value}");
        }
    }
}
