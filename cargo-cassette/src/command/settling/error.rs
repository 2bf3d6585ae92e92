//! Why nothing is settled.

use std::fmt;

use crate::output::{printed, typed};

/// Why nothing is settled.
#[derive(Debug)]
pub(crate) enum SettlingError {
    /// It was not said what: the verb, and the names that there are.
    Unnamed(&'static str, Vec<String>),
    /// Nothing is waiting under this name: the names that there are, and what to type.
    Unknown { word: String, known: Vec<String>, help: String },
    /// Several are: where, and what to type.
    Several { word: String, places: Vec<String>, help: String },
    /// The answers cannot be read.
    Answers(std::io::Error),
}

impl fmt::Display for SettlingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            |names: &[String]| names.iter().map(|name| format!("`{}`", printed(name))).collect::<Vec<_>>().join(", ");
        match self {
            SettlingError::Unnamed(verb, known) => {
                write!(f, "it is not said what to {verb}; there is {}", names(known))?;
                let first = known.first().map(|name| format!("cargo cassette {verb} {}, or ", typed(name)));
                write!(f, "\nhelp: {}all: cargo cassette {verb} --all", first.unwrap_or_default())
            }
            SettlingError::Unknown { word, known, help } => {
                write!(f, "there is nothing to settle for `{}`", printed(word))?;
                if !known.is_empty() {
                    write!(f, "\n  there is {}", names(known))?;
                }
                write!(f, "\nhelp: {help}")
            }
            SettlingError::Several { word, places, help } => {
                let places: Vec<_> = places.iter().map(|place| printed(place)).collect();
                write!(f, "`{}` may be each of {}\nhelp: {help}", printed(word), places.join(", "))
            }
            SettlingError::Answers(error) => {
                write!(
                    f,
                    "the answers could not be read: {error}\nhelp: cargo cassette accept --all, or cargo cassette reject --all"
                )
            }
        }
    }
}
