//! Known values in which something stands that is no part of them: the end of a line, markup, the colour of a terminal.
//!
//! Every place where a text may go on elsewhere is looked at once. What stands before it and what stands behind it are
//! neighbours in few values, so that nearly all places cost one look.

use std::collections::HashMap;
use std::ops::Range;

use super::detect::{Spent, Work};

/// The longest tag, and the longest sequence that sets a colour.
const LONGEST: usize = 256;

/// What a gap may begin with.
const OPENERS: [char; 4] = ['\n', '\\', '<', '\u{1b}'];

/// The values that are looked for, by the letters that are neighbours in them.
#[derive(Clone, Default)]
pub(super) struct Gaps {
    values: Vec<String>,
    /// A bit for each pair of neighbours.
    near: Vec<u128>,
    /// By a pair of neighbours, the values and the places at which they hold it.
    cuts: HashMap<(u8, u8), Vec<(usize, usize)>>,
}

impl Gaps {
    /// Puts a value in.
    pub(super) fn add(&mut self, value: &str) {
        self.near.resize(256, 0);
        for (at, pair) in value.as_bytes().windows(2).enumerate() {
            self.near[usize::from(pair[0])] |= 1 << (pair[1] & 0x7f);
            self.cuts.entry((pair[0], pair[1])).or_default().push((self.values.len(), at + 1));
        }
        self.values.push(value.to_owned());
    }

    /// Returns where these values stand with gaps in them; fails where there is no end to looking.
    pub(super) fn find(&self, text: &str) -> Result<Vec<Range<usize>>, Spent> {
        let mut found = Vec::new();
        if self.values.is_empty() {
            return Ok(found);
        }
        let work = Work::on(text);
        for opener in OPENERS {
            let mut at = 0;
            // One letter is found much faster than one of several.
            while let Some(next) = text[at..].find(opener) {
                found.extend(self.around(text.as_bytes(), at + next, &work));
                at += next + 1;
                if work.is_spent() {
                    return Err(Spent);
                }
            }
        }
        Ok(found)
    }

    /// Returns where a value stands whose first gap begins here.
    fn around(&self, bytes: &[u8], gap: usize, work: &Work) -> Option<Range<usize>> {
        if bytes[gap] == b'\\' && !matches!(bytes.get(gap + 1), Some(b'n' | b'r')) {
            return None;
        }
        let trailing = || bytes[..gap].iter().rev().take_while(|b| matches!(b, b' ' | b'\r')).count();
        let head = if matches!(bytes[gap], b'\n' | b'\\') { gap - trailing() } else { gap };
        let behind = after(bytes, gap).filter(|_| head > 0)?;
        let (last, first) = (bytes[head - 1], *bytes.get(behind)?);
        if (self.near[usize::from(last)] >> (first & 0x7f)) & 1 == 0 {
            return None;
        }
        self.cuts.get(&(last, first))?.iter().find_map(|(number, cut)| {
            let value = self.values[*number].as_bytes();
            let before = value[..*cut].iter().rev().zip(bytes[..head].iter().rev()).take_while(|(a, b)| a == b).count();
            work.spend(before + 1);
            let end = (before == *cut).then(|| goes_on(bytes, behind, &value[*cut..], work))??;
            Some(head - cut..end)
        })
    }
}

