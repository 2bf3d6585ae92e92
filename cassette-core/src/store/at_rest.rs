//! What a person does with a cassette's file, while no recording of its name is under way.
//!
//! A session finds at its end that its file is another one, and leaves what it recorded pending; but whoever is at work on the file
//! finds out before that.

use std::fs::{self, File};
use std::path::PathBuf;

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
        let _rest = self.rest(name)?;
        act()
    }

    /// Returns what keeps the cassette of this name from being recorded, as long as it is there.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Locked`] where it is being recorded, and where there is no lock to be had.
    pub fn rest(&self, name: &str) -> Result<Rest, StoreError> {
        self.at_rest(name)?;
        let path = self.pending_path(name, "journal");
        Ok(Rest { journal: self.lock(&path)?, store: self.clone(), path })
    }
}

/// Keeps a cassette from being recorded.
#[derive(Debug)]
#[must_use = "what is dropped keeps nothing"]
pub struct Rest {
    journal: File,
    store: FileStore,
    path: PathBuf,
}

impl Drop for Rest {
    fn drop(&mut self) {
        // Nobody has written into one that was made here. An empty one that cannot be removed is in nobody's way.
        if self.journal.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            let _ = self.store.remove_pending(&self.path);
        }
        // What is not empty stays.
        let _ = fs::remove_dir(FileStore::pending_in(&self.store.dir));
    }
}
