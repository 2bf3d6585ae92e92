//! Reading a file that somebody put there.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Reads a file whole.
///
/// # Errors
///
/// Fails as [`fs::read`] does, and where it is no file: a pipe, a socket or a device may have no end.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file, but a pipe, a socket or a device"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file whole, as text.
///
/// # Errors
///
/// Fails as [`read`] does, and where it is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(read(path)?).map_err(not_text)
}
