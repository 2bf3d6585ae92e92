//! The cassette that a word means: a name, or a path.

use std::fmt;

use cargo_cassette::shelf::{Shelf, Spot};
use cargo_cassette::workspace::NoShelf;
use cassette_core::spelling::distance;

use super::around::Surroundings;
use crate::output::typed;

/// How many names are told where none fits.
const NAMES: usize = 8;

/// Why no one cassette is meant.
#[derive(Debug)]
pub(crate) enum NoCassette {
    /// There is none of this name: where it would be, and the names that there are, the likest first.
    Unknown { word: String, places: Vec<String>, names: Vec<String> },
    /// Several have this name.
    Several { word: String, places: Vec<String> },
    /// The file is no cassette.
    Other(String),
    /// There is no directory, and no file of this path.
    Nowhere(String, NoShelf),
}

impl fmt::Display for NoCassette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCassette::Unknown { word, places, names } => {
                write!(f, "there is no cassette `{word}`: no file {}", places.join(", no "))?;
                match names.as_slice() {
                    [] => write!(f, "\nhelp: record one with CASSETTE_MODE=record cargo test"),
                    [first, ..] => {
                        let more = if names.len() > NAMES { ", .." } else { "" };
                        let names: Vec<_> = names.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
                        write!(f, "\n  there is {}{more}\nhelp: cargo cassette show {}", names.join(", "), typed(first))
                    }
                }
            }
            NoCassette::Several { word, places } => {
                write!(f, "`{word}` may be each of {}\nhelp: give the path: {}", places.join(", "), typed(&places[0]))
            }
            NoCassette::Other(file) => {
                write!(f, "`{file}` is no cassette, and stays\nhelp: name one that is: cargo cassette list")
            }
            NoCassette::Nowhere(word, error) => write!(f, "there is no file `{word}`, and {error}"),
        }
    }
}

/// Returns the cassette that is meant: a file of this path, else the one of this name.
pub(super) fn named(word: &str, around: &Surroundings) -> Result<Spot, NoCassette> {
    let path = around.standpoint.here.join(word);
    if path.is_file() {
        let name = word.strip_suffix(".json").unwrap_or(word).to_owned();
        return Ok(Spot { name, shown: word.to_owned(), path });
    }
    let shelves = around.shelves().map_err(|error| NoCassette::Nowhere(word.to_owned(), error))?;
    let name = word.strip_suffix(".json").unwrap_or(word);
    let spots: Vec<_> = shelves.iter().map(|shelf| shelf.spot(name)).collect();
    let mut there: Vec<_> = spots.iter().filter(|spot| spot.path.is_file()).cloned().collect();
    let places = |spots: &[Spot]| spots.iter().map(|spot| spot.shown.clone()).collect();
    match there.len() {
        1 => Ok(there.remove(0)),
        0 => Err(NoCassette::Unknown { word: word.to_owned(), places: places(&spots), names: names(name, &shelves) }),
        _ => Err(NoCassette::Several { word: word.to_owned(), places: places(&there) }),
    }
}

/// Returns the names that there are, the likest first.
fn names(name: &str, shelves: &[Shelf]) -> Vec<String> {
    let mut names: Vec<_> =
        shelves.iter().flat_map(|shelf| shelf.cassettes().unwrap_or_default()).map(|spot| spot.name).collect();
    names.sort();
    names.dedup();
    names.sort_by_key(|known| far(name, known));
    names
}

/// Returns how far a name is from what was typed; a part of the other is near.
fn far(typed: &str, name: &str) -> usize {
    if name.contains(typed) || typed.contains(name) { 0 } else { distance(typed, name) }
}
