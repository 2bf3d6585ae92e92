//! What a person does with a cassette's file, while no recording of its name is under way.
//!
//! A session finds at its end that its file is another one, and leaves what it recorded pending; but whoever is at work on the file
//! finds out before that.

use std::fs;

use super::lock::is_held;
use super::{FileStore, StoreError};
use crate::files::real;

impl FileStore {
    /// Checks that no recording of this name is under way; where the file lies in a part of another directory of cassettes, none in that
    /// one either.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Locked`] where one is. Where nobody can tell, none is taken to be.
    pub fn at_rest(&self, name: &str) -> Result<(), StoreError> {
        let file = real(&self.dir).join(format!("{name}.journal"));
        let journals = file.ancestors().skip(1).map(|dir| {
            let inside = file.strip_prefix(dir).unwrap_or(&file);
            FileStore::pending_in(dir).join(inside)
        });
        let own = self.pending_path(name, "journal");
        match [own].into_iter().chain(journals).find(|journal| is_held(journal) == Some(true)) {
            Some(journal) => Err(StoreError::Locked(self.show(&journal))),
            None => Ok(()),
        }
    }

    /// Does something with the cassette of this name while no recording of it is under way, and none can begin. What a program has left
    /// that died while it recorded stays as it is.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Locked`] where one is, as what is done fails, and where there is no lock to be had.
    pub fn undisturbed<T, E: From<StoreError>>(&self, name: &str, act: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.at_rest(name)?;
        let path = self.pending_path(name, "journal");
        let journal = self.lock(&path)?;
        let done = act();
        // Nobody has written into one that was made here.
        if journal.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            self.remove_pending(&path)?;
        }
        // What is not empty stays.
        let _ = fs::remove_dir(FileStore::pending_in(&self.dir));
        done
    }
}
