//! `cargo cassette delete`: named cassettes are removed.

use std::fs;
use std::path::{Path, PathBuf};

use cargo_cassette::shelf::{self, Shelf, Spot, Unreadable};
use cassette_core::store::{Rest, StoreError};
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
#[command(
    after_help = "Example: cargo cassette delete trains fares/day --dry-run\n\nExit codes: 0 removed, 2 it could not be done as asked, and nothing was removed."
)]
pub(crate) struct Delete {
    /// The cassettes' names, or paths
    #[arg(required = true)]
    cassettes: Vec<String>,
    /// Show what would be removed, and remove nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(crate) fn run(delete: &Delete, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let spots = named_once(&delete.cassettes, around)?;
    if let Some(other) = spots.iter().find(|spot| !is_cassette(spot, around)) {
        return Err(NoCassette::Other(other.place()).into());
    }
    remove_all(&spots, delete.dry_run, around, output)?;
    Ok(Found::Nothing)
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns whether a file is a cassette: it can be read as one, or lies where cassettes lie and is called so, be it in a directory that
/// nobody may read, and holds no other document.
fn is_cassette(spot: &Spot, around: &Surroundings) -> bool {
    let is_listed = |shelf: &Shelf| {
        let is_it = |known: &Spot| {
            let is_within = known.is_directory() && spot.path.starts_with(&known.path);
            is_within || real(&known.path) == real(&spot.path)
        };
        shelf.cassettes().is_ok_and(|spots| spots.iter().any(is_it))
    };
    let is_called_so = || around.shelves().is_ok_and(|shelves| shelves.iter().any(is_listed));
    match shelf::open(&spot.path) {
        Ok(_) => true,
        Err(Unreadable::Other) => false,
        Err(_) => is_called_so(),
    }
}

/// Removes them, and says so. Where one of them is being recorded, none is removed, and until all of them are none can be.
pub(super) fn remove_all(
    spots: &[Spot],
    dry_run: bool,
    around: &Surroundings,
    output: &mut Output,
) -> Result<(), Failure> {
    let places: Vec<_> = spots.iter().map(|spot| shelf_of(spot, around)).collect();
    places.iter().try_for_each(|(shelf, name)| shelf.store().at_rest(name).map_err(Failure::UnderWay))?;
    let _rest = if dry_run { Vec::new() } else { rest(&places)? };
    spots.iter().try_for_each(|spot| remove(spot, dry_run, output))
}

/// Returns what keeps these from being recorded. Where there is no lock to be had, nobody records either.
fn rest(places: &[(Shelf, String)]) -> Result<Vec<Rest>, Failure> {
    let mut held = Vec::new();
    for (shelf, name) in places {
        match shelf.store().rest(name) {
            Ok(rest) => held.push(rest),
            Err(error @ StoreError::Locked(_)) => return Err(Failure::UnderWay(error)),
            Err(_) => {}
        }
    }
    Ok(held)
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

#[cfg(test)]
mod tests {
    use cargo_cassette::shelf::Shelf;

    use super::rest;

    #[test]
    fn nobody_records_what_is_being_removed() {
        let dir = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(dir.path().to_owned(), "cassettes".to_owned());
        let places = ["trains", "fares/day"].map(|name| (shelf.clone(), name.to_owned()));
        let held = rest(&places).ok().unwrap();
        assert!(places.iter().all(|(shelf, name)| shelf.store().at_rest(name).is_err()));
        drop(held);
        assert!(places.iter().all(|(shelf, name)| shelf.store().at_rest(name).is_ok()));
        assert!(!dir.path().join(".pending").exists(), "nothing is left of the locks");
    }
}
