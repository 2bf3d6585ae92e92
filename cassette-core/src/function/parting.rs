//! Where a value and what is read back of it part, by what `Debug` shows of the two over several lines.
//!
//! Lines are compared whatever their order is, since that of a map is another each time.

use std::collections::BTreeMap;

use crate::path::{Path, Step};

/// Where two values part, as far as it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parting {
    /// The way to the place.
    pub steps: Vec<Step>,
    /// What stands there in the value and in what is read back of it: whole, since a secret that is cut is found no more.
    pub shown: Option<[String; 2]>,
}

/// How two values compare: alike, or where they part.
pub type Equal<T> = fn(&T, &T) -> Result<(), Parting>;

/// Compares values that say themselves whether they are equal, and do not say where not.
///
/// # Errors
///
/// Fails where they are not.
pub fn equal<T: PartialEq + ?Sized>(one: &T, other: &T) -> Result<(), Parting> {
    if one == other { Ok(()) } else { Err(Parting::default()) }
}

/// A line of what is shown.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Line<'a> {
    depth: usize,
    text: &'a str,
}

impl Parting {
    /// Returns where two texts part that `{:#?}` writes.
    pub fn of(value: &str, back: &str) -> Parting {
        let [ours, theirs] = [value, back].map(lines);
        let (here, there) = (first_beyond(&ours, &theirs), first_beyond(&theirs, &ours));
        let steps = match (here, there) {
            (Some(at), _) => steps(&ours, at),
            (None, Some(at)) => steps(&theirs, at),
            (None, None) => return Parting::default(),
        };
        let nothing = || "nothing".to_owned();
        let shown = [(&ours, here), (&theirs, there)].map(|(lines, at)| at.map_or_else(nothing, |at| whole(lines, at)));
        Parting { steps, shown: Some(shown) }
    }

    /// Returns the way to the place, as reports name places; empty for the whole of the value.
    pub fn path(&self) -> String {
        if self.steps.is_empty() { String::new() } else { Path::Body(self.steps.clone()).to_string() }
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let line = |line: &'_ str| line.len() - line.trim_start().len();
    text.lines().map(|text| Line { depth: line(text), text: text.trim().trim_end_matches(',') }).collect()
}

/// Returns the first line that there is more often here than there.
fn first_beyond(here: &[Line<'_>], there: &[Line<'_>]) -> Option<usize> {
    let mut counts: BTreeMap<Line<'_>, usize> = BTreeMap::new();
    there.iter().for_each(|line| *counts.entry(*line).or_default() += 1);
    here.iter().position(|line| match counts.get_mut(line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    })
}

/// Returns the way to a line, by the lines around it.
fn steps(lines: &[Line<'_>], mut at: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    loop {
        let Line { depth, text } = lines[at];
        let around = (0..at).rev().find(|i| lines[*i].depth < depth);
        let is_listed = around.is_some_and(|around| lines[around].text.ends_with('['));
        if let Some((name, _)) = named(text) {
            steps.push(Step::Member(name.to_owned()));
        } else if let (Some(around), true) = (around, is_listed) {
            let before = lines[around + 1..at].iter().filter(|line| line.depth == depth && !closes(line.text));
            steps.push(Step::Element(before.count()));
        }
        let Some(around) = around else { break };
        at = around;
    }
    steps.reverse();
    steps
}

/// Returns what stands at a line with all that is within it, without its name.
fn whole(lines: &[Line<'_>], at: usize) -> String {
    let Line { depth, text } = lines[at];
    let mut whole = named(text).map_or(text, |(_, value)| value).to_owned();
    if opens(text) {
        for line in &lines[at + 1..] {
            let is_end = line.depth <= depth;
            if !opens(&whole) && !closes(line.text) {
                whole.push(',');
            }
            if !whole.ends_with(['(', '[']) && !line.text.starts_with([')', ']']) {
                whole.push(' ');
            }
            whole.push_str(line.text);
            if is_end {
                break;
            }
        }
    }
    whole
}

/// Returns the name of a member and what it is: `note: None`, `"a": 1`.
fn named(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(": ")?;
    let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    let is_name = |name: &&str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    Some((quoted.or(Some(name).filter(is_name))?, value))
}

fn opens(text: &str) -> bool {
    text.ends_with(['(', '[', '{'])
}

fn closes(text: &str) -> bool {
    text.starts_with([')', ']', '}'])
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::fmt::Debug;

    use super::Parting;

    #[derive(Debug)]
    #[expect(dead_code, reason = "what is shown of it is all that is looked at")]
    struct Hit<T> {
        title: &'static str,
        note: T,
    }

    #[track_caller]
    fn check(value: impl Debug, back: impl Debug, expected: &str) {
        let parting = Parting::of(&format!("{value:#?}"), &format!("{back:#?}"));
        let shown = parting.shown.clone().map(|[ours, theirs]| format!("{ours} | {theirs}")).unwrap_or_default();
        assert_eq!(format!("{}: {shown}", parting.path()), expected);
    }

    #[test]
    fn values_part_at_the_first_line_that_only_one_has() {
        check(Some(()), None::<()>, ": Some(()) | None");
        fn hit<T>(note: T) -> Hit<T> {
            Hit { title: "a", note }
        }
        check([hit(Some(Some(7))), hit(None)], [hit(Some(None::<u8>)), hit(None)], "[0].note: Some(7) | None");
        check([hit(None), hit(Some(Some(7)))], [hit(None), hit(None::<Option<u8>>)], "[1].note: Some(Some(7)) | None");
        check(hit((1, "2:00:00.5")), hit((1, "2:00:00")), "note: \"2:00:00.5\" | \"2:00:00\"");
        check(hit(Some(hit(7))), hit(None::<()>), "note: Some(Hit { title: \"a\", note: 7 }) | None");
        check([1, 2].as_slice(), [1].as_slice(), "[1]: 2 | nothing");
        check([1].as_slice(), [1, 2].as_slice(), "[1]: nothing | 2");
        check(7, 7, ": ");
        let map =
            |last: u8| (0..40).map(|i| (i.to_string(), if i == 30 { last } else { i })).collect::<HashMap<_, _>>();
        check(map(7), map(8), "30: 7 | 8");
    }
}
