//! `cargo cassette review`: what was not taken over, one interaction at a time.

mod answer;
mod asking;
mod page;

use std::io::IsTerminal as _;

use cassette_core::json::Json;
use cassette_core::store::is_alive;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Waiting, chosen, pending, proved, waiting};
use crate::output::{Ink, Line, Output, count, typed};
use cargo_cassette::shelf::Shelf;

/// Look at what was not taken over, one interaction at a time, and accept or reject it
///
/// The reason stands on top: the test failed, the upstream was out of order, something secret was in it. The whole file is
/// accepted or rejected; of its interactions, some may be dropped, and what is left has to replay. Without a terminal
/// everything that is pending is printed, and nothing is asked.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette review\n  cargo cassette review trains\n  printf 'a\\n' | cargo cassette review trains --stdin\n\nExit codes: 0 nothing is pending any more, 1 something still is, 2 it could not be done as asked."
)]
pub(crate) struct Review {
    /// The cassettes' names [default: everything that is pending]
    cassettes: Vec<String>,
    /// Read the answers from standard input, a line each, though it is no terminal
    #[arg(long, conflicts_with = "json")]
    stdin: bool,
    /// Print what is pending as JSON, and ask nothing
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(review: &Review, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let all = chosen(pending(around)?, &review.cassettes, None, around)?;
    let asks = review.stdin || std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let left = if review.json {
        output.json(&Json::object([("pending", all.iter().map(page::json).collect::<Vec<_>>().into())]))?;
        all.len()
    } else if asks && !all.is_empty() {
        asking::ask(&all, around, output)?
    } else {
        printed(&all, around, output)?;
        all.len()
    };
    if !review.json && review.cassettes.is_empty() {
        unfinished(around, output)?;
    }
    Ok(Found::something_if(left > 0))
}

/// Prints everything, and asks nothing.
fn printed(all: &[Waiting], around: &Surroundings, output: &mut Output) -> Result<(), Failure> {
    for (i, waiting) in all.iter().enumerate() {
        page::print(waiting, (i, all.len()), around, output)?;
        output.gap()?;
    }
    match all.len() {
        0 => output.line(&Line::new().ink(Ink::Good, "nothing is pending"))?,
        n => {
            // What a refresh has put aside is no recording.
            let is_recording = all.iter().all(|waiting| waiting.spot.put_aside().is_none());
            let noun = if is_recording { "recording" } else { "file" };
            output.line(&Line::of(&format!("{} pending", count(n, noun))))?;
            if let Some(help) = by_name(all) {
                output.help("", &help)?;
            }
        }
    }
    Ok(())
}

/// Returns what settles one of them by its name: one that would be accepted, where there is any. What cannot be read can be rejected
/// alone, which stands beside it.
fn by_name(all: &[Waiting]) -> Option<String> {
    let at_rest: Vec<_> = all.iter().filter(|waiting| waiting.at_rest().is_ok()).collect();
    if at_rest.is_empty() {
        return Some("wait until the recordings that are under way have ended".to_owned());
    }
    let readable = || at_rest.iter().filter_map(|waiting| Some((*waiting, waiting.candidate().ok()?)));
    let proven = readable().find(|(waiting, candidate)| proved(waiting, candidate).is_ok());
    let replacing = || readable().find(|(waiting, candidate)| proved(waiting, &candidate.over_anything()).is_ok());
    let chosen = proven.map(|(waiting, _)| (waiting, "accept"));
    let chosen = chosen.or_else(|| Some((replacing()?.0, "accept --replace")));
    let Some((waiting, verb)) = chosen else {
        let name = typed(&readable().next()?.0.spot.name);
        return Some(format!("what cannot be accepted is rejected: cargo cassette reject {name}"));
    };
    let name = typed(&waiting.spot.name);
    Some(format!(
        "settle them at a terminal, or by name: cargo cassette {verb} {name}, or cargo cassette reject {name}"
    ))
}

/// Tells of what was cut short.
fn unfinished(around: &Surroundings, output: &mut Output) -> Result<(), Failure> {
    let journals = waiting(around, Shelf::journals)?;
    // One that is under way is nobody's to recover.
    let ended = journals.iter().filter(|journal| is_alive(&journal.spot.path) != Some(true)).count();
    if ended > 0 {
        let what = format!("{} may have been cut short: ", count(ended, "recording"));
        let what = what + &output.advice().here("cargo cassette recover");
        output.line(&Line::new().ink(Ink::Warn, &what))?;
    }
    Ok(())
}
