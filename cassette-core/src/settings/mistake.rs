//! What is wrong in a file of settings.

use std::fmt;

/// Something that is wrong in a file of settings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Mistake {
    /// The file; empty while only its text is known.
    pub file: String,
    /// The line, from 1; `None` where it is the whole file.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl Mistake {
    /// Returns a mistake as one of this file.
    #[must_use]
    pub fn of(file: &str, mistake: Mistake) -> Mistake {
        Mistake { file: file.to_owned(), ..mistake }
    }
}

impl fmt::Display for Mistake {
    /// Writes `cassette.toml:3: what is wrong`, without the help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake { file, line, what, .. } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {what}"),
            None => write!(f, "{file}: {what}"),
        }
    }
}

impl std::error::Error for Mistake {}
