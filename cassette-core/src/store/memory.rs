//! Cassettes in memory, for tests of whatever uses them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Journal, Opened, Store, StoreError};
use crate::prove::Proven;

/// A store that forgets everything with its last clone.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    shelves: Arc<Mutex<Shelves>>,
}

#[derive(Debug, Default)]
struct Shelves {
    saved: HashMap<String, Vec<u8>>,
    pending: HashMap<String, Vec<u8>>,
    journals: HashMap<String, String>,
    locked: HashSet<String>,
}

impl MemoryStore {
    /// Puts a document on the shelf as it is, proven or not: a test's own file.
    pub fn put(&self, name: &str, document: &[u8]) {
        self.shelves().saved.insert(name.to_owned(), document.to_vec());
    }

    /// Takes a document off the shelf, as a person does who removes its file.
    pub fn remove(&self, name: &str) {
        self.shelves().saved.remove(name);
    }

    /// Returns the journal of a recording that is under way or was cut short.
    pub fn journal_text(&self, name: &str) -> Option<String> {
        self.shelves().journals.get(name).cloned()
    }

    fn shelves(&self) -> MutexGuard<'_, Shelves> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.shelves().saved.get(name).cloned())
    }

    fn save(&self, name: &str, document: &Proven) -> Result<(), StoreError> {
        self.put(name, document.text().as_bytes());
        Ok(())
    }

    fn journal(&self, name: &str) -> Result<Opened, StoreError> {
        if !self.shelves().locked.insert(name.to_owned()) {
            return Err(StoreError::Locked(format!("memory:{name}.journal")));
        }
        self.shelves().journals.insert(name.to_owned(), String::new());
        Ok(Opened { journal: Box::new(MemoryJournal { store: self.clone(), name: name.to_owned() }), cut_short: None })
    }

    fn keep_pending(&self, name: &str, document: &str) -> Result<(), StoreError> {
        self.shelves().pending.insert(name.to_owned(), document.as_bytes().to_vec());
        Ok(())
    }

    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.shelves().pending.get(name).cloned())
    }

    fn drop_pending(&self, name: &str) -> Result<(), StoreError> {
        self.shelves().pending.remove(name);
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.shelves().saved.keys().cloned().collect();
        names.sort();
        names
    }

    fn place(&self, name: &str) -> String {
        format!("memory:{name}.json")
    }

    fn pending_place(&self, name: &str) -> String {
        format!("memory:.pending/{name}.json")
    }
}

#[derive(Debug)]
struct MemoryJournal {
    store: MemoryStore,
    name: String,
}

impl Journal for MemoryJournal {
    fn append(&mut self, line: &str) -> Result<(), StoreError> {
        let mut shelves = self.store.shelves();
        let journal = shelves.journals.entry(self.name.clone()).or_default();
        journal.push_str(line);
        journal.push('\n');
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.store.shelves().journals.remove(&self.name);
        Ok(())
    }
}

impl Drop for MemoryJournal {
    fn drop(&mut self) {
        self.store.shelves().locked.remove(&self.name);
    }
}
