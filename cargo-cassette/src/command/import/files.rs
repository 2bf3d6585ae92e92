//! Which files are imported.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::ImportError;

/// A file that is to be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The file as it is shown to a person.
    pub(super) shown: String,
    /// The file as it is called from the directory that was given: its cassette is called so.
    pub(super) below: String,
}

/// The directory in which WireMock keeps bodies, beside that of its mappings: they are read with those.
const BODIES: (&str, &str) = ("__files", "mappings");

/// Returns the files that these words mean, each once: a directory means all that are in it and below, but for hidden ones.
pub(super) fn of(words: &[PathBuf], here: &Path) -> Result<Vec<Source>, ImportError> {
    let mut sources: Vec<Source> = Vec::new();
    for word in words {
        let path = here.join(word);
        let shown = word.display().to_string().replace('\\', "/");
        match path.is_dir() {
            true => sources.extend(within(&path, &shown)?),
            false if !path.is_file() => return Err(ImportError::NoFile(shown)),
            false => {
                let below = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                sources.push(Source { path, shown, below });
            }
        }
    }
    let mut known = HashSet::new();
    sources.retain(|source| known.insert(fs::canonicalize(&source.path).unwrap_or_else(|_| source.path.clone())));
    Ok(sources)
}

fn within(dir: &Path, shown: &str) -> Result<Vec<Source>, ImportError> {
    let mut paths = Vec::new();
    collect(dir, &mut paths).map_err(|error| ImportError::Directory(shown.to_owned(), error))?;
    paths.sort();
    let source = |path: PathBuf| {
        let below = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let shown = if shown == "." { below.clone() } else { format!("{}/{below}", shown.trim_end_matches('/')) };
        Source { path, shown, below }
    };
    let sources: Vec<_> = paths.into_iter().map(source).collect();
    if sources.is_empty() { Err(ImportError::Empty(shown.to_owned())) } else { Ok(sources) }
}

fn collect(dir: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        let is_of_bodies = name == BODIES.0 && dir.join(BODIES.1).is_dir();
        match entry.file_type()?.is_dir() {
            _ if name.to_string_lossy().starts_with('.') => {}
            true if is_of_bodies => {}
            true => collect(&path, paths)?,
            // A link to a directory may lead back to where it stands.
            false if path.is_dir() => {}
            false if path.is_file() => paths.push(path),
            // A pipe or a device is no recording, and may have no end.
            false => {}
        }
    }
    Ok(())
}
