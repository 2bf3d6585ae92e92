//! `cargo cassette reject`: recordings that were not taken over are removed.

use cassette_core::json::Json;
use cassette_core::store::Store as _;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Of, chosen, pending, refused};
use crate::output::{Ink, Line, Output, count};

/// Remove recordings that were not taken over
///
/// The committed files stay as they are.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette reject trains\n  cargo cassette reject --all --dry-run\n\nExit codes: 0 rejected, 1 something could not be removed, 2 it could not be done as asked."
)]
pub(crate) struct Reject {
    /// The cassettes' names
    #[arg(conflicts_with = "all")]
    cassettes: Vec<String>,
    /// Everything that is pending
    #[arg(long)]
    all: bool,
    /// Show what would be removed, and remove nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(reject: &Reject, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let all = chosen(pending(around)?, &reject.cassettes, "reject", reject.all)?;
    let mut found = Found::Nothing;
    let mut told = Vec::new();
    for waiting in &all {
        let name = waiting.spot.name.as_str();
        let calls = waiting.candidate().map(|candidate| candidate.tape().interactions.len()).ok();
        let gone = if reject.dry_run { Ok(()) } else { waiting.store().drop_pending(name) };
        if reject.json {
            let outcome = match (&gone, reject.dry_run) {
                (Err(_), _) => "refused",
                (Ok(()), true) => "would be rejected",
                (Ok(()), false) => "rejected",
            };
            let calls = calls.map_or(Json::Null, |calls| (calls as u64).into());
            let (file, outcome) = (waiting.spot.shown.as_str().into(), outcome.into());
            told.push(Json::object([("name", name.into()), ("file", file), ("outcome", outcome), ("calls", calls)]));
        }
        match gone {
            Err(error) => {
                found = Found::Something;
                if !reject.json {
                    refused(name, &error.into(), Of::Pending(None), output)?;
                }
            }
            Ok(()) if reject.json => {}
            Ok(()) => {
                let verb = if reject.dry_run { "would reject " } else { "rejects " };
                let what = calls.map_or_else(|| "a file that cannot be read".to_owned(), |calls| count(calls, "call"));
                output.line(&Line::of(verb).ink(Ink::Strong, name).plain(&format!(", {what}")))?;
            }
        }
    }
    if reject.json {
        output.json(&Json::object([("rejected", told.into())]))?;
    } else if all.is_empty() {
        output.line(&Line::of("nothing is pending"))?;
    }
    Ok(found)
}
