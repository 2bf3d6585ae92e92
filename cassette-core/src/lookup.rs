//! Which recordings are of exactly this request: least redaction first.
//!
//! A call is recognised if it is word for word what was recorded; else if the two agree once both are redacted by name
//! and shape, which hangs on the texts alone; else if they agree once the values that are known here are hidden too. So
//! neither a machine's environment nor the order of calls decides, and agreement on the less redacted text, which is the
//! stronger proof, comes first.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use crate::call::{Call, Header};
use crate::canonical::Canonical;
use crate::redact::{self, Depth, RedactedCall, Rules, Secret, Secrets};
use crate::tape::Tape;

/// The recordings of one tape, ready to be looked up.
#[derive(Debug)]
pub(crate) struct Lookup {
    /// The headers that count, in lower case.
    headers: Vec<String>,
    /// The program's own text of those requests that the tape holds with escapes.
    own: HashMap<usize, Call>,
    exact: HashMap<u64, Vec<usize>>,
    shaped: Option<Index>,
    known: Option<(usize, Index)>,
}

type Index = HashMap<Canonical, Vec<usize>>;

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
}

impl Lookup {
    /// Returns the lookup over this tape.
    pub(crate) fn new(tape: &Tape, headers: &[String]) -> Lookup {
        let mut own = HashMap::new();
        let mut exact: HashMap<u64, Vec<usize>> = HashMap::with_capacity(tape.interactions.len());
        for (i, interaction) in tape.interactions.iter().enumerate() {
            let mut call = Cow::Borrowed(&interaction.call);
            if redact::is_escaped(&call) {
                redact::unescape_call(call.to_mut());
            }
            exact.entry(hash(&call, headers)).or_default().push(i);
            if let Cow::Owned(call) = call {
                own.insert(i, call);
            }
        }
        Lookup { headers: headers.to_vec(), own, exact, shaped: None, known: None }
    }

    /// Returns the recordings of this call.
    pub(crate) fn find(&mut self, call: &Call, asking: &Asking<'_>) -> Matches {
        let mut all = self.exactly(call, asking.tape);
        if all.iter().any(|i| !asking.used[*i]) {
            return matches(all, Vec::new(), asking.used);
        }
        for depth in [Depth::Shape, Depth::Known] {
            let redacted = redact_alone(call, asking, depth);
            let canonical = Canonical::of(&redacted, &self.headers);
            let found = self.index(asking, depth).get(&canonical).cloned().unwrap_or_default();
            let fits = |i: &usize| fits(&redacted, &asking.tape.interactions[*i].call, asking.bound);
            let found: Vec<_> = found.into_iter().filter(|i| !all.contains(i)).filter(fits).collect();
            if let Some(first) = found.iter().find(|i| !asking.used[**i]) {
                let bindings = bindings(&redacted, &asking.tape.interactions[*first].call);
                return matches([all, found].concat(), bindings, asking.used);
            }
            all.extend(found);
        }
        matches(all, Vec::new(), asking.used)
    }

    fn exactly(&self, call: &Call, tape: &Tape) -> Vec<usize> {
        let recorded = |i: &usize| self.own.get(i).unwrap_or(&tape.interactions[*i].call);
        let candidates = self.exact.get(&hash(call, &self.headers)).map(Vec::as_slice).unwrap_or_default();
        candidates.iter().copied().filter(|i| same(recorded(i), call, &self.headers)).collect()
    }

    fn index(&mut self, asking: &Asking<'_>, depth: Depth) -> &Index {
        let version = asking.secrets.known_count();
        let (headers, slot) = match depth {
            Depth::Shape => (&self.headers, &mut self.shaped),
            Depth::Known => {
                let stale = self.known.as_ref().is_some_and(|(of, _)| *of != version);
                if stale {
                    self.known = None;
                }
                let headers = &self.headers;
                return &self.known.get_or_insert_with(|| (version, index(asking, headers, depth))).1;
            }
        };
        slot.get_or_insert_with(|| index(asking, headers, depth))
    }
}

fn index(asking: &Asking<'_>, headers: &[String], depth: Depth) -> Index {
    let mut index = Index::new();
    for (i, interaction) in asking.tape.interactions.iter().enumerate() {
        let mut secrets = asking.secrets.clone();
        let redacted = redact::redact_recorded(&interaction.call, asking.rules, depth, &mut secrets);
        index.entry(Canonical::of(&redacted, headers)).or_default().push(i);
    }
    index
}

/// Redacts a call with a ledger of its own, so that nothing of the run shows in the result.
fn redact_alone(call: &Call, asking: &Asking<'_>, depth: Depth) -> RedactedCall {
    redact::redact_call(call, asking.rules, depth, &mut asking.secrets.clone())
}

fn matches(mut all: Vec<usize>, bindings: Vec<(Secret, String)>, used: &[bool]) -> Matches {
    let (before, last) = (all.len(), all.iter().copied().max());
    all.retain(|i| !used[*i]);
    Matches { used: before - all.len(), unused: all, last, bindings }
}

/// Returns the secrets of a call with the placeholders of a recording of the same request, in order.
fn bindings(call: &RedactedCall, recorded: &Call) -> Vec<(Secret, String)> {
    let secrets = call.secrets();
    let placeholders = placeholders(recorded);
    if secrets.len() != placeholders.len() {
        return Vec::new();
    }
    secrets.iter().cloned().zip(placeholders).collect()
}

/// Returns whether no secret of the call was met before under another placeholder: two tenants are not mixed.
fn fits(call: &RedactedCall, recorded: &Call, bound: &HashMap<String, String>) -> bool {
    bindings(call, recorded)
        .iter()
        .all(|(secret, placeholder)| bound.get(secret.value()).is_none_or(|known| known == placeholder))
}

fn placeholders(call: &Call) -> Vec<String> {
    let body = String::from_utf8_lossy(&call.body);
    let texts =
        [call.name.as_str()].into_iter().chain(call.headers.iter().map(|(_, value)| value.as_str())).chain([&*body]);
    let mut found: Vec<String> = Vec::new();
    for placeholder in texts.flat_map(redact::placeholders) {
        if !found.iter().any(|known| known == placeholder) {
            found.push(placeholder.to_owned());
        }
    }
    found
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
