//! What the walk down two requests does not tell by itself: spellings that matter, and elements that no difference is at.

use super::counting::{Spot, Unexplained};
use super::said;
use crate::call::Call;
use crate::canonical::{self, Canonical};
use crate::dialect;
use crate::json::Layout;
use crate::matching::Matching;
use crate::path::{Path, Step, WHOLE, leave_out, put, select};
use crate::report::{Difference, Edit, Shown};

/// How many spellings are tested at most: each test makes a canonical form.
pub(super) const MOST: usize = 16;

/// Up to how many bytes of a body anything but the known spellings is tested.
const LARGE: usize = 256 * 1024;

/// Two requests of which it is to be said whether a spelling matters.
pub(super) struct Spelling<'a> {
    pub(super) calls: [&'a Call; 2],
    pub(super) matching: &'a Matching,
    pub(super) forms: &'a [Canonical; 2],
}

const RECORDED: usize = 0;
const INCOMING: usize = 1;

impl Spelling<'_> {
    /// Returns whether anything may be another spelling: a dialect has many, some of them known to its canonical form alone.
    pub(super) fn is_to_be_tested(&self) -> bool {
        let [recorded, incoming] = self.calls.map(dialect::detect);
        recorded.is_some() && recorded == incoming && self.calls.iter().all(|call| call.body.len() <= LARGE)
    }

    /// Returns whether a request would mean something else if it were spelled as the other one at this place: with what stands
    /// there in the other, or without what does not.
    pub(super) fn matters(&self, difference: &Difference) -> bool {
        self.respelled(difference).is_none_or(|(call, side)| {
            Canonical::in_dialect(&call, dialect::detect(&call), self.matching).parts() != self.forms[side].parts()
        })
    }

    /// Returns a request in the other's spelling, and which of the two it is.
    fn respelled(&self, difference: &Difference) -> Option<(Call, usize)> {
        let from = difference.from.as_ref().unwrap_or(&difference.path);
        let (Ok(Path::Body(from)), Ok(Path::Body(to))) = (from.parse(), difference.path.parse()) else { return None };
        let document = |side: usize| canonical::document(self.calls[side], self.matching);
        let is_member = |steps: &[Step]| matches!(steps.last(), Some(Step::Member(_)));
        let (document, side) = match difference.edit {
            Edit::Changed => {
                let (_, value) = select(&document(RECORDED)?, &from).into_iter().next()?;
                let mut document = document(INCOMING)?;
                put(&mut document, &to, &value);
                (document, INCOMING)
            }
            Edit::Added | Edit::Removed if is_member(&to) => {
                let side = if difference.edit == Edit::Added { INCOMING } else { RECORDED };
                let mut document = document(side)?;
                leave_out(&mut document, &to);
                (document, side)
            }
            _ => return None,
        };
        Some((Call { body: document.print(Layout::Compact).into_bytes(), ..self.calls[side].clone() }, side))
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
    let shown = |spot: Option<&Spot>| spot.map(|spot| said(spot.value()));
    let shown = vec![Shown { recorded: shown(ours), incoming: shown(theirs) }];
    Difference { shown, ..Difference::of_part(edit, path) }
}
