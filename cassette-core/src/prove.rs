//! The proof that a file replays, without which nothing is saved.
//!
//! The document is written, read back, and written again; every exchange must answer to its own request, every body be
//! byte for byte what was recorded, and the audit find nothing. Only what passes is [`Proven`], and only that is saved.

use crate::audit::{self, Allowed, Finding};
use crate::canonical::Canonical;
use crate::disk;
use crate::draft;
use crate::matcher;
use crate::matching::Matching;
use crate::redact::{self, Depth, Rules, Secrets};
use crate::report::{Late, Place};
use crate::request::Request;
use crate::tape::{Asked, Tape};

/// The text of a cassette that is known to replay and to hold no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    text: String,
}

impl Proven {
    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Why a file is not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unproven {
    /// The audit found something.
    Leak(Vec<Finding>),
    /// The user's own matcher takes these exchanges for another request's than their own.
    Denied(Vec<Place>),
    /// Values stand at these places of requests that are shown to be secret too late for a replay.
    Late(Vec<Late>),
    /// Values stand at these places of requests that an earlier reply gave, where a replay gives what the file hides them by.
    SentOn(Vec<Late>),
    /// It would not replay: what was found.
    Broken(String),
}

/// What a proof needs to know beside the tape.
pub(crate) struct Terms<'a> {
    /// What the test compares; `None` where nobody knows the test.
    pub(crate) matching: Option<&'a Matching>,
    pub(crate) rules: &'a Rules,
    pub(crate) secrets: &'a Secrets,
    pub(crate) allowed: &'a [Allowed],
}

/// Writes the tape and proves it.
pub(crate) fn prove(tape: &Tape, terms: &Terms<'_>) -> Result<Proven, Unproven> {
    let text = disk::write(tape);
    let findings = audit::audit(&text, terms.rules, terms.secrets, terms.allowed);
    if !findings.is_empty() {
        return Err(Unproven::Leak(findings));
    }
    if let Err(what) = replays(tape, &text, terms) {
        return Err(Unproven::Broken(what));
    }
    let denied = denied(tape, terms).map_err(Unproven::Broken)?;
    if denied.is_empty() { Ok(Proven { text }) } else { Err(Unproven::Denied(denied)) }
}

/// Returns the exchanges that the user's own matcher does not take for their own request's.
///
/// # Errors
///
/// Fails where it panics.
fn denied(tape: &Tape, terms: &Terms<'_>) -> Result<Vec<Place>, String> {
    let Some((matching, matcher)) = terms.matching.and_then(|it| Some((it, it.matcher.as_ref()?))) else {
        return Ok(Vec::new());
    };
    let mut denied = Vec::new();
    for (i, interaction) in tape.interactions.iter().enumerate() {
        // A matcher and digests do not go together: there is nothing for it to see.
        let takes = match &interaction.asked {
            Asked::Whole(call) => {
                let call = redact::redact_recorded(call, terms.rules, Depth::Known, &mut terms.secrets.clone());
                let request = Request::of(&call, matching);
                matcher::ask(&**matcher, request.call(), request.call())
            }
            Asked::Digest(_) => Some(false),
        };
        match takes {
            Some(true) => {}
            Some(false) => denied.push(draft::place(i, interaction)),
            None => {
                let place = draft::place(i, interaction);
                return Err(format!(
                    "the test's matcher panicked when it was asked whether {place} is its own request's"
                ));
            }
        }
    }
    Ok(denied)
}

/// Returns the text of a file with another date of recording: that of `tape`, which is the file's but for it. `None` where
/// the file would not be saved today, or does not say `from` where its head has the date.
pub(crate) fn redated(text: &str, from: Option<&str>, tape: &Tape, terms: &Terms<'_>) -> Option<Proven> {
    prove(tape, terms).ok()?;
    let to = tape.head.recorded.as_deref()?;
    let text = match from {
        Some(from) => {
            let member = text.find("\"recorded\"")?;
            let value = member + text[member..].find(from)?;
            [&text[..value], to, &text[value + from.len()..]].concat()
        }
        None => {
            let next = text.find("\"by\":")?;
            let line = text[..next].rfind('\n')?;
            let line = if text[..line].ends_with('\r') { line - 1 } else { line };
            format!("{}\"recorded\": \"{to}\",{}{}", &text[..next], &text[line..next], &text[next..])
        }
    };
    (disk::read(text.as_bytes()).as_ref() == Ok(tape)).then_some(Proven { text })
}

fn replays(tape: &Tape, text: &str, terms: &Terms<'_>) -> Result<(), String> {
    let back =
        disk::read(text.as_bytes()).map_err(|error| format!("what was written does not read back: {error:?}"))?;
    if disk::write(&back) != text {
        return Err("writing it again changes it".to_owned());
    }
    if back.interactions.len() != tape.interactions.len() {
        return Err("interactions were lost in writing".to_owned());
    }
    for (i, (written, recorded)) in back.interactions.iter().zip(&tape.interactions).enumerate() {
        let mut timeless = [written.clone(), recorded.clone()];
        timeless.iter_mut().for_each(crate::tape::Interaction::forget_times);
        if timeless[0] != timeless[1] {
            return Err(format!("interaction {} does not read back as it was recorded", i + 1));
        }
        // What digests were made of is not there any more: that they answer is for the rehearsal to show.
        let Asked::Whole(call) = &written.asked else { continue };
        let again = redact::redact_recorded(call, terms.rules, Depth::Shape, &mut terms.secrets.clone());
        let answers = match terms.matching {
            Some(matching) => Canonical::of(&again, matching).key() == written.key,
            // The key is of the test's own comparison. That the request is the recorded one is what every comparison takes.
            None => *again == *call,
        };
        if !answers {
            return Err(format!("interaction {} does not answer to its own request", i + 1));
        }
    }
    Ok(())
}
