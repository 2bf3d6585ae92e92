//! A journal that a program left behind when it died.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::lock::is_held;
use super::{FileStore, StoreError};

/// A journal whose program has died. It is locked until this is dropped.
#[derive(Debug)]
pub struct Abandoned {
    file: File,
    path: PathBuf,
    store: FileStore,
}

impl FileStore {
    /// Locks the journal at this path, below the directory, which no living program may hold; `None` where there is none.
    ///
    /// # Errors
    ///
    /// Fails where a recording that is under way holds it, and where it cannot be opened.
    pub fn abandoned(&self, path: &Path) -> Result<Option<Abandoned>, StoreError> {
        if !path.is_file() {
            return Ok(None);
        }
        let file = self.lock(path)?;
        Ok(Some(Abandoned { file, path: path.to_owned(), store: self.clone() }))
    }
}

/// Returns whether the program that writes this journal is alive; `None` where that cannot be told.
pub fn is_alive(journal: &Path) -> Option<bool> {
    is_held(journal)
}

impl Abandoned {
    /// Returns what is in it. A crash may have torn a character at its end, which reads as U+FFFD.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be read.
    pub fn text(&self) -> Result<String, StoreError> {
        let mut bytes = Vec::new();
        let read = (&self.file).read_to_end(&mut bytes);
        read.map_err(|error| self.store.error(&self.path, "read", &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Removes it: what was in it is kept elsewhere.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be removed.
    pub fn remove(self) -> Result<(), StoreError> {
        self.store.remove_pending(&self.path)
    }
}
