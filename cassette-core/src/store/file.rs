//! A directory of cassettes.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::link::within;
use super::lock::{self, Lock};
use super::names::names;
use super::whole::{HalfWritten, half_written, persistently, write_whole_where};
use super::{Journal, Opened, Store, StoreError};
use crate::files;
use crate::pending::Over;
use crate::prove::Proven;

/// The directory, inside the cassettes' own, of what was not taken over. It ignores itself in git.
const PENDING: &str = ".pending";

/// With what the name of a file begins that is being written.
const STAGED: &str = "staged-";

/// How often a lock is asked for again that somebody holds.
const GLANCES: usize = 5;

/// A directory with a JSON file a cassette, `<name>.json`.
#[derive(Clone, Debug)]
pub struct FileStore {
    pub(super) dir: PathBuf,
    shown: String,
}

impl FileStore {
    /// Returns the store in this directory, which need not exist yet. Reports name it as `shown`.
    pub fn new(dir: impl Into<PathBuf>, shown: impl Into<String>) -> FileStore {
        FileStore { dir: dir.into(), shown: shown.into() }
    }

    /// Returns the path of a cassette's file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.json"))
    }

    /// Returns the directory of what was not taken over, in this one.
    pub(super) fn pending_in(dir: &Path) -> PathBuf {
        dir.join(PENDING)
    }

    pub(super) fn pending_path(&self, name: &str, ending: &str) -> PathBuf {
        FileStore::pending_in(&self.dir).join(format!("{name}.{ending}"))
    }

    /// Returns the path as reports name it.
    pub(super) fn show(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.dir).unwrap_or(path);
        Path::new(&self.shown).join(inside).display().to_string()
    }

    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        match files::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error(path, "read", &error)),
        }
    }

    /// Writes the file beside its place, flushes it to the disk and renames it, as long as this is what stands there.
    fn replace(&self, path: &Path, bytes: &[u8], over: &Over) -> Result<(), StoreError> {
        self.check_link(path)?;
        self.prepare_pending()?;
        let staged = self.dir.join(PENDING).join(STAGED);
        let mut against = None;
        let may = |against: &mut Option<StoreError>| {
            *against = self.unlike(path, over).err();
            against.as_ref().map_or(Ok(()), |error| Err(io::Error::other(error.to_string())))
        };
        let write = || {
            self.create_parent(path)?;
            write_whole_where(path, bytes, &staged, || may(&mut against))
        };
        let written = persistently(write);
        written.map_err(|error| against.unwrap_or_else(|| self.error(path, "write", &error)))
    }

    /// Refuses a file that is not this one.
    fn unlike(&self, path: &Path, over: &Over) -> Result<(), StoreError> {
        if *over == Over::Unknown {
            return Ok(());
        }
        let now = Over::of(self.read(path)?.as_deref());
        over.since(&now).map_or(Ok(()), |since| Err(StoreError::Meanwhile(self.show(path), since)))
    }

    fn create_parent(&self, path: &Path) -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)
    }

    /// Creates the pending directory, which tells git to ignore it.
    fn prepare_pending(&self) -> Result<(), StoreError> {
        let ignore = self.dir.join(PENDING).join(".gitignore");
        let prepared = self
            .create_parent(&ignore)
            // An empty one was left by a disk that was full.
            .and_then(|()| match fs::metadata(&ignore) {
                Ok(there) if there.len() > 0 => Ok(()),
                _ => create(&ignore)?.write_all(b"*\n"),
            });
        prepared.map_err(|error| self.error(&ignore, "write", &error))
    }

    /// Refuses a name that differs only by case from one that is there: some file systems hold but one of them.
    fn check_case(&self, name: &str) -> Result<(), StoreError> {
        let mut dir = self.dir.clone();
        let file = format!("{name}.json");
        for segment in file.split('/') {
            let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let clash =
                names.into_iter().find(|known| known != segment && known.to_lowercase() == segment.to_lowercase());
            if let Some(clash) = clash {
                return Err(StoreError::Clash(self.show(&dir.join(clash))));
            }
            dir.push(segment);
        }
        Ok(())
    }

    /// Refuses a link that leads out of the project, or to what is no cassette's file: what is written would be somebody else's.
    fn check_link(&self, path: &Path) -> Result<(), StoreError> {
        within(&self.dir, path).map_err(|error| match error {
            Ok((target, why)) => StoreError::Link(self.show(path), target.display().to_string(), why),
            Err(error) => self.error(path, "write", &error),
        })
    }

    pub(super) fn error(&self, path: &Path, doing: &'static str, error: &io::Error) -> StoreError {
        StoreError::Io(self.show(path), doing, error.to_string())
    }
}

