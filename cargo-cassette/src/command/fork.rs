//! `cargo cassette fork`: a cassette that begins as another one does, for a test to go on from.

use std::fmt;

use cargo_cassette::inspection::{self, Rule};
use cargo_cassette::mending::{again, anew, mending};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::{Shelf, Spot, Unreadable};
use cassette_core::disk;
use cassette_core::fork::{NoFork, prefix};
use cassette_core::name::{Name, NameError};
use cassette_core::store::StoreError;
use cassette_core::tape::Origin;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::{as_name, named, shelf_of};
use crate::output::{Ink, Line, Output, count, printed};

/// Begin a cassette as another one, up to a position
///
/// The new cassette holds the first interactions of the other and belongs to nobody: the test that names it adopts it, and
/// CASSETTE_MODE=record goes on from there.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: cargo cassette fork run --at 23 fixed\n\nExit codes: 0 written, 2 it could not be done as asked."
)]
pub(crate) struct Fork {
    /// The cassette to begin as: its name, or a path
    cassette: String,
    /// The name of the new cassette
    fork: String,
    /// How many interactions it begins with; all of them to go on from the end
    #[arg(long, value_name = "N")]
    at: usize,
    /// Show what would be written, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// Why a cassette is not forked.
#[derive(Debug)]
pub(crate) enum ForkError {
    /// The new name is none.
    Name(String, NameError),
    /// There is a cassette of that name, or of one that differs from it by case alone.
    There(String),
    /// The other cassette is none that can be read.
    Unreadable(Spot, Unreadable),
    /// It cannot be forked there: why, and what to do.
    Position(Spot, NoFork, String),
    /// Something secret stands in what would be written: what and where.
    Secret(Spot, Vec<String>),
    /// It would not be written as it is.
    Unsound(Spot),
    /// The new file cannot be written.
    Unwritten(StoreError),
}

impl fmt::Display for ForkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForkError::Name(name, error) => {
                write!(f, "`{}` is no cassette's name: {error}\nhelp: choose another name", printed(name))
            }
            ForkError::There(file) => {
                write!(f, "there is {file} already, and nothing was written\nhelp: choose another name, or remove it")
            }
            ForkError::Unreadable(spot, error) => {
                write!(f, "{}: {error}\nhelp: {}", spot.place(), mending(spot, error))
            }
            ForkError::Position(spot, error, help) => {
                write!(f, "{} cannot be forked there: {error}\nhelp: {help}", spot.place())
            }
            ForkError::Secret(spot, found) => {
                write!(f, "{}: something secret stands in it, and nothing was written", spot.shown)?;
                found.iter().try_for_each(|it| write!(f, "\n  {it}"))?;
                write!(f, "\nhelp: see what to do: cargo cassette lint --files")
            }
            ForkError::Unsound(spot) => {
                let again = again(spot, &anew(spot, None));
                write!(f, "{}: its beginning does not read back as it is\nhelp: {again}", spot.place())
            }
            ForkError::Unwritten(error @ StoreError::Locked(_)) => {
                write!(f, "{error}\nhelp: choose another name, or wait until its test has ended")
            }
            ForkError::Unwritten(error) => {
                let help = error.unlinking();
                let help = help.unwrap_or_else(|| "check that the directory can be written, and has room".to_owned());
                write!(f, "{error}\nhelp: {help}")
            }
        }
    }
}

pub(crate) fn run(fork: &Fork, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let spot = named(&fork.cassette, around)?;
    let (shelf, origin) = shelf_of(&spot, around);
    let (new, text, total) = begin(fork, &spot, (&shelf, &origin), around).map_err(Failure::Fork)?;
    let verb = if fork.dry_run { "would write " } else { "writes " };
    let of = format!(", {} of {} of {}", fork.at, count(total, "interaction"), spot.place());
    let store = shelf.store();
    let written = match fork.dry_run {
        true => store.at_rest(&new.name).and_then(|()| store.writable(&new.name)),
        false => store.undisturbed(&new.name, || store.vouch(&new.name, &text)),
    };
    written.map_err(|error| Failure::Fork(ForkError::Unwritten(error)))?;
    output.line(&Line::of(verb).ink(Ink::Strong, &new.place()).plain(&of))?;
    output.line(&Line::of(&format!(
        "  to go on from it: #[cassette(\"{}\", fork(\"{}\", at = {}))], and CASSETTE_MODE=record cargo test",
        new.label(),
        presentable_text(&origin),
        fork.at
    )))?;
    Ok(Found::Nothing)
}

/// Returns what to type in the place of a position at which nothing is forked.
fn instead(error: &NoFork, at: usize, around: &Surroundings) -> String {
    let again = |instead: usize| around.with_value("--at", &at.to_string(), &instead.to_string());
    match error {
        NoFork::Short(holds) => format!("{}; {holds} goes on from its end", again(*holds)),
        NoFork::Overlapping(from, to) => format!("before them: {}, or behind them: {}", again(*from), again(*to)),
        other => other.instead(),
    }
}

/// Returns where the new cassette goes and what stands in it, and how many interactions the other one has.
fn begin(
    fork: &Fork,
    spot: &Spot,
    (shelf, origin): (&Shelf, &str),
    around: &Surroundings,
) -> Result<(Spot, String, usize), ForkError> {
    let name = Name::parse(as_name(&fork.fork)).map_err(|error| ForkError::Name(fork.fork.clone(), error))?;
    let new = shelf.spot(name.as_str());
    let folded = |name: &str| name.to_lowercase();
    let there = shelf.cassettes().unwrap_or_default().into_iter();
    if let Some(there) = there.into_iter().find(|there| folded(&there.name) == folded(&new.name)) {
        return Err(ForkError::There(there.shown));
    }
    let tape = spot.open().map_err(|error| ForkError::Unreadable(spot.clone(), error))?;
    let total = tape.interactions.len();
    let origin = Origin { cassette: origin.to_owned(), at: fork.at };
    let begun = prefix(tape, &origin).map_err(|error| {
        let help = instead(&error, fork.at, around);
        ForkError::Position(spot.clone(), error, help)
    })?;
    let text = disk::write(&begun);
    if disk::read(text.as_bytes()).as_ref() != Ok(&begun) {
        return Err(ForkError::Unsound(spot.clone()));
    }
    // What is vouched for is so in the other cassette alone: in this one, the same is yet to be.
    let secrets: Vec<_> = inspection::secrets(&shelf.dir, &new, &text)
        .into_iter()
        .filter(|finding| finding.rule == Rule::Secret)
        .map(|finding| finding.what)
        .collect();
    if secrets.is_empty() { Ok((new, text, total)) } else { Err(ForkError::Secret(spot.clone(), secrets)) }
}
