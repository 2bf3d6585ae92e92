//! What a cassette says, once it has been read or is about to be written.

use std::borrow::Cow;
use std::fmt;

use crate::call::{Call, Kind};
use crate::digested::{Digested, Digests};
use crate::frames::Framing;
use crate::json::{Json, Member};
use crate::key::Key;
use crate::reply::{Chunk, Outcome};
use crate::view::gist;

/// The facts about a recording, which stand once at its top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The features that a reader must know.
    pub needs: Vec<String>,
    /// The test that owns the cassette: only it drops or refreshes recordings.
    pub test: Option<String>,
    /// The package of that test, where the directory is not the package's own: two may have a test of one name.
    pub package: Option<String>,
    /// Whether that test is annotated: if it is no longer known to its program, it was renamed.
    pub registered: bool,
    /// The day of the recording, `2026-11-29`.
    pub recorded: Option<String>,
    /// The program that wrote the file, with its version.
    pub by: String,
    /// The number of the redaction table in force.
    pub redaction: u64,
    /// The cassette that this one begins as, where it was forked.
    pub origin: Option<Origin>,
    /// What the test says that the recording was made with.
    pub stamp: Stamp,
    /// How its digests were made, where it holds digests of requests and no requests.
    pub digests: Option<Digests>,
    /// The user's own facts.
    pub meta: Vec<Member>,
    /// Members that this reader does not know and keeps.
    pub other: Vec<Member>,
}

/// Where a cassette was forked: it begins as another one does, up to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name of the other cassette.
    pub cassette: String,
    /// How many of its interactions are the first of this one.
    pub at: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at {}", self.cassette, self.at)
    }
}

/// What a recording was made with, as its test says: a replay that names another fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// What changes requests or replies in the user's program, `guardrail@2`.
    pub hooks: Vec<String>,
    /// The provider.
    pub provider: Option<String>,
    /// The version of whatever the test is about.
    pub version: Option<String>,
}

impl Stamp {
    /// Returns what is named here; where nothing is, what `other` has.
    pub(crate) fn or(&self, other: &Stamp) -> Stamp {
        Stamp {
            hooks: if self.hooks.is_empty() { other.hooks.clone() } else { self.hooks.clone() },
            provider: self.provider.clone().or_else(|| other.provider.clone()),
            version: self.version.clone().or_else(|| other.version.clone()),
        }
    }
}

impl Head {
    /// Sets a fact of the user's.
    pub fn set_meta(&mut self, name: &str, value: Json) {
        self.meta.retain(|(known, _)| !known.is(name));
        self.meta.push((name.into(), value));
    }
}

/// What a recording holds of its request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Asked {
    /// The request, redacted.
    Whole(Call),
    /// Digests of it alone, and no text.
    Digest(Digested),
}

impl Asked {
    /// Returns the seam through which it was asked.
    pub fn kind(&self) -> Kind {
        match self {
            Asked::Whole(call) => call.kind,
            Asked::Digest(digested) => digested.kind,
        }
    }

    /// Returns the name under which it was recorded: of digests, the URL up to its query.
    pub fn name(&self) -> &str {
        match self {
            Asked::Whole(call) => &call.name,
            Asked::Digest(digested) => &digested.name,
        }
    }

    /// Returns the request as far as it is held: of digests the seam and the name, without headers and body.
    pub fn known(&self) -> Cow<'_, Call> {
        match self {
            Asked::Whole(call) => Cow::Borrowed(call),
            Asked::Digest(Digested { kind, name, .. }) => {
                Cow::Owned(Call { kind: *kind, name: name.clone(), headers: Vec::new(), body: Vec::new() })
            }
        }
    }

    /// Returns what it asks, in a few words: of digests nothing is known.
    pub(crate) fn gist(&self) -> Option<String> {
        match self {
            Asked::Whole(call) => gist(call),
            Asked::Digest(_) => None,
        }
    }

    /// Returns it as reports name it, as [`Call::title`] does a call.
    pub fn title(&self) -> String {
        self.kind().title(self.name())
    }
}

/// One recorded exchange. Only what was redacted, or stood in a file, becomes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    pub(crate) key: Key,
    pub(crate) asked: Asked,
    pub(crate) within: Option<usize>,
    pub(crate) overlaps: bool,
    pub(crate) outcome: Outcome,
}

impl Interaction {
    /// Returns whether any of these texts stands in it as it is.
    pub(crate) fn holds_any(&self, texts: &[String]) -> bool {
        let holds = |place: &str| texts.iter().any(|text| place.contains(text.as_str()));
        let bytes = |place: &[u8]| holds(&String::from_utf8_lossy(place));
        let asked = match &self.asked {
            Asked::Whole(call) => {
                holds(&call.name) || bytes(&call.body) || call.headers.iter().any(|(_, value)| holds(value))
            }
            Asked::Digest(digested) => holds(&digested.name),
        };
        asked
            || match &self.outcome {
                Outcome::Error(error) => holds(&error.message),
                Outcome::Reply(reply) => {
                    bytes(&reply.body()) || reply.headers.iter().chain(&reply.trailers).any(|(_, value)| holds(value))
                }
            }
    }

    /// Returns the key under which it was filed.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Returns what it holds of the request.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Returns the request, where it holds the whole of it.
    pub fn call(&self) -> Option<&Call> {
        match &self.asked {
            Asked::Whole(call) => Some(call),
            Asked::Digest(_) => None,
        }
    }

    /// Returns how the call ended.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the position of the function call during which this one was made, from 0.
    pub fn within(&self) -> Option<usize> {
        self.within
    }

    /// Returns whether the call overlapped in time with the one before it, so that their order says nothing.
    pub fn overlaps(&self) -> bool {
        self.overlaps
    }
}

/// A whole cassette. It does not change after it was read: what has been served is the session's business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    /// The facts about the recording.
    pub head: Head,
    /// The exchanges, in the order in which they were started.
    pub interactions: Vec<Interaction>,
}

impl Interaction {
    /// Takes every time away.
    pub(crate) fn forget_times(&mut self) {
        if let Outcome::Reply(reply) = &mut self.outcome {
            reply.chunks.iter_mut().for_each(|chunk| chunk.at = None);
        }
    }

    /// Joins the chunks of a body that is no stream of events: the network cut it, and cuts it otherwise next time.
    pub(crate) fn forget_cuts(&mut self) {
        let Outcome::Reply(reply) = &mut self.outcome else { return };
        let is_stream = reply.header("content-type").and_then(Framing::of).is_some();
        if !is_stream && reply.chunks.len() > 1 {
            reply.chunks = vec![Chunk { bytes: reply.body(), at: None }];
        }
    }
}
