//! The cassette that a word means: a name, or a path.

use std::collections::HashSet;
use std::path::Path;
use std::{fmt, fs, io};

use cargo_cassette::shelf::{Reached, Shelf, Spot, holds_other, path_text};
use cargo_cassette::workspace::{NoShelf, Reach, Standpoint, shelves};
use cassette_core::spelling::distance;

use super::around::Surroundings;
use crate::output::{printed, typed};

/// How many names are told where none fits.
const NAMES: usize = 8;

/// Which part of a name may differ from what was typed for it to be what was meant: half of it.
const NEAR: usize = 2;

/// Why no one cassette is meant.
#[derive(Debug)]
pub(crate) enum NoCassette {
    /// There is none of this name: where it would be, the names that there are, the likest first, and what to type.
    Unknown { word: String, places: Vec<String>, names: Vec<String>, help: String },
    /// Several have this name: where, and what to type.
    Several { word: String, places: Vec<String>, help: String },
    /// There is none of this name, but a recording of it that was not taken over: where, and its name.
    Pending { word: String, place: String, name: String },
    /// There is none of this name here, but in other packages of the workspace: where, and what to type.
    Elsewhere { word: String, places: Vec<String>, help: String },
    /// The file is no cassette.
    Other(String),
    /// There is no directory, and no file of this path.
    Nowhere(String, NoShelf),
}

impl fmt::Display for NoCassette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCassette::Unknown { word, places, names, help } => {
                write!(f, "there is no cassette `{}`: no file {}", printed(word), places.join(", no "))?;
                if !names.is_empty() {
                    let more = if names.len() > NAMES { ", .." } else { "" };
                    let names: Vec<_> = names.iter().take(NAMES).map(|name| format!("`{}`", printed(name))).collect();
                    write!(f, "\n  there is {}{more}", names.join(", "))?;
                }
                write!(f, "\nhelp: {help}")
            }
            NoCassette::Several { word, places, help } => {
                let word = printed(word);
                write!(f, "`{word}` may be each of {}\nhelp: {help}", places.join(", "))
            }
            NoCassette::Pending { word, place, name } => {
                let word = printed(word);
                write!(f, "there is no cassette `{word}`, but a recording of it that was not taken over: {place}")?;
                write!(f, "\nhelp: look at it, and accept or reject it: cargo cassette review {}", typed(name))
            }
            NoCassette::Elsewhere { word, places, help } => {
                let places = places.join(", ");
                write!(
                    f,
                    "there is no cassette `{}` here, but in another package: {places}\nhelp: {help}",
                    printed(word)
                )
            }
            NoCassette::Other(file) => {
                write!(f, "`{file}` is no cassette, and stays\nhelp: name one that is: cargo cassette list")
            }
            NoCassette::Nowhere(word, error) => write!(f, "there is no file `{}`, and {error}", printed(word)),
        }
    }
}

impl NoCassette {
    /// Returns the name that was likely meant.
    pub(super) fn near(&self) -> Option<&str> {
        match self {
            NoCassette::Unknown { word, names, .. } => near(as_name(word), names),
            _ => None,
        }
    }
}

/// Returns the cassette that is meant: a file of this path, else the one of this name.
pub(super) fn named(word: &str, around: &Surroundings) -> Result<Spot, NoCassette> {
    let path = around.standpoint.here.join(word);
    // A bare name means a cassette rather than another document that lies here and is called so, where nothing is lost by it.
    let is_bare = !word.contains('/')
        && around.guess(word, word).is_some()
        && holds_other(&path)
        && there(word, around).is_some();
    if is_there(&path) && !is_bare {
        let name = as_name(word).to_owned();
        return Ok(Spot { name, shown: word.to_owned(), path, reached: Reached::ByName });
    }
    let shelves = around.shelves().map_err(|error| {
        match error {
            NoShelf::NothingRecorded(_) => elsewhere(word, around),
            _ => None,
        }
        .unwrap_or_else(|| NoCassette::Nowhere(word.to_owned(), error))
    })?;
    let name = as_name(word);
    let spots: Vec<_> = shelves.iter().map(|shelf| shelf.spot(name)).collect();
    let mut there: Vec<_> = spots.iter().filter(|spot| is_there(&spot.path)).cloned().collect();
    if there.is_empty() {
        there.extend(whole(word, &shelves));
    }
    let places = |spots: &[Spot]| spots.iter().map(Spot::place).collect();
    match there.len() {
        1 => Ok(there.remove(0)),
        0 => {
            if let Some(place) = shelves.iter().find_map(|shelf| pending(shelf, name)) {
                return Err(NoCassette::Pending { word: word.to_owned(), place, name: name.to_owned() });
            }
            if let Some(elsewhere) = elsewhere(word, around) {
                return Err(elsewhere);
            }
            let names = names(name, &shelves);
            // Nobody means one cassette twice.
            let others: Vec<_> = names.iter().filter(|name| !around.names_too(name, word)).cloned().collect();
            let help = match (near(name, &others).and_then(|near| around.guess(word, near)), names.is_empty()) {
                (Some(guess), _) => guess,
                (None, false) => "name one of them: cargo cassette list".to_owned(),
                (None, true) => "record one: CASSETTE_MODE=record cargo test".to_owned(),
            };
            Err(NoCassette::Unknown { word: word.to_owned(), places: places(&spots), names, help })
        }
        _ => {
            let guess = around.guess(word, &there[0].shown).map(|guess| format!("give the path: {guess}"));
            let help = guess.unwrap_or_else(|| "give the path of one: cargo cassette list".to_owned());
            Err(NoCassette::Several { word: word.to_owned(), places: places(&there), help })
        }
    }
}

