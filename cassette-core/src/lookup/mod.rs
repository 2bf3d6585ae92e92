//! Which recordings are of exactly this request: least redaction first.
//!
//! A call is recognised if it is word for word what was recorded; else if the two agree once both are redacted by name
//! and shape, which hangs on the texts alone; else if they agree once the values that are known here are hidden too. So
//! neither a machine's environment nor the order of calls decides, and agreement on the less redacted text, which is the
//! stronger proof, comes first. Of a tape that holds digests of requests alone, [`by_key`] does the same.

mod by_key;
mod equal;
mod kindred;
mod sampling;
mod tenants;
mod words;

pub(crate) use kindred::Kindred;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use crate::call::Call;
use crate::canonical::{Aside, Canonical, Part};
use crate::digested::hidden;
use crate::key::Key;
use crate::matching::Matching;
use crate::redact::{self, Depth, RedactedCall, Rules, Secret, Secrets};
use crate::report::Change;
use crate::tape::{Asked, Tape};
use by_key::ByKey;
use equal::Equal;
use kindred::Endpoints;
use sampling::drift;
use tenants::{bindings, fits, placeholders};
use words::{hash, same};

/// The recordings of one tape, ready to be looked up.
#[derive(Debug)]
pub(crate) struct Lookup {
    matching: Matching,
    /// The headers that count, in lower case.
    headers: Vec<String>,
    /// The program's own text of those requests that the tape holds with escapes.
    own: HashMap<usize, Call>,
    exact: HashMap<u64, Equal>,
    /// How many recordings were filed under each key.
    kin: HashMap<Key, usize>,
    shaped: Option<Index>,
    known: Option<(usize, Index)>,
    /// For a user's own matcher alone.
    endpoints: Option<Endpoints>,
    /// The recordings of a tape that holds digests of requests.
    digested: Option<ByKey>,
}

/// The recordings of each request, with what of them is not compared.
type Index = HashMap<Vec<Part>, Vec<(usize, Aside)>>;

/// What a lookup needs to know beside the call.
pub(crate) struct Asking<'a> {
    pub(crate) tape: &'a Tape,
    pub(crate) rules: &'a Rules,
    pub(crate) secrets: &'a Secrets,
    /// Which recordings have been served.
    pub(crate) used: &'a [bool],
    /// How many of those that have not are asked for.
    pub(crate) wanted: Wanted,
    /// Which of them nothing has to ask for: of several that are as surely of a call, the others come first.
    pub(crate) covered: &'a [bool],
    /// The recorded placeholder of each live secret that was met so far.
    pub(crate) bound: &'a HashMap<String, String>,
}

/// How many recordings of a request are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// One is enough where all are alike: position alone decides, and what has been served stays so.
    First,
    /// All: the order counts, or more is withheld for a while than has been served.
    All,
}

/// The recordings of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matches {
    /// The unused ones, by how surely they are it and then by position.
    pub(crate) unused: Vec<usize>,
    /// How many have been served.
    pub(crate) used: usize,
    /// The last one, used or not.
    pub(crate) last: Option<usize>,
    /// The secrets in the call with the placeholders under which the first unused one recorded them.
    pub(crate) bindings: Vec<(Secret, String)>,
    /// The recordings whose sampling is not the call's, and where the two differ.
    pub(crate) drifted: Vec<(usize, Vec<Change>)>,
    /// Those that are not of exactly this request, and that the user's own matcher takes for it.
    pub(crate) inexact: Vec<usize>,
    /// Whether its unused recordings differ in a hidden value that this call gives no way to tell: position decides.
    pub(crate) by_position: bool,
}

