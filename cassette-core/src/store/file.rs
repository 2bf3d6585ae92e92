//! A directory of cassettes.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Journal, Opened, Store, StoreError};
use crate::prove::Proven;

/// The directory, inside the cassettes' own, of what was not taken over. It ignores itself in git.
const PENDING: &str = ".pending";

/// A directory with a JSON file a cassette, `<name>.json`.
#[derive(Clone, Debug)]
pub struct FileStore {
    dir: PathBuf,
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

    fn pending_path(&self, name: &str, ending: &str) -> PathBuf {
        self.dir.join(PENDING).join(format!("{name}.{ending}"))
    }

    /// Returns the path as reports name it.
    fn show(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.dir).unwrap_or(path);
        Path::new(&self.shown).join(inside).display().to_string()
    }

    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error(path, "read", &error)),
        }
    }

    /// Writes the file beside its place, flushes it to the disk and renames it.
    fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.prepare_pending()?;
        let staged =
            self.dir.join(PENDING).join(format!("staged-{}-{:?}", std::process::id(), std::thread::current().id()));
        let written = self.create_parent(path).and_then(|()| {
            let mut file = create(&staged)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&staged, path)
        });
        written.map_err(|error| {
            // What was staged is of no use; the error that matters is the one before.
            let _ = fs::remove_file(&staged);
            self.error(path, "write", &error)
        })
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

    pub(super) fn error(&self, path: &Path, doing: &'static str, error: &io::Error) -> StoreError {
        StoreError::Io(self.show(path), doing, error.to_string())
    }
}

impl Store for FileStore {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&self.path(name))
    }

    fn save(&self, name: &str, document: &Proven) -> Result<(), StoreError> {
        self.check_case(name)?;
        self.replace(&self.path(name), document.text().as_bytes())
    }

    fn journal(&self, name: &str) -> Result<Opened, StoreError> {
        self.check_case(name)?;
        self.prepare_pending()?;
        let path = self.pending_path(name, "journal");
        let failed = |error: &io::Error| self.error(&path, "write", error);
        self.create_parent(&path).map_err(|error| failed(&error))?;
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
        self.replace(&self.pending_path(name, "json"), document.as_bytes())
    }

    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&self.pending_path(name, "json"))
    }

    fn drop_pending(&self, name: &str) -> Result<(), StoreError> {
        remove(&self.pending_path(name, "json"))
            .map_err(|error| self.error(&self.pending_path(name, "json"), "remove", &error))
    }

    fn allow_list(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&self.path("allow"))
    }

    fn place(&self, name: &str) -> String {
        self.show(&self.path(name))
    }

    fn pending_place(&self, name: &str) -> String {
        self.show(&self.pending_path(name, "json"))
    }
}

impl FileStore {
    pub(super) fn lock(&self, path: &Path) -> Result<File, StoreError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.map_err(|error| self.error(path, "write", &error))?;
        match file.try_lock() {
            // Whoever closed the journal meanwhile has removed what was locked here.
            Ok(()) if !is_at(&file, path) => self.lock(path),
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked(self.show(path))),
            Err(TryLockError::Error(error)) => Err(self.error(path, "lock", &error)),
        }
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
        remove(&self.path).map_err(|error| self.store.error(&self.path, "remove", &error))
    }
}

/// Returns whether this open file is the one that stands at the path now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let [open, there] = [file.metadata(), fs::metadata(path)].map(|metadata| metadata.ok().map(identity));
    open.is_some() && open == there
}

/// Returns whether this open file is the one that stands at the path now: an open file cannot be removed here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[expect(clippy::disallowed_methods, reason = "the one place where cassettes are written")]
fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
