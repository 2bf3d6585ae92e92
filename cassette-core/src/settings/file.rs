//! Which files hold the settings of a package, and what they say together.

use std::path::{Path, PathBuf};
use std::{fs, io};

use toml::de::DeTable;

use super::read::line_of_key;
use super::{Mistake, Settings, read};
use crate::files::read_text;

/// The name of the file.
pub const FILE: &str = "cassette.toml";

/// Returns the files that hold a package's settings: the workspace's, then the package's own, as far as they are there.
///
/// The workspace is the nearest directory above the package, or the package itself, whose `Cargo.toml` has a `[workspace]`.
pub fn files(package: &Path) -> Vec<PathBuf> {
    let own = package.join(FILE);
    let above = || package.ancestors().skip(1);
    // Without a file above nothing has to be known of workspaces.
    let has_any = above().any(|dir| dir.join(FILE).exists());
    let root = if has_any && !is_workspace(package) { above().find(|dir| is_workspace(dir)) } else { None };
    let shared = root.map(|root| root.join(FILE));
    shared.into_iter().chain([own]).filter(|file| file.exists()).collect()
}

/// Returns what the files of a package say together: its own over the workspace's. A path in one is relative to it, but for
/// `dir`, which is each package's own.
///
/// # Errors
///
/// Fails with everything that is wrong in any of them.
pub fn load(package: &Path) -> Result<Settings, Vec<Mistake>> {
    let mut settings = Settings::default();
    let mut mistakes = Vec::new();
    for file in files(package) {
        match read_file(&file) {
            Ok(read) => settings = read.over(settings),
            Err(found) => {
                let shown = shown(&file, package);
                mistakes.extend(found.into_iter().map(|mistake| Mistake { file: shown.clone(), ..mistake }));
            }
        }
    }
    if mistakes.is_empty() { Ok(settings) } else { Err(mistakes) }
}

/// Returns the file that says this key for a package, and the line: its own, else the workspace's.
pub fn place_of(package: &Path, key: &str) -> Option<(PathBuf, usize)> {
    files(package).into_iter().rev().find_map(|file| {
        let line = line_of_key(&read_text(&file).ok()?, key)?;
        Some((file, line))
    })
}

fn read_file(file: &Path) -> Result<Settings, Vec<Mistake>> {
    let unreadable = |error: io::Error| {
        let what = format!("it could not be read: {error}");
        vec![Mistake { file: String::new(), line: None, what, help: "mend it, or remove it".to_owned() }]
    };
    let mut settings = read(&read_text(file).map_err(unreadable)?)?;
    settings.prices_file = settings.prices_file.map(|prices| file.with_file_name(prices));
    Ok(settings)
}

/// Returns the file as it is told: from the package's directory, up to the workspace's.
fn shown(file: &Path, package: &Path) -> String {
    let dir = file.parent().unwrap_or(file);
    let up = package.ancestors().position(|above| above == dir).unwrap_or_default();
    "../".repeat(up) + FILE
}

fn is_workspace(dir: &Path) -> bool {
    let text = fs::read_to_string(dir.join("Cargo.toml")).unwrap_or_default();
    DeTable::parse(&text).is_ok_and(|manifest| manifest.get_ref().contains_key("workspace"))
}