impl Lookup {
    /// Returns the lookup over this tape.
    pub(crate) fn new(tape: &Tape, matching: &Matching) -> Lookup {
        let headers: Vec<String> = matching.counting_headers().into_iter().map(str::to_owned).collect();
        let mut own = HashMap::new();
        let mut exact: HashMap<u64, Equal> = HashMap::with_capacity(tape.interactions.len());
        let mut kin: HashMap<Key, usize> = HashMap::with_capacity(tape.interactions.len());
        for (i, interaction) in tape.interactions.iter().enumerate() {
            let Asked::Whole(recorded) = &interaction.asked else { continue };
            let mut call = Cow::Borrowed(recorded);
            if redact::is_escaped(&call) {
                redact::unescape_call(call.to_mut());
            }
            exact.entry(hash(&call, &headers)).or_default().push(i, recorded, tape);
            *kin.entry(interaction.key.clone()).or_default() += 1;
            if let Cow::Owned(call) = call {
                own.insert(i, call);
            }
        }
        let (matching, digested) = (matching.clone(), ByKey::of(tape));
        Lookup { matching, headers, own, exact, kin, shaped: None, known: None, endpoints: None, digested }
    }

    /// Returns whether several recordings of a tape that holds requests are of one request.
    pub(crate) fn has_several(&self, key: &Key) -> bool {
        self.kin.get(key).is_some_and(|kin| *kin > 1)
    }

    /// Returns the recordings of this call.
    pub(crate) fn find(&mut self, call: &Call, asking: &Asking<'_>) -> Matches {
        if let Some(digested) = &self.digested {
            return digested.find(call, asking, &self.matching);
        }
        if let Some(index) = self.next_equal(call, asking) {
            return matches(vec![index], Vec::new(), asking.used);
        }
        let mut all = self.exactly(call, asking);
        let kin = |i: &usize| self.kin.get(&asking.tape.interactions[*i].key);
        // Where requests of other words ask the same, they take turns by position with those of the very same words.
        if all.first().and_then(kin).is_some_and(|kin| *kin > all.len()) {
            all.clear();
        }
        if all.iter().any(|i| !asking.used[*i]) {
            return matches(all, Vec::new(), asking.used);
        }
        let mut drifted = Vec::new();
        let mut before = None;
        // A placeholder in the call came from a reply, or else is the program's own text.
        let literal = (!hidden(call).is_empty()).then(|| asking.secrets.unserved());
        let literal = literal.as_ref().map(|secrets| Asking { secrets, ..*asking });
        let readings = [Some(asking), literal.as_ref()].into_iter().flatten();
        for (asking, depth) in readings.flat_map(|asking| [Depth::Shape, Depth::Known].map(|depth| (asking, depth))) {
            let redacted = redact_alone(call, asking, depth);
            let (parts, aside) = Canonical::of(&redacted, &self.matching).into_halves();
            // Where nothing known is in the call, knowing more finds no more.
            if before.replace(parts.clone()).is_some_and(|before| before == parts) {
                continue;
            }
            let mut found = self.index(asking, depth).get(&parts).cloned().unwrap_or_default();
            found.retain(|(i, _)| !all.contains(i));
            found.retain(|(i, _)| fits(&redacted, placeholders(asking.tape, *i), asking.bound));
            found.sort_by_cached_key(|(i, recorded)| (Reverse(recorded.likeness(&aside)), asking.covered[*i]));
            let drifted_from =
                |i: usize, recorded: &Aside| drift((asked(asking.tape, i)?, recorded), (&redacted, &aside));
            drifted.extend(found.iter().filter_map(|(i, recorded)| Some((*i, drifted_from(*i, recorded)?))));
            let found: Vec<_> = found.into_iter().map(|(i, _)| i).collect();
            if found.iter().any(|i| !asking.used[*i]) {
                return Matches { drifted, ..chosen([all, found.clone()].concat(), &found, &redacted, asking) };
            }
            all.extend(found);
        }
        Matches { drifted, ..matches(all, Vec::new(), asking.used) }
    }

