//! Words as people type them.

/// Returns a word as it has to be typed at a shell.
#[must_use]
pub fn typed(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ':' | '@' | '^' | '~');
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_take_it_apart() {
        assert_eq!([typed("fares/day"), typed("a b"), typed("it's")], ["fares/day", "'a b'", "'it'\\''s'"]);
    }
}
