//! `cargo cassette delete`: named cassettes are removed.

use std::fs;
use std::path::Path;

use cargo_cassette::shelf::{self, Shelf, Spot};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::{NoCassette, named_once, shelf_of};
use crate::output::{Ink, Line, Output};

/// Remove cassettes by name
///
/// Every name is looked up before anything is removed.
#[derive(Debug, Args)]
#[command(after_help = "Example: cargo cassette delete trains fares/day --dry-run")]
pub(crate) struct Delete {
    /// The cassettes' names, or paths
    #[arg(required = true)]
    cassettes: Vec<String>,
    /// Show what would be removed, and remove nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) fn run(delete: &Delete, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let spots = named_once(&delete.cassettes, around)?;
    if let Some(other) = spots.iter().find(|spot| !is_cassette(spot, around)) {
        return Err(NoCassette::Other(other.place()).into());
    }
    at_rest(&spots, delete.dry_run, around)?;
    for spot in &spots {
        remove(spot, delete.dry_run, output)?;
    }
    Ok(Found::Nothing)
}

/// Returns whether a file is a cassette: it can be read as one, or lies where cassettes lie and is called so, be it in a directory that
/// nobody may read.
fn is_cassette(spot: &Spot, around: &Surroundings) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_listed = |shelf: &Shelf| {
        let is_it = |known: &Spot| {
            let is_within = known.is_directory() && spot.path.starts_with(&known.path);
            is_within || real(&known.path) == real(&spot.path)
        };
        shelf.cassettes().is_ok_and(|spots| spots.iter().any(is_it))
    };
    shelf::open(&spot.path).is_ok() || around.shelves().is_ok_and(|shelves| shelves.iter().any(is_listed))
}

/// Refuses to remove what is being recorded, before anything is removed.
pub(super) fn at_rest(spots: &[Spot], dry_run: bool, around: &Surroundings) -> Result<(), Failure> {
    let at_rest = |spot: &Spot| {
        let (shelf, name) = shelf_of(spot, around);
        shelf.store().at_rest(&name).map_err(Failure::UnderWay)
    };
    if dry_run { Ok(()) } else { spots.iter().try_for_each(at_rest) }
}

/// Removes it, and says so.
pub(super) fn remove(spot: &Spot, dry_run: bool, output: &mut Output) -> Result<(), Failure> {
    let verb = if dry_run { "would remove " } else { "removes " };
    let line = Line::of(verb).ink(Ink::Strong, &spot.place());
    let line = if spot.path.is_symlink() { line.plain(", a link; what it leads to stays") } else { line };
    if !dry_run {
        fs::remove_file(&spot.path).map_err(|error| Failure::Remove(spot.clone(), error))?;
    }
    Ok(output.line(&line)?)
}
