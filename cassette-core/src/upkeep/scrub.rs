//! A file at rest, redacted again: by today's rules, and with what is known to be secret here.

use std::collections::BTreeSet;

use super::known::{proven, read};
use super::{Known, Refusal};
use crate::audit::{audit, member_step};
use crate::call::Call;
use crate::canonical::Canonical;
use crate::disk;
use crate::hiding::hide;
use crate::json::{Json, Layout, Member};
use crate::matching::Matching;
use crate::prove::Proven;
use crate::redact::{self, Depth, Rules, Secrets, TABLE};
use crate::renumber::renumber;
use crate::tape::Tape;

/// A file that was redacted again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scrubbed {
    /// What was hidden, in the order of the file.
    pub hidden: Vec<Hidden>,
    /// The document; `None` where nothing had to be hidden.
    pub document: Option<Proven>,
}

/// A place in which something was hidden.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hidden {
    /// Where it stood, as the audit names places: `interactions[1].request.body.json.messages[0].content`.
    pub path: String,
    /// The rules under which it is hidden.
    pub rules: Vec<String>,
}

/// How often a file is gone through: what is learned at its end may stand at its beginning.
const ROUNDS: usize = 4;

/// Returns a file with everything hidden that today's rules hide, and what is known to be secret.
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
    let hidden = places(&tape, &clean);
    if hidden.is_empty() {
        proven(&tape, known)?;
        return Ok(Scrubbed { hidden, document: None });
    }
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
    Ok(Scrubbed { hidden, document: Some(document) })
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
    hidden(once, &rules, &mut secrets)
}

fn hidden(tape: Tape, rules: &Rules, secrets: &mut Secrets) -> Tape {
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

/// Returns where two tapes differ.
fn places(before: &Tape, after: &Tape) -> Vec<Hidden> {
    let [before, after] = [before, after].map(|tape| Json::parse_around(&disk::write(tape)).unwrap_or(Json::Null));
    let mut found = Vec::new();
    walk(&before, &after, String::new(), &mut found);
    found
}

/// What changes with whatever was hidden, and tells nothing.
const MADE: [&str; 4] = ["key", "seal", "chunks", "redaction"];

fn walk(before: &Json, after: &Json, path: String, found: &mut Vec<Hidden>) {
    match (before, after) {
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                walk(old, new, format!("{path}[{i}]"), found);
            }
        }
        (Json::Object(old), Json::Object(new)) if old.iter().map(|it| &it.0).eq(new.iter().map(|it| &it.0)) => {
            let is_frame = path.is_empty() || path.matches('.').count() <= 1 && path.starts_with("interactions[");
            for (i, ((name, old), (_, new))) in old.iter().zip(new).enumerate() {
                let name = name.value();
                if is_frame && MADE.contains(&&*name) {
                    continue;
                }
                let step = member_step(&name, i, false);
                let step = if path.is_empty() { step.trim_start_matches('.') } else { &step };
                walk(old, new, format!("{path}{step}"), found);
            }
        }
        _ if before == after => {}
        _ => {
            let [old, new] = [before, after].map(|json| json.print(Layout::Compact));
            let kinds = |text: &str| -> BTreeSet<String> {
                let kind = |mark: &str| Some(mark.strip_prefix("REDACTED.")?.rsplit_once('.')?.0.to_owned());
                redact::placeholders(text).filter_map(kind).collect()
            };
            let known = kinds(&old);
            let (fresh, all) = (kinds(&new), kinds(&new));
            let fresh: Vec<_> = fresh.into_iter().filter(|kind| !known.contains(kind)).collect();
            found.push(Hidden { path, rules: if fresh.is_empty() { all.into_iter().collect() } else { fresh } });
        }
    }
}
