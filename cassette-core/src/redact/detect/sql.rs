//! Passwords in SQL, which stand behind a word without a sign between: `PASSWORD 'x'`, `IDENTIFIED BY 'x'`.

use std::ops::Range;

use super::value;
use super::{Found, Work};

/// How far before the word its statement may begin, in bytes.
const BEFORE: usize = 160;

/// What may stand between the word and the password, in bytes: `FOR 'joe'@'localhost' =`, `WITH mysql_native_password BY`.
const BETWEEN: usize = 96;

/// The longest password that is looked at.
const LONGEST: usize = 256;

/// What statements begin with that give somebody a password.
const STATEMENTS: [(&str, &[&str]); 4] = [
    ("create", &["user", "role", "login", "group", "database"]),
    ("alter", &["user", "role", "login", "group"]),
    ("set", &["password"]),
    ("grant", &[]),
];

/// Finds the password that `password` says in a statement.
pub(super) fn password(text: &str, name: &Range<usize>, work: &Work) -> Option<Found> {
    if !text[name.clone()].eq_ignore_ascii_case("password") || !is_in_statement(text, name.end, work) {
        return None;
    }
    let rest = head(&text[name.end..], BETWEEN);
    let said = rest.trim_start();
    // Whose it is may stand between the two: `SET PASSWORD FOR 'joe'@'localhost' = 'x'`.
    let named = said.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("for "));
    let after = if named { &said[said.find('=')? + 1..] } else { said.strip_prefix('=').unwrap_or(said) };
    literal(text, name.end + rest.len() - after.len(), work)
}

/// Finds the password of the user that `IDENTIFIED` speaks of, whose end this is.
pub(super) fn identified(text: &str, end: usize, work: &Work) -> Option<Found> {
    if !is_in_statement(text, end, work) {
        return None;
    }
    let rest = head(&text[end..], BETWEEN);
    let of_words = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || c.is_ascii_whitespace();
    let words: usize = rest.chars().take_while(of_words).map(char::len_utf8).sum();
    let mut told = rest[..words].split_ascii_whitespace();
    let by = told.any(|word| ["by", "as"].iter().any(|known| word.eq_ignore_ascii_case(known)));
    by.then(|| literal(text, end + words, work))?
}

/// Returns whether this place is in a statement that gives somebody a password.
fn is_in_statement(text: &str, at: usize, work: &Work) -> bool {
    work.spend(BEFORE);
    let from = (at.saturating_sub(BEFORE)..=at).find(|from| text.is_char_boundary(*from)).unwrap_or(at);
    let before = text[from..at].rsplit(';').next().unwrap_or_default().to_ascii_lowercase();
    let words: Vec<&str> = before.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let opens = |i: usize| {
        let (word, next) = (words[i], words.get(i + 1));
        STATEMENTS.iter().any(|(first, seconds)| {
            word == *first && (seconds.is_empty() || next.is_some_and(|next| seconds.contains(next)))
        })
    };
    (0..words.len()).any(opens)
}

/// Returns the text in quotation marks that stands here, behind blanks and what says how it is written: `N'x'`.
fn literal(text: &str, from: usize, work: &Work) -> Option<Found> {
    let rest = text[from..].trim_start();
    let rest = rest.strip_prefix(['N', 'E', 'n', 'e']).unwrap_or(rest);
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let start = text.len() - rest.len() + 1;
    let body = head(&rest[1..], LONGEST);
    work.spend(body.len());
    let mut letters = body.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let doubled = letter == quote && letters.peek().is_some_and(|(_, next)| *next == quote);
        if doubled || letter == '\\' {
            letters.next();
        } else if letter == quote {
            let range = start..start + at;
            return value::is_secret(&text[range.clone()]).then_some(Found { range, rule: "password" });
        }
    }
    None
}

/// Returns the beginning of a text, so long at most.
fn head(text: &str, limit: usize) -> &str {
    let end = (0..=limit.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = find(text).unwrap();
        let told: Vec<&str> = found.iter().map(|found| &text[found.range.clone()]).collect();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn a_password_is_found_in_a_statement_that_gives_it() {
        for statement in [
            "CREATE USER joe PASSWORD 'V'",
            "alter role joe\n  with encrypted password 'V' valid until 'infinity'",
            "CREATE ROLE joe WITH LOGIN PASSWORD E'V';",
            "CREATE LOGIN joe WITH PASSWORD = N'V'",
            "CREATE USER 'joe'@'%' IDENTIFIED BY 'V'",
            "ALTER USER joe IDENTIFIED WITH mysql_native_password BY \"V\"",
            "GRANT ALL ON trains.* TO 'joe'@'%' IDENTIFIED BY 'V'",
            "SET PASSWORD FOR 'joe'@'localhost' = 'V'",
            "CREATE USER MAPPING FOR joe SERVER s OPTIONS (user 'joe', password 'V')",
        ] {
            for value in ["tulip-gate", "Tulip Gate 9", "it''s-9", "a\\'b9"] {
                let text = statement.replace('V', value);
                if !(value == "a\\'b9" && statement.contains('"')) {
                    check(&text, &[value]);
                }
            }
        }
    }

    #[test]
    fn what_gives_nobody_a_password_is_none() {
        check("the fault was identified by 'tulip-gate-9'", &[]);
        check("his password 'tulip-gate' was wrong", &[]);
        check("CREATE USER joe; the password 'tulip-gate'", &[]);
        check("CREATE USER joe PASSWORD NULL", &[]);
        check("CREATE USER joe PASSWORD '${PASSWORD}'", &[]);
        check("CREATE USER joe PASSWORD 'changeme'", &[]);
        check("CREATE USER joe PASSWORD 'tulip-gate", &[]);
        check("CREATE USER joe IDENTIFIED EXTERNALLY AS 'x'", &[]);
    }
}