    /// Returns the next recording of this very call, where all that ask the same are alike to the letter.
    fn next_equal(&mut self, call: &Call, asking: &Asking<'_>) -> Option<usize> {
        let Lookup { headers, own, exact, kin, .. } = self;
        let equal = exact.get_mut(&hash(call, headers)).filter(|_| asking.wanted == Wanted::First)?;
        let first = equal.first()?;
        let recorded = own.get(&first).or(asked(asking.tape, first))?;
        let all = kin.get(&asking.tape.interactions[first].key).is_some_and(|kin| *kin == equal.count());
        if !all || !same(recorded, call, headers) {
            return None;
        }
        equal.next(asking.used, asking.covered)
    }

    fn exactly(&self, call: &Call, asking: &Asking<'_>) -> Vec<usize> {
        let candidates = self.exact.get(&hash(call, &self.headers)).map(Equal::all).unwrap_or_default();
        let recorded = |i: &usize| self.own.get(i).or(asked(asking.tape, *i));
        let is_same = |i: &usize| recorded(i).is_some_and(|recorded| same(recorded, call, &self.headers));
        let mut found: Vec<_> = candidates.iter().copied().filter(is_same).collect();
        if found.len() > 1 {
            let headers = |i: &usize| recorded(i).map_or(&[][..], |recorded| &recorded.headers);
            let likeness = |i: &usize| headers(i).iter().filter(|header| call.headers.contains(header)).count();
            found.sort_by_key(|i| (Reverse(likeness(i)), asking.covered[*i]));
        }
        found
    }

    fn index(&mut self, asking: &Asking<'_>, depth: Depth) -> &Index {
        let version = asking.secrets.version();
        let (matching, slot) = match depth {
            Depth::Shape => (&self.matching, &mut self.shaped),
            Depth::Known => {
                let stale = self.known.as_ref().is_some_and(|(of, _)| *of != version);
                if stale {
                    self.known = None;
                }
                let matching = &self.matching;
                return &self.known.get_or_insert_with(|| (version, index(asking, matching, depth))).1;
            }
        };
        slot.get_or_insert_with(|| index(asking, matching, depth))
    }
}

fn index(asking: &Asking<'_>, matching: &Matching, depth: Depth) -> Index {
    let mut index = Index::new();
    let mut secrets = asking.secrets.clone();
    for i in 0..asking.tape.interactions.len() {
        let Some(call) = asked(asking.tape, i) else { continue };
        let redacted = redact::redact_recorded(call, asking.rules, depth, &mut secrets);
        let (parts, aside) = Canonical::of(&redacted, matching).into_halves();
        index.entry(parts).or_default().push((i, aside));
    }
    index
}

/// Returns what was asked in this recording, where it holds it.
fn asked(tape: &Tape, index: usize) -> Option<&Call> {
    tape.interactions[index].call()
}

/// Redacts a call with a ledger of its own, so that nothing of the run shows in the result.
fn redact_alone(call: &Call, asking: &Asking<'_>, depth: Depth) -> RedactedCall {
    redact::redact_call(call, asking.rules, depth, &mut asking.secrets.clone())
}

/// Returns these recordings of a call, of which the first unused one of `found` tells under which placeholders its secrets
/// were recorded.
fn chosen(all: Vec<usize>, found: &[usize], redacted: &RedactedCall, asking: &Asking<'_>) -> Matches {
    let Some(first) = found.iter().find(|i| !asking.used[**i]) else { return matches(all, Vec::new(), asking.used) };
    let bindings = bindings(redacted, placeholders(asking.tape, *first));
    let unmet = bindings.iter().any(|(secret, _)| !asking.bound.contains_key(secret.value()));
    let hidden = |i: &usize| placeholders(asking.tape, *i);
    let by_position = unmet && found.iter().any(|i| !asking.used[*i] && hidden(i) != hidden(first));
    Matches { by_position, ..matches(all, bindings, asking.used) }
}

fn matches(mut all: Vec<usize>, bindings: Vec<(Secret, String)>, used: &[bool]) -> Matches {
    let (before, last) = (all.len(), all.iter().copied().max());
    all.retain(|i| !used[*i]);
    Matches { used: before - all.len(), unused: all, last, bindings, ..Matches::default() }
}
