//! A file that is written beside its place, and takes it in one step: whoever reads meets the old one or the new one, whole.
//!
//! While it is written it is locked. So whoever finds one that can be locked knows that its program has died, whatever its process
//! was called, and may remove it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::lock::{Lock, lock, lock_that_is_there};

/// How many links a path may go through.
const LINKS: usize = 40;

/// How often a directory is made again that somebody else has found empty, and removed.
const ATTEMPTS: usize = 100;

/// Writes a file whole. It is staged at `staged` and a number; where a link stands in its place, the link stays, and what it leads
/// to is written.
///
/// # Errors
///
/// Fails where it cannot be written; then what stood there stands there still.
pub fn write_whole(path: &Path, bytes: &[u8], staged: &Path) -> io::Result<()> {
    write_whole_where(path, bytes, staged, || Ok(()))
}

/// Writes a file whole where nothing is said against it at the last moment: no system replaces a file on a condition, so this
/// asks when all that is left to do is the step itself.
pub(super) fn write_whole_where(
    path: &Path,
    bytes: &[u8],
    staged: &Path,
    may: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    let (mut file, staged) = stage(staged)?;
    let written = destination(path).and_then(|place| {
        file.set_len(0)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        may()?;
        fs::rename(&staged, place)
    });
    written.inspect_err(|_| {
        // What was staged is of no use; the error that matters is the one before.
        let _ = fs::remove_file(&staged);
    })
}

/// Does what needs a directory, which somebody who ends a recording at this moment may find empty, and remove: it is not there then,
/// or was a moment ago when it was to be made.
pub(super) fn persistently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists) => {}
            done => return done,
        }
    }
    attempt()
}

/// Returns where a path leads, link by link: itself where it is none, and what need not be there yet.
///
/// # Errors
///
/// Fails where links lead round in a circle, or cannot be read.
pub(super) fn destination(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        match fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_symlink() => {
                let next = fs::read_link(&place)?;
                place = place.parent().unwrap_or(Path::new("")).join(next);
            }
            _ => return Ok(place),
        }
    }
    Err(io::Error::other("its links lead round in a circle"))
}

/// A file that a program left half written when it died. It is locked until this is dropped.
#[derive(Debug)]
pub struct HalfWritten {
    path: PathBuf,
    _file: File,
}

impl HalfWritten {
    /// Returns where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

/// Returns what programs left that staged files at `staged` and died, in order. What a living one writes is none of it.
pub fn half_written(staged: &Path) -> Vec<HalfWritten> {
    let Some(name) = staged.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let entries = fs::read_dir(staged.parent().unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|file| file.to_str()?.strip_prefix(name));
        name.is_some_and(|rest| rest.split_once('-').is_some_and(|(a, b)| is_number(a) && is_number(b)))
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).filter(is_ours).collect();
    paths.sort();
    let left = |path: PathBuf| Some(HalfWritten { _file: lock_that_is_there(&path)?, path });
    paths.into_iter().filter_map(left).collect()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a file of this process's own, locked: a number tells it from those of its other threads.
fn stage(staged: &Path) -> io::Result<(File, PathBuf)> {
    for number in 0_u32.. {
        let mut path = OsString::from(staged);
        path.push(format!("{}-{number}", std::process::id()));
        let path = PathBuf::from(path);
        match lock(&path)? {
            Lock::Held(file) | Lock::None(file, _) => return Ok((file, path)),
            Lock::Elsewhere => {}
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
