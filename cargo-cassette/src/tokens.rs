//! The words, marks and texts of a Rust source, without its comments.

/// A word or a mark of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A name or a keyword, a raw name without its `r#`.
    Word(&'a str),
    /// Any other character but for white space.
    Mark(char),
    /// A literal that is a text, or a character, as it is written.
    Text(&'a str),
}

/// Returns the words and marks of a source, in order, without its literals.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    all(text).into_iter().filter(|token| !matches!(token, Token::Text(_))).collect()
}

/// Returns the words, marks and texts of a source, in order.
pub(crate) fn all(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let skipped = comment(rest).or_else(|| {
            let length = literal(rest)?;
            tokens.push(Token::Text(&rest[..length]));
            Some(length)
        });
        let length = skipped.unwrap_or_else(|| {
            let raw = rest.strip_prefix("r#").map_or(0, |_| 2);
            let word = word(&rest[raw..]);
            if !word.is_empty() {
                tokens.push(Token::Word(word));
                return raw + word.len();
            }
            tokens.extend((!first.is_whitespace()).then_some(Token::Mark(first)));
            first.len_utf8()
        });
        rest = &rest[length..];
    }
    tokens
}

/// Returns the name or keyword with which a text begins.
fn word(text: &str) -> &str {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(text, |end| &text[..end])
}

/// Returns the length of the comment with which a text begins; those in blocks may stand in each other.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.strip_prefix("/*")?;
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let step = match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            return Some(at);
        }
    }
    Some(text.len())
}

/// Returns the length of the string or the character with which a text begins.
fn literal(text: &str) -> Option<usize> {
    let inside = text.trim_start_matches(['b', 'c']);
    let begun = text.len() - inside.len();
    if begun > 1 {
        return None;
    }
    let raw = inside.strip_prefix('r').filter(|rest| rest.trim_start_matches('#').starts_with('"'));
    let length = match (raw, inside.as_bytes()) {
        (Some(rest), _) => {
            let hashes = rest.len() - rest.trim_start_matches('#').len();
            let end = format!("\"{}", "#".repeat(hashes));
            let body = 1 + hashes + 1;
            inside[body..].find(&end).map_or(inside.len(), |at| body + at + end.len())
        }
        (None, [b'"', ..]) => quoted(inside, b'"'),
        // What has one character, or begins with a backslash, is no lifetime.
        (None, [b'\'', b'\\', ..]) => quoted(inside, b'\''),
        (None, [b'\'', ..]) => {
            let one = inside[1..].chars().next()?;
            let length = 1 + one.len_utf8();
            inside[length..].strip_prefix('\'')?;
            length + 1
        }
        _ => return None,
    };
    Some(begun + length)
}

/// Returns the length of what stands between two of this mark, in which a backslash takes the next character with it.
fn quoted(text: &str, mark: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'\\' => at += 2,
            byte if *byte == mark => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::Token::{Mark, Word};
    use super::tokens;
    use proptest::prelude::*;

    #[test]
    fn literals_and_comments_say_nothing() {
        let source = "fn r#trains<'a>(x: &'a str) { /* fn a /* b */ c */ f(\"fn \\\" d\", 'e', '\\'', r##\"g\"# h\"##, b\"i\") } // fn j";
        let words: Vec<_> = tokens(source)
            .into_iter()
            .filter_map(|token| if let Word(word) = token { Some(word) } else { None })
            .collect();
        assert_eq!(words, ["fn", "trains", "a", "x", "a", "str", "f"]);
        assert_eq!(tokens("é!(ö)"), [Word("é"), Mark('!'), Mark('('), Word("ö"), Mark(')')]);
        assert_eq!(tokens("\"never ended \\"), []);
        assert_eq!(tokens("/* never ended"), []);
    }

    proptest! {
        #[test]
        fn whatever_a_source_says_it_is_read_to_its_end(text in "([a-z'\"\\\\/*#!(r) é]|//|/\\*|\\*/){0,60}") {
            tokens(&text);
        }
    }
}
