//! A directory of cassettes, and the files in it.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use cassette_core::disk::{self, OpenError, ReadError};
use cassette_core::store::FileStore;
use cassette_core::tape::Tape;

/// A directory of cassettes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// The directory.
    pub dir: PathBuf,
    /// The directory as it is shown to a person.
    pub shown: String,
}

/// A cassette's file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The cassette's name.
    pub name: String,
    /// The file as it is shown to a person.
    pub shown: String,
    /// The file.
    pub path: PathBuf,
}

/// Why a file is no cassette that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreadable {
    /// The system refused.
    Io(String),
    /// It is damaged: the line, from 1, where it is known, and what is wrong.
    Damaged(Option<usize>, String),
    /// It needs a newer reader: what it needs, and what this one knows.
    Newer(String, String),
    /// It is compressed, which this version does not read.
    Compressed,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(error) => write!(f, "could not be read: {error}"),
            Unreadable::Damaged(Some(line), what) => write!(f, "line {line}: {what}"),
            Unreadable::Damaged(None, what) => f.write_str(what),
            Unreadable::Newer(needs, known) => write!(f, "it needs {needs}, and this reader knows {known}"),
            Unreadable::Compressed => f.write_str("it is compressed, which this version does not read"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<OpenError> for Unreadable {
    fn from(error: OpenError) -> Unreadable {
        match error {
            OpenError::Io(error) => Unreadable::Io(error),
            OpenError::Compressed => Unreadable::Compressed,
            OpenError::Read(ReadError::Damaged(line, what)) => Unreadable::Damaged(line, what),
            OpenError::Read(ReadError::Newer(needs, known)) => Unreadable::Newer(needs, known),
            other => Unreadable::Io(other.to_string()),
        }
    }
}

/// The directory of what was not taken over.
const PENDING: &str = ".pending";

/// The directory of long leaves.
const BLOBS: &str = "blobs";

/// Files in the directory that are no cassettes: what somebody vouches for.
const OURS: [&str; 1] = ["allow"];

impl Shelf {
    /// Returns the files of the cassettes, by name.
    ///
    /// # Errors
    ///
    /// Fails where the directory, or one in it, cannot be read.
    pub fn cassettes(&self) -> io::Result<Vec<Spot>> {
        let files = files(&self.dir)?.into_iter().filter(|path| is_cassette(path) && !self.is_ours(path));
        Ok(self.spots(&self.dir, files))
    }

    /// Returns the files of recordings that were not taken over, by name.
    ///
    /// # Errors
    ///
    /// Fails where the directory is there and cannot be read.
    pub fn pending(&self) -> io::Result<Vec<Spot>> {
        let dir = self.dir.join(PENDING);
        let files = if dir.is_dir() { files(&dir)? } else { Vec::new() };
        Ok(self.spots(&dir, files.into_iter().filter(|path| is_cassette(path))))
    }

    /// Returns the journals of recordings that are under way, or were cut short.
    ///
    /// # Errors
    ///
    /// Fails where the directory is there and cannot be read.
    pub fn journals(&self) -> io::Result<Vec<Spot>> {
        let dir = self.dir.join(PENDING);
        let files = if dir.is_dir() { files(&dir)? } else { Vec::new() };
        Ok(self
            .spots(&dir, files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "journal"))))
    }

    /// Returns the files that are neither cassettes nor ours, by name.
    ///
    /// # Errors
    ///
    /// Fails where the directory, or one in it, cannot be read.
    pub fn others(&self) -> io::Result<Vec<Spot>> {
        let is_hidden =
            |path: &Path| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with('.'));
        let files = files(&self.dir)?.into_iter();
        Ok(self.spots(&self.dir, files.filter(|path| !is_cassette(path) && !is_hidden(path) && !self.is_ours(path))))
    }

    /// Returns the file of the cassette of this name, whether or not it is there.
    pub fn spot(&self, name: &str) -> Spot {
        let path = self.dir.join(format!("{name}.json"));
        Spot { name: name.to_owned(), shown: self.show(&path), path }
    }

    /// Returns the store that keeps its cassettes.
    pub fn store(&self) -> FileStore {
        FileStore::new(&self.dir, &self.shown)
    }

    /// Returns the long leaves of cassettes that no file of the directory names any more, be it one that cannot be read.
    ///
    /// # Errors
    ///
    /// Fails where a directory or a file cannot be read.
    pub fn unreferenced_blobs(&self) -> io::Result<Vec<Spot>> {
        let dir = self.dir.join(BLOBS);
        let mut blobs = if dir.is_dir() { files(&dir)? } else { Vec::new() };
        if blobs.is_empty() {
            return Ok(Vec::new());
        }
        let pending = self.dir.join(PENDING);
        let waiting = if pending.is_dir() { files(&pending)? } else { Vec::new() };
        let others = files(&self.dir)?.into_iter().filter(|path| !path.starts_with(&dir));
        for file in others.chain(waiting) {
            let bytes = fs::read(&file)?;
            // What is compressed may name any of them.
            if file.extension().is_some_and(|ending| ending == "zst") {
                return Ok(Vec::new());
            }
            let text = String::from_utf8_lossy(&bytes);
            blobs.retain(|blob| {
                !blob.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| text.contains(stem))
            });
        }
        Ok(self.spots(&dir, blobs.into_iter()))
    }

    fn is_ours(&self, path: &Path) -> bool {
        OURS.iter().any(|name| path == self.dir.join(format!("{name}.json"))) || path.starts_with(self.dir.join(BLOBS))
    }

    fn spots(&self, below: &Path, files: impl Iterator<Item = PathBuf>) -> Vec<Spot> {
        let spot = |path: PathBuf| Spot { name: name(below, &path), shown: self.show(&path), path };
        let mut spots: Vec<_> = files.map(spot).collect();
        spots.sort();
        spots
    }

    fn show(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.dir).unwrap_or(path);
        Path::new(&self.shown).join(inside).display().to_string().replace('\\', "/")
    }
}

/// Reads a cassette.
///
/// # Errors
///
/// Fails where the file cannot be read or is no sound cassette.
pub fn open(path: &Path) -> Result<Tape, Unreadable> {
    Ok(Tape::open(path)?)
}

/// Reads a cassette from its bytes.
///
/// # Errors
///
/// Fails where they are no sound cassette.
pub fn read(bytes: &[u8]) -> Result<Tape, Unreadable> {
    Ok(disk::read(bytes).map_err(OpenError::Read)?)
}

/// Returns whether a file is named as a cassette is.
pub(crate) fn is_cassette(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    !name.starts_with('.') && (name.ends_with(".json") || name.ends_with(".json.zst"))
}

/// Returns the name of the cassette at a path below a directory.
pub(crate) fn name(below: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(below).unwrap_or(path).display().to_string().replace('\\', "/");
    let endings = [".json.zst", ".json", ".journal"];
    endings.iter().find_map(|ending| inside.strip_suffix(ending)).unwrap_or(&inside).to_owned()
}

/// Returns every file below a directory but for what stands in hidden ones. A link to a directory may lead back to where it
/// stands, so it is not followed.
fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", dir.display()));
    for entry in fs::read_dir(dir).map_err(named)? {
        let entry = entry?;
        let path = entry.path();
        let is_hidden = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with('.'));
        if entry.file_type()?.is_dir() && !is_hidden {
            found.extend(files(&path)?);
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(found)
}
