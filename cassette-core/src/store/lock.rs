//! Files that only one program holds at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// What came of asking for a lock.
#[derive(Debug)]
pub(super) enum Lock {
    /// It is held here, until the file is closed or the program ends.
    Held(File),
    /// Another program holds it, or another part of this one.
    Elsewhere,
    /// The file system has no locks.
    None(File, io::Error),
}

/// Opens a file, creates it where it is not there, and locks it.
///
/// # Errors
///
/// Fails where it cannot be opened.
pub(super) fn lock(path: &Path) -> io::Result<Lock> {
    loop {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        match held(file) {
            // Whoever held it meanwhile has removed what was locked here.
            Lock::Held(file) if !is_at(&file, path) => {}
            lock => return Ok(lock),
        }
    }
}

/// Locks a file that is there; `None` where it is not, or cannot be opened, or is held elsewhere.
pub(super) fn lock_that_is_there(path: &Path) -> Option<File> {
    let file = OpenOptions::new().read(true).append(true).open(path).ok()?;
    match held(file) {
        Lock::Held(file) if is_at(&file, path) => Some(file),
        _ => None,
    }
}

/// Returns whether another program holds a file that is there; `None` where that cannot be told.
pub(super) fn is_held(path: &Path) -> Option<bool> {
    let file = File::open(path).ok()?;
    // Shared, and for a moment: whoever asks at the same time is told the same.
    match file.try_lock_shared() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}

fn held(file: File) -> Lock {
    match file.try_lock() {
        Ok(()) => Lock::Held(file),
        Err(TryLockError::WouldBlock) => Lock::Elsewhere,
        Err(TryLockError::Error(error)) => Lock::None(file, error),
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
