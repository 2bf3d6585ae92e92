//! A file, opened.

use std::fmt;
use std::path::Path;

use super::{ReadError, read};
use crate::files;
use crate::tape::Tape;

/// Why a file could not be opened as a cassette.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// The system refused, for this reason.
    Io(String),
    /// It is compressed, which this version does not read.
    Compressed,
    /// It was read, and is no sound cassette.
    Read(ReadError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(error) => write!(f, "could not be read: {error}"),
            OpenError::Compressed => f.write_str("it is compressed, which this version does not read"),
            OpenError::Read(ReadError::Damaged(Some(line), what)) => write!(f, "line {line}: {what}"),
            OpenError::Read(ReadError::Damaged(None, what)) => f.write_str(what),
            OpenError::Read(ReadError::Newer(needs, known)) => {
                write!(f, "it needs {needs}, and this reader knows {known}")
            }
        }
    }
}

impl std::error::Error for OpenError {}

impl Tape {
    /// Opens a file as a cassette. It is read, and never written.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read, or is no sound cassette.
    ///
    /// # Examples
    ///
    /// ```
    /// use cassette_core::tape::Tape;
    ///
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))?;
    /// let tape = Tape::open("cassettes/trains.json")?;
    /// let names: Vec<_> = tape.interactions.iter().map(|call| call.asked().name()).collect();
    /// assert_eq!(names, ["GET https://timetable.example.com/next?to=Bergen"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Tape, OpenError> {
        let path = path.as_ref();
        if path.extension().is_some_and(|ending| ending == "zst") {
            return Err(OpenError::Compressed);
        }
        let bytes = files::read(path).map_err(|error| OpenError::Io(error.to_string()))?;
        read(&bytes).map_err(OpenError::Read)
    }
}
