//! What the verbs share that settle what was not taken over, or mend files at rest.

use std::fmt;

use cargo_cassette::shelf::{Shelf, Spot};
use cassette_core::disk::ReadError;
use cassette_core::env;
use cassette_core::json::Json;
use cassette_core::pending::Reason;
use cassette_core::store::{FileStore, Store as _, StoreError};
use cassette_core::upkeep::{Candidate, Known, Refusal};

use super::around::Surroundings;
use super::failure::Failure;
use crate::output::{Ink, Line, Output, typed};

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

/// A file that waits for something to be done.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) shelf: Shelf,
    pub(super) spot: Spot,
}

impl Waiting {
    pub(super) fn store(&self) -> FileStore {
        self.shelf.store()
    }

    /// Returns what is known beside the cassette of this name.
    pub(super) fn known(&self, name: &str) -> Result<Known, Refusal> {
        Known::of(&self.store(), name, &env::vars())
    }

    /// Reads what is pending.
    pub(super) fn candidate(&self) -> Result<Candidate, Refusal> {
        let gone = || StoreError::Io(self.spot.shown.clone(), "read", "it is gone".to_owned());
        Candidate::read(&self.store(), &self.spot.name)?.ok_or_else(|| gone().into())
    }
}

/// Returns every recording that was not taken over.
pub(super) fn pending(around: &Surroundings) -> Result<Vec<Waiting>, Failure> {
    waiting(around, Shelf::pending)
}

/// Returns the files of each directory that are meant, in order.
pub(super) fn waiting(
    around: &Surroundings,
    files: fn(&Shelf) -> std::io::Result<Vec<Spot>>,
) -> Result<Vec<Waiting>, Failure> {
    let mut all = Vec::new();
    for shelf in around.shelves()? {
        let spots = files(&shelf).map_err(|error| Failure::Directory(shelf.shown.clone(), error))?;
        all.extend(spots.into_iter().map(|spot| Waiting { shelf: shelf.clone(), spot }));
    }
    Ok(all)
}

/// Returns those of these files that the words name, by name or path; where no word is given, all if all are asked for.
pub(super) fn chosen(
    all: Vec<Waiting>,
    words: &[String],
    verb: &'static str,
    every: bool,
) -> Result<Vec<Waiting>, Failure> {
    let names = || all.iter().map(|it| it.spot.name.clone()).collect::<Vec<_>>();
    if words.is_empty() {
        return match every || all.is_empty() {
            true => Ok(all),
            false => Err(Failure::Settling(SettlingError::Unnamed(verb, names()))),
        };
    }
    let mut chosen: Vec<Waiting> = Vec::new();
    for word in words {
        let name = word.strip_suffix(".json").unwrap_or(word);
        let is_meant = |it: &&Waiting| it.spot.name == name || it.spot.shown == *word;
        let found: Vec<_> = all.iter().filter(is_meant).collect();
        match found.as_slice() {
            [] => return Err(Failure::Settling(SettlingError::Unknown(verb, word.clone(), names()))),
            [one] if chosen.iter().any(|it| it.spot == one.spot) => {}
            [one] => chosen.push((*one).clone()),
            several => {
                let places = several.iter().map(|it| it.spot.shown.clone()).collect();
                return Err(Failure::Settling(SettlingError::Several(word.clone(), places)));
            }
        }
    }
    Ok(chosen)
}

/// Writes a file while no recording of its name is under way.
pub(super) fn locked<T>(
    store: &FileStore,
    name: &str,
    write: impl FnOnce() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let journal = store.journal(name)?.journal;
    let written = write();
    journal.close()?;
    written
}

/// What is refused.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of<'a> {
    /// A recording that was not taken over, of this test.
    Pending(Option<&'a str>),
    /// A cassette at rest.
    File,
}

/// Prints that something is refused, why, and what to do.
pub(super) fn refused(name: &str, refusal: &Refusal, of: Of<'_>, output: &mut Output) -> Result<(), Failure> {
    let text = refusal.to_string();
    let mut lines = text.lines();
    let first = Line::of("refuses ").ink(Ink::Strong, name).plain(": ");
    output.line(&first.ink(Ink::Bad, lines.next().unwrap_or_default()))?;
    for line in lines {
        output.line(&Line::of(line))?;
    }
    Ok(output.line(&Line::of("  ").ink(Ink::Faint, &format!("help: {}", help(name, refusal, of))))?)
}

/// Returns a refusal as an object's members.
pub(super) fn refused_json(name: &str, refusal: &Refusal, of: Of<'_>) -> [(&'static str, Json); 2] {
    [("what", refusal.to_string().as_str().into()), ("help", help(name, refusal, of).as_str().into())]
}

/// Returns what to do about a refusal.
pub(super) fn help(name: &str, refusal: &Refusal, of: Of<'_>) -> String {
    let Of::Pending(test) = of else {
        return match refusal {
            Refusal::Unreadable(ReadError::Damaged(..)) | Refusal::Broken(_) => {
                "take the file from git again, or record it anew: CASSETTE_MODE=refresh cargo test".to_owned()
            }
            refusal => help(name, refusal, Of::Pending(None)),
        };
    };
    let test = test.and_then(|test| test.split_once("::")).map(|(_, test)| format!(" {test}")).unwrap_or_default();
    let record = format!("CASSETTE_MODE=record cargo test{test}");
    let name = typed(name);
    match refusal {
        Refusal::Masked(_) => {
            format!(
                "take the secret out of the prompt, or name it in a rule (`redact_field`, `redact_value`), and record again: {record}"
            )
        }
        Refusal::Unfit(Reason::Denied, _) => {
            format!("let the matcher take each recording for its own request's, then {record}")
        }
        Refusal::Unfit(..) | Refusal::Broken(_) | Refusal::Meanwhile => format!("record again: {record}"),
        Refusal::Moved => "look at it again: cargo cassette review".to_owned(),
        Refusal::Empty | Refusal::Unreadable(ReadError::Damaged(..)) => {
            format!("remove it: cargo cassette reject {name}")
        }
        Refusal::Unreadable(ReadError::Newer(..)) => {
            "cargo install cargo-cassette, which gets the newest version".to_owned()
        }
        Refusal::Needed(_) => format!("drop those that take it too, or reject the file: cargo cassette reject {name}"),
        Refusal::Leak(findings) => {
            let entry = findings.first().map(|finding| finding.entry(&name)).unwrap_or_default();
            format!("hide it by a rule and record again, or, if it is no secret, say why in allow.json: {entry}")
        }
        Refusal::AllowList(_) => "mend allow.json, in which every entry needs a reason".to_owned(),
        Refusal::Storage(StoreError::Locked(_)) => "wait until its test has ended".to_owned(),
        _ => "check that the directory can be written".to_owned(),
    }
}
