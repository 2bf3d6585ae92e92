//! Which files are imported.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::ImportError;
use crate::output::typed;

/// A file that is to be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The file as it is shown to a person.
    pub(super) shown: String,
    /// The file as it is called from the directory that was given: its cassette is called so.
    pub(super) below: String,
}

/// A file that is to be imported, or what is there instead.
pub(super) type Found = (Source, Option<Odd>);

/// What is no file that can be read, whatever may be in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Odd {
    /// A link that leads nowhere.
    Lost(String),
    /// A link to a directory: it may lead back to where it stands.
    Linked,
    /// A pipe, a socket or a device, which may have no end.
    Special,
    /// The same, where it was named itself.
    Named,
    /// A directory that may not be read.
    Closed(String),
}

impl Odd {
    /// Returns why it is not imported, and what to do, where it is shown so.
    pub(super) fn told(&self, shown: &str) -> (String, String) {
        match self {
            Odd::Lost(error) => {
                let help = format!("mend the link, or remove it: rm {}", typed(shown));
                (format!("it is a link that leads nowhere: {error}"), help)
            }
            Odd::Linked => {
                let help = format!("name the directory itself: cargo cassette import {}", typed(shown));
                ("it is a link to a directory, which is not followed".to_owned(), help)
            }
            Odd::Special => (SPECIAL.to_owned(), "take it out of the directory".to_owned()),
            Odd::Named => (SPECIAL.to_owned(), "name a file".to_owned()),
            Odd::Closed(error) => {
                (format!("could not be read: {error}"), format!("let it be read: chmod -R u+rwX {}", typed(shown)))
            }
        }
    }
}

/// What is said of what may have no end.
const SPECIAL: &str = "it is no file, but a pipe, a socket or a device";

/// The directory in which WireMock keeps bodies, beside that of its mappings: they are read with those.
const BODIES: (&str, &str) = ("__files", "mappings");

/// Returns the files that these words mean, each once: a directory means all that are in it and below, but for hidden ones. What is
/// there and cannot be read is among them, with the reason.
pub(super) fn of(words: &[PathBuf], here: &Path) -> Result<Vec<Found>, ImportError> {
    let mut sources: Vec<Found> = Vec::new();
    for word in words {
        let path = here.join(word);
        let shown = word.display().to_string().replace('\\', "/");
        match path.is_dir() {
            true => sources.extend(within(&path, &shown)?),
            false if path.symlink_metadata().is_err() => return Err(ImportError::NoFile(shown)),
            false => {
                let below = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let why = odd(&path).map(|odd| if odd == Odd::Special { Odd::Named } else { odd });
                sources.push((Source { path, shown, below }, why));
            }
        }
    }
    let mut known = HashSet::new();
    sources.retain(|(source, _)| known.insert(fs::canonicalize(&source.path).unwrap_or_else(|_| source.path.clone())));
    Ok(sources)
}

fn within(dir: &Path, shown: &str) -> Result<Vec<Found>, ImportError> {
    let mut paths = Vec::new();
    let entries = entries(dir).map_err(|error| ImportError::Directory(shown.to_owned(), error))?;
    collect(dir, entries, &mut paths);
    paths.sort();
    let source = |(path, why): (PathBuf, Option<Odd>)| {
        let below = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let shown = if shown == "." { below.clone() } else { format!("{}/{below}", shown.trim_end_matches('/')) };
        (Source { path, shown, below }, why)
    };
    let sources: Vec<_> = paths.into_iter().map(source).collect();
    if sources.is_empty() { Err(ImportError::Empty(shown.to_owned())) } else { Ok(sources) }
}

/// An entry of a directory, with whether it is one itself.
type Entry = (PathBuf, bool);

fn entries(dir: &Path) -> io::Result<Vec<Entry>> {
    let typed = |entry: io::Result<fs::DirEntry>| entry.and_then(|it| Ok((it.path(), it.file_type()?.is_dir())));
    fs::read_dir(dir)?.map(typed).collect()
}

fn collect(dir: &Path, found: Vec<Entry>, paths: &mut Vec<(PathBuf, Option<Odd>)>) {
    for (path, is_dir) in found {
        let name = path.file_name().unwrap_or_default();
        let is_of_bodies = name == BODIES.0 && dir.join(BODIES.1).is_dir();
        if name.to_string_lossy().starts_with('.') || is_dir && is_of_bodies {
            continue;
        }
        match is_dir {
            true => match entries(&path) {
                Ok(found) => collect(&path, found, paths),
                Err(error) => paths.push((path, Some(Odd::Closed(error.to_string())))),
            },
            false => {
                let why = odd(&path);
                paths.push((path, why));
            }
        }
    }
}

/// Returns what stands at a path; `None` for a file, be it one that may not be read.
fn odd(path: &Path) -> Option<Odd> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => None,
        Ok(metadata) if metadata.is_dir() => Some(Odd::Linked),
        Ok(_) => Some(Odd::Special),
        Err(error) if path.is_symlink() => Some(Odd::Lost(error.to_string())),
        Err(_) => None,
    }
}
