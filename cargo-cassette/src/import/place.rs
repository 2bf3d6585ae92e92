//! Where one recording of another tool becomes a cassette.

use std::sync::{Arc, Mutex, PoisonError};

use cassette_core::prove::Proven;
use cassette_core::store::{FileStore, Journal, MemoryStore, Opened, Store, StoreError};

/// Whether anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// The cassette is.
    Saved,
    /// Nothing is: it is only found out what would be.
    Nothing,
}

/// The place of one cassette among those of a directory, for a session that imports it.
///
/// To the session nothing stands there, so that what is imported is exactly what was recorded, whatever is replaced. The place
/// is locked as for any recording, but no journal is written and nothing is kept pending: the recording stays where it
/// came from. A cassette that was written since the place was looked at is never replaced.
#[derive(Clone, Debug)]
pub struct Place {
    store: FileStore,
    keeping: Keeping,
    seen: Option<Vec<u8>>,
    written: Arc<Mutex<Option<String>>>,
}

impl Place {
    /// Looks at the place of this name.
    ///
    /// # Errors
    ///
    /// Fails where what stands there cannot be read.
    pub fn of(store: FileStore, name: &str, keeping: Keeping) -> Result<Place, StoreError> {
        let seen = store.load(name)?;
        Ok(Place { store, keeping, seen, written: Arc::default() })
    }

    /// Returns what stood there when it was looked at.
    pub fn seen(&self) -> Option<&[u8]> {
        self.seen.as_deref()
    }

    /// Returns the cassette that was written, or would have been.
    pub fn written(&self) -> Option<String> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Store for Place {
    fn load(&self, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    fn save(&self, name: &str, document: &Proven) -> Result<(), StoreError> {
        if self.store.load(name)? != self.seen {
            return Err(StoreError::Io(self.place(name), "replace", "it was recorded meanwhile".to_owned()));
        }
        if self.keeping == Keeping::Saved {
            self.store.save(name, document)?;
        }
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(document.text().to_owned());
        Ok(())
    }

    fn journal(&self, name: &str) -> Result<Opened, StoreError> {
        if self.keeping == Keeping::Nothing {
            return MemoryStore::default().journal(name);
        }
        let Opened { journal, cut_short } = self.store.journal(name)?;
        Ok(Opened { journal: Box::new(Lock(journal)), cut_short })
    }

    fn keep_pending(&self, _: &str, _: &str) -> Result<(), StoreError> {
        Ok(())
    }

    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.pending(name)
    }

    fn drop_pending(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }

    fn allow_list(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.allow_list()
    }

    fn place(&self, name: &str) -> String {
        self.store.place(name)
    }

    fn pending_place(&self, name: &str) -> String {
        self.store.pending_place(name)
    }
}

/// The lock of a recording, without its journal.
#[derive(Debug)]
struct Lock(Box<dyn Journal>);

impl Journal for Lock {
    fn append(&mut self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.0.close()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cassette_core::call::Call;
    use cassette_core::reply::{Outcome, TransportClass, TransportError};
    use cassette_core::store::{FileStore, Store as _};

    use super::{Keeping, Place};
    use crate::import::{Exchange, plan, record};

    fn imported(place: &Place) -> Result<(), String> {
        let call = Call::http("GET", "https://a.test/", Vec::new(), Vec::new());
        let error = TransportError { class: TransportClass::Reset, message: "gone".to_owned() };
        let exchange = Exchange { call, reply: Outcome::Error(error), line: None, note: None };
        let recorded = record(plan("trains", Arc::new(place.clone()), "trains.har"), &[exchange]);
        recorded.map(|_| ()).map_err(|report| report.to_string())
    }

    #[test]
    fn what_was_written_since_the_place_was_looked_at_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let store = FileStore::new(dir.path(), "cassettes");
        let [late, early] = [(); 2].map(|()| Place::of(store.clone(), "trains", Keeping::Saved).unwrap());
        assert_eq!(imported(&early), Ok(()));
        let written = store.load("trains").unwrap();
        assert_eq!(written.as_deref(), early.written().as_deref().map(str::as_bytes));
        let refused = imported(&late).unwrap_err();
        assert!(refused.contains("could not replace cassettes/trains.json: it was recorded meanwhile"), "{refused}");
        assert_eq!((store.load("trains").unwrap(), late.written()), (written, None));
    }
}
