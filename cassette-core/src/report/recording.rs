//! Reports about a recording that was not taken over.

use std::fmt;

use super::{Place, count, help};
use crate::pending::Since;

/// A secret would have been saved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leak {
    /// The cassette's name.
    pub cassette: String,
    /// What was found, a line each: path, rule and a hint that does not give the secret away.
    pub findings: Vec<String>,
    /// Where the recording lies, the findings masked.
    pub pending: String,
    /// Why it does not lie there.
    pub unkept: Option<String>,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` was not saved: the audit has {}", self.cassette, count(self.findings.len(), "finding"))?;
        for finding in &self.findings {
            write!(f, "\n  {finding}")?;
        }
        match &self.unkept {
            Some(why) => write!(f, "\n  the recording was not kept: {why}")?,
            None => write!(f, "\n  masked, the recording is in {}", self.pending)?,
        }
        help(f, &self.help)
    }
}

/// Why a recording stayed pending.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The test failed.
    TestFailed,
    /// The upstream was not in order: each call with what came back.
    Outage(Vec<String>),
    /// A host was reached round every seam.
    Bypass(Vec<String>),
    /// The test ended while these calls were under way.
    UnderWay(Vec<String>),
    /// The test's own matcher takes these recordings for another request's than their own.
    Matcher(Vec<Place>),
    /// These functions panicked.
    Broken(Vec<String>),
    /// At these places of requests stand values that only what came later has shown to be secret.
    Late(Vec<Late>),
    /// At these places of requests stand values that an earlier reply gave, in which the file hides them.
    SentOn(Vec<Late>),
    /// The file at this path was not the one any more that the test had read: what became of it.
    Meanwhile(String, Since),
    /// The file would not have replayed: what was found.
    Unproven(String),
}

/// A place in a request at which a value stands that is not hidden there, as a replay would have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// The call, and where in it. Nothing secret is in it.
    pub place: String,
    /// What hides the value from the start.
    pub by: HiddenBy,
}

/// What hides a value from the start, and nothing else with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HiddenBy {
    /// The name of the field that holds it alone, which says that it is secret.
    Field(String),
    /// The variable of the environment that holds it.
    Variable(String),
    /// The value itself, wherever it stands.
    Value,
}

/// What was recorded was not taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// The cassette's name.
    pub cassette: String,
    /// Why.
    pub why: Why,
    /// Where the recording lies; `None` where nothing was recorded, or kept.
    pub pending: Option<String>,
    /// Why what was recorded was not kept: at most its journal is left of it.
    pub unkept: Option<String>,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.cassette;
        match &self.why {
            Why::TestFailed => write!(f, "the test failed, so what it recorded for `{name}` was not taken over")?,
            Why::Outage(calls) => {
                write!(f, "the upstream was not in order, so what was recorded for `{name}` was not taken over")?;
                calls.iter().try_for_each(|call| write!(f, "\n  {call}"))?;
            }
            Why::Bypass(hosts) => {
                write!(f, "a host was reached round every seam, so what was recorded for `{name}` was not taken over")?;
                hosts.iter().try_for_each(|host| write!(f, "\n  {host}"))?;
            }
            Why::UnderWay(calls) => {
                write!(
                    f,
                    "the test ended while calls were under way, so what was recorded for `{name}` was not taken over"
                )?;
                calls.iter().try_for_each(|call| write!(f, "\n  {call}"))?;
            }
            Why::Matcher(places) => {
                write!(f, "the test's matcher denies what was recorded for `{name}`, so it was not taken over")?;
                places.iter().try_for_each(|place| write!(f, "\n  {place}, does not match its own request"))?;
            }
            Why::Broken(calls) => {
                write!(
                    f,
                    "functions gave neither value nor error, so what was recorded for `{name}` was not taken over"
                )?;
                calls.iter().try_for_each(|call| write!(f, "\n  {call}"))?;
            }
            Why::Late(late) => {
                write!(
                    f,
                    "a value was shown to be secret too late, so what was recorded for `{name}` was not taken over: it is hidden in \
                     the file, and a replay would compare it as it is"
                )?;
                late.iter().try_for_each(|Late { place, .. }| write!(f, "\n  {place}"))?;
            }
            Why::SentOn(sent) => {
                write!(
                    f,
                    "a value that a reply gave was sent on in plain, so what was recorded for `{name}` was not taken over: the file \
                     hides it in the reply, and a replay would send what stands for it there"
                )?;
                sent.iter().try_for_each(|Late { place, .. }| write!(f, "\n  {place}"))?;
            }
            Why::Meanwhile(file, since) => {
                let since = since.words();
                write!(f, "{file} {since} while the test ran, so what was recorded for `{name}` was not taken over")?;
            }
            Why::Unproven(what) => {
                write!(f, "the file written for `{name}` would not have replayed, so it was not taken over\n  {what}")?;
            }
        }
        match (&self.pending, &self.unkept) {
            (Some(pending), _) => write!(f, "\n  it is in {pending}")?,
            (None, Some(why)) => write!(f, "\n  it was not kept: {why}")?,
            (None, None) => f.write_str("\n  nothing was recorded")?,
        }
        help(f, &self.help)
    }
}

/// What was asked for is not allowed here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// What was asked for, and why it is refused.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl Refused {
    /// Returns a report of this text.
    pub fn new(what: impl Into<String>, help: impl Into<String>) -> Refused {
        Refused { what: what.into(), help: help.into() }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        help(f, &self.help)
    }
}
