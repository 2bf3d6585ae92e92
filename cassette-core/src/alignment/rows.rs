//! One exchange beside another: which turn of one is which of the other.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use crate::difference::lcs;
use crate::transcript::{Entry, Exchange};

/// A turn, or a setting, of two exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// It is in both, and the same.
    Same(&'a Entry),
    /// It is in both, and says something else.
    Changed(&'a Entry, &'a Entry),
    /// It is in the first alone.
    Gone(&'a Entry),
    /// It is in the second alone.
    Came(&'a Entry),
}

/// Returns everything that was set, said and answered in either, in order. Of what is not the same, those stand beside each
/// other that are of one kind and one label.
pub fn rows<'a>(before: &'a Exchange, after: &'a Exchange) -> Vec<Row<'a>> {
    let [ours, theirs] = [before, after].map(|exchange| {
        exchange.settings.iter().chain(&exchange.said).chain(&exchange.answer).collect::<Vec<&Entry>>()
    });
    let digests = |entries: &[&Entry]| entries.iter().map(|entry| digest(entry)).collect::<Vec<_>>();
    let mut rows = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (same, other) in lcs(&digests(&ours), &digests(&theirs)) {
        between(&ours[i..same], &theirs[j..other], &mut rows);
        rows.push(Row::Same(theirs[other]));
        (i, j) = (same + 1, other + 1);
    }
    between(&ours[i..], &theirs[j..], &mut rows);
    rows
}

/// Adds what stands between two turns that are the same.
fn between<'a>(ours: &[&'a Entry], theirs: &[&'a Entry], rows: &mut Vec<Row<'a>>) {
    let mut left = theirs;
    for &entry in ours {
        let fits = |other: &&Entry| other.what == entry.what && other.label == entry.label;
        match left.iter().position(fits) {
            Some(at) => {
                rows.extend(left[..at].iter().map(|&entry| Row::Came(entry)));
                rows.push(Row::Changed(entry, left[at]));
                left = &left[at + 1..];
            }
            None => rows.push(Row::Gone(entry)),
        }
    }
    rows.extend(left.iter().map(|&entry| Row::Came(entry)));
}

fn digest(entry: &Entry) -> u64 {
    let mut hasher = DefaultHasher::new();
    entry.hash(&mut hasher);
    hasher.finish()
}
