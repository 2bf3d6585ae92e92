//! Where cassettes are kept: the packages of a workspace, found from their manifests without running cargo.

mod own;
mod paths;
mod said;
mod unloaded;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use cassette_core::settings::{self, Mistake};
use toml::{Table, Value};

use crate::shelf::{Shelf, together};
pub use cassette_core::files::real;
use own::own;
pub(crate) use own::own_dirs;
pub(crate) use paths::plain;
pub use paths::shown;
pub use said::{Said, said};
pub use unloaded::unloaded;

/// Where the command stands, and what was said about the directory.
#[derive(Clone, Debug, Default)]
pub struct Standpoint {
    /// The current directory, absolute.
    pub here: PathBuf,
    /// The directory that was asked for, relative to the current one.
    pub dir: Option<PathBuf>,
    /// What `CASSETTE_DIR` says, relative to each package; empty is unset.
    pub variable: Option<String>,
    /// The directory of the package that cargo runs, where no manifest is found from here.
    pub manifest_dir: Option<PathBuf>,
    /// How much of the workspace is meant.
    pub reach: Reach,
}

/// How much of a workspace is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The package around the current directory; at the root of a workspace, each of its members.
    #[default]
    Nearest,
    /// Every member of the workspace around the current directory.
    Workspace,
}

/// Why no cassettes were found.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoShelf {
    /// The directory that was asked for is not there.
    NoDirectory(String),
    /// There is no manifest in this directory and those above it.
    NoManifest(PathBuf),
    /// Nothing has been recorded: the directories in which it would lie.
    NothingRecorded(Vec<String>),
    /// `cassette.toml` says what it cannot, so that it is not known where cassettes are kept.
    Settings(Vec<Mistake>),
    /// A manifest cannot be read.
    Manifest(PathBuf, String),
}

