//! What is typed besides a cassette's name so that a verb finds it.

use std::path::PathBuf;

use super::Shelf;
use crate::typed::typed;

/// Whether a verb looks into a directory that is told nothing but a cassette's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// It looks there alone.
    #[default]
    Alone,
    /// It looks there, and into these.
    Among(Vec<PathBuf>),
    /// It does not look there.
    Aside,
}

/// How a cassette is told from all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// By its name.
    #[default]
    ByName,
    /// By its name and this directory, since another one has a cassette of that name too.
    Within(String),
    /// By its name and this directory, into which no verb looks by itself.
    Aside(String),
}

impl Reached {
    /// Returns how a cassette of this name in a directory is told from others.
    pub(super) fn of(shelf: &Shelf, name: &str) -> Reached {
        let is_there = |dir: &PathBuf| {
            let files = [dir.join(format!("{name}.json")), dir.join(super::PENDING).join(format!("{name}.json"))];
            files.iter().any(|file| file.symlink_metadata().is_ok())
        };
        match &shelf.way {
            Way::Aside => Reached::Aside(shelf.shown.clone()),
            Way::Among(others) if others.iter().any(is_there) => Reached::Within(shelf.shown.clone()),
            Way::Alone | Way::Among(_) => Reached::ByName,
        }
    }

    /// Returns the option by which a verb is told where a cassette lies that is named, behind a space.
    pub(super) fn option(&self) -> String {
        match self {
            Reached::ByName => String::new(),
            Reached::Within(dir) | Reached::Aside(dir) => format!(" --dir {}", typed(dir)),
        }
    }
}

impl Shelf {
    /// Returns a command that looks into this directory, and perhaps into others: `cargo cassette review --dir tests/tapes`.
    #[must_use]
    pub fn looking(&self, command: &str) -> String {
        let option = if self.way == Way::Aside { format!(" --dir {}", typed(&self.shown)) } else { String::new() };
        format!("{command}{option}")
    }
}

/// Returns these directories, into all of which a verb looks.
pub(crate) fn together(shelves: Vec<Shelf>) -> Vec<Shelf> {
    if shelves.len() < 2 {
        return shelves;
    }
    let dirs: Vec<_> = shelves.iter().map(|shelf| shelf.dir.clone()).collect();
    let others = |dir: &PathBuf| dirs.iter().filter(|other| *other != dir).cloned().collect();
    shelves.into_iter().map(|shelf| Shelf { way: Way::Among(others(&shelf.dir)), ..shelf }).collect()
}