/// Returns where the rest of a value ends that begins here, gaps in it or not.
fn goes_on(bytes: &[u8], start: usize, rest: &[u8], work: &Work) -> Option<usize> {
    let mut at = start;
    for letter in rest {
        work.spend(1);
        if bytes.get(at) != Some(letter) {
            at = after(bytes, at)?;
        }
        if bytes.get(at) != Some(letter) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Returns where a text goes on behind the gap that begins here: markup, and one line end at most, no more than [`LONGEST`] in all.
fn after(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut lines = 0;
    loop {
        let rest = &bytes[at..];
        let line = if lines == 0 { line_end(rest) } else { None };
        lines += usize::from(line.is_some());
        match line.or_else(|| tag(rest)).or_else(|| colour(rest)) {
            Some(length) if at + length - start <= LONGEST => at += length,
            Some(_) => return None,
            None => return (at > start).then_some(at),
        }
    }
}

/// Returns the length of a line end, as it is or as an escape, with the blanks around it.
fn line_end(bytes: &[u8]) -> Option<usize> {
    let blank = bytes.iter().take(LONGEST).take_while(|b| matches!(b, b' ' | b'\r')).count();
    let blank = blank + if bytes[blank..].starts_with(b"\\r\\n") { 2 } else { 0 };
    let end = match &bytes[blank..] {
        [b'\n', ..] => 1,
        [b'\\', b'n', ..] => 2,
        _ => return None,
    };
    let mut at = blank + end;
    loop {
        at += match &bytes[at..] {
            [b' ' | b'\t', ..] => 1,
            [b'\\', b't', ..] => 2,
            _ => return Some(at),
        };
        if at > LONGEST {
            return None;
        }
    }
}

/// Returns the length of a tag of HTML or XML.
fn tag(bytes: &[u8]) -> Option<usize> {
    let [b'<', b'/' | b'!' | b'a'..=b'z' | b'A'..=b'Z', ..] = bytes else { return None };
    let inner = bytes.iter().skip(1).take(LONGEST).take_while(|b| !matches!(b, b'<' | b'>')).count();
    (bytes.get(1 + inner) == Some(&b'>')).then_some(inner + 2)
}

/// Returns the length of a control sequence (ECMA-48, section 5.4), which sets a colour or the like.
fn colour(bytes: &[u8]) -> Option<usize> {
    let [0x1b, b'[', rest @ ..] = bytes else { return None };
    let inner = rest.iter().take(LONGEST).take_while(|b| (b' '..=b'?').contains(b)).count();
    matches!(rest.get(inner), Some(b'@'..=b'~')).then_some(inner + 3)
}

#[cfg(test)]
mod tests {
    use super::{Gaps, Spent};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut gaps = Gaps::default();
        ["tulip-gate-99", "s3cond-value+1"].into_iter().for_each(|value| gaps.add(value));
        let found = gaps.find(text).unwrap();
        assert_eq!(found.into_iter().map(|range| &text[range]).collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn a_value_goes_on_behind_line_ends_and_markup() {
        check("a tulip-\ngate-99 b", &["tulip-\ngate-99"]);
        check("t \r\n\tu\nlip-ga\r\n  te-99", &["t \r\n\tu\nlip-ga\r\n  te-99"]);
        check("tulip\\n-ga\\r\\n \\tte-99", &["tulip\\n-ga\\r\\n \\tte-99"]);
        check("<b>tu</b><i class=\"x\">lip-</i>gate<br/>\n-99<b>", &["tu</b><i class=\"x\">lip-</i>gate<br/>\n-99"]);
        check("\x1b[1mtu\x1b[0mlip\x1b[38;5;1m-gate-99\x1b[0m", &["tu\x1b[0mlip\x1b[38;5;1m-gate-99"]);
        check("tulip-\ngate-99s3cond-\nvalue+1", &["tulip-\ngate-99", "s3cond-\nvalue+1"]);
    }

    #[test]
    fn a_blank_line_and_what_is_no_tag_part_words() {
        for text in ["tulip-\n\ngate-99", "tulip-\n \ngate-99", "tulip-<gate-99", "tulip- gate-99", "tulip-\ngate-98"] {
            check(text, &[]);
        }
        check("tulip-gate-99\n", &[]);
    }

    #[test]
    fn there_is_an_end_to_looking() {
        let value = format!("{}!", "a1".repeat(250));
        let mut gaps = Gaps::default();
        gaps.add(&value);
        assert!(gaps.find(&"a1a1\n".repeat(100)).is_ok_and(|found| found.is_empty()));
        assert!(gaps.find(&format!("{}\n", "a1".repeat(200)).repeat(1000)) == Err(Spent));
    }
}
