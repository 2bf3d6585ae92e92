//! Which recordings are of exactly this request: least redaction first.
//!
//! A call is recognised if it is word for word what was recorded; else if the two agree once both are redacted by name
//! and shape, which hangs on the texts alone; else if they agree once the values that are known here are hidden too. So
//! neither a machine's environment nor the order of calls decides, and agreement on the less redacted text, which is the
//! stronger proof, comes first. Of a tape that holds digests of requests alone, [`by_key`] does the same.

mod by_key;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash as _, Hasher as _};

use crate::call::{Call, Header};
use crate::canonical::{Aside, Canonical, Part, spelled};
use crate::digested::hidden;
use crate::key::Key;
use crate::matching::Matching;
use crate::redact::{self, Depth, RedactedCall, Rules, Secret, Secrets};
use crate::report::Change;
use crate::tape::{Asked, Tape};
use by_key::ByKey;

/// The recordings of one tape, ready to be looked up.
#[derive(Debug)]
pub(crate) struct Lookup {
    matching: Matching,
    /// The headers that count, in lower case.
    headers: Vec<String>,
    /// The program's own text of those requests that the tape holds with escapes.
    own: HashMap<usize, Call>,
    exact: HashMap<u64, Vec<usize>>,
    /// How many recordings were filed under each key.
    kin: HashMap<Key, usize>,
    shaped: Option<Index>,
    known: Option<(usize, Index)>,
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
    /// The recorded placeholder of each live secret that was met so far.
    pub(crate) bound: &'a HashMap<String, String>,
}

/// The recordings of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matches {
    /// The unused ones, by position.
    pub(crate) unused: Vec<usize>,
    /// How many have been served.
    pub(crate) used: usize,
    /// The last one, used or not.
    pub(crate) last: Option<usize>,
    /// The secrets in the call with the placeholders under which the first unused one recorded them.
    pub(crate) bindings: Vec<(Secret, String)>,
    /// The recordings whose sampling is not the call's, and where the two differ.
    pub(crate) drifted: Vec<(usize, Vec<Change>)>,
    /// Whether its unused recordings differ in a hidden value that this call gives no way to tell: position decides.
    pub(crate) by_position: bool,
}

impl Lookup {
    /// Returns the lookup over this tape.
    pub(crate) fn new(tape: &Tape, matching: &Matching) -> Lookup {
        let headers = matching.counting_headers();
        let mut own = HashMap::new();
        let mut exact: HashMap<u64, Vec<usize>> = HashMap::with_capacity(tape.interactions.len());
        let mut kin: HashMap<Key, usize> = HashMap::with_capacity(tape.interactions.len());
        for (i, interaction) in tape.interactions.iter().enumerate() {
            let Asked::Whole(recorded) = &interaction.asked else { continue };
            let mut call = Cow::Borrowed(recorded);
            if redact::is_escaped(&call) {
                redact::unescape_call(call.to_mut());
            }
            exact.entry(hash(&call, &headers)).or_default().push(i);
            *kin.entry(interaction.key.clone()).or_default() += 1;
            if let Cow::Owned(call) = call {
                own.insert(i, call);
            }
        }
        let digested = ByKey::of(tape);
        Lookup { matching: matching.clone(), headers, own, exact, kin, shaped: None, known: None, digested }
    }

    /// Returns the recordings of this call.
    pub(crate) fn find(&mut self, call: &Call, asking: &Asking<'_>) -> Matches {
        if let Some(digested) = &self.digested {
            return digested.find(call, asking, &self.matching);
        }
        let mut all = self.exactly(call, asking.tape);
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
        for depth in [Depth::Shape, Depth::Known] {
            let redacted = redact_alone(call, asking, depth);
            let (parts, aside) = Canonical::of(&redacted, &self.matching).into_halves();
            // Where nothing known is in the call, knowing more finds no more.
            if before.replace(parts.clone()).is_some_and(|before| before == parts) {
                break;
            }
            let mut found = self.index(asking, depth).get(&parts).cloned().unwrap_or_default();
            found.retain(|(i, _)| !all.contains(i));
            found.retain(|(i, _)| {
                asked(asking.tape, *i).is_some_and(|call| fits(&redacted, hidden(call), asking.bound))
            });
            found.sort_by_cached_key(|(_, recorded)| Reverse(recorded.likeness(&aside)));
            let drifted_from =
                |i: usize, recorded: &Aside| drift((asked(asking.tape, i)?, recorded), (&redacted, &aside));
            drifted.extend(found.iter().filter_map(|(i, recorded)| Some((*i, drifted_from(*i, recorded)?))));
            let found: Vec<_> = found.into_iter().map(|(i, _)| i).collect();
            if let Some(first) = found.iter().find(|i| !asking.used[**i]) {
                let hidden = |i: &usize| asked(asking.tape, *i).map(hidden).unwrap_or_default();
                let bindings = bindings(&redacted, hidden(first));
                let unmet = bindings.iter().any(|(secret, _)| !asking.bound.contains_key(secret.value()));
                let by_position = unmet && found.iter().any(|i| !asking.used[*i] && hidden(i) != hidden(first));
                return Matches { drifted, by_position, ..matches([all, found].concat(), bindings, asking.used) };
            }
            all.extend(found);
        }
        Matches { drifted, ..matches(all, Vec::new(), asking.used) }
    }

