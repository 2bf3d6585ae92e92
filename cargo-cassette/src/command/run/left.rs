//! What tests that were cut off have left of their recordings, and what gets it back.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use cargo_cassette::shelf::{Shelf, Spot};
use cargo_cassette::workspace::{Reach, Standpoint, real, shelves, shown};
use cassette_core::files;
use cassette_core::journal;
use cassette_core::ledger::{Began, Entry};
use cassette_core::store::is_alive;

use crate::command::around::Surroundings;
use crate::output::typed;

/// The journals that were there before a run: whatever they are called later, they are none of its.
#[derive(Clone, Debug, Default)]
pub(super) struct Before(BTreeSet<(SystemTime, u64)>);

/// A journal of a run, with what it holds.
#[derive(Debug)]
struct Left {
    shelf: Shelf,
    spot: Spot,
    test: Option<String>,
    is_alive: bool,
}

impl Before {
    /// Looks at what is there.
    pub(super) fn of(around: &Surroundings) -> Before {
        let journals = all(around).into_iter().flat_map(|shelf| shelf.journals().unwrap_or_default());
        Before(journals.filter_map(|journal| written(&journal.path)).collect())
    }
}

/// Returns what gets back what this test has recorded, where it has left any call that had ended.
pub(super) fn back(began: &Began, entries: &[Entry], before: &Before, around: &Surroundings) -> Option<String> {
    let mut shelves = all(around);
    for dir in entries.iter().filter_map(directory).map(Path::new) {
        if dir.is_dir() && !shelves.iter().any(|shelf| real(&shelf.dir) == real(dir)) {
            shelves.push(Shelf::new(dir.to_owned(), shown(&around.standpoint.here, dir)));
        }
    }
    let left = shelves.iter().flat_map(|shelf| of(shelf, before));
    let is_its = |left: &Left| left.test.as_ref() == Some(&began.test) || name(&left.spot) == began.cassette;
    let left: Vec<_> = left.filter(is_its).collect();
    if left.is_empty() {
        return None;
    }
    let seen: Vec<_> = around.shelves().unwrap_or_default().iter().map(|shelf| real(&shelf.dir)).collect();
    let mut commands: Vec<String> = left.iter().map(|left| command(left, &shelves, &seen, around)).collect();
    commands.dedup();
    let living = if left.iter().any(|left| left.is_alive) { ", once its program has ended" } else { "" };
    Some(format!("; what it recorded comes back with: {}{living}", commands.join(" && ")))
}

/// Returns the command that gets one back, and no other.
fn command(left: &Left, all: &[Shelf], seen: &[std::path::PathBuf], around: &Surroundings) -> String {
    let name = name(&left.spot);
    if !seen.contains(&real(&left.shelf.dir)) {
        return format!("cargo cassette recover {} --dir {}", typed(name), typed(&left.shelf.shown));
    }
    let is_there = |shelf: &&Shelf| {
        let journals = shelf.journals().unwrap_or_default();
        seen.contains(&real(&shelf.dir)) && journals.iter().any(|spot| self::name(spot) == name)
    };
    let is_alone = all.iter().filter(is_there).count() < 2;
    around.advice.here(&format!("cargo cassette recover {}", typed(if is_alone { name } else { &left.spot.shown })))
}

/// Returns the directories in which tests of the workspace keep their cassettes, as far as nobody has to be asked.
fn all(around: &Surroundings) -> Vec<Shelf> {
    shelves(&Standpoint { reach: Reach::Workspace, ..around.standpoint.clone() }).unwrap_or_default()
}

fn directory(entry: &Entry) -> Option<&str> {
    let directory = match entry {
        Entry::Began(began) => &began.directory,
        Entry::Ended(ended) => &ended.directory,
        _ => return None,
    };
    Some(directory).filter(|dir| !dir.is_empty()).map(String::as_str)
}

/// Returns the journals of this run in a directory that hold a call.
fn of(shelf: &Shelf, before: &Before) -> Vec<Left> {
    let one = |spot: Spot| {
        written(&spot.path).filter(|written| !before.0.contains(written))?;
        let read = journal::read(&String::from_utf8_lossy(&files::read(&spot.path).ok()?)).ok()?;
        let test = read.head.and_then(|head| head.test);
        let is_alive = is_alive(&spot.path) == Some(true);
        (!read.interactions.is_empty()).then(|| Left { shelf: shelf.clone(), spot, test, is_alive })
    };
    shelf.journals().unwrap_or_default().into_iter().filter_map(one).collect()
}

/// Returns the cassette's name: a journal that was put aside has a number behind it.
fn name(spot: &Spot) -> &str {
    spot.name.rsplit_once(".cut-short").map_or(&spot.name, |(name, _)| name)
}

/// Returns when a journal was written last, and how long it is: what a rename leaves as it was.
fn written(journal: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(journal).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
