//! What the walk down two requests does not tell by itself: spellings that matter, and elements that no difference is at.

use super::counting::{Spot, Unexplained};
use super::said;
use crate::call::Call;
use crate::canonical::{self, Canonical};
use crate::dialect;
use crate::json::Layout;
use crate::matching::Matching;
use crate::path::{Path, WHOLE, put, select};
use crate::report::{Difference, Edit, Shown};

/// How many spellings are tested at most: each test makes a canonical form.
pub(super) const MOST: usize = 16;

/// Two requests of which it is to be said whether a spelling matters.
pub(super) struct Spelling<'a> {
    pub(super) calls: [&'a Call; 2],
    pub(super) matching: &'a Matching,
    pub(super) incoming: &'a Canonical,
}

impl Spelling<'_> {
    /// Returns whether the request that came in would mean something else if it were spelled as the recorded one at this place.
    pub(super) fn matters(&self, difference: &Difference) -> bool {
        self.respelled(difference).is_none_or(|call| {
            Canonical::in_dialect(&call, dialect::detect(&call), self.matching).parts() != self.incoming.parts()
        })
    }

    fn respelled(&self, difference: &Difference) -> Option<Call> {
        let [recorded, incoming] = self.calls;
        let from = difference.from.as_ref().unwrap_or(&difference.path);
        let (Ok(Path::Body(from)), Ok(Path::Body(to))) = (from.parse(), difference.path.parse()) else { return None };
        let (_, value) = select(&canonical::document(recorded, self.matching)?, &from).into_iter().next()?;
        let mut document = canonical::document(incoming, self.matching)?;
        put(&mut document, &to, &value);
        Some(Call { body: document.print(Layout::Compact).into_bytes(), ..incoming.clone() })
    }
}

/// Returns differences for elements that nothing else tells of, each with what the canonical forms say.
pub(super) fn told(left: Unexplained) -> Vec<Difference> {
    let Unexplained { recorded, mut incoming } = left;
    let mut told = Vec::new();
    for ours in recorded {
        let other = incoming.iter().position(|theirs| theirs.path == ours.path);
        let theirs = other.map(|at| incoming.remove(at));
        told.push(one(Some(&ours), theirs.as_ref()));
    }
    told.extend(incoming.iter().map(|theirs| one(None, Some(theirs))));
    told
}

fn one(ours: Option<&Spot>, theirs: Option<&Spot>) -> Difference {
    let path = ours.or(theirs).map_or("", |spot| &spot.path);
    if path == "@form" {
        let shown =
            |spot: Option<&Spot>| Some(if spot.is_some() { "the fields of a form" } else { "no form" }.to_owned());
        let shown = vec![Shown { recorded: shown(ours), incoming: shown(theirs) }];
        return Difference { shown, ..Difference::of_part(Edit::Changed, WHOLE) };
    }
    let edit = match (ours, theirs) {
        (Some(_), Some(_)) => Edit::Changed,
        (Some(_), None) => Edit::Removed,
        (None, _) => Edit::Added,
    };
    let shown = |spot: Option<&Spot>| spot.map(|spot| said(&spot.text));
    let shown = vec![Shown { recorded: shown(ours), incoming: shown(theirs) }];
    Difference { shown, ..Difference::of_part(edit, path) }
}
