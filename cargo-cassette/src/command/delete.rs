//! `cargo cassette delete`: named cassettes are removed.

use std::fs;
use std::path::{Path, PathBuf};

use cargo_cassette::shelf::{self, Shelf, Spot, Unreadable};
use cassette_core::store::StoreError;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::{NoCassette, named, shelf_of};
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
    let mut spots: Vec<Spot> = Vec::new();
    for word in &delete.cassettes {
        let spot = named(word, around)?;
        // The same by another word is removed once.
        if !spots.iter().any(|known| real(&known.path) == real(&spot.path) && !spot.path.is_symlink()) {
            spots.push(spot);
        }
    }
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
    let mut all = || spots.iter().try_for_each(|spot| remove(spot, dry_run, output));
    if dry_run { all() } else { undisturbed(&places, &mut all) }
}

/// Does something while none of these is being recorded.
fn undisturbed(places: &[(Shelf, String)], act: &mut dyn FnMut() -> Result<(), Failure>) -> Result<(), Failure> {
    let Some(((shelf, name), rest)) = places.split_first() else { return act() };
    let mut done = None;
    let locked = shelf.store().undisturbed(name, || {
        done = Some(undisturbed(rest, act));
        Ok::<_, StoreError>(())
    });
    match (done, locked) {
        (Some(done), _) => done,
        (None, Err(error @ StoreError::Locked(_))) => Err(Failure::UnderWay(error)),
        // Where there is no lock to be had, nobody records either.
        (None, _) => undisturbed(rest, act),
    }
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

    use super::undisturbed;

    #[test]
    fn nobody_records_what_is_being_removed() {
        let dir = tempfile::tempdir().unwrap();
        let shelf = Shelf { dir: dir.path().to_owned(), shown: "cassettes".to_owned() };
        let places = ["trains", "fares/day"].map(|name| (shelf.clone(), name.to_owned()));
        let mut seen = Vec::new();
        let done = undisturbed(&places, &mut || {
            seen.extend(places.iter().map(|(shelf, name)| shelf.store().at_rest(name).is_err()));
            Ok(())
        });
        assert!(done.is_ok() && seen == [true, true], "{seen:?}");
        assert!(places.iter().all(|(shelf, name)| shelf.store().at_rest(name).is_ok()));
        assert!(!dir.path().join(".pending").exists(), "nothing is left of the locks");
    }
}
