//! Which cassettes are served: what the words mean, and where each is kept.

use std::path::{Path, PathBuf};

use cargo_cassette::mending::{UPSTREAMS, damaged, mending, upstreams};
use cargo_cassette::shelf::{self, Reached, Shelf, Spot, Unreadable, path_text};
use cargo_cassette::workspace::{NoShelf, places};
use cassette_core::env;
use cassette_core::mode::Mode;
use cassette_core::name::Name;
use cassette_core::tape::{Head, Tape};

use super::ServeError;
use super::whose::{SERVE, Whose};
use crate::command::around::Surroundings;
use crate::command::named::{NoCassette, as_name, named};

/// Where a cassette is kept, whether or not it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) struct Place {
    pub(in crate::command) name: String,
    pub(in crate::command) dir: PathBuf,
    pub(in crate::command) shown: String,
}

/// Returns the places of the cassettes that these words mean: a path, a name in the one directory that there may be, or a
/// directory, which means each cassette in it.
pub(super) fn of(words: &[String], around: &Surroundings) -> Result<Vec<Place>, ServeError> {
    let mut places: Vec<Place> = Vec::new();
    for word in words {
        let path = around.standpoint.here.join(word);
        let found = match path.is_dir() && !is_name(word, around) {
            true => within(word, &path, around)?,
            false => vec![Place::of(word, around)?],
        };
        for place in found {
            if places.iter().any(|known| known.file() == place.file()) {
                return Err(ServeError::Twice(place.shown));
            }
            places.push(place);
        }
    }
    Ok(places)
}

/// Refuses a name of which there is no cassette to replay, where it is near to one that there is: `record` is what records it.
pub(in crate::command) fn meant(
    words: &[String],
    mode: Option<Mode>,
    record: &str,
    around: &Surroundings,
) -> Result<(), ServeError> {
    let variable = || Mode::parse(&env::var("CASSETTE_MODE").unwrap_or_default()).ok();
    if mode.or_else(variable) != Some(Mode::Replay) {
        return Ok(());
    }
    for word in words {
        let is_there = around.standpoint.here.join(word).exists() || Place::of(word, around)?.is_there();
        if let (false, Err(error)) = (is_there, named(word, around))
            && (error.near().is_some() || matches!(error, NoCassette::Elsewhere { .. }))
        {
            return Err(ServeError::Unknown(error, record.to_owned()));
        }
    }
    Ok(())
}

/// Returns whether there is a cassette of this name: it comes before a directory.
fn is_name(word: &str, around: &Surroundings) -> bool {
    let shelves = places(&around.standpoint).unwrap_or_default();
    shelves.iter().any(|shelf| shelf.spot(as_name(word)).path.is_file())
}

/// Returns the cassettes in a directory: one of cassettes, or one below it.
fn within(word: &str, path: &Path, around: &Surroundings) -> Result<Vec<Place>, ServeError> {
    let (dir, below) = root(path, around);
    let shelf = Shelf::new(&dir, word);
    let spots = shelf.cassettes().map_err(|error| ServeError::Directory(word.to_owned(), error))?;
    if let Some(closed) = spots.iter().find(|spot| spot.is_directory()) {
        let error = std::fs::read_dir(&closed.path).err().unwrap_or_else(|| std::io::ErrorKind::Other.into());
        return Err(ServeError::Directory(closed.shown.clone(), error));
    }
    if let Some(spot) = spots.iter().find(|spot| spot.is_nameless()) {
        let help = mending(spot, &Unreadable::Nameless);
        return Err(ServeError::Unreadable(spot.place(), Unreadable::Nameless, help));
    }
    let prefix = path_text(&below);
    let inside =
        |name: &str| prefix.is_empty() || name.strip_prefix(&*prefix).is_some_and(|rest| rest.starts_with('/'));
    let shown = |name: &str| {
        let rest = name.strip_prefix(&*prefix).unwrap_or(name).trim_start_matches('/');
        format!("{}/{rest}.json", word.trim_end_matches('/'))
    };
    let spots = spots.into_iter().filter(|spot| inside(&spot.name) && !shelf::holds_other(&spot.path));
    let found: Vec<_> =
        spots.map(|spot| Place { shown: shown(&spot.name), name: spot.name, dir: dir.clone() }).collect();
    if found.is_empty() { Err(ServeError::Empty(word.to_owned())) } else { Ok(found) }
}

/// Returns the directory of cassettes in which a path lies, and what is left of the path; its own where it lies in none.
fn root(path: &Path, around: &Surroundings) -> (PathBuf, PathBuf) {
    let shelves = places(&around.standpoint).unwrap_or_default();
    let plain = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let below = |shelf: &Shelf| {
        let dir = std::fs::canonicalize(&shelf.dir).ok()?;
        Some((shelf.dir.clone(), plain.strip_prefix(dir).ok()?.to_owned()))
    };
    shelves.iter().find_map(below).unwrap_or_else(|| (path.to_owned(), PathBuf::new()))
}

