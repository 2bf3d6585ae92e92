//! Why nothing is settled.

use std::fmt;

use super::super::named::near;
use crate::output::{printed, typed};

/// Why nothing is settled.
#[derive(Debug)]
pub(crate) enum SettlingError {
    /// It was not said what: the verb, and the names that there are.
    Unnamed(&'static str, Vec<String>),
    /// Nothing is waiting under this name: the verb, and the names that there are.
    Unknown(&'static str, String, Vec<String>),
    /// Several are: the verb, the name, and where.
    Several(&'static str, String, Vec<String>),
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
            SettlingError::Unknown(_, word, known) if known.is_empty() => {
                write!(
                    f,
                    "there is nothing to settle for `{}`\nhelp: see how it stands: cargo cassette status",
                    printed(word)
                )
            }
            SettlingError::Unknown(verb, word, known) => {
                write!(f, "there is nothing to settle for `{}`\n  there is {}", printed(word), names(known))?;
                match near(word, known) {
                    Some(near) => write!(f, "\nhelp: cargo cassette {verb} {}", typed(near)),
                    None => f.write_str("\nhelp: see how it stands: cargo cassette status"),
                }
            }
            SettlingError::Several(verb, word, places) => {
                let first = typed(&places[0]);
                let places: Vec<_> = places.iter().map(|place| printed(place)).collect();
                write!(f, "`{}` may be each of {}", printed(word), places.join(", "))?;
                write!(f, "\nhelp: give the path: cargo cassette {verb} {first}")
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
