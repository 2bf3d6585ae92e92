//! Stretches of several pieces as one text, and what is found in it as edits of each.

use std::ops::Range;

use super::edit::{By, Edit, merge};

/// A stretch of a piece.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    pub(super) fragment: usize,
    pub(super) start: usize,
    pub(super) said: &'a str,
    /// Whether what follows does not go on with it.
    pub(super) parted: bool,
}

/// What is found across pieces, by piece.
pub(super) type Parts = Vec<(usize, Edit)>;

/// Finds what stands in stretches that are one text: the first piece keeps the placeholder, the others lose their part.
///
/// `edits` are given the text, and where each stretch begins in it.
pub(super) fn over(stretches: &[Stretch<'_>], edits: impl Fn(&str, &[usize]) -> Vec<Edit>) -> Vec<Parts> {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        starts.push(text.len());
        text.push_str(stretch.said);
        if stretch.parted {
            text.push(' ');
        }
    }
    let mut found = Vec::new();
    for edit in merge(&text, edits(&text, &starts)) {
        let mut by = Some(edit.by);
        let first = starts.partition_point(|start| *start <= edit.range.start).saturating_sub(1);
        let last = starts.partition_point(|start| *start < edit.range.end);
        let mut parts = Vec::with_capacity(last - first);
        for (stretch, start) in stretches.iter().zip(&starts).take(last).skip(first) {
            let range = edit.range.start.max(*start)..edit.range.end.min(start + stretch.said.len());
            if range.start < range.end {
                let by = by.take().unwrap_or(By::Text(String::new()));
                let from = stretch.start + range.start - start;
                parts.push((stretch.fragment, Edit { range: from..from + range.len(), by }));
            }
        }
        // What holds a gap between two words is no text of anybody's.
        if parts.iter().map(|(_, part)| part.range.len()).sum::<usize>() == edit.range.len() {
            found.push(parts);
        }
    }
    found
}

/// Returns what lies in several pieces.
pub(super) fn across(mut found: Vec<Parts>) -> Vec<Parts> {
    found.retain(|parts| parts.first().map(|part| part.0) != parts.last().map(|part| part.0));
    found
}

/// Returns the stretches that edits change, in order and apart from one another.
pub(super) fn changed(made: &[Edit]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = made.iter().map(|edit| edit.range.clone()).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let mut changed: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match changed.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => changed.push(range),
        }
    }
    changed
}

/// Returns whether one of these stretches, which are in order, overlaps this one.
pub(super) fn overlaps(changed: &[Range<usize>], span: &Range<usize>) -> bool {
    let next = changed.partition_point(|range| range.end <= span.start);
    changed.get(next).is_some_and(|range| range.start < span.end)
}
