//! Tables whose first line names the columns: comma-separated values (RFC 4180), and what is drawn with bars or aligned by blanks.

use std::ops::Range;

use super::names::{self, Named, Strength};
use super::{Found, Work, value};

/// The longest line that is looked at.
const LINE: usize = 4096;

/// The longest name of a column.
const NAME: usize = 48;

/// What columns are separated by.
const SEPARATORS: [char; 5] = ['|', '\u{2502}', ',', ';', '\t'];

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
    let Some(separator) = SEPARATORS.into_iter().find(|separator| said.contains(*separator)) else {
        return aligned(text, name, &heads, named, work);
    };
    let cells = split(text, &heads, separator);
    let Some(column) =
        cells.iter().position(|cell| cell == name).filter(|_| cells.iter().all(|cell| is_name(&text[cell.clone()])))
    else {
        return Vec::new();
    };
    // A row of a table names nothing, whatever stands in it.
    let is_row = |row: &Range<usize>| !is_drawn(&text[row.clone()]) && split(text, row, separator).len() == cells.len();
    if before(text, start).is_some_and(|row| is_row(&row) && !is_declared(&text[row])) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut next = heads.end;
    while let Some(row) = after(text, next).and_then(|start| record(text, start)) {
        work.spend(row.len());
        next = row.end;
        if is_drawn(&text[row.clone()]) {
            continue;
        }
        let row_cells = split(text, &row, separator);
        if row_cells.len() != cells.len() || work.is_spent() {
            break;
        }
        found.extend(hidden(text, row_cells[column].clone(), named));
    }
    found
}

/// Finds what stands under a name in lines that blanks align, where two of them or more stand between any two names.
fn aligned(text: &str, name: &Range<usize>, heads: &Range<usize>, named: Named, work: &Work) -> Vec<Found> {
    let said = text[heads.clone()].trim();
    let apart = said.contains("  ")
        && said.split("  ").all(|head| !head.trim().contains(' ') && (head.is_empty() || is_name(head.trim())));
    let offset = name.start - heads.start;
    let mut found = Vec::new();
    let mut next = heads.end;
    while let Some(row) = after(text, next).and_then(|start| line(text, start)).filter(|_| apart) {
        work.spend(row.len());
        let said = &text[row.clone()];
        let starts = said.is_char_boundary(offset) && (offset == 0 || said[..offset].ends_with(' '));
        let Some(cell) = said.get(offset..).filter(|_| starts && !work.is_spent()) else { break };
        let length = cell.find(' ').unwrap_or(cell.len());
        let likely = value::is_likely(&cell[..length]);
        found.extend(hidden(text, row.start + offset..row.start + offset + length, named).filter(|_| likely));
        next = row.end;
    }
    found
}

/// Returns whether nothing but what separates cells stands beside a name, as a first look.
fn is_cell(text: &str, name: &Range<usize>) -> bool {
    // What draws a table, and the mark that a file may begin with, are no ASCII.
    let is_edge = |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b'\n' | b'\r' | b'|') || !byte.is_ascii();
    let edge = |byte: Option<&u8>| byte.is_none_or(is_edge);
    let beside = |byte: &&u8| !matches!(byte, b' ' | b'"');
    let (ahead, behind) = (&text.as_bytes()[..name.start], &text.as_bytes()[name.end..]);
    let is_apart = ahead.ends_with(b"  ") || behind.starts_with(b"  ");
    is_apart || edge(ahead.iter().rev().find(beside)) && edge(behind.iter().find(beside))
}

fn hidden(text: &str, cell: Range<usize>, named: Named) -> Option<Found> {
    let said = &text[cell.clone()];
    let hidden = match named.strength {
        Strength::Strong => value::is_secret(said),
        Strength::Weak => value::is_random(said),
    };
    hidden.then_some(Found { range: cell, rule: named.rule })
}

/// Returns whether a line only draws a table: `|---|---|`, `+-----+`.
fn is_drawn(line: &str) -> bool {
    let drawn =
        |c: char| matches!(c, '-' | '+' | '|' | '=' | ':' | ' ' | '\r') || ('\u{2500}'..='\u{257f}').contains(&c);
    line.contains(['-', '=', '\u{2500}', '\u{2550}', '\u{2501}']) && line.chars().all(drawn)
}

/// Returns whether a line only says what separates the columns, as Excel reads it: `sep=;`.
fn is_declared(line: &str) -> bool {
    line.trim_start_matches('\u{feff}').strip_prefix("sep=").is_some_and(|rest| rest.trim_end().len() <= 1)
}

/// Returns the record that starts here: the line, and those after it as long as a quotation mark is open.
fn record(text: &str, start: usize) -> Option<Range<usize>> {
    let mut record = line(text, start)?;
    while text[record.clone()].matches('"').count() % 2 == 1 && record.len() < LINE {
        let Some(next) = after(text, record.end).and_then(|start| line(text, start)) else { break };
        record.end = next.end;
    }
    Some(record)
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
    // What is drawn may have bars at both ends.
    let drawn = matches!(separator, '|' | '\u{2502}');
    if drawn && cells.len() > 2 && cells[0].is_empty() && cells[cells.len() - 1].is_empty() {
        cells.pop();
        cells.remove(0);
    }
    cells
}

fn bare(text: &str, cell: Range<usize>) -> Range<usize> {
    let said = text[cell.clone()].trim_matches([' ', '\u{feff}']);
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
    fn tables_are_drawn_in_many_ways() {
        check("\u{feff}password,user\ntulip-gate,joe\n", &["tulip-gate"]);
        check("sep=;\r\nuser;password\r\njoe;tulip-gate\r\n", &["tulip-gate"]);
        check("user|password\njoe|tulip-gate\n", &["tulip-gate"]);
        check("note,password\n\"a\nb\",tulip-gate\n", &["tulip-gate"]);
        check("| user | password |\n|:---|---:|\n| joe | tulip-gate |\n", &["tulip-gate"]);
        check(" user | password \n------+----------\n joe  | tulip-gate\n(1 row)\n", &["tulip-gate"]);
        let line = "+------+------------+\n";
        let drawn = format!("{line}| user | password   |\n{line}| joe  | tulip-gate |\n{line}");
        check(&drawn, &["tulip-gate"]);
        let boxed = drawn.replace('|', "\u{2502}").replace('-', "\u{2500}").replace("tulip\u{2500}", "tulip-");
        check(&boxed, &["tulip-gate"]);
        check("USER   PASSWORD\njoe    Tulip-gate7x\n", &["Tulip-gate7x"]);
    }

    #[test]
    fn what_is_no_table_or_no_secret_is_left() {
        check("| word | meaning |\n|---|---|\n| password | what-is-typed1 |\n", &[]);
        check("USER   PASSWORD\njoe    required\n", &[]);
        check("the user password\n    is    Tulip-gate7x", &[]);
        check("Enter your user name, password\nand press the key, then wait", &[]);
        check("let (user, password)\n  = (joe, tulip_gate)", &[]);
        check("user,password\njoe\nann,tulip-gate", &[]);
        check("user,password\njoe,required\nann,${PASSWORD}\nbob,REDACTED.password.1", &[]);
        let texts = "key,en,de\nlogin.password,Password,Passwort\nlogin.remember,Remember-me1,Merken\n";
        check(texts, &[]);
        check("day,tokens,session_token_count\n1,123456,tulip-gate", &[]);
    }
}
