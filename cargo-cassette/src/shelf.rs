//! A directory of cassettes, and the files in it.

mod files;
mod ours;
mod reached;
mod readable;
mod spot;
mod unreadable;

use std::io;
use std::path::{Path, PathBuf};

use cassette_core::store::{FileStore, HalfWritten};

use crate::typed::quoted_bytes;
use files::{Found, files};
pub use ours::{holds_other, is_begun, is_other};
use ours::{is_blob, is_copy, is_hidden, is_hidden_one};
pub(crate) use reached::together;
pub use reached::{Reached, Way};
pub use readable::readable;
pub use spot::Spot;
pub use unreadable::{NEWER, Unreadable, open, read};

/// A directory of cassettes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// The directory.
    pub dir: PathBuf,
    /// The directory as it is shown to a person.
    pub shown: String,
    /// Whether a verb looks there that is told nothing of it.
    pub way: Way,
}

/// The directory of what was not taken over.
const PENDING: &str = ".pending";

/// The directory of long leaves.
const BLOBS: &str = "blobs";

/// Files in the directory that are no cassettes: what somebody vouches for.
const OURS: [&str; 1] = ["allow"];

impl Shelf {
    /// Returns a directory into which alone is looked.
    pub fn new(dir: impl Into<PathBuf>, shown: impl Into<String>) -> Shelf {
        Shelf { dir: dir.into(), shown: shown.into(), way: Way::Alone }
    }

    /// Returns the files of the cassettes, by name, and the directories that cannot be read: whatever may be in them is bad.
    ///
    /// # Errors
    ///
    /// Fails where the directory is not there.
    pub fn cassettes(&self) -> io::Result<Vec<Spot>> {
        let Found { files, closed } = files(&self.dir)?;
        let mut spots =
            self.spots(&self.dir, files.into_iter().filter(|path| is_cassette(path) && !self.is_ours(path)));
        spots.extend(self.closed(&self.dir, closed));
        spots.sort();
        Ok(spots)
    }

    /// Returns the cassettes whose files are hidden, by name.
    ///
    /// # Errors
    ///
    /// Fails where the directory is not there.
    pub fn hidden(&self) -> io::Result<Vec<Spot>> {
        Ok(self.spots(&self.dir, files(&self.dir)?.files.into_iter().filter(|path| is_hidden_one(path))))
    }

    /// Returns the files of recordings that were not taken over, by name, and the directories that cannot be read.
    ///
    /// # Errors
    ///
    /// Never fails today: where nothing is pending, there is no directory.
    pub fn pending(&self) -> io::Result<Vec<Spot>> {
        let (dir, Found { files, closed }) = self.waiting()?;
        let mut spots = self.spots(&dir, files.into_iter().filter(|path| is_cassette(path)));
        spots.extend(self.closed(&dir, closed));
        spots.sort();
        Ok(spots)
    }

