//! The report of a file of settings that cannot be followed.

use std::fmt;

use super::count;
use crate::settings::Mistake;

/// A file of settings says what it cannot: no test runs on a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Everything that is wrong, by file and line.
    pub mistakes: Vec<Mistake>,
}

impl Settings {
    /// Returns the report of these mistakes.
    pub fn new(mistakes: Vec<Mistake>) -> Settings {
        Settings { mistakes }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mistakes.as_slice() {
            [one] => write!(f, "{one}\nhelp: {}", one.help),
            several => {
                write!(f, "the settings have {}", count(several.len(), "mistake"))?;
                several.iter().try_for_each(|mistake| write!(f, "\n  {mistake}\n    {}", mistake.help))?;
                f.write_str("\nhelp: docs/settings.md has every key")
            }
        }
    }
}
