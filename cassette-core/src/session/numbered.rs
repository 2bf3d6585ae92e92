//! The placeholders of a call that failed, numbered as in the recording that is most like it.
//!
//! A value that no recording gave has a number of its own, which says nothing: beside a recorded placeholder it would be told as a
//! change.

use std::borrow::Cow;

use super::Shared;
use super::state::State;
use crate::call::Call;
use crate::redact::{kind, placeholders};
use crate::renumber::{Names, rename_call};
use crate::report::Nearest;

impl Shared {
    /// Returns a call that failed as it is shown beside the recording that is most like it, and that one.
    pub(super) fn beside_the_nearest<'a>(&self, call: &'a Call, state: &State) -> (Cow<'a, Call>, Option<Nearest>) {
        let shown = |nearest: Option<Nearest>| {
            let nearest = nearest?;
            let asks = nearest.asks.as_deref().map(|asks| self.said(asks));
            Some(Nearest { asks, differences: self.told(nearest.differences), ..nearest })
        };
        let nearest = self.nearest(call, state);
        let recorded = nearest.as_ref().and_then(|nearest| self.tape.interactions[nearest.interaction - 1].call());
        match recorded.and_then(|recorded| self.numbered(call, recorded)) {
            Some(numbered) => {
                let nearest = self.nearest(&numbered, state);
                (Cow::Owned(numbered), shown(nearest))
            }
            None => (Cow::Borrowed(call), shown(nearest)),
        }
    }

    /// Returns the call with the placeholders of this recording for values that were hidden on this run alone, those of each kind in
    /// their order; `None` where there is nothing to rename. One that stands in the cassette is what it is.
    fn numbered(&self, call: &Call, recorded: &Call) -> Option<Call> {
        let (ours, theirs) = (hidden(recorded), hidden(call));
        let mut free: Vec<&String> = ours.iter().filter(|known| !theirs.contains(*known)).collect();
        let mut names = Names::new();
        for fresh in theirs.iter().filter(|it| !self.placeholders.contains(*it)) {
            if let Some(at) = free.iter().position(|known| kind(known) == kind(fresh)) {
                names.insert(fresh.clone(), free.remove(at).clone());
            }
        }
        (!names.is_empty()).then(|| {
            let mut numbered = call.clone();
            rename_call(&mut numbered, &names);
            numbered
        })
    }
}

/// Returns the placeholders of a call, each once, in the order of the request.
fn hidden(call: &Call) -> Vec<String> {
    let body = String::from_utf8_lossy(&call.body);
    let texts = [call.name.as_str()].into_iter().chain(call.headers.iter().map(|(_, value)| value.as_str()));
    let mut found: Vec<String> = Vec::new();
    for placeholder in texts.chain([&*body]).flat_map(placeholders) {
        if !found.iter().any(|known| known == placeholder) {
            found.push(placeholder.to_owned());
        }
    }
    found
}