impl Place {
    /// Returns where the cassette is that a word means.
    pub(in crate::command) fn of(word: &str, around: &Surroundings) -> Result<Place, ServeError> {
        let place = Place::found(word, around)?;
        Name::parse(&place.name).map_err(|error| ServeError::Name(place.name.clone(), error))?;
        Ok(place)
    }

    fn found(word: &str, around: &Surroundings) -> Result<Place, ServeError> {
        let places = places(&around.standpoint);
        let path = around.standpoint.here.join(word);
        let is_named = |shelves: &[Shelf]| shelves.iter().any(|shelf| shelf.spot(as_name(word)).path.is_file());
        let is_name = !path.is_file() && places.as_ref().is_ok_and(|shelves| is_named(shelves));
        if word.ends_with(".json") && !is_name || path.is_file() {
            let path = path.with_extension("json");
            let shelves = places.unwrap_or_default();
            let below = shelves.iter().find(|shelf| path.starts_with(&shelf.dir)).map(|shelf| shelf.dir.clone());
            let dir = below.or_else(|| path.parent().map(Path::to_owned)).unwrap_or_default();
            let name = path.strip_prefix(&dir).unwrap_or(&path).with_extension("");
            return Ok(Place { name: path_text(&name), dir, shown: word.to_owned() });
        }
        let mistakes = around.said().mistakes;
        if !mistakes.is_empty() {
            return Err(ServeError::NoShelf(NoShelf::Settings(mistakes)));
        }
        let places = places.map_err(ServeError::NoShelf)?;
        let spots: Vec<_> = places.iter().map(|shelf| (shelf, shelf.spot(as_name(word)))).collect();
        let there: Vec<_> = spots.iter().filter(|(_, spot)| spot.path.is_file()).collect();
        match if there.is_empty() { spots.iter().collect() } else { there }.as_slice() {
            [(shelf, spot)] => Ok(Place { name: spot.name.clone(), dir: shelf.dir.clone(), shown: spot.shown.clone() }),
            several => {
                let shown: Vec<_> = several.iter().map(|(_, spot)| spot.shown.clone()).collect();
                let again = around.again(word, shown.first().map(String::as_str));
                Err(ServeError::Several(word.to_owned(), shown, again))
            }
        }
    }

    /// Returns its directory as it is shown.
    pub(in crate::command) fn directory(&self) -> String {
        let dir = self.shown.strip_suffix(&format!("{}.json", self.name));
        dir.map_or_else(|| self.dir.display().to_string(), |dir| dir.trim_end_matches('/').to_owned())
    }

    /// Returns whether there is such a file.
    pub(super) fn is_there(&self) -> bool {
        self.file().is_file()
    }

    /// Returns the file.
    pub(in crate::command) fn file(&self) -> PathBuf {
        let path = self.dir.join(format!("{}.json", self.name));
        std::fs::canonicalize(&path).unwrap_or(path)
    }

    /// Reads the cassette, for the upstreams in it; nothing where there is none yet. Where it cannot be read, `anew` returns what
    /// serves it anew in a mode, which goes to the upstreams that can still be made out.
    pub(super) fn tape(&self, mode: Option<Mode>, anew: impl Fn(Mode, &Tape) -> String) -> Result<Tape, ServeError> {
        let path = self.dir.join(format!("{}.json", self.name));
        match shelf::open(&path) {
            Ok(tape) => Ok(tape),
            Err(_) if !path.is_file() => Ok(Tape::default()),
            Err(error) => {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let meta = upstreams(&text).map(|named| (UPSTREAMS.into(), named)).into_iter().collect();
                let left = Tape { head: Head { meta, ..Head::default() }, interactions: Vec::new() };
                let whose = Whose::of(&text, SERVE);
                if (mode, &whose) == (Some(Mode::Refresh), &Whose::Ours) && matches!(error, Unreadable::Damaged(..)) {
                    return Ok(left);
                }
                Err(self.unreadable(error, &text, &whose, |mode| anew(mode, &left)))
            }
        }
    }

    /// Returns that the cassette of this text cannot be read, with what to do: `ours` returns what records what is the command's own.
    pub(in crate::command) fn unreadable(
        &self,
        error: Unreadable,
        text: &str,
        whose: &Whose,
        ours: impl Fn(Mode) -> String,
    ) -> ServeError {
        let path = self.dir.join(format!("{}.json", self.name));
        let spot = Spot { name: self.name.clone(), shown: self.shown.clone(), path, reached: Reached::ByName };
        let help = match &error {
            Unreadable::Damaged(..) => damaged(&spot, text, &whose.anew(&spot, ours)),
            error => mending(&spot, error),
        };
        ServeError::Unreadable(spot.place(), error, help)
    }
}
