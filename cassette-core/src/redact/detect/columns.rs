//! Tables of comma-separated values (RFC 4180), whose first line names the columns.

use std::ops::Range;

use super::names::{self, Strength};
use super::{Found, Work, value};

/// The longest line that is looked at.
const LINE: usize = 4096;

/// The longest name of a column.
const NAME: usize = 48;

/// What columns are separated by.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// Finds what stands in the column that this name heads, line by line until one has another number of columns.
pub(super) fn at(text: &str, name: &Range<usize>, work: &Work) -> Vec<Found> {
    if !is_cell(text, name) {
        return Vec::new();
    }
    let Some(named) = names::judge(&text[name.clone()]) else { return Vec::new() };
    let ahead = &text.as_bytes()[name.start.saturating_sub(LINE)..name.start];
    let start = name.start - ahead.iter().rev().take_while(|b| **b != b'\n').count();
    work.spend(name.end - start);
    let Some(heads) = line(text, start).filter(|_| text.is_char_boundary(start)) else { return Vec::new() };
    let said = &text[heads.clone()];
    let Some(separator) = SEPARATORS.into_iter().find(|separator| said.contains(*separator)) else { return Vec::new() };
    let cells = split(text, &heads, separator);
    let Some(column) =
        cells.iter().position(|cell| cell == name).filter(|_| cells.iter().all(|cell| is_name(&text[cell.clone()])))
    else {
        return Vec::new();
    };
    // A row of a table names nothing, whatever stands in it.
    if before(text, start).is_some_and(|row| split(text, &row, separator).len() == cells.len()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut next = heads.end;
    while let Some(row) = after(text, next).and_then(|start| line(text, start)) {
        work.spend(row.len());
        let row_cells = split(text, &row, separator);
        if row_cells.len() != cells.len() || work.is_spent() {
            break;
        }
        let cell = row_cells[column].clone();
        let said = &text[cell.clone()];
        let hidden = match named.strength {
            Strength::Strong => value::is_secret(said),
            Strength::Weak => value::is_random(said),
        };
        if hidden {
            found.push(Found { range: cell, rule: named.rule });
        }
        next = row.end;
    }
    found
}

/// Returns whether nothing but what separates cells stands beside a name, as a first look.
fn is_cell(text: &str, name: &Range<usize>) -> bool {
    let edge = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b',' | b';' | b'\t' | b'\n' | b'\r'));
    let beside = |byte: &&u8| !matches!(byte, b' ' | b'"');
    let bytes = text.as_bytes();
    edge(bytes[..name.start].iter().rev().find(beside)) && edge(bytes[name.end..].iter().find(beside))
}

/// Returns the line that starts here, without its end; `None` where it is too long.
fn line(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text.as_bytes()[start..];
    let length = rest.iter().take(LINE + 1).position(|b| *b == b'\n').unwrap_or(rest.len());
    let length = length - usize::from(rest[..length].ends_with(b"\r"));
    (length <= LINE).then_some(start..start + length)
}

/// Returns where the line after this end starts, if there is one.
fn after(text: &str, end: usize) -> Option<usize> {
    let broken = text[end..].strip_prefix('\r').unwrap_or(&text[end..]).strip_prefix('\n')?;
    (!broken.is_empty()).then(|| text.len() - broken.len())
}

/// Returns the line before the one that starts here; `None` where there is none, or it is too long.
fn before(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = &text.as_bytes()[..start.checked_sub(1)?];
    let length = bytes.iter().rev().take(LINE + 1).take_while(|b| **b != b'\n').count();
    (length <= LINE).then(|| bytes.len() - length..bytes.len())
}

/// Returns the cells of a line, without blanks and quotation marks round them.
fn split(text: &str, line: &Range<usize>, separator: char) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let (mut start, mut quoted) = (line.start, false);
    for (at, letter) in text[line.clone()].char_indices() {
        quoted ^= letter == '"';
        if letter == separator && !quoted {
            cells.push(bare(text, start..line.start + at));
            start = line.start + at + letter.len_utf8();
        }
    }
    cells.push(bare(text, start..line.end));
    cells
}

fn bare(text: &str, cell: Range<usize>) -> Range<usize> {
    let said = text[cell.clone()].trim_matches(' ');
    let start = cell.start + text[cell].find(said).unwrap_or_default();
    match said.strip_prefix('"').and_then(|said| said.strip_suffix('"')) {
        Some(inner) => start + 1..start + 1 + inner.len(),
        None => start..start + said.len(),
    }
}

/// Returns whether a text may be the name of a column: a word, or a few.
fn is_name(text: &str) -> bool {
    let of_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b' ' | b'#');
    !text.is_empty() && text.len() <= NAME && text.bytes().all(of_name) && text.split(' ').count() <= 3
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = find(text).unwrap();
        let mut told: Vec<&str> = found.iter().map(|found| &text[found.range.clone()]).collect();
        // A name may hold two telling words.
        told.dedup();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn what_a_column_holds_is_found_by_its_name() {
        let table = "user,password,town\njoe,tulip-gate,Bergen\nann,\"gate, 9\",Oslo\nbob,,Voss\n";
        check(table, &["tulip-gate", "gate, 9"]);
        check(&table.replace('\n', "\r\n"), &["tulip-gate", "gate, 9"]);
        check("\"User Name\";\"Password\"\r\n\"joe\";\"tulip;gate\"", &["tulip;gate"]);
        check("Here it is:\nuser\tdb_password\njoe\ttulip-gate\nand no more", &["tulip-gate"]);
        check("id,access_token\n1, tulip-gate \n", &["tulip-gate"]);
    }

    #[test]
    fn what_is_no_table_or_no_secret_is_left() {
        check("Enter your user name, password\nand press the key, then wait", &[]);
        check("let (user, password)\n  = (joe, tulip_gate)", &[]);
        check("user,password\njoe\nann,tulip-gate", &[]);
        check("user,password\njoe,required\nann,${PASSWORD}\nbob,REDACTED.password.1", &[]);
        let texts = "key,en,de\nlogin.password,Password,Passwort\nlogin.remember,Remember-me1,Merken\n";
        check(texts, &[]);
        check("day,tokens,session_token_count\n1,123456,tulip-gate", &[]);
    }
}