    fn exactly(&self, call: &Call, tape: &Tape) -> Vec<usize> {
        let candidates = self.exact.get(&hash(call, &self.headers)).map(Vec::as_slice).unwrap_or_default();
        let recorded = |i: &usize| self.own.get(i).or(asked(tape, *i));
        let is_same = |i: &usize| recorded(i).is_some_and(|recorded| same(recorded, call, &self.headers));
        let mut found: Vec<_> = candidates.iter().copied().filter(is_same).collect();
        if found.len() > 1 {
            let headers = |i: &usize| recorded(i).map_or(&[][..], |recorded| &recorded.headers);
            let likeness = |i: &usize| headers(i).iter().filter(|header| call.headers.contains(header)).count();
            found.sort_by_key(|i| Reverse(likeness(i)));
        }
        found
    }

    fn index(&mut self, asking: &Asking<'_>, depth: Depth) -> &Index {
        let version = asking.secrets.known_count();
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

fn matches(mut all: Vec<usize>, bindings: Vec<(Secret, String)>, used: &[bool]) -> Matches {
    let (before, last) = (all.len(), all.iter().copied().max());
    all.retain(|i| !used[*i]);
    Matches { used: before - all.len(), unused: all, last, bindings, drifted: Vec::new(), by_position: false }
}

/// Returns where the sampling of a recording is not the call's, if it is another, in the spelling of each.
fn drift((recorded, ours): (&Call, &Aside), (incoming, theirs): (&Call, &Aside)) -> Option<Vec<Change>> {
    let value = |aside: &Aside, path: &str| {
        let mut found = aside.sampling().filter(|(known, _)| *known == path);
        found.next().map(|(_, value)| value.to_owned())
    };
    let paths: BTreeSet<_> = ours.sampling().chain(theirs.sampling()).map(|(path, _)| path).collect();
    let differ: Vec<_> = paths.into_iter().filter(|path| value(ours, path) != value(theirs, path)).collect();
    let one = |path: &str| Change {
        path: path.to_owned(),
        recorded: spelled(recorded, path).or_else(|| value(ours, path)),
        incoming: spelled(incoming, path).or_else(|| value(theirs, path)),
    };
    (!differ.is_empty()).then(|| differ.into_iter().map(one).collect())
}

/// Returns the secrets of a call with these placeholders of a recording of the same request, in order.
fn bindings(call: &RedactedCall, placeholders: Vec<String>) -> Vec<(Secret, String)> {
    let secrets = call.secrets();
    if secrets.len() != placeholders.len() {
        return Vec::new();
    }
    secrets.iter().cloned().zip(placeholders).collect()
}

/// Returns whether no secret of the call was met before under another placeholder: two tenants are not mixed.
fn fits(call: &RedactedCall, placeholders: Vec<String>, bound: &HashMap<String, String>) -> bool {
    bindings(call, placeholders)
        .iter()
        .all(|(secret, placeholder)| bound.get(secret.value()).is_none_or(|known| known == placeholder))
}

fn same(recorded: &Call, call: &Call, headers: &[String]) -> bool {
    recorded.kind == call.kind
        && recorded.name == call.name
        && recorded.body == call.body
        && counting(recorded, headers).eq(counting(call, headers))
}

fn hash(call: &Call, headers: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (call.kind, &call.name, &call.body).hash(&mut hasher);
    counting(call, headers).for_each(|header| header.hash(&mut hasher));
    hasher.finish()
}

fn counting<'a>(call: &'a Call, headers: &'a [String]) -> impl Iterator<Item = &'a Header> {
    call.headers.iter().filter(|(name, _)| headers.contains(name))
}

#[cfg(test)]
mod tests {
    use super::drift;
    use crate::call::Call;
    use crate::canonical::{Aside, Canonical};
    use crate::dialect::Dialect;
    use crate::matching::Matching;

    fn sampled(sampling: &str) -> (Call, Aside) {
        let body = format!(r#"{{"messages":[{{"role":"user","content":"Hi"}}]{sampling}}}"#);
        let call = Call::http("POST", "https://api.example.com/v1/chat/completions", Vec::new(), body.into_bytes());
        let aside = Canonical::in_dialect(&call, Some(Dialect::OpenAiChat), &Matching::default()).into_halves().1;
        (call, aside)
    }

    #[track_caller]
    fn check(recorded: &str, incoming: &str, expected: &[(&str, Option<&str>, Option<&str>)]) {
        let [(ours, recorded), (theirs, incoming)] = [recorded, incoming].map(sampled);
        let found = drift((&ours, &recorded), (&theirs, &incoming)).unwrap_or_default();
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.path.as_str(), found.recorded.as_deref(), found.incoming.as_deref()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sampling_that_differs_is_told_setting_by_setting() {
        check(
            r#","seed":1,"temperature":0,"top_p":1"#,
            r#","temperature":0.7,"top_p":1.0"#,
            &[("seed", Some("1"), None), ("temperature", Some("0"), Some("0.7"))],
        );
        check(r#","temperature":1"#, r#","temperature":1.0"#, &[]);
    }

    #[test]
    fn fan_out_calls_that_differ_in_sampling_do_not_swap() {
        let call = sampled(r#","temperature":1,"seed":2"#).1;
        let [none, half, all] = ["", r#","temperature":1"#, r#","temperature":1,"seed":2"#].map(|text| sampled(text).1);
        assert!(none.likeness(&call) < half.likeness(&call));
        assert!(half.likeness(&call) < all.likeness(&call));
    }
}
