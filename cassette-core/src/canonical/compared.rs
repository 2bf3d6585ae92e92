//! How much of a call is compared, where a test names parts of it.

use super::form;
use crate::dialect::Dialect;
use crate::matching::{Matching, PartName, Selector};

/// How much of a call is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// What is compared where a test says nothing, although it does: nothing that it names is there. A call that has nothing
    /// to do with the parts named, to another host in the same test, would else be answered by any recording of its URL.
    Whole,
    /// What the test names.
    Named,
    /// That and the rest: what the model is, or what it is told, stands in some place that no table knows.
    NamedAndRest,
}

impl Compared {
    /// Returns how much of a call with parts of these classes is compared.
    pub(super) fn of(matching: &Matching, dialect: Option<Dialect>, there: &[PartName], no_path: bool) -> Compared {
        let Some(selectors) = &matching.match_on else { return Compared::Whole };
        let has = |part: PartName| there.contains(&part);
        let named = |selector: &Selector| match selector {
            Selector::Part(PartName::Endpoint | PartName::Hooks) | Selector::Path(_) => false,
            Selector::Part(part) => has(*part) || dialect.is_some_and(|dialect| form::may_lack(dialect, *part)),
        };
        let is_endpoint = |selector: &Selector| *selector == Selector::Part(PartName::Endpoint);
        // Hooks are nothing of a request.
        let mut selectors =
            selectors.iter().filter(|selector| **selector != Selector::Part(PartName::Hooks)).peekable();
        let asks_for_the_endpoint = selectors.peek().is_some() && selectors.clone().all(is_endpoint);
        if !asks_for_the_endpoint && no_path && !selectors.any(named) {
            return Compared::Whole;
        }
        let lacks = [PartName::Model, PartName::Messages].into_iter().any(|part| matching.compares(part) && !has(part));
        if lacks { Compared::NamedAndRest } else { Compared::Named }
    }

    /// Returns whether this part is compared.
    pub(super) fn has(self, part: PartName, matching: &Matching) -> bool {
        let unasked = match self {
            Compared::Whole => part != PartName::Sampling,
            Compared::Named => false,
            Compared::NamedAndRest => part == PartName::Rest,
        };
        unasked || matching.compares(part)
    }
}
