//! A file at rest, redacted again: by today's rules, and with what is known to be secret here.

use super::known::{proven, read};
use super::places::{Hidden, places};
use super::vouched::spared;
use super::{Known, Refusal};
use crate::audit::audit;
use crate::call::Call;
use crate::canonical::Canonical;
use crate::disk;
use crate::hiding::hide;
use crate::json::{Json, Layout, Member};
use crate::matching::Matching;
use crate::prove::Proven;
use crate::redact::{self, Depth, Rules, Secrets, TABLE};
use crate::renumber::renumber;
use crate::reply::Outcome;
use crate::tape::{Asked, Head, Tape};

/// A file that was redacted again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scrubbed {
    /// What was hidden, in the order of the file.
    pub hidden: Vec<Hidden>,
    /// By which table it had been redacted, where that is older than today's: it is by today's now.
    pub older: Option<u64>,
    /// The document; `None` where nothing had to be hidden, and the table is today's.
    pub document: Option<Proven>,
}

/// How often a file is gone through: what is learned at its end may stand at its beginning.
const ROUNDS: usize = 4;

/// Returns a file with everything hidden that today's rules hide, and what is known to be secret, but for what somebody vouches for.
///
/// Requests that were changed get a key of the default comparison; a program that sends the same secret is redacted alike, and
/// finds its recording.
///
/// # Errors
///
/// Fails where the file cannot be read, and where what is left could not be saved: the audit finds what no rule can hide.
pub fn scrubbed(document: &[u8], known: &Known) -> Result<Scrubbed, Refusal> {
    let tape = read(document)?;
    let rules = known.rules(&tape);
    let mut secrets = known.secrets.clone();
    secrets.start_after_text(&disk::write(&tape));
    let mut clean = tape.clone();
    for _ in 0..ROUNDS {
        let before = clean.clone();
        clean = hidden(clean, &rules, &mut secrets);
        if clean == before {
            break;
        }
    }
    let clean = spared(&tape, clean, &rules, known);
    let hidden = places(&tape, &clean);
    // Of what only digests are kept nobody can say what another table would have hidden.
    let older = (tape.head.digests.is_none() && tape.head.redaction < TABLE).then_some(tape.head.redaction);
    if hidden.is_empty() && older.is_none() {
        proven(&tape, known)?;
        return Ok(Scrubbed { hidden, older, document: None });
    }
    let mut clean = clean;
    for (interaction, old) in clean.interactions.iter_mut().zip(&tape.interactions) {
        if let Some(call) = interaction.call().filter(|_| interaction.asked != old.asked) {
            let call = redact::redact_recorded(call, &rules, Depth::Known, &mut secrets);
            interaction.key = Canonical::of(&call, &Matching::default()).key();
        }
    }
    if clean.head.digests.is_none() {
        clean.head.redaction = TABLE;
    }
    let document = proven(&renumber(clean), known)?;
    Ok(Scrubbed { hidden, older, document: Some(document) })
}

/// Returns a tape as it may be shown to anybody: with everything hidden that today's rules hide, and what is known to be secret. Nothing is
/// proven, and nothing changes where the audit finds nothing that nobody vouches for.
pub fn presentable(tape: Tape, known: &Known) -> Tape {
    let rules = known.rules(&tape);
    let text = disk::write(&tape);
    if audit(&text, &rules, &known.secrets, &known.allowed).is_empty() {
        return tape;
    }
    let mut secrets = known.secrets.clone();
    secrets.start_after_text(&text);
    // What is learned at its end may stand at its beginning.
    let once = hidden(tape, &rules, &mut secrets);
    let shown = hidden(once, &rules, &mut secrets);
    unnamed(shown, |text| *text = redact::redact_text(text, &rules, &mut secrets))
}

/// Returns a tape in which this was done to what no file can do without, and so is hidden only where it is shown: what its head says, and
/// the names of headers.
fn unnamed(mut tape: Tape, mut hide: impl FnMut(&mut String)) -> Tape {
    let Head { needs, test, package, recorded, by, origin, stamp, .. } = &mut tape.head;
    let said = [test, package, recorded, &mut stamp.provider, &mut stamp.version];
    said.into_iter().flatten().for_each(&mut hide);
    needs.iter_mut().chain(&mut stamp.hooks).for_each(&mut hide);
    origin.iter_mut().for_each(|origin| hide(&mut origin.cassette));
    hide(by);
    for interaction in &mut tape.interactions {
        if let Asked::Whole(call) = &mut interaction.asked {
            call.headers.iter_mut().for_each(|(name, _)| hide(name));
        }
        if let Outcome::Reply(reply) = &mut interaction.outcome {
            reply.headers.iter_mut().chain(&mut reply.trailers).for_each(|(name, _)| hide(name));
        }
    }
    tape
}

pub(super) fn hidden(tape: Tape, rules: &Rules, secrets: &mut Secrets) -> Tape {
    let Tape { mut head, interactions } = tape;
    let interactions = interactions.into_iter().map(|interaction| hide(interaction, rules, secrets).0).collect();
    head.meta = facts(head.meta, rules, secrets);
    head.other = facts(head.other, rules, secrets);
    Tape { head, interactions }
}

/// Returns facts of the head without what is secret in them: what hides a body hides them.
fn facts(facts: Vec<Member>, rules: &Rules, secrets: &mut Secrets) -> Vec<Member> {
    let body = Json::Object(facts.clone()).print(Layout::Compact).into_bytes();
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let call = Call::http("POST", "https://head.invalid/", headers, body);
    let hidden = redact::redact_recorded(&call, rules, Depth::Known, secrets);
    let read = std::str::from_utf8(&hidden.body).ok().and_then(|text| Json::parse(text).ok());
    match read {
        Some(Json::Object(members)) => members,
        _ => facts,
    }
}