    /// Returns the files among those that were not taken over that are none of ours, by name.
    ///
    /// # Errors
    ///
    /// Never fails today: where nothing is pending, there is no directory.
    pub fn pending_others(&self) -> io::Result<Vec<Spot>> {
        let (dir, Found { files, .. }) = self.waiting()?;
        let is_journal = |path: &Path| path.extension().is_some_and(|ending| ending == "journal");
        // What is being written, or was left so.
        let is_staged =
            |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"staged-"));
        let is_other = |path: &PathBuf| !is_cassette(path) && !is_hidden(path) && !is_journal(path) && !is_staged(path);
        Ok(self.spots(&dir, files.into_iter().filter(is_other)))
    }

    /// Returns the journals of recordings that are under way, or were cut short.
    ///
    /// # Errors
    ///
    /// Never fails today: where nothing is recorded, there is no directory.
    pub fn journals(&self) -> io::Result<Vec<Spot>> {
        let (dir, Found { files, .. }) = self.waiting()?;
        let is_journal = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "journal");
        Ok(self.spots(&dir, files.into_iter().filter(is_journal)))
    }

    /// Returns the files that programs left half written when they died, in order, each as it is shown.
    pub fn half_written(&self) -> Vec<(String, HalfWritten)> {
        self.store().half_written().into_iter().map(|left| (self.show(left.path()), left)).collect()
    }

    /// Returns what an editor, a merge or a person left of cassettes, by name: `trains.json.orig`, beside one or with one in it. Whatever
    /// else lies there may be of use to somebody: a directory may hold more than cassettes.
    ///
    /// # Errors
    ///
    /// Fails where the directory is not there.
    pub fn copies(&self) -> io::Result<Vec<Spot>> {
        let is_left = |path: &PathBuf| !is_cassette(path) && !is_hidden(path) && !self.is_ours(path) && is_copy(path);
        Ok(self.spots(&self.dir, files(&self.dir)?.files.into_iter().filter(is_left)))
    }

    /// Returns the file of the cassette of this name, whether or not it is there.
    pub fn spot(&self, name: &str) -> Spot {
        let path = self.dir.join(format!("{name}.json"));
        Spot { name: name.to_owned(), shown: self.show(&path), path, reached: Reached::of(self, name) }
    }

    /// Returns the store that keeps its cassettes.
    pub fn store(&self) -> FileStore {
        FileStore::new(&self.dir, &self.shown)
    }

    /// Returns the long leaves of cassettes that no file of the directory names any more, be it a damaged one. Where a file or a
    /// directory cannot be read, there is none: it may name any of them. What is not called as a long leaf is, is somebody's.
    ///
    /// # Errors
    ///
    /// Fails where the directory is not there.
    pub fn unreferenced_blobs(&self) -> io::Result<Vec<Spot>> {
        let dir = self.dir.join(BLOBS);
        let mut blobs = if dir.is_dir() { files(&dir)?.files } else { Vec::new() };
        blobs.retain(|blob| blob.parent() == Some(&dir) && is_blob(blob));
        if blobs.is_empty() {
            return Ok(Vec::new());
        }
        let (here, (_, waiting)) = (files(&self.dir)?, self.waiting()?);
        if !here.closed.is_empty() || !waiting.closed.is_empty() {
            return Ok(Vec::new());
        }
        let others = here.files.into_iter().filter(|path| !path.starts_with(&dir));
        for file in others.chain(waiting.files) {
            // What is compressed may name any of them too.
            let is_compressed = file.extension().is_some_and(|ending| ending == "zst");
            let Some(bytes) = cassette_core::files::read(&file).ok().filter(|_| !is_compressed) else {
                return Ok(Vec::new());
            };
            let text = String::from_utf8_lossy(&bytes);
            blobs.retain(|blob| {
                !blob.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| text.contains(stem))
            });
        }
        Ok(self.spots(&dir, blobs.into_iter()))
    }

    /// Returns what is in the directory of what was not taken over; nothing where it is not there.
    fn waiting(&self) -> io::Result<(PathBuf, Found)> {
        let dir = self.dir.join(PENDING);
        let found = if dir.is_dir() { files(&dir)? } else { Found::default() };
        Ok((dir, found))
    }

    fn closed(&self, below: &Path, dirs: Vec<PathBuf>) -> Vec<Spot> {
        let spot = |path: PathBuf| {
            let inside = name(below, &path);
            let name = if inside.is_empty() { "./".to_owned() } else { format!("{inside}/") };
            Spot { reached: Reached::of(self, &name), name, shown: format!("{}/", self.show(&path)), path }
        };
        dirs.into_iter().map(spot).collect()
    }

    fn is_ours(&self, path: &Path) -> bool {
        OURS.iter().any(|name| path == self.dir.join(format!("{name}.json"))) || path.starts_with(self.dir.join(BLOBS))
    }

    fn spots(&self, below: &Path, files: impl Iterator<Item = PathBuf>) -> Vec<Spot> {
        let spot = |path: PathBuf| {
            let name = name(below, &path);
            Spot { reached: Reached::of(self, &name), name, shown: self.show(&path), path }
        };
        let mut spots: Vec<_> = files.map(spot).collect();
        spots.sort();
        spots
    }

    fn show(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.dir).unwrap_or(path);
        path_text(&Path::new(&self.shown).join(inside))
    }
}

/// Returns whether a file is named as a cassette is.
pub(crate) fn is_cassette(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    !name.starts_with(b".") && (name.ends_with(b".json") || name.ends_with(b".json.zst"))
}

/// Returns the name of the cassette at a path below a directory.
pub(crate) fn name(below: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(below).unwrap_or(path).as_os_str().as_encoded_bytes();
    let endings = [".json.zst", ".json", ".journal"];
    slashed(endings.iter().find_map(|ending| inside.strip_suffix(ending.as_bytes())).unwrap_or(inside))
}

/// Returns a path with slashes between its steps; what is no UTF-8 is quoted as a shell takes it.
pub fn path_text(path: &Path) -> String {
    slashed(path.as_os_str().as_encoded_bytes())
}

fn slashed(path: &[u8]) -> String {
    match std::str::from_utf8(path) {
        // Elsewhere it is a character of a name as any.
        Ok(path) if cfg!(windows) => path.replace('\\', "/"),
        Ok(path) => path.to_owned(),
        Err(_) => quoted_bytes(path),
    }
}
