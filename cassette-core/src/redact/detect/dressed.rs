//! Values that stand a little apart from their names: behind marks of YAML, of TOML, of Markdown, or in a line of their own.

use std::ops::Range;

use super::names::{self, Strength};
use super::{Found, Work, ahead, assign, behind, value};

/// How far a value may stand behind its name.
const APART: usize = 160;

/// What a sentence says between a password and what it has become.
const BECAME: &[&str] = &[
    " was set to ",
    " is set to ",
    " has been set to ",
    " was changed to ",
    " was reset to ",
    " has been reset to ",
    " is now ",
];

/// Finds the value of a name that is secret beyond doubt, behind what may stand between the two.
pub(super) fn at(text: &str, name: &Range<usize>, work: &Work) -> Option<Found> {
    let named = names::judge(&text[name.clone()]).filter(|named| named.strength == Strength::Strong)?;
    let rest = ahead(text, name.end, APART);
    work.spend(rest.len());
    let closed = rest.trim_start_matches(['"', '\'', '`', ']', '*']);
    let spoken = BECAME.iter().find_map(|became| rest.strip_prefix(became));
    let after = match spoken {
        Some(after) => after,
        None => assigned(closed).or_else(|| lone(text, name, closed)).or_else(|| block(closed))?,
    };
    let range = assign::value(text, name.end + rest.len() - after.len(), work)?;
    let said = &text[range.clone()];
    let plain = spoken.is_none() || is_mixed(said);
    (plain && assign::is_hidden(said, named)).then_some(Found { range, rule: named.rule })
}

/// Returns what follows a sign of assignment, without the marks before the value.
fn assigned(rest: &str) -> Option<&str> {
    // The other half of a complex key of YAML stands in the next line.
    let next = rest.trim_start_matches([' ', '\r']).strip_prefix('\n').map(|rest| rest.trim_start_matches(' '));
    let after = ["=>", "=", ":"].iter().find_map(|sign| rest.trim_start_matches(' ').strip_prefix(sign));
    let Some(after) = after else { return next?.strip_prefix(": ") };
    let said = after.trim_start_matches(' ');
    let marked = |said: &str| said.starts_with(['&', '!']) && !said.starts_with("&&");
    if let Some((mark, rest)) = said.split_once(' ').filter(|(mark, _)| marked(mark) && !mark.contains(['\n', '<'])) {
        // A tag of an application's own may stand before a name instead of a value.
        return (mark.starts_with('&') || mark.starts_with("!!")).then_some(rest);
    }
    for fence in ["\"\"\"", "'''", "**", "__", "q("] {
        if let Some(rest) = said.strip_prefix(fence) {
            return Some(rest.trim_start());
        }
    }
    // A scalar of YAML that is a block: a bar or a bracket, and the next line.
    if let Some(block) = said.strip_prefix(['|', '>']) {
        let head = block.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | ' ' | '\r'));
        return head.strip_prefix('\n').filter(|line| line.starts_with(' ')).map(|line| line.trim_start_matches(' '));
    }
    // What a language writes of a value over several lines: `Some(`, `string(16) `.
    let called = said.trim_start();
    let call =
        called.find('(').filter(|open| called[..*open].bytes().all(|b| b.is_ascii_alphanumeric()) && *open < 32)?;
    let inner = called[call + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
    let inner = inner.strip_prefix(')').unwrap_or(inner).trim_start();
    (inner.starts_with('"') && !called[..call].contains("env")).then_some(inner)
}

/// Returns the line after a name that ends its own, where it is one word and no more: `Your password is:`, `## Password`.
fn lone<'a>(text: &str, name: &Range<usize>, rest: &'a str) -> Option<&'a str> {
    let line = behind(text, name.start, APART).rsplit('\n').next().unwrap_or_default();
    let said = [" is:", ":"].iter().find_map(|said| rest.strip_prefix(said));
    let after = said.or_else(|| line.starts_with('#').then_some(rest))?;
    let body = after.trim_start_matches(['*', ' ', '\r']).strip_prefix('\n')?.trim_start_matches(['\r', '\n']);
    let word = body.lines().next().unwrap_or_default().trim_end();
    let said = word.trim_matches(['`', '*']);
    (is_mixed(said) && !said.contains([' ', '\t']) && !said.ends_with([':', '{', ',', ';'])).then_some(body)
}

/// Returns the default of a variable that is declared under this name: `variable "db_password" { default = "x" }`.
fn block(rest: &str) -> Option<&str> {
    let block = rest.trim_start_matches(' ').strip_prefix('{')?;
    let inside = &block[..block.find('}').unwrap_or(block.len())];
    let (before, after) = inside.split_once("default")?;
    let said = after.trim_start_matches(' ').strip_prefix('=')?.trim_start_matches(' ');
    // Its place goes by what is behind it, so that nothing may be cut off there.
    before.ends_with([' ', '\n', '\t']).then_some(&block[inside.len() - said.len()..])
}

/// Returns whether a word is of letters of both cases and of digits that alternate, so that it is none of a language.
fn is_mixed(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|b| is(&b));
    let of_value = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit);
    let turns = word.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    word.len() >= 8 && of_value && turns > 2 && value::is_likely(word)
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = find(text).unwrap();
        let mut told: Vec<&str> = found.iter().map(|found| &text[found.range.clone()]).collect();
        told.dedup();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn what_stands_apart_from_its_name_is_found() {
        let value = "Tu7lip-gate-77xQ";
        for text in [
            "password: |\n  V\n",
            "password: >-\n    V\nuser: x\n",
            "password: &a V\n",
            "password: !!str V\n",
            "? password\n: V\n",
            "password = \"\"\"\nV\"\"\"\n",
            "**Password:** `V`\n",
            "**Password:** V\n",
            "Your new password is:\n\nV\n",
            "## Password\n\n`V`\n",
            "The password was set to V today",
            "password: Some(\n        \"V\",\n    ),",
            "[\"password\"]=>\n  string(16) \"V\"\n",
            "variable \"db_password\" {\n  type = string\n  default = \"V\"\n}",
            "Passwort: V",
            "variable \"db_password\" {\n  default = \"V\"\n}é\n\nvariable \"region\" {}\n",
        ] {
            check(&text.replace('V', value), &[value]);
        }
    }

    #[test]
    fn what_is_no_value_is_left() {
        for text in [
            "password: !secret db_password7x\n",
            "password: |\nTu7lip-gate-77xQ\n",
            "The password was set to expire",
            "The password was set to OAuth2",
            "## Password\n\nSign2In\n",
            "password:\n  Tu7lip-gate-77xQ: 1\n",
            "variable \"db_password\" {\n  type = string\n}\nvariable \"x\" {\n  default = \"Tu7lip-gate-77xQ\"\n}",
            "password: Some(\n    env(\"TULIP_GATE_77xQ\"),\n)",
        ] {
            check(text, &[]);
        }
    }
}
