//! Passwords in SQL, which stand behind a word without a sign between: `PASSWORD 'x'`, `IDENTIFIED BY 'x'`.

use std::ops::Range;

use super::names::Strength;
use super::value;
use super::{Found, Work, ahead, behind};

/// How far before the word its statement may begin, in bytes.
const BEFORE: usize = 160;

/// What may stand between the word and the password, in bytes: `FOR 'joe'@'localhost' =`, `WITH mysql_native_password BY`.
const BETWEEN: usize = 96;

/// The longest list of columns before a name, in bytes.
const LIST: usize = 1024;

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

/// Finds what a statement puts into the column of this name: `INSERT INTO users (name, password) VALUES ('joe', 'x')`, `COPY .. FROM stdin`.
pub(super) fn column(text: &str, name: &Range<usize>, work: &Work) -> Vec<Found> {
    let listed = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '"' | '`' | '[' | ']' | ',' | '.' | '\\' | ' ' | '\n' | '\t' | '\r')
    };
    let Some(named) = super::names::judge(&text[name.clone()]) else { return Vec::new() };
    let before = behind(text, name.start, LIST);
    let Some(open) = before.rfind(|c| !listed(c)).filter(|open| before[*open..].starts_with('(')) else {
        return Vec::new();
    };
    work.spend(before.len());
    let mut said = before[..open].trim_end().rsplit(char::is_whitespace);
    let (_, verb) = (said.next(), said.next().unwrap_or_default());
    let copies = verb.eq_ignore_ascii_case("copy");
    let rest = ahead(text, name.end, LIST);
    let Some(close) = rest.find(|c| !listed(c)).filter(|close| rest[*close..].starts_with(')')) else {
        return Vec::new();
    };
    if !copies && !verb.eq_ignore_ascii_case("into") {
        return Vec::new();
    }
    let column = before[open..].matches(',').count();
    let after = name.end + close + 1;
    let cells = if copies { copied(text, after, column, work) } else { inserted(text, after, column, work) };
    let hidden = cells.into_iter().filter(|cell| value::is_secret(&text[cell.clone()]));
    hidden.map(|range| Found { range, rule: named.rule }).filter(|_| named.strength == Strength::Strong).collect()
}

/// Returns the cells of a column among the rows that `VALUES` gives.
fn inserted(text: &str, from: usize, column: usize, work: &Work) -> Vec<Range<usize>> {
    let values = text[from..].trim_start();
    let Some(rows) = values.get(..6).filter(|word| word.eq_ignore_ascii_case("values")).map(|_| &values[6..]) else {
        return Vec::new();
    };
    let start = text.len() - rows.len();
    let (mut cells, mut depth, mut at, mut open) = (Vec::new(), 0, 0, None);
    let mut letters = rows.char_indices().peekable();
    let mut cell: Option<Range<usize>> = None;
    while let Some((i, letter)) = letters.next() {
        work.spend(1);
        match (letter, open) {
            (quote, Some(opened)) if quote == opened => {
                if letters.peek().is_some_and(|(_, next)| *next == quote) {
                    letters.next();
                    continue;
                }
                open = None;
                if at == column
                    && let Some(cell) = cell.take()
                {
                    cells.push(cell.start..start + i);
                }
            }
            ('\\', Some(_)) => {
                letters.next();
            }
            (_, Some(_)) => {}
            ('\'' | '"', None) if depth > 0 => {
                open = Some(letter);
                cell = Some(start + i + 1..start + i + 1);
            }
            ('(', None) => depth += 1,
            (')', None) => {
                depth -= 1;
                at = if depth == 0 { 0 } else { at };
            }
            (',', None) if depth == 1 => at += 1,
            (letter, None) if depth == 0 && letter != ',' && !letter.is_whitespace() => break,
            _ => {}
        }
        if work.is_spent() || depth < 0 {
            break;
        }
    }
    cells
}

/// Returns the cells of a column among the lines that follow `FROM stdin`.
fn copied(text: &str, from: usize, column: usize, work: &Work) -> Vec<Range<usize>> {
    let line = head(&text[from..], LONGEST);
    work.spend(line.len());
    let Some(end) = line.find('\n').filter(|end| line[..*end].to_ascii_lowercase().contains("from stdin")) else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    let mut start = from + end + 1;
    for line in text[start..].split_inclusive('\n').take_while(|line| !line.starts_with("\\.")) {
        work.spend(line.len());
        let before: usize = line.split('\t').take(column).map(|cell| cell.len() + 1).sum();
        let cell = line.split('\t').nth(column).map(|cell| cell.trim_end_matches(['\r', '\n']));
        cells.extend(cell.map(|cell| start + before..start + before + cell.len()));
        start += line.len();
    }
    cells
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
    if let Some((tag, body)) =
        rest.strip_prefix('$').and_then(|rest| rest.split_once('$')).filter(|(tag, _)| tag.len() < 16)
    {
        let length = head(body, LONGEST).find(&format!("${tag}$"))?;
        let start = text.len() - body.len();
        let hidden = value::is_secret(&body[..length]);
        return hidden.then_some(Found { range: start..start + length, rule: "password" });
    }
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
    fn what_is_put_into_a_column_is_found_by_its_name() {
        check("INSERT INTO users (name, password) VALUES ('joe', 'tulip-gate');", &["tulip-gate"]);
        check(
            "insert into `users` (`password`, `n`) values ('tulip-gate', 1),\n (NULL, 2), (md5('rose-gate'), 3)",
            &["tulip-gate", "rose-gate"],
        );
        check(
            "COPY public.users (id, name, password) FROM stdin;\n1\tjoe\ttulip-gate\n2\tann\trose-gate\n\\.\n",
            &["tulip-gate", "rose-gate"],
        );
        check("ALTER ROLE joe PASSWORD $$tulip-gate$$", &["tulip-gate"]);
        check("INSERT INTO users (name, password) VALUES ('tulip-gate', ?)", &[]);
        check("INSERT INTO users (name, password) VALUES ($1, $2); SELECT 'tulip-gate'", &[]);
        check("he put it into words (name, password) and values ('tulip-gate', 'rose-gate')", &[]);
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
