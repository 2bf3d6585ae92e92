//! Files that wait for something to be done.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use cargo_cassette::presentable::presentable;
use cargo_cassette::rules::rules;
use cargo_cassette::shelf::{Shelf, Spot, Unreadable};
use cassette_core::env;
use cassette_core::store::{FileStore, StoreError};
use cassette_core::tape::Tape;
use cassette_core::upkeep::{Candidate, Known, Refusal};

use super::super::around::Surroundings;
use super::super::failure::Failure;
use super::super::named::{as_name, near};
use super::error::SettlingError;

/// A file that waits for something to be done.
#[derive(Clone, Debug)]
pub(in crate::command) struct Waiting {
    pub(in crate::command) shelf: Shelf,
    pub(in crate::command) spot: Spot,
}

impl Waiting {
    pub(in crate::command) fn store(&self) -> FileStore {
        self.shelf.store()
    }

    /// Returns what is known beside the cassette of this name.
    pub(in crate::command) fn known(&self, name: &str) -> Result<Known, Refusal> {
        let known = Known::of(&self.store(), name, &env::of_secrets())?;
        Ok(Known { rules: rules(&self.shelf.dir), ..known })
    }

    /// Checks that no recording of this name is under way: nothing is settled or mended until it has ended.
    pub(in crate::command) fn at_rest(&self) -> Result<(), Refusal> {
        Ok(self.store().at_rest(&self.spot.name)?)
    }

    /// Reads what is pending.
    pub(in crate::command) fn candidate(&self) -> Result<Candidate, Refusal> {
        if self.spot.is_nameless() {
            return Err(nameless(&self.spot));
        }
        if self.spot.is_directory() {
            let error =
                fs::read_dir(&self.spot.path).err().map_or_else(|| "it is a directory".into(), |it| it.to_string());
            return Err(StoreError::Io(self.spot.shown.clone(), "read", error).into());
        }
        let gone = || StoreError::Io(self.spot.shown.clone(), "read", "it is gone".to_owned());
        Candidate::read(&self.store(), &self.spot.name)?.ok_or_else(|| gone().into())
    }
}

impl Waiting {
    /// Returns a recording as it may be shown: what is secret here may not have been where it was recorded.
    pub(in crate::command) fn presentable(&self, candidate: &Candidate) -> Tape {
        presentable(candidate.tape().clone(), Some(&self.shelf.spot(candidate.name())))
    }
}

/// Returns that a file is refused whose name is none: whatever was written would have another.
pub(super) fn nameless(spot: &Spot) -> Refusal {
    StoreError::Io(spot.shown.clone(), "name", Unreadable::Nameless.to_string()).into()
}

/// Returns every recording that was not taken over.
pub(in crate::command) fn pending(around: &Surroundings) -> Result<Vec<Waiting>, Failure> {
    waiting(around, Shelf::pending)
}

/// Returns the files of each directory that are meant, in order.
pub(in crate::command) fn waiting(
    around: &Surroundings,
    files: fn(&Shelf) -> std::io::Result<Vec<Spot>>,
) -> Result<Vec<Waiting>, Failure> {
    let mut all = Vec::new();
    for shelf in around.shelves()? {
        let spots = files(&shelf).map_err(|error| Failure::Directory(shelf.shown.clone(), error))?;
        all.extend(spots.into_iter().map(|spot| Waiting { shelf: shelf.clone(), spot }));
    }
    Ok(all)
}

/// Returns those of these files that the words name, by name or path; where no word is given, all, unless a verb wants names.
pub(in crate::command) fn chosen(
    all: Vec<Waiting>,
    words: &[String],
    wanting: Option<&'static str>,
    around: &Surroundings,
) -> Result<Vec<Waiting>, Failure> {
    let names = || all.iter().filter(|it| !it.spot.is_nameless()).map(|it| it.spot.name.clone()).collect::<Vec<_>>();
    if words.is_empty() {
        return match wanting.filter(|_| !all.is_empty()) {
            None => Ok(all),
            Some(verb) => Err(Failure::Settling(SettlingError::Unnamed(verb, names()))),
        };
    }
    let mut chosen: Vec<Waiting> = Vec::new();
    for word in words {
        let name = as_name(word);
        let is_meant = |it: &&Waiting| it.spot.name == name || it.spot.shown == *word;
        let mut found: Vec<_> = all.iter().filter(is_meant).collect();
        if found.is_empty() {
            // A name may end as a file does.
            found.extend(all.iter().filter(|it| it.spot.name == *word));
        }
        match found.as_slice() {
            [] => {
                let known = names();
                let others: Vec<_> = known.iter().filter(|name| !around.names_too(name, word)).cloned().collect();
                let help = near(name, &others).and_then(|near| around.guess(word, near));
                let help = help.unwrap_or_else(|| "see how it stands: cargo cassette status".to_owned());
                return Err(Failure::Settling(SettlingError::Unknown { word: word.clone(), known, help }));
            }
            [one] if chosen.iter().any(|it| it.spot == one.spot) => {}
            [one] => chosen.push((*one).clone()),
            several => {
                let places: Vec<_> = several.iter().map(|it| it.spot.shown.clone()).collect();
                let guess = around.guess(word, &places[0]).map(|guess| format!("give the path: {guess}"));
                let help = guess.unwrap_or_else(|| "give the path of one: cargo cassette status".to_owned());
                return Err(Failure::Settling(SettlingError::Several { word: word.clone(), places, help }));
            }
        }
    }
    Ok(chosen)
}

/// Returns each file once: of a file and the links that lead to it the file, of links alone the first.
pub(in crate::command) fn once(all: Vec<Waiting>) -> Vec<Waiting> {
    let real = |it: &Waiting| fs::canonicalize(&it.spot.path).unwrap_or_else(|_| it.spot.path.clone());
    let mut known: HashSet<PathBuf> = all.iter().filter(|it| !it.spot.path.is_symlink()).map(real).collect();
    all.into_iter().filter(|it| !it.spot.path.is_symlink() || known.insert(real(it))).collect()
}
