//! Which files hold the settings of a package, and what they say together.

use std::io;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::read::line_of_key;
use super::{Mistake, Settings, read};
use crate::files::read_text;

/// The name of the file.
pub const FILE: &str = "cassette.toml";

/// The name of the file that says whether a directory is a workspace's.
const MANIFEST: &str = "Cargo.toml";

/// Returns the files that hold a package's settings: the workspace's, then the package's own, as far as they are there.
///
/// The workspace is the nearest directory above the package, or the package itself, whose `Cargo.toml` has a `[workspace]`.
pub fn files(package: &Path) -> Vec<PathBuf> {
    let shared = root(package).ok().flatten().map(|root| root.join(FILE));
    shared.into_iter().chain([package.join(FILE)]).filter(|file| is_there(file)).collect()
}

/// Returns the workspace around a package, where a file stands above that might be its.
fn root(package: &Path) -> Result<Option<&Path>, Mistake> {
    // Without a file above nothing has to be known of workspaces.
    let has_any = package.ancestors().skip(1).any(|dir| is_there(&dir.join(FILE)));
    for dir in package.ancestors().take_while(|_| has_any) {
        let is_root = is_workspace(dir).map_err(|what| Mistake {
            file: shown(&dir.join(MANIFEST), package),
            line: None,
            what: format!("it is not known whether {FILE} beside it holds here: {what}"),
            help: "mend the manifest".to_owned(),
        })?;
        if is_root {
            return Ok((dir != package).then_some(dir));
        }
    }
    Ok(None)
}

/// Returns whether something is there, be it a link that leads nowhere.
fn is_there(file: &Path) -> bool {
    file.symlink_metadata().is_ok()
}

/// Returns what the files of a package say together: its own over the workspace's. A path in one is relative to it, but for
/// `dir`, which is each package's own.
///
/// # Errors
///
/// Fails with everything that is wrong in any of them.
pub fn load(package: &Path) -> Result<Settings, Vec<Mistake>> {
    let mut settings = Settings::default();
    let mut mistakes: Vec<_> = root(package).err().into_iter().collect();
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
    "../".repeat(up) + &file.file_name().unwrap_or_default().to_string_lossy()
}

/// Returns whether the manifest in a directory, if there is one, is a workspace's.
fn is_workspace(dir: &Path) -> Result<bool, String> {
    let file = dir.join(MANIFEST);
    if !is_there(&file) {
        return Ok(false);
    }
    let text = read_text(&file).map_err(|error| format!("could not be read: {error}"))?;
    let manifest = DeTable::parse(&text).map_err(|error| error.message().to_owned())?;
    Ok(manifest.get_ref().contains_key("workspace"))
}
