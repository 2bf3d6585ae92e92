//! `cargo cassette scrub`: cassettes at rest are redacted again.

use std::fs;

use cargo_cassette::shelf::Shelf;
use cassette_core::json::Json;
use cassette_core::store::{Store as _, StoreError};
use cassette_core::upkeep::{Hidden, Refusal, scrubbed};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Of, Waiting, chosen, locked, refused, refused_json, waiting};
use crate::output::{Ink, Line, Output, count};

/// Redact cassettes again: by today's rules, and with what the environment says is secret
///
/// Every place is told by interaction and path, and no value is printed. What was hidden in a request still matches: the program
/// sends it, and it is hidden there too. What is in the history of the repository stays there: change the key.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette scrub --dry-run\n  cargo cassette scrub trains --field session_token\n\nExit codes: 0 done, 1 something cannot be hidden, or would be with --dry-run, 2 it could not be done as asked."
)]
pub(crate) struct Scrub {
    /// The cassettes' names [default: all]
    cassettes: Vec<String>,
    /// Show what would be hidden, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// A field whose value is secret: a JSON key, a query or a form field
    #[arg(long, value_name = "NAME")]
    field: Vec<String>,
    /// A header whose value is secret
    #[arg(long, value_name = "NAME")]
    header: Vec<String>,
    /// Hide e-mail addresses, card numbers and telephone numbers too
    #[arg(long)]
    pii: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(scrub: &Scrub, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let all = chosen(waiting(around, Shelf::cassettes)?, &scrub.cassettes, "scrub", true)?;
    let mut found = Found::Nothing;
    let mut told = Vec::new();
    let mut places = 0;
    for cassette in &all {
        let name = cassette.spot.name.as_str();
        let settled = one(scrub, cassette);
        let counts = match &settled {
            Ok(hidden) => scrub.dry_run && !hidden.is_empty(),
            Err(_) => true,
        };
        if counts {
            found = Found::Something;
        }
        match settled {
            _ if scrub.json => told.push(json(cassette, &settled, scrub.dry_run)),
            Err(refusal) => refused(name, &refusal, Of::File, output)?,
            Ok(hidden) if hidden.is_empty() => {}
            Ok(hidden) => {
                places += hidden.len();
                let verb = if scrub.dry_run { "would scrub " } else { "scrubs " };
                output.line(&Line::of(verb).ink(Ink::Strong, &cassette.spot.shown))?;
                for Hidden { path, rules, .. } in &hidden {
                    output.line(&Line::of("  ").plain(path).plain(": ").ink(Ink::Warn, &rules.join(", ")))?;
                }
            }
        }
    }
    if scrub.json {
        output.json(&Json::object([("scrubbed", told.into())]))?;
        return Ok(found);
    }
    let what = if places == 0 { "nothing to hide".to_owned() } else { count(places, "place") };
    output.line(&Line::of(&format!("{} looked at, {what}", count(all.len(), "cassette"))))?;
    Ok(found)
}

/// Scrubs one cassette, and returns what was hidden.
fn one(scrub: &Scrub, cassette: &Waiting) -> Result<Vec<Hidden>, Refusal> {
    let (store, name) = (cassette.store(), &cassette.spot.name);
    let mut known = cassette.known(name)?;
    known.rules.fields.extend(scrub.field.iter().cloned());
    known.rules.headers.extend(scrub.header.iter().map(|name| name.to_ascii_lowercase()));
    known.rules.pii = scrub.pii;
    let look = || {
        let failed = |error: std::io::Error| StoreError::Io(cassette.spot.shown.clone(), "read", error.to_string());
        let document = fs::read(&cassette.spot.path).map_err(failed)?;
        scrubbed(&document, &known)
    };
    let first = look()?;
    match (scrub.dry_run, first.document) {
        (true, _) | (_, None) => Ok(first.hidden),
        (false, Some(_)) => locked(&store, name, || {
            // It may have been recorded again before it was locked.
            let scrubbed = look()?;
            scrubbed.document.iter().try_for_each(|document| store.save(name, document))?;
            Ok(scrubbed.hidden)
        }),
    }
}

fn json(cassette: &Waiting, settled: &Result<Vec<Hidden>, Refusal>, dry_run: bool) -> Json {
    let name = cassette.spot.name.as_str();
    let mut members = vec![("name", name.into()), ("file", cassette.spot.shown.as_str().into())];
    match settled {
        Err(refusal) => {
            members.push(("outcome", "refused".into()));
            members.extend(refused_json(name, refusal, Of::File));
        }
        Ok(hidden) => {
            let outcome = match (hidden.is_empty(), dry_run) {
                (true, _) => "clean",
                (false, true) => "would be scrubbed",
                (false, false) => "scrubbed",
            };
            let place = |Hidden { path, rules, .. }: &Hidden| {
                let rules: Vec<Json> = rules.iter().map(|rule| rule.as_str().into()).collect();
                Json::object([("path", path.as_str().into()), ("rules", rules.into())])
            };
            members.push(("outcome", outcome.into()));
            members.push(("hidden", hidden.iter().map(place).collect::<Vec<_>>().into()));
        }
    }
    Json::object(members)
}
