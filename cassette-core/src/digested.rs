//! A request of which a cassette holds digests alone, and how they were made.

use crate::call::{Call, Kind};
use crate::canonical::{Canonical, Outline};
use crate::json::Json;
use crate::key::{Digest, Key, Mark, Salt};
use crate::matching::{Matching, Selector};
use crate::redact::{self, RedactedCall, Rules};

/// A request of which there are digests alone. Nothing of what it said can be had from it, but what is listed here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digested {
    pub(crate) kind: Kind,
    /// The method and the URL up to its query, or the function's name.
    pub(crate) name: String,
    /// The placeholders of what was hidden in it, each once, in order of first occurrence.
    pub(crate) hidden: Vec<String>,
    pub(crate) outline: Outline,
}

/// How the digests of a cassette were made: only a run that compares so can make them again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    pub(crate) salt: Salt,
    pub(crate) compared: Compared,
    /// The mark of the user's own redaction rules, without their values; `None` where there are none.
    pub(crate) rules: Option<Mark>,
}

/// What counted when a request was compared, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// The parts and the paths that alone are compared.
    pub(crate) match_on: Option<[Vec<String>; 2]>,
    /// The paths that are left out, sorted.
    pub(crate) ignore: Vec<String>,
    /// The headers that are compared.
    pub(crate) match_header: Vec<String>,
    /// How many functions the body goes through: what they do is not known.
    pub(crate) normalize: u64,
}

impl Digested {
    /// Returns the key and the digests of a call.
    pub(crate) fn of(call: &RedactedCall, matching: &Matching, salt: &Salt) -> (Key, Digested) {
        let canonical = Canonical::of(call, matching);
        let outline = Outline::of(call, &canonical, salt);
        let digested =
            Digested { kind: call.kind, name: Digested::name_of(call).to_owned(), hidden: hidden(call), outline };
        (canonical.salted_key(Some(salt)), digested)
    }

    /// Returns what is kept of a call's name.
    pub(crate) fn name_of(call: &Call) -> &str {
        match call.kind {
            Kind::Http => call.name.split(['?', '#']).next().unwrap_or_default(),
            _ => &call.name,
        }
    }
}

impl Digests {
    /// Returns how a run with these rules makes digests.
    pub(crate) fn of(salt: Salt, matching: &Matching, rules: &Rules) -> Digests {
        let rules = rules_mark(rules, &salt);
        Digests { compared: Compared::of(matching), rules, salt }
    }
}

impl Digests {
    /// Returns how they were made, as a document for a reader.
    pub(crate) fn told(&self) -> Json {
        let options = self.compared.said().into_iter().filter_map(|(name, said)| Some((name, said?.as_str().into())));
        let rules = self.rules.map(|mark| ("redact", mark.to_string().as_str().into()));
        let salt = ("salt", self.salt.as_str().into());
        Json::Object(
            std::iter::once(salt).chain(options).chain(rules).map(|(name, said)| (name.into(), said)).collect(),
        )
    }
}

impl Compared {
    fn of(matching: &Matching) -> Compared {
        let named = |selectors: &Vec<Selector>| {
            let mut named = [Vec::new(), Vec::new()];
            for selector in selectors {
                match selector {
                    Selector::Part(part) => named[0].push(part.to_string()),
                    Selector::Path(path) => named[1].push(path.to_string()),
                }
            }
            // The order of parts says nothing; that of paths does, in the digest.
            named[0].sort();
            named[0].dedup();
            named
        };
        let mut ignore: Vec<_> = matching.ignore.iter().map(ToString::to_string).collect();
        ignore.sort();
        ignore.dedup();
        Compared {
            match_on: matching.match_on.as_ref().map(named),
            ignore,
            match_header: matching.headers.clone(),
            normalize: matching.normalize.len() as u64,
        }
    }

    /// Returns each option of the test that says something else in the other, with what the two say.
    pub(crate) fn changes(&self, other: &Compared) -> Vec<(&'static str, Option<String>, Option<String>)> {
        let [ours, theirs] = [self.said(), other.said()];
        let pairs = ours.into_iter().zip(theirs);
        pairs.filter(|((_, a), (_, b))| a != b).map(|((name, ours), (_, theirs))| (name, ours, theirs)).collect()
    }

    fn said(&self) -> [(&'static str, Option<String>); 4] {
        let list = |items: &[String]| (!items.is_empty()).then(|| items.join(", "));
        let named = |[parts, paths]: &[Vec<String>; 2]| {
            let quoted = paths.iter().map(|path| format!("\"{path}\""));
            list(&parts.iter().cloned().chain(quoted).collect::<Vec<_>>())
        };
        let functions = match self.normalize {
            0 => None,
            1 => Some("1 function".to_owned()),
            n => Some(format!("{n} functions")),
        };
        [
            ("match_on", self.match_on.as_ref().and_then(named)),
            ("ignore", list(&self.ignore)),
            ("match_header", list(&self.match_header)),
            ("normalize", functions),
        ]
    }
}

/// Returns the placeholders in a call, each once, in order of first occurrence.
pub(crate) fn hidden(call: &Call) -> Vec<String> {
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

/// Returns the mark of the user's rules: names, and of values and functions how many there are.
fn rules_mark(rules: &Rules, salt: &Salt) -> Option<Mark> {
    let Rules { fields, headers, values, custom, pii, .. } = rules;
    let sorted = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names.join(",")
    };
    let none = fields.is_empty() && headers.is_empty() && values.is_empty() && custom.is_empty() && !pii;
    let said = format!("{} {} {} {} {pii}", sorted(fields), sorted(headers), values.len(), custom.len());
    (!none).then(|| Digest::of(Some(salt), "rules", said.as_bytes()).mark())
}
