//! The cassettes of a directory, by name.

use std::fs;
use std::path::Path;

/// Returns the names of the cassettes below a directory, in order: of what can be read, but for what stands in hidden directories
/// and behind links.
pub(super) fn names(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    collect(dir, "", &mut found);
    found.sort();
    found
}

/// The files of the framework's own.
const OURS: &str = "allow";

fn collect(dir: &Path, below: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let path = format!("{below}{name}");
        match path.strip_suffix(".json") {
            _ if name.starts_with('.') => {}
            _ if kind.is_dir() => collect(&entry.path(), &format!("{path}/"), found),
            Some(name) if name != OURS => found.push(name.to_owned()),
            _ => {}
        }
    }
}