impl Store for FileStore {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&self.path(name))
    }

    fn save(&self, name: &str, document: &Proven) -> Result<(), StoreError> {
        self.save_over(name, document, &Over::Unknown)
    }

    fn save_over(&self, name: &str, document: &Proven, over: &Over) -> Result<(), StoreError> {
        self.check_case(name)?;
        self.replace(&self.path(name), document.text().as_bytes(), over)
    }

    fn journal(&self, name: &str) -> Result<Opened, StoreError> {
        self.writable(name)?;
        self.prepare_pending()?;
        // What cannot be removed now the next recording removes.
        self.half_written().into_iter().for_each(|left| _ = left.remove());
        let path = self.pending_path(name, "journal");
        let failed = |error: &io::Error| self.error(&path, "write", error);
        let file = self.lock(&path)?;
        if file.metadata().map_err(|error| failed(&error))?.len() == 0 {
            return Ok(Opened { journal: Box::new(FileJournal { file, path, store: self.clone() }), cut_short: None });
        }
        let aside =
            (1..).map(|n| self.pending_path(name, &format!("cut-short-{n}.journal"))).find(|path| !path.exists());
        let aside = aside.unwrap_or_else(|| self.pending_path(name, "cut-short.journal"));
        fs::rename(&path, &aside).map_err(|error| failed(&error))?;
        let file = self.lock(&path)?;
        let journal = Box::new(FileJournal { file, path, store: self.clone() });
        Ok(Opened { journal, cut_short: Some(self.show(&aside)) })
    }

    fn keep_pending(&self, name: &str, document: &str) -> Result<(), StoreError> {
        self.replace(&self.pending_path(name, "json"), document.as_bytes(), &Over::Unknown)
    }

    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&self.pending_path(name, "json"))
    }

    fn drop_pending(&self, name: &str) -> Result<(), StoreError> {
        self.remove_pending(&self.pending_path(name, "json"))
    }

    fn allow_list(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&self.path("allow"))
    }

    fn names(&self) -> Vec<String> {
        names(&self.dir)
    }

    fn place(&self, name: &str) -> String {
        self.show(&self.path(name))
    }

    fn pending_place(&self, name: &str) -> String {
        self.show(&self.pending_path(name, "json"))
    }
}

impl FileStore {
    /// Saves what a person vouches for, and no run has proven: a file that was changed by hand, or the beginning of another one.
    ///
    /// # Errors
    ///
    /// Fails as [`save`](Store::save) does.
    pub fn vouch(&self, name: &str, text: &str) -> Result<(), StoreError> {
        self.check_case(name)?;
        self.replace(&self.path(name), text.as_bytes(), &Over::Unknown)
    }

    /// Checks that a cassette of this name may be written, as far as that can be told without writing it.
    ///
    /// # Errors
    ///
    /// Fails where its name differs from another only by case, and where it is a link that leads out of the project, or to what is
    /// no cassette's file.
    pub fn writable(&self, name: &str) -> Result<(), StoreError> {
        self.check_case(name)?;
        self.check_link(&self.path(name))
    }

    /// Returns the files that programs left half written when they died. What a living one writes is none of them.
    pub fn half_written(&self) -> Vec<HalfWritten> {
        half_written(&self.dir.join(PENDING).join(STAGED))
    }

    /// Removes the directories below that of what was not taken over in which nothing is left.
    pub fn remove_empty(&self) {
        fn tidy(dir: &Path) {
            let entries = fs::read_dir(dir).into_iter().flatten().flatten();
            for below in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
                tidy(&below.path());
                // What is not empty stays.
                let _ = fs::remove_dir(below.path());
            }
        }
        tidy(&self.dir.join(PENDING));
    }

    /// Removes a file of what was not taken over, and the directories in which nothing is left then.
    pub(super) fn remove_pending(&self, path: &Path) -> Result<(), StoreError> {
        remove(path).map_err(|error| self.error(path, "remove", &error))?;
        let pending = self.dir.join(PENDING);
        let above = path.ancestors().skip(1).take_while(|dir| *dir != pending && dir.starts_with(&pending));
        // The first that is not empty ends it.
        let _ = above.into_iter().try_for_each(fs::remove_dir);
        Ok(())
    }

    pub(super) fn lock(&self, path: &Path) -> Result<File, StoreError> {
        for glance in 0..=GLANCES {
            let lock = persistently(|| self.create_parent(path).and_then(|()| lock::lock(path)));
            match lock.map_err(|error| self.error(path, "write", &error))? {
                Lock::Held(file) => return Ok(file),
                Lock::None(_, error) => return Err(self.error(path, "lock", &error)),
                // Somebody may only have looked whether it is held.
                Lock::Elsewhere if glance < GLANCES => std::thread::sleep(Duration::from_millis(1)),
                Lock::Elsewhere => {}
            }
        }
        Err(StoreError::Locked(self.show(path)))
    }
}

/// A locked file that grows by a line an exchange.
#[derive(Debug)]
struct FileJournal {
    file: File,
    path: PathBuf,
    store: FileStore,
}

impl Journal for FileJournal {
    fn append(&mut self, line: &str) -> Result<(), StoreError> {
        // One write(2): it survives the death of the process. What survives a power cut is the saved file.
        let line = format!("{line}\n");
        self.file.write_all(line.as_bytes()).map_err(|error| self.store.error(&self.path, "write", &error))
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.store.remove_pending(&self.path)
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where cassettes are written")]
fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
