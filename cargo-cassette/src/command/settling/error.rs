//! Why nothing is settled.

use std::fmt;

use crate::output::typed;

/// Why nothing is settled.
#[derive(Debug)]
pub(crate) enum SettlingError {
    /// It was not said what: the verb, and the names that there are.
    Unnamed(&'static str, Vec<String>),
    /// Nothing is waiting under this name: the verb, and the names that there are.
    Unknown(&'static str, String, Vec<String>),
    /// Several are.
    Several(String, Vec<String>),
    /// The answers cannot be read.
    Answers(std::io::Error),
}

impl fmt::Display for SettlingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self {
            SettlingError::Unnamed(verb, known) => {
                write!(f, "it is not said what to {verb}; there is {}", names(known))?;
                let first = known.first().map_or_else(|| "<NAME>".to_owned(), |name| typed(name));
                write!(f, "\nhelp: cargo cassette {verb} {first}, or all: cargo cassette {verb} --all")
            }
            SettlingError::Unknown(_, word, known) if known.is_empty() => {
                write!(f, "there is nothing to settle for `{word}`\nhelp: see how it stands: cargo cassette status")
            }
            SettlingError::Unknown(verb, word, known) => {
                write!(f, "there is nothing to settle for `{word}`\n  there is {}", names(known))?;
                write!(f, "\nhelp: cargo cassette {verb} {}", typed(&known[0]))
            }
            SettlingError::Several(word, places) => {
                write!(f, "`{word}` may be each of {}\nhelp: give the path: {}", places.join(", "), typed(&places[0]))
            }
            SettlingError::Answers(error) => {
                write!(
                    f,
                    "the answers could not be read: {error}\nhelp: cargo cassette accept, and cargo cassette reject"
                )
            }
        }
    }
}
