//! Recordings of which there are digests alone: found by the key that the call has under the file's own salt.
//!
//! Least redaction first, here as well: a call is recognised by its key as it stands, where nothing in it was hidden, else
//! as redaction leaves it.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::tenants::fits;
use super::{Asking, Matches, chosen, matches, redact_alone};
use crate::call::{Call, Header};
use crate::canonical::{Aside, Canonical, Outline, Setting, spelled};
use crate::dialect;
use crate::digested::{Digested, hidden};
use crate::key::{Key, Salt};
use crate::matching::Matching;
use crate::redact::{self, Depth, RedactedCall, headers};
use crate::report::Change;
use crate::tape::{Asked, Tape};

/// The recordings of a tape by the keys that they hold.
#[derive(Debug)]
pub(super) struct ByKey {
    salt: Salt,
    recordings: HashMap<Key, Vec<usize>>,
}

/// A call in one redaction.
struct Reading {
    /// The call as it is read.
    call: Call,
    /// The redaction, where the call was redacted at all.
    redacted: Option<RedactedCall>,
    canonical: Canonical,
}

impl ByKey {
    /// Returns the recordings of a tape that holds digests.
    pub(super) fn of(tape: &Tape) -> Option<ByKey> {
        let salt = tape.head.digests.as_ref()?.salt.clone();
        let mut recordings: HashMap<Key, Vec<usize>> = HashMap::with_capacity(tape.interactions.len());
        for (i, interaction) in tape.interactions.iter().enumerate() {
            recordings.entry(interaction.key.clone()).or_default().push(i);
        }
        Some(ByKey { salt, recordings })
    }

    /// Returns the recordings of this call.
    pub(super) fn find(&self, call: &Call, asking: &Asking<'_>, matching: &Matching) -> Matches {
        let mut all: Vec<usize> = Vec::new();
        let mut drifted = Vec::new();
        let mut before: Option<Canonical> = None;
        // A placeholder in the call came from a reply, or else is the program's own text.
        let literal = (!hidden(call).is_empty()).then(|| asking.secrets.unserved());
        let literal = literal.as_ref().map(|secrets| Asking { secrets, ..*asking });
        let readings = [None, Some(Depth::Shape), Some(Depth::Known)].map(|depth| (asking, depth));
        let literal = literal.iter().flat_map(|asking| [Depth::Shape, Depth::Known].map(|depth| (asking, Some(depth))));
        for (asking, depth) in readings.into_iter().chain(literal) {
            let Some(reading) = Reading::of(call, asking, matching, depth) else { continue };
            // Where no more is hidden than before, no more is found.
            if before.as_ref().is_some_and(|before| before.parts() == reading.canonical.parts()) {
                continue;
            }
            let mut found = self.at(&reading, asking);
            found.retain(|i| !all.contains(i));
            let outline = (!found.is_empty()).then(|| Outline::of(&reading.call, &reading.canonical, &self.salt));
            if let Some(outline) = outline {
                let theirs = hidden(&reading.call);
                // What came back from a reply under its placeholder says which recording it belongs to.
                found.sort_by_cached_key(|i| {
                    let recorded = digested(asking.tape, *i);
                    let same = recorded.is_some_and(|recorded| recorded.hidden == theirs);
                    let likeness = recorded.map(|recorded| recorded.outline.likeness(&outline));
                    (Reverse((same, likeness)), asking.covered[*i])
                });
                let drift = |i: &usize| Some((*i, reading.drift(&digested(asking.tape, *i)?.outline, &outline)?));
                drifted.extend(found.iter().filter_map(drift));
            }
            if found.iter().any(|i| !asking.used[*i]) {
                let all = [all, found.clone()].concat();
                let matches = match &reading.redacted {
                    Some(redacted) => chosen(all, &found, redacted, asking),
                    None => matches(all, Vec::new(), asking.used),
                };
                return Matches { drifted, ..matches };
            }
            all.extend(found);
            before = Some(reading.canonical);
        }
        Matches { drifted, ..matches(all, Vec::new(), asking.used) }
    }

    /// Returns the recordings under the key of this reading, but for those of another's secrets.
    fn at(&self, reading: &Reading, asking: &Asking<'_>) -> Vec<usize> {
        let key = reading.canonical.salted_key(Some(&self.salt));
        let mut found = self.recordings.get(&key).cloned().unwrap_or_default();
        if let Some(call) = &reading.redacted {
            let fits = |known: &Digested| fits(call, known.hidden.clone(), asking.bound);
            found.retain(|i| digested(asking.tape, *i).is_some_and(fits));
        }
        found
    }
}

impl Reading {
    /// Returns a call as redaction of this depth leaves it; without one as it stands, unless it has text of its own that
    /// looks like a placeholder, which no recording holds as it stands.
    fn of(call: &Call, asking: &Asking<'_>, matching: &Matching, depth: Option<Depth>) -> Option<Reading> {
        let Some(depth) = depth else {
            let ours = |placeholder: &String| asking.secrets.served(placeholder);
            if redact::is_escaped(call) || !hidden(call).iter().all(ours) {
                return None;
            }
            let kept = |(name, _): &&Header| headers::is_kept(name, &asking.rules.keep_request_headers);
            let call = Call { headers: call.headers.iter().filter(kept).cloned().collect(), ..call.clone() };
            let canonical = Canonical::in_dialect(&call, dialect::detect(&call), matching);
            return Some(Reading { call, redacted: None, canonical });
        };
        let redacted = redact_alone(call, asking, depth);
        let canonical = Canonical::of(&redacted, matching);
        Some(Reading { call: redacted.call().clone(), redacted: Some(redacted), canonical })
    }

    /// Returns where the sampling of a recording is not the call's, if it is another.
    fn drift(&self, recorded: &Outline, incoming: &Outline) -> Option<Vec<Change>> {
        let paths = |outline: &Outline| outline.sampling.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        let mut all = [paths(recorded), paths(incoming)].concat();
        all.sort();
        all.dedup();
        all.retain(|path| recorded.setting(path) != incoming.setting(path));
        let aside: &Aside = self.canonical.aside();
        let said = |path: &str| aside.sampling().find(|(known, _)| *known == path).map(|(_, value)| value.to_owned());
        let one = |path: String| Change {
            recorded: recorded.setting(&path).map(Setting::to_string),
            incoming: spelled(&self.call, &path).or_else(|| said(&path)),
            path,
        };
        (!all.is_empty()).then(|| all.into_iter().map(one).collect())
    }
}

fn digested(tape: &Tape, index: usize) -> Option<&Digested> {
    match &tape.interactions[index].asked {
        Asked::Digest(digested) => Some(digested),
        Asked::Whole(_) => None,
    }
}