impl fmt::Display for NoShelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoShelf::Settings(mistakes) => {
                let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
                let help = mistakes.first().map_or("docs/settings.md has every key", |first| &first.help);
                write!(f, "{}\nhelp: {help}", lines.join("\n  "))
            }
            NoShelf::NoDirectory(dir) => {
                write!(f, "there is no directory {dir}\nhelp: give one that is there, --dir <DIR>, or leave it out")
            }
            NoShelf::NoManifest(dir) => write!(
                f,
                "there is no Cargo.toml in {} or above it\nhelp: go to the package, or name the directory: --dir <DIR>",
                dir.display()
            ),
            NoShelf::NothingRecorded(places) => {
                write!(f, "nothing has been recorded: there is no directory {}", places.join(", no "))?;
                f.write_str("\nhelp: record with CASSETTE_MODE=record cargo test, or name the directory: --dir <DIR>")
            }
            NoShelf::Manifest(path, error) => {
                write!(
                    f,
                    "could not read {}: {error}\nhelp: mend it, or name the directory: --dir <DIR>",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for NoShelf {}

/// Returns the directories of cassettes that are meant, those that are there.
///
/// What was asked for comes first; then, for each package, `CASSETTE_DIR`, else what `cassette.toml` says, else `cassettes`
/// beside its manifest; then those that its tests name as their own, as far as its sources tell.
///
/// # Errors
///
/// Fails where there is none, naming every place that was looked at.
pub fn shelves(standpoint: &Standpoint) -> Result<Vec<Shelf>, NoShelf> {
    let places = places(standpoint)?;
    let mut found: Vec<_> = places.iter().filter(|shelf| shelf.dir.is_dir()).cloned().collect();
    found.extend(own(standpoint, &found));
    let found = together(found);
    match (found.is_empty(), &standpoint.dir) {
        (false, _) => Ok(found),
        (true, Some(_)) => Err(NoShelf::NoDirectory(places[0].shown.clone())),
        (true, None) => Err(NoShelf::NothingRecorded(places.into_iter().map(|shelf| shelf.shown).collect())),
    }
}

/// Returns every directory in which the cassettes that are meant would lie, whether or not it is there.
///
/// # Errors
///
/// Fails where there is no manifest, or one that cannot be read.
pub fn places(standpoint: &Standpoint) -> Result<Vec<Shelf>, NoShelf> {
    let Standpoint { here, dir, variable, .. } = standpoint;
    if let Some(dir) = dir {
        return Ok(vec![Shelf::new(here.join(dir), shown(here, &here.join(dir)))]);
    }
    let moved = variable.as_deref().filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let packages = match (packages(standpoint), &moved) {
        // What lies elsewhere whatever the package needs none.
        (Err(NoShelf::NoManifest(_)), Some(moved)) if moved.is_absolute() => BTreeSet::from([here.clone()]),
        (packages, _) => packages?,
    };
    let dirs: BTreeSet<_> = packages.iter().map(|package| place(package, moved.as_deref())).collect();
    Ok(dirs.into_iter().map(|dir| Shelf::new(&*dir, shown(here, &dir))).collect())
}

/// Returns where the cassettes of a package lie, by its directory: where this says, else its `cassette.toml`, else beside its manifest.
pub(crate) fn place(package: &Path, moved: Option<&Path>) -> PathBuf {
    let said = || settings::load(package).ok()?.dir;
    let dir = moved.map(Path::to_owned).or_else(said).unwrap_or_else(|| PathBuf::from("cassettes"));
    plain(&package.join(dir))
}

/// Returns the root of the workspace around a place, from which the compiler names files; of a package in none its own directory.
#[must_use]
pub fn root_of(here: &Path) -> PathBuf {
    let is_root = |dir: &&Path| manifest(dir).is_ok_and(|manifest| manifest.contains_key("workspace"));
    let root = here.ancestors().find(is_root).map(Path::to_owned);
    root.or_else(|| package_of(here)).unwrap_or_else(|| here.to_owned())
}

/// Returns the directory of the package around a place, if there is one.
pub fn package_of(dir: &Path) -> Option<PathBuf> {
    dir.ancestors().find(|dir| dir.join("Cargo.toml").is_file()).map(Path::to_owned)
}

/// Returns the directory of the manifest around this one, else around the other.
pub(crate) fn nearest(here: &Path, otherwise: Option<&Path>) -> Result<PathBuf, NoShelf> {
    let above = |dir: &Path| dir.ancestors().find(|dir| dir.join("Cargo.toml").is_file()).map(Path::to_owned);
    let found = above(here).or_else(|| above(otherwise?));
    found.ok_or_else(|| NoShelf::NoManifest(here.to_owned()))
}

/// Returns the directories of the packages that are meant.
pub(crate) fn packages(standpoint: &Standpoint) -> Result<BTreeSet<PathBuf>, NoShelf> {
    let nearest = nearest(&standpoint.here, standpoint.manifest_dir.as_deref())?;
    let mut found = BTreeSet::new();
    if standpoint.reach == Reach::Workspace {
        for dir in nearest.ancestors().filter(|dir| dir.join("Cargo.toml").is_file()) {
            let manifest = manifest(dir)?;
            if manifest.contains_key("workspace") {
                members(dir, &manifest, &mut found)?;
                return Ok(found);
            }
        }
    }
    let manifest = manifest(&nearest)?;
    match manifest.contains_key("workspace") {
        true => members(&nearest, &manifest, &mut found)?,
        false => {
            found.insert(nearest);
        }
    }
    Ok(found)
}

/// Returns the packages that cargo builds here where nothing is said: the default members at the root of a workspace, which
/// are the root package unless others are named, and without one all members; elsewhere the package itself.
pub(crate) fn defaults(here: &Path) -> Result<BTreeSet<PathBuf>, NoShelf> {
    let own = manifest(here)?;
    let Some(workspace) = own.get("workspace") else { return Ok(BTreeSet::from([plain(here)])) };
    let named = workspace.get("default-members").and_then(Value::as_array);
    if let Some(named) = named {
        let patterns = named.iter().filter_map(Value::as_str);
        return Ok(patterns.flat_map(|pattern| matching(here, pattern)).map(|dir| plain(&dir)).collect());
    }
    if own.contains_key("package") {
        return Ok(BTreeSet::from([plain(here)]));
    }
    let mut all = BTreeSet::new();
    members(here, &own, &mut all)?;
    Ok(all)
}

/// Collects the members of a workspace: the root package, what `members` names, and the path dependencies within the root.
fn members(root: &Path, manifest: &Table, found: &mut BTreeSet<PathBuf>) -> Result<(), NoShelf> {
    let workspace = manifest.get("workspace").and_then(Value::as_table);
    let list = |name: &str| {
        let list = workspace.and_then(|workspace| workspace.get(name)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>()
    };
    let excluded: Vec<_> = list("exclude").into_iter().map(|dir| plain(&root.join(dir))).collect();
    let mut open: Vec<PathBuf> = list("members").into_iter().flat_map(|pattern| matching(root, pattern)).collect();
    open.push(root.to_owned());
    while let Some(dir) = open.pop() {
        let dir = plain(&dir);
        let is_out = excluded.iter().any(|excluded| dir.starts_with(excluded)) || !dir.starts_with(root);
        if is_out || found.contains(&dir) || !dir.join("Cargo.toml").is_file() {
            continue;
        }
        let own = self::manifest(&dir)?;
        open.extend(path_dependencies(&own).map(|path| dir.join(path)));
        found.insert(dir);
    }
    if !manifest.contains_key("package") {
        found.remove(root);
    }
    Ok(())
}

pub(crate) fn manifest(dir: &Path) -> Result<Table, NoShelf> {
    let path = dir.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(|error| NoShelf::Manifest(path.clone(), error.to_string()))?;
    text.parse::<Table>().map_err(|error| NoShelf::Manifest(path, error.message().to_owned()))
}

fn path_dependencies(manifest: &Table) -> impl Iterator<Item = &str> {
    let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
    let dependencies = tables.into_iter().filter_map(|name| manifest.get(name)?.as_table()).flat_map(Table::values);
    let shared = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies")?.as_table());
    let dependencies = dependencies.chain(shared.into_iter().flat_map(Table::values));
    dependencies.filter_map(|dependency| dependency.get("path")?.as_str())
}

/// Returns the directories that a pattern of `members` names, in which `*` stands for any characters of one name.
fn matching(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut dirs = vec![root.to_owned()];
    for segment in pattern.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
        dirs = match segment.contains(['*', '?']) {
            false => dirs.into_iter().map(|dir| dir.join(segment)).collect(),
            true => dirs
                .iter()
                .flat_map(|dir| children(dir).unwrap_or_default())
                .filter(|dir| names(dir, segment))
                .collect(),
        };
    }
    dirs
}

fn children(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut children: Vec<_> =
        fs::read_dir(dir)?.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    children.sort();
    Ok(children)
}

fn names(dir: &Path, pattern: &str) -> bool {
    fn is(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            ([b'*', pattern @ ..], _) => (0..=name.len()).any(|at| is(pattern, &name[at..])),
            ([b'?', pattern @ ..], [_, name @ ..]) => is(pattern, name),
            ([a, pattern @ ..], [b, name @ ..]) => a == b && is(pattern, name),
            _ => false,
        }
    }
    dir.file_name().and_then(|name| name.to_str()).is_some_and(|name| is(pattern.as_bytes(), name.as_bytes()))
}
