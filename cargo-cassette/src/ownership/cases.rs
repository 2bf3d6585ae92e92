//! What cases recorded that are no more, of a test whose cassettes are named as they run.

use std::collections::BTreeMap;

use cassette_core::tape::Head;

use crate::shelf::Spot;

/// What the cases of one test recorded, some of which are no more.
///
/// A case is known by its number, and where one goes those after it are numbered anew: what the last one recorded may well be another's now,
/// and what an earlier one recorded nobody's. Which of them all it is, is known only when the others run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cases {
    /// The pattern of their names, `fares/{model}`.
    pub pattern: String,
    /// What was recorded under a number that no case has any more.
    pub gone: Vec<Spot>,
    /// What was recorded under a number that a case has.
    pub left: Vec<Spot>,
}

impl Cases {
    /// Returns all of the cassettes, in order.
    #[must_use]
    pub fn all(&self) -> Vec<&Spot> {
        let mut all: Vec<_> = self.gone.iter().chain(&self.left).collect();
        all.sort();
        all
    }
}

/// The cases of all tests, by the pattern of their cassettes' names and the test's path without the case.
#[derive(Default)]
pub(super) struct ByTest(BTreeMap<(String, String), Cases>);

impl ByTest {
    /// Takes up what a case recorded, which a test still has or none.
    pub(super) fn add(&mut self, pattern: &str, head: &Head, spot: Spot, is_gone: bool) {
        let test = head.test.as_deref().unwrap_or_default();
        let function = test.rsplit_once("::case_").map_or(test, |(function, _)| function);
        let cases = self.0.entry((pattern.to_owned(), function.to_owned())).or_default();
        pattern.clone_into(&mut cases.pattern);
        if is_gone { cases.gone.push(spot) } else { cases.left.push(spot) }
    }

    /// Returns those of which some are no more.
    pub(super) fn some_gone(self) -> Vec<Cases> {
        self.0.into_values().filter(|cases| !cases.gone.is_empty()).collect()
    }
}
