//! `cargo cassette accept`: recordings that were not taken over are.

use cassette_core::json::Json;
use cassette_core::upkeep::Refusal;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::review::page;
use super::settling::{Of, Waiting, chosen, pending, refused, refused_json};
use crate::output::{Ink, Line, Output, count};

/// Accept recordings that were not taken over
///
/// The audit and the proof run again; what was masked after a leak, what its own test found not to replay, and what was
/// recorded over a file that has changed since is refused. Anything refused makes the exit code 1.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette accept trains\n  cargo cassette accept --all --dry-run\n\nExit codes: 0 accepted, 1 something was refused, 2 it could not be done as asked."
)]
pub(crate) struct Accept {
    /// The cassettes' names
    #[arg(conflicts_with = "all")]
    cassettes: Vec<String>,
    /// Everything that is pending
    #[arg(long)]
    all: bool,
    /// Show what would be accepted, and accept nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(accept: &Accept, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let all = chosen(pending(around)?, &accept.cassettes, "accept", accept.all)?;
    let mut found = Found::Nothing;
    let mut told = Vec::new();
    for waiting in &all {
        let (settled, test) = settle(waiting, accept.dry_run);
        let name = waiting.spot.name.as_str();
        if settled.is_err() {
            found = Found::Something;
        }
        if accept.json {
            told.push(json(waiting, &settled, test.as_deref(), accept.dry_run));
            continue;
        }
        match settled {
            Ok(becomes) => {
                let verb = if accept.dry_run { "would accept " } else { "accepts " };
                output.line(&Line::of(verb).ink(Ink::Strong, name).plain(&format!(": {becomes}")))?;
            }
            Err(refusal) => refused(name, &refusal, Of::Pending(test.as_deref()), output)?,
        }
    }
    if accept.json {
        output.json(&Json::object([("accepted", told.into())]))?;
    } else if all.is_empty() {
        output.line(&Line::of("nothing is pending"))?;
    }
    Ok(found)
}

/// Accepts one, and returns what becomes of its file, and its test.
fn settle(waiting: &Waiting, dry_run: bool) -> (Result<String, Refusal>, Option<String>) {
    let candidate = match waiting.candidate() {
        Ok(candidate) => candidate,
        Err(refusal) => return (Err(refusal), None),
    };
    let test = candidate.tape().head.test.clone();
    let becomes = page::becomes(waiting, candidate.tape());
    let settled = waiting.known(candidate.name()).and_then(|known| match dry_run {
        true => candidate.prove(&waiting.store(), &known).map(drop),
        false => candidate.accept(&waiting.store(), &known),
    });
    (settled.map(|()| becomes), test)
}

fn json(waiting: &Waiting, settled: &Result<String, Refusal>, test: Option<&str>, dry_run: bool) -> Json {
    let name = waiting.spot.name.as_str();
    let outcome = match (settled, dry_run) {
        (Err(_), _) => "refused",
        (Ok(_), true) => "would be accepted",
        (Ok(_), false) => "accepted",
    };
    let mut members = vec![
        ("name", name.into()),
        ("file", waiting.shelf.spot(name).shown.as_str().into()),
        ("outcome", outcome.into()),
    ];
    match settled {
        Ok(becomes) => members.push(("becomes", becomes.as_str().into())),
        Err(refusal) => members.extend(refused_json(name, refusal, Of::Pending(test))),
    }
    Json::object(members)
}

/// Returns how many were settled, in words.
pub(super) fn tally(accepted: usize, rejected: usize, left: usize) -> String {
    let left = if left == 0 { "nothing is left".to_owned() } else { format!("{} left", count(left, "recording")) };
    format!("{accepted} accepted, {rejected} rejected, {left}")
}
