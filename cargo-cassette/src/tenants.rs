//! Which packages' tests may own the cassettes that are meant, and which have to be built to be asked.
//!
//! Cargo builds the default members of a workspace alone unless it is told otherwise, while its directories of cassettes are
//! those of all members. What was not built has not been asked, and nothing of it may be taken for nobody's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::workspace::{NoShelf, Reach, Standpoint, defaults, manifest, nearest, packages, place, places, plain, real};

/// A package of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// Its directory, absolute.
    pub dir: PathBuf,
    /// Its name.
    pub name: String,
    /// Where its cassettes lie, absolute.
    pub cassettes: PathBuf,
}

/// The packages of a workspace: whose tests are asked, and whose are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tenants {
    /// Where cargo is run.
    pub here: PathBuf,
    /// The packages whose tests are built and asked, by directory.
    pub asked: Vec<Package>,
    /// The other members of the workspace, by directory.
    pub others: Vec<Package>,
}

/// Returns the packages to ask about the directories that are meant.
///
/// They are those in which a directory lies, and the default members among the packages that are meant, which may have
/// recorded nothing yet. With [`Reach::Workspace`] they are all members, and so they are where a directory lies in none.
///
/// # Errors
///
/// Fails where there is no manifest, or one that cannot be read.
pub fn tenants(standpoint: &Standpoint) -> Result<Tenants, NoShelf> {
    let inside = standpoint.dir.as_deref().map(|dir| real(&standpoint.here.join(dir)));
    let elsewhere = inside.as_deref().and_then(|dir| nearest(dir, None).ok());
    let here = match elsewhere {
        Some(dir) => dir,
        None => nearest(&standpoint.here, standpoint.manifest_dir.as_deref())?,
    };
    let around = Standpoint { here: here.clone(), reach: Reach::Workspace, ..Standpoint::default() };
    let members = packages(&around)?;
    let wanted = match standpoint.reach {
        Reach::Workspace => members.clone(),
        Reach::Nearest => wanted(standpoint, &here, &members)?,
    };
    let package = |dir: &PathBuf| {
        let name = manifest(dir)?.get("package").and_then(|package| Some(package.get("name")?.as_str()?.to_owned()));
        let moved = standpoint.variable.as_deref().filter(|dir| !dir.is_empty()).map(Path::new);
        Ok(Package { cassettes: place(dir, moved), dir: dir.clone(), name: name.unwrap_or_default() })
    };
    let (asked, others): (Vec<_>, Vec<_>) = members.iter().partition(|dir| wanted.contains(*dir));
    Ok(Tenants {
        here,
        asked: asked.into_iter().map(package).collect::<Result<_, _>>()?,
        others: others.into_iter().map(package).collect::<Result<_, _>>()?,
    })
}

/// Returns the members to ask, from their directories and the defaults.
fn wanted(standpoint: &Standpoint, here: &Path, members: &BTreeSet<PathBuf>) -> Result<BTreeSet<PathBuf>, NoShelf> {
    let mut wanted = BTreeSet::new();
    // A directory that is named is the one to which it leads; a package that keeps its cassettes in a link owns what is there.
    let path = |dir: &Path| if standpoint.dir.is_some() { real(dir) } else { plain(dir) };
    for shelf in places(standpoint)?.iter().filter(|shelf| shelf.dir.is_dir()) {
        match around(&path(&shelf.dir), members.iter()) {
            Some(member) => wanted.extend([member.clone()]),
            None => return Ok(members.clone()),
        }
    }
    // A directory that several packages share is each one's.
    if standpoint.variable.as_deref().is_some_and(|dir| Path::new(dir).is_absolute()) {
        return Ok(members.clone());
    }
    if standpoint.dir.is_none() {
        wanted.extend(defaults(here)?.into_iter().filter(|dir| members.contains(dir)));
    }
    Ok(if wanted.is_empty() { members.clone() } else { wanted })
}

/// Returns the innermost of these directories around this one.
fn around<'a>(dir: &Path, members: impl Iterator<Item = &'a PathBuf>) -> Option<&'a PathBuf> {
    members.filter(|member| dir.starts_with(member)).max_by_key(|member| member.components().count())
}

impl Tenants {
    /// Returns the package in which a directory lies, and whether it is asked.
    pub fn around(&self, dir: &Path) -> Option<(&Package, bool)> {
        let dir = plain(dir);
        let member = around(&dir, self.asked.iter().chain(&self.others).map(|package| &package.dir))?;
        let asked = self.asked.iter().find(|package| package.dir == *member).map(|package| (package, true));
        asked.or_else(|| Some((self.others.iter().find(|package| package.dir == *member)?, false)))
    }
}

impl Package {
    /// Returns the names of the crates that the package's targets are, as far as its manifest and its files tell.
    pub fn crates(&self) -> BTreeSet<String> {
        let table: Table =
            fs::read_to_string(self.dir.join("Cargo.toml")).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
        let mut names = BTreeSet::from([self.name.clone()]);
        let named = |target: &Value| Some(target.get("name")?.as_str()?.to_owned());
        names.extend(table.get("lib").and_then(named));
        for kind in ["test", "bench", "example", "bin"] {
            names.extend(table.get(kind).and_then(Value::as_array).into_iter().flatten().filter_map(named));
        }
        for dir in ["tests", "benches", "examples", "src/bin"] {
            names.extend(found(&self.dir.join(dir)));
        }
        names.into_iter().map(|name| name.replace('-', "_")).collect()
    }
}

/// Returns the names of the targets that cargo finds in a directory.
fn found(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let targets =
        entries.filter(|path| path.join("main.rs").is_file() || path.extension().is_some_and(|ending| ending == "rs"));
    targets.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}
