//! Where cassettes are kept.
//!
//! [`Store`] is what a session needs of a place: load, save whole, keep a journal while recording, and keep what was not
//! taken over. [`FileStore`] is a directory of files, [`MemoryStore`] a map for tests.

mod lock;
mod whole;
mod link;
mod names;
mod abandoned;
mod file;
mod at_rest;
mod memory;

pub use abandoned::{Abandoned, is_alive};
pub use at_rest::Rest;
pub use file::FileStore;
pub use memory::MemoryStore;
pub use whole::{HalfWritten, half_written, write_whole};

use std::fmt;
use std::path::Path;

use crate::pending::{Over, Since};
use crate::prove::Proven;
use crate::typed::typed;

/// A place that keeps cassettes by name.
pub trait Store: Send + Sync + fmt::Debug {
    /// Returns the document of this name, if there is one.
    ///
    /// # Errors
    ///
    /// Fails where there is one and it cannot be read.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Saves a document in one step: whoever reads sees the old one or the new one, whole.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written, or where its name differs from another only by case.
    fn save(&self, name: &str, document: &Proven) -> Result<(), StoreError>;

    /// Saves a document as [`save`](Store::save) does, as long as what stands there is what it was recorded over: the lock of a
    /// recording keeps other recordings away, and neither people nor git.
    ///
    /// # Errors
    ///
    /// Fails as `save` does, and where the file is not that one any more; then it is left as it is.
    fn save_over(&self, name: &str, document: &Proven, over: &Over) -> Result<(), StoreError> {
        let now = Over::of(self.load(name)?.as_deref());
        match over.since(&now) {
            Some(since) => Err(StoreError::Meanwhile(self.place(name), since)),
            None => self.save(name, document),
        }
    }

    /// Opens the journal of a recording and locks it until it is closed or the process ends.
    ///
    /// # Errors
    ///
    /// Fails where another recording holds it, or it cannot be created.
    fn journal(&self, name: &str) -> Result<Opened, StoreError>;

    /// Keeps a document that was not taken over.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    fn keep_pending(&self, name: &str, document: &str) -> Result<(), StoreError>;

    /// Returns the document that was not taken over, if there is one.
    ///
    /// # Errors
    ///
    /// Fails where there is one and it cannot be read.
    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Forgets the document that was not taken over.
    ///
    /// # Errors
    ///
    /// Fails where it is there and cannot be removed.
    fn drop_pending(&self, name: &str) -> Result<(), StoreError>;

    /// Returns the list of audit findings that the user vouches for, if there is one.
    ///
    /// # Errors
    ///
    /// Fails where there is one and it cannot be read.
    fn allow_list(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    /// Returns the names of the documents that are kept, as far as that can be told.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns where the document is kept, as reports name it.
    fn place(&self, name: &str) -> String;

    /// Returns where a document is kept that was not taken over.
    fn pending_place(&self, name: &str) -> String;
}

/// Takes a document over that was recorded over this file: it is saved, and what was pending under its name is forgotten.
///
/// # Errors
///
/// Fails where it cannot be saved, and where another file stands there by now; then what was pending stays.
pub fn promote(store: &dyn Store, name: &str, document: &Proven, over: &Over) -> Result<(), StoreError> {
    store.save_over(name, document, over).and_then(|()| store.drop_pending(name))
}

/// A recording in progress: every finished exchange is in it at once.
pub trait Journal: Send + fmt::Debug {
    /// Appends a line, which is safe from a crash of the process when this returns.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    fn append(&mut self, line: &str) -> Result<(), StoreError>;

    /// Ends the journal and removes it: what was in it has been saved elsewhere.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be removed.
    fn close(self: Box<Self>) -> Result<(), StoreError>;
}

/// A journal that has been opened.
#[derive(Debug)]
pub struct Opened {
    /// The journal, empty and locked.
    pub journal: Box<dyn Journal>,
    /// Where the journal of an earlier recording lies that was cut short.
    pub cut_short: Option<String>,
}

/// What went wrong with a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// The system refused: the path, what was being done, and what it said.
    Io(String, &'static str, String),
    /// Another recording holds the journal at this path.
    Locked(String),
    /// The name differs from this one only by case.
    Clash(String),
    /// The file is a link, and what it leads to is not written, for this reason: the link, and where it leads.
    Link(String, String, &'static str),
    /// The file at this path is not the one that was read: what became of it.
    Meanwhile(String, Since),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Io(file, doing, error) => write!(f, "could not {doing} {file}: {error}"),
            StoreError::Locked(file) => write!(f, "a recording is under way: {file} is locked"),
            StoreError::Clash(file) => write!(f, "its name differs from {file} only by case"),
            StoreError::Link(file, target, why) => write!(f, "{file} is a link to {target}, which {why}"),
            StoreError::Meanwhile(file, since) => write!(f, "{file} {} since it was read", since.words()),
        }
    }
}

impl std::error::Error for StoreError {}

impl StoreError {
    /// Returns what to type where a link stands in the way; `None` where none does.
    #[must_use]
    pub fn unlinking(&self) -> Option<String> {
        self.unlinking_from(Path::new(""))
    }

    /// Returns the same as it is typed where this is the way to the directory from which the file is named.
    pub(crate) fn unlinking_from(&self, here: &Path) -> Option<String> {
        let StoreError::Link(file, target, _) = self else { return None };
        let (file, target) = (typed(&here.join(file).display().to_string()), typed(target));
        Some(format!("put a copy in the link's place: rm {file} && cp {target} {file}"))
    }
}
