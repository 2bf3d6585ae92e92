//! `cargo cassette delete`: named cassettes are removed.

use std::fs;
use std::path::{Path, PathBuf};

use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::{self, Shelf, Spot, Unreadable};
use cassette_core::json::Json;
use cassette_core::store::{Rest, StoreError};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::{NoCassette, named_once, shelf_of};
use super::settling::{Form, Run};
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
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What became of those that were to be removed.
pub(super) struct Removed {
    /// What is told to a program of each that was.
    pub(super) json: Vec<Json>,
    /// How it ended: some may be gone when one could not be removed.
    pub(super) ended: Result<(), Failure>,
}

pub(crate) fn run(delete: &Delete, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let spots = named_once(&delete.cassettes, around)?;
    if let Some(other) = spots.iter().find(|spot| !is_cassette(spot, around)) {
        return Err(NoCassette::Other(other.place()).into());
    }
    let run = if delete.dry_run { Run::Dry } else { Run::Real };
    let form = if delete.json { Form::Json } else { Form::Text };
    let Removed { json, ended } = remove_all(&spots, (run, form), around, output);
    if form == Form::Json && (ended.is_ok() || !json.is_empty()) {
        output.json(&Json::object([("deleted", json.into())]))?;
    }
    ended.map(|()| Found::Nothing)
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
    (run, form): (Run, Form),
    around: &Surroundings,
    output: &mut Output,
) -> Removed {
    let mut json = Vec::new();
    let mut all = || {
        let places: Vec<_> = spots.iter().map(|spot| shelf_of(spot, around)).collect();
        places.iter().try_for_each(|(shelf, name)| shelf.store().at_rest(name).map_err(Failure::UnderWay))?;
        let _rest = if run == Run::Dry { Vec::new() } else { rest(&places)? };
        for spot in spots {
            match form {
                Form::Text => remove(spot, run, output)?,
                Form::Json => json.push(remove_silently(spot, run)?),
            }
        }
        Ok(())
    };
    let ended = all();
    Removed { json, ended }
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
pub(super) fn remove(spot: &Spot, run: Run, output: &mut Output) -> Result<(), Failure> {
    let verb = if run == Run::Dry { "would remove " } else { "removes " };
    let line = Line::of(verb).ink(Ink::Strong, &spot.place());
    let line = if spot.path.is_symlink() { line.plain(", a link; what it leads to stays") } else { line };
    take_away(spot, run)?;
    Ok(output.line(&line)?)
}

/// Removes it, and returns what is told of it to a program.
fn remove_silently(spot: &Spot, run: Run) -> Result<Json, Failure> {
    let outcome = if run == Run::Dry { "would be removed" } else { "removed" };
    let is_link = spot.path.is_symlink();
    take_away(spot, run)?;
    let link = is_link.then(|| ("link", true.into()));
    Ok(Json::object(head(spot, outcome).into_iter().chain(link)))
}

/// Returns how a document begins that tells what became of a cassette.
pub(super) fn head(spot: &Spot, outcome: &str) -> [(&'static str, Json); 3] {
    let presented = |text: &str| Json::from(presentable_text(text).as_str());
    [("name", presented(&spot.name)), ("file", presented(&spot.shown)), ("outcome", outcome.into())]
}

fn take_away(spot: &Spot, run: Run) -> Result<(), Failure> {
    match run {
        Run::Dry => Ok(()),
        Run::Real => fs::remove_file(&spot.path).map_err(|error| Failure::Remove(spot.clone(), error)),
    }
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
