//! Where programs that are started write down what this one reads: a directory of its own in that of temporary files, which goes
//! with the command.
//!
//! A command that is killed leaves its directory behind, and the next one of whichever project removes it: the lock in it tells
//! whether its command is still alive.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// With what the name of each such directory begins.
const PREFIX: &str = "cassette-run-";

/// The directory of a command that goes on; it is removed with this.
#[derive(Debug)]
pub struct Room {
    dir: PathBuf,
    _lock: File,
}

impl Room {
    /// Removes what commands left that were killed, and makes a directory for another one.
    ///
    /// # Errors
    ///
    /// Fails where no directory can be made there.
    pub fn make(temporary: &Path) -> io::Result<Room> {
        sweep(temporary);
        for attempt in 0.. {
            let dir = temporary.join(format!("{PREFIX}{}-{attempt}", std::process::id()));
            match private(&dir) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            if let Some(lock) = locked(&dir)? {
                return Ok(Room { dir, _lock: lock });
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Returns a file in it.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // If it cannot be removed now, the next command does.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Makes a directory that is nobody else's.
fn private(dir: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Takes the lock of a new directory; `None` where another command was quicker and took it for what a dead one had left.
fn locked(dir: &Path) -> io::Result<Option<File>> {
    let path = dir.join("lock");
    let lock = match OpenOptions::new().create_new(true).write(true).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        lock => lock?,
    };
    Ok((lock.try_lock().is_ok() && path.exists()).then_some(lock))
}

/// Removes the directories of commands that are no longer alive. What cannot be removed is left: it may be another user's.
fn sweep(temporary: &Path) {
    let entries = fs::read_dir(temporary).into_iter().flatten().flatten();
    let is_one = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
    for dir in entries.filter(is_one).map(|entry| entry.path()) {
        match OpenOptions::new().write(true).open(dir.join("lock")) {
            Ok(lock) if lock.try_lock().is_ok() => _ = fs::remove_dir_all(&dir),
            // Killed before it had a lock: then it is empty, and only an empty one is removed so.
            Err(error) if error.kind() == io::ErrorKind::NotFound => _ = fs::remove_dir(&dir),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> usize {
        fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn what_a_killed_run_left_goes_with_the_next_and_what_lives_stays() {
        let temporary = tempfile::tempdir().unwrap();
        let alive = Room::make(temporary.path()).unwrap();
        let killed = Room::make(temporary.path()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "this is no cassette")]
        fs::write(killed.file("ledger"), "{}\n").unwrap();
        let dir = killed.dir.clone();
        // A process that is killed drops nothing, and gives its locks back.
        let Room { _lock: lock, .. } = &killed;
        lock.unlock().unwrap();
        std::mem::forget(killed);
        fs::create_dir(temporary.path().join(format!("{PREFIX}1-0"))).unwrap();
        fs::create_dir(temporary.path().join("somebody-elses")).unwrap();

        let next = Room::make(temporary.path()).unwrap();
        assert!(next.dir != alive.dir && alive.dir.is_dir() && next.dir.is_dir());
        assert_eq!(names(temporary.path()), 3, "two that live, and what is not ours");
        drop((alive, next));
        assert!(!dir.is_dir());
        assert_eq!(names(temporary.path()), 1);
    }
}