/// Returns that a cassette of this name is there in other packages of the workspace, where one is: here it was looked for in the package alone.
fn elsewhere(word: &str, around: &Surroundings) -> Option<NoCassette> {
    let standpoint = Standpoint { reach: Reach::Workspace, ..around.standpoint.clone() };
    let shelves = standpoint.dir.is_none().then(|| shelves(&standpoint).ok()).flatten()?;
    let spots = shelves.iter().map(|shelf| shelf.spot(as_name(word)));
    let places: Vec<_> = spots.filter(|spot| is_there(&spot.path)).map(|spot| spot.place()).collect();
    let help = around.in_workspace();
    (!places.is_empty()).then(|| NoCassette::Elsewhere { word: word.to_owned(), places, help })
}

/// Returns the cassettes of just this name, where it ends as a file does.
fn whole(word: &str, shelves: &[Shelf]) -> Vec<Spot> {
    let spots = shelves.iter().filter(|_| word != as_name(word)).map(|shelf| shelf.spot(word));
    spots.filter(|spot| is_there(&spot.path)).collect()
}

/// Returns a cassette that a word means as a name.
fn there(word: &str, around: &Surroundings) -> Option<Spot> {
    let shelves = around.shelves().ok()?;
    let spots = shelves.iter().map(|shelf| shelf.spot(as_name(word)));
    spots.chain(whole(word, &shelves)).find(|spot| is_there(&spot.path) && !holds_other(&spot.path))
}

/// Returns the cassettes that are meant, each once: by a name and by a path, or twice by its name, one is meant. A link is another one than
/// what it leads to.
pub(super) fn named_once(words: &[String], around: &Surroundings) -> Result<Vec<Spot>, NoCassette> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for word in words {
        let spot = named(word, around)?;
        let dir = spot.path.parent().map(|dir| fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned()));
        let file = dir.unwrap_or_default().join(spot.path.file_name().unwrap_or_default());
        found.extend(seen.insert(file).then_some(spot));
    }
    Ok(found)
}

/// Returns where the recording of this name lies that was not taken over, if there is one.
fn pending(shelf: &Shelf, name: &str) -> Option<String> {
    let all = shelf.pending().unwrap_or_default();
    all.into_iter().find(|spot| spot.name == name && !spot.is_directory()).map(|spot| spot.place())
}

/// Returns whether a file is there, or what should be one: whoever opens that says that it is a pipe, leads nowhere, or lies where nobody
/// may look.
fn is_there(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(_) => !path.is_dir(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

/// Returns a word as the name that it is: a path to it may stand before it and an ending behind it.
pub(super) fn as_name(word: &str) -> &str {
    let name = word.strip_suffix(".json").unwrap_or(word);
    // So a name is typed that begins as an option does.
    name.strip_prefix("./").unwrap_or(name)
}

/// Returns the directory of cassettes that a file is in, and its name there; of one that is in none, the directory in which it lies.
pub(super) fn shelf_of(spot: &Spot, around: &Surroundings) -> (Shelf, String) {
    // A link to a file is the cassette's own file; a link to the directory is the directory.
    let real = |path: &Path| {
        let dir = path.parent().map(|dir| fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned()));
        dir.unwrap_or_default().join(path.file_name().unwrap_or_default())
    };
    let file = real(&spot.path);
    let of = |shelf: &Shelf| {
        let dir = fs::canonicalize(&shelf.dir).unwrap_or_else(|_| shelf.dir.clone());
        Some((shelf.clone(), file.strip_prefix(dir).ok()?.to_owned()))
    };
    let known = around.shelves().unwrap_or_default().iter().find_map(of);
    let (shelf, inside) = known.unwrap_or_else(|| {
        let shown = Path::new(&spot.shown).parent().unwrap_or(Path::new("")).display().to_string();
        let dir = spot.path.parent().unwrap_or(Path::new(".")).to_owned();
        (Shelf::new(dir, shown), file.file_name().unwrap_or_default().into())
    });
    let name = path_text(&inside);
    let ending = [".json.zst", ".json"].into_iter().find_map(|ending| name.strip_suffix(ending));
    (shelf, ending.unwrap_or(&name).to_owned())
}

/// Returns the names that there are, the likest first.
fn names(name: &str, shelves: &[Shelf]) -> Vec<String> {
    let spots = shelves.iter().flat_map(|shelf| shelf.cassettes().unwrap_or_default());
    let mut names: Vec<_> =
        spots.filter(|spot| !spot.is_directory() && !spot.is_nameless()).map(|spot| spot.name).collect();
    names.sort();
    names.dedup();
    names.sort_by_key(|known| far(name, known));
    names
}

/// Returns which of these names may have been meant.
pub(super) fn near<'a>(name: &str, names: &'a [String]) -> Option<&'a str> {
    let likest = names.iter().min_by_key(|known| far(name, known))?;
    (far(name, likest) * NEAR <= name.len().max(likest.len())).then_some(likest.as_str())
}

/// The shortest part of a name that tells which one was meant.
const PART: usize = 3;

/// Returns how far a name is from what was typed, in capitals or not; one that is a part of the other is near.
fn far(typed: &str, name: &str) -> usize {
    let (typed, name) = (typed.to_lowercase(), name.to_lowercase());
    let is_part = typed.len().min(name.len()) >= PART && (name.contains(&typed) || typed.contains(&name));
    if is_part { 0 } else { distance(&typed, &name) }
}
