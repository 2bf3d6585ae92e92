//! The recordings that go where a call goes, whatever they ask there: what a user's own function chooses among.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::sampling::drift;
use super::tenants::{fits, placeholders};
use super::{Asking, Lookup, Matches, asked, chosen, redact_alone};
use crate::call::Call;
use crate::matching::Matching;
use crate::redact::{self, Depth, RedactedCall};
use crate::request::Request;

/// A call and the recordings that go where it goes.
pub(crate) struct Kindred {
    redacted: RedactedCall,
    pub(crate) incoming: Request,
    /// Those that agree most with it in what is not compared come first, then those that stand first.
    pub(crate) recorded: Vec<(usize, Arc<Request>)>,
}

/// The recordings of each endpoint, and how many values were known when they were redacted.
pub(super) type Endpoints = (usize, HashMap<Vec<String>, Vec<(usize, Arc<Request>)>>);

impl Lookup {
    /// Returns all recordings that go where the call goes.
    pub(crate) fn kindred(&mut self, call: &Call, asking: &Asking<'_>) -> Kindred {
        let version = asking.secrets.version();
        if self.endpoints.as_ref().is_none_or(|(of, _)| *of != version) {
            let mut endpoints: HashMap<Vec<String>, Vec<(usize, Arc<Request>)>> = HashMap::new();
            for index in 0..asking.tape.interactions.len() {
                let Some(request) = recorded(index, asking, &self.matching) else { continue };
                endpoints.entry(owned(request.endpoint())).or_default().push((index, Arc::new(request)));
            }
            self.endpoints = Some((version, endpoints));
        }
        let (redacted, incoming) = self.asked(call, asking);
        let endpoint = owned(incoming.endpoint());
        let found = self.endpoints.as_ref().and_then(|(_, endpoints)| endpoints.get(&endpoint)).cloned();
        Kindred::of(redacted, incoming, found.unwrap_or_default(), asking)
    }

    /// Returns those of these recordings that go where the call goes.
    pub(crate) fn kindred_among(&self, call: &Call, among: &[usize], asking: &Asking<'_>) -> Kindred {
        let (redacted, incoming) = self.asked(call, asking);
        let all = among.iter().filter_map(|index| Some((*index, Arc::new(recorded(*index, asking, &self.matching)?))));
        let found = all.filter(|(_, request)| request.endpoint() == incoming.endpoint()).collect();
        Kindred::of(redacted, incoming, found, asking)
    }

    fn asked(&self, call: &Call, asking: &Asking<'_>) -> (RedactedCall, Request) {
        let redacted = redact_alone(call, asking, Depth::Known);
        let request = Request::of(&redacted, &self.matching);
        (redacted, request)
    }
}

impl Kindred {
    /// Leaves out recordings of another tenant, and sorts the rest.
    fn of(
        redacted: RedactedCall,
        incoming: Request,
        mut recorded: Vec<(usize, Arc<Request>)>,
        asking: &Asking<'_>,
    ) -> Kindred {
        recorded.retain(|(i, _)| fits(&redacted, placeholders(asking.tape, *i), asking.bound));
        let aside = incoming.canonical().aside();
        recorded.sort_by_cached_key(|(i, recorded)| {
            (Reverse(recorded.canonical().aside().likeness(aside)), asking.covered[*i])
        });
        Kindred { redacted, incoming, recorded }
    }

    /// Returns the recordings of this call where these were taken for it: those of exactly this request first.
    pub(crate) fn matches(&self, taken: &[usize], asking: &Asking<'_>) -> Matches {
        let is_exact = |request: &Request| request.canonical().parts() == self.incoming.canonical().parts();
        let taken = self.recorded.iter().filter(|(i, _)| taken.contains(i));
        let (exact, other): (Vec<_>, Vec<_>) = taken.partition(|(_, request)| is_exact(request));
        let mut inexact: Vec<usize> = other.iter().map(|(i, _)| *i).collect();
        inexact.sort_unstable();
        let drifted = exact.iter().filter_map(|(i, request)| {
            let recorded = (asked(asking.tape, *i)?, request.canonical().aside());
            Some((*i, drift(recorded, (&self.redacted, self.incoming.canonical().aside()))?))
        });
        let drifted = drifted.collect();
        let exact: Vec<usize> = exact.into_iter().map(|(i, _)| *i).collect();
        let unused = |found: &[usize]| found.iter().any(|i| !asking.used[*i]);
        let of_secrets = if unused(&exact) { exact.as_slice() } else { &[] };
        let matches = chosen([exact.clone(), inexact.clone()].concat(), of_secrets, &self.redacted, asking);
        Matches { drifted, inexact, ..matches }
    }
}

/// Returns the request of a recording, where it holds it.
fn recorded(index: usize, asking: &Asking<'_>, matching: &Matching) -> Option<Request> {
    let call = asked(asking.tape, index)?;
    let call = redact::redact_recorded(call, asking.rules, Depth::Known, &mut asking.secrets.clone());
    Some(Request::of(&call, matching))
}

fn owned(endpoint: Vec<&str>) -> Vec<String> {
    endpoint.into_iter().map(str::to_owned).collect()
}
