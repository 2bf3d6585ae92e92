//! Reports about the cassette's file.

use std::fmt;

use super::{Change, help};

/// There is no cassette.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// The cassette's name.
    pub cassette: String,
    /// Where it should be.
    pub file: String,
    /// A recording of it that was not taken over, if there is one.
    pub pending: Option<String>,
    /// A cassette that may have been this one before the test was renamed, or the cassette: its file, and the test that recorded it,
    /// where that was another one.
    pub orphan: Option<(String, Option<String>)>,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has not been recorded: there is no {}", self.cassette, self.file)?;
        if let Some(pending) = &self.pending {
            write!(f, "\n  a recording that was not taken over is in {pending}")?;
        }
        match &self.orphan {
            Some((file, Some(test))) => {
                write!(f, "\n  {file} was recorded by {test}, which is no test with a cassette any more")?;
            }
            Some((file, None)) => write!(f, "\n  {file} was recorded by this very test")?,
            None => {}
        }
        help(f, &self.help)
    }
}

/// The cassette cannot be read, or says other than what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damaged {
    /// The cassette's path.
    pub file: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.what)?;
        help(f, &self.help)
    }
}

/// The cassette needs a newer reader.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version {
    /// The cassette's path.
    pub file: String,
    /// What it needs: a format, or a feature by name.
    pub needs: String,
    /// What this reader knows.
    pub known: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} needs {}, and this reader knows {}", self.file, self.needs, self.known)?;
        help(f, &self.help)
    }
}

/// The cassette was recorded with something else than the test names: other hooks, another provider or version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stale {
    /// The cassette's name.
    pub cassette: String,
    /// What is named: `hooks`, `provider` or `version`, what was recorded, and what the test says now.
    pub named: Vec<Change>,
    /// The cassette's path.
    pub file: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` was recorded with something else than its test names", self.cassette)?;
        for Change { path, recorded, incoming } in &self.named {
            let shown = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
            write!(f, "\n  {path}\n    recorded  {}\n    named now {}", shown(recorded), shown(incoming))?;
        }
        write!(f, "\n  in {}", self.file)?;
        help(f, &self.help)
    }
}

/// A file could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Storage {
    /// The path.
    pub file: String,
    /// What was being done: `read`, `write`.
    pub doing: &'static str,
    /// What the system said.
    pub error: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not {} {}: {}", self.doing, self.file, self.error)?;
        help(f, &self.help)
    }
}
