//! Secrets that lie across the fields of a body that counts its own bytes: what stands for one is cut where it was.

use std::collections::BTreeMap;
use std::ops::Range;

use super::body::Task;
use super::coding::as_text;
use super::coding::counted::{Part, Parts, Reading};
use super::detect::Work;
use super::edit::{By, Edit, merge};
use super::finder::is_telling;
use super::lens::{Lens, Trust};
use super::placeholder::{filled, kind};
use super::{Secret, learn};

/// What is found across several texts: where its parts stand in the body, and the rule and the value.
struct Across {
    parts: Vec<Range<usize>>,
    rule: &'static str,
    value: String,
}

impl Task<'_> {
    /// Returns the body without what lies across these parts of it: what is known and what looks like a credential across those of
    /// one path, by voice too, and across all of them what is known and stands nowhere by chance.
    pub(super) fn without_across(&mut self, body: &[u8], Parts { texts: parts, voices, .. }: &Parts) -> Vec<u8> {
        let texts: Vec<&Part> = parts.iter().filter(|part| is_text(body, part)).collect();
        let mut paths: BTreeMap<&str, Vec<&Part>> = BTreeMap::new();
        texts.iter().for_each(|part| paths.entry(&part.path).or_default().push(part));
        let looked = |lens: Lens<'_>, text: &str, starts: &[usize]| {
            [lens.in_clear(text), lens.known_across(text, starts)].concat()
        };
        let ranges = |parts: &[&'_ Part]| parts.iter().map(|part| part.range.clone()).collect::<Vec<_>>();
        let mut found: Vec<Across> = Vec::new();
        for parts in paths.values() {
            found.extend(self.found_across(body, &ranges(parts), looked));
            let places: Vec<usize> = parts.iter().map(|part| part.beside).collect();
            // What there is no end to telling apart is refused by the audit.
            for told in voices.told_apart(&places).unwrap_or_default() {
                let parts: Vec<&Part> = told.into_iter().map(|at| parts[at]).collect();
                found.extend(self.found_across(body, &ranges(&parts), looked));
            }
        }
        let mut every = ranges(&texts);
        every.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        every.dedup_by(|within, around| within.end <= around.end);
        let known = self.found_across(body, &every, |lens, text, starts| lens.known_across(text, starts));
        found.extend(known.into_iter().filter(|across| is_telling(&across.value)));
        let either = parts.iter().filter(|part| part.reading == Reading::Either && is_text(body, part));
        let reach = reach(either.map(|part| part.range.clone()).collect());
        let mut next = body.to_vec();
        let mut hidden = Vec::new();
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        for across in found {
            let free =
                |part: &Range<usize>| taken.range(..part.end).next_back().is_none_or(|(_, end)| *end <= part.start);
            // Where letters may be lengths, one reading's pieces are the middle of another's text.
            let torn = |parts: &[Range<usize>]| {
                reach.range(..=parts[0].start).next_back().is_some_and(|(_, end)| parts[1].end <= *end)
            };
            if !across.parts.iter().all(free) || across.parts.windows(2).any(torn) {
                continue;
            }
            let known = self.secrets.name(&across.value, across.rule);
            let length = across.parts.iter().map(Range::len).sum();
            let Some(stands) = filled(kind(&known).unwrap_or(across.rule), length) else { continue };
            let mut left = stands.as_bytes();
            for part in &across.parts {
                let (piece, rest) = left.split_at(part.len());
                next[part.clone()].copy_from_slice(piece);
                left = rest;
            }
            taken.extend(across.parts.iter().map(|part| (part.start, part.end)));
            hidden.push(Secret::new(&across.value, &stands));
        }
        learn::from_hidden(&hidden, self.secrets);
        next
    }

    /// Finds what lies across the texts at these places; `look` is given all they say, and where each begins in it.
    fn found_across(
        &self,
        body: &[u8],
        ranges: &[Range<usize>],
        look: impl Fn(Lens<'_>, &str, &[usize]) -> Vec<Edit>,
    ) -> Vec<Across> {
        if ranges.len() < 2 {
            return Vec::new();
        }
        let mut text = String::new();
        let mut starts = Vec::with_capacity(ranges.len());
        for range in ranges {
            starts.push(text.len());
            text.push_str(std::str::from_utf8(&body[range.clone()]).unwrap_or_default());
        }
        let work = Work::decoding(&text);
        let known = self.known.then_some(&*self.secrets);
        let lens = Lens { rules: self.rules, known, work: &work, trust: Trust::Looks };
        let across = merge(&text, look(lens, &text, &starts)).into_iter().filter_map(|edit| {
            let By::Placeholder { value, rule, .. } = edit.by else { return None };
            let first = starts.partition_point(|start| *start <= edit.range.start).saturating_sub(1);
            let last = starts.partition_point(|start| *start < edit.range.end);
            let parts = ranges[first..last].iter().zip(&starts[first..last]).filter_map(|(range, start)| {
                let from = edit.range.start.max(*start);
                let to = edit.range.end.min(start + range.len());
                (from < to).then(|| range.start + from - start..range.start + to - start)
            });
            Some(Across { parts: parts.collect(), rule, value }).filter(|across| across.parts.len() > 1)
        });
        across.collect()
    }
}

/// Returns for each place at which a text begins where the texts end that begin there or before.
fn reach(mut texts: Vec<Range<usize>>) -> BTreeMap<usize, usize> {
    texts.sort_unstable_by_key(|text| text.start);
    let mut furthest = 0;
    let ends = texts.into_iter().map(|text| {
        furthest = furthest.max(text.end);
        (text.start, furthest)
    });
    ends.collect()
}

fn is_text(body: &[u8], part: &Part) -> bool {
    let said = &body[part.range.clone()];
    match part.reading {
        Reading::Text => std::str::from_utf8(said).is_ok(),
        Reading::Either => as_text(said).is_some_and(|text| text.len() == said.len()),
    }
}
