//! Where a cassette's file leads that is a link.
//!
//! What is written goes where the link leads, so that a secret which is hidden is hidden there. But whoever writes a link into a
//! repository does not choose what is written on the machine of everybody who checks it out: it has to lead to a cassette's file,
//! within the project.

use std::io;
use std::path::{Path, PathBuf};

use super::whole::destination;
use crate::files::real;

/// Returns nothing where a path is no link, or leads to a cassette's file within the project that is around this directory.
///
/// # Errors
///
/// Fails with where it leads and why that is not written; with the system's error where that cannot be told.
pub(super) fn within(dir: &Path, path: &Path) -> Result<(), Result<(PathBuf, &'static str), io::Error>> {
    let target = destination(path).map_err(Err)?;
    if target == path {
        return Ok(());
    }
    if target.extension().is_none_or(|ending| ending != "json") {
        return Err(Ok((target, "is not called as a cassette's file is")));
    }
    let project = real(&project(&real(dir)));
    match real(&target).starts_with(project) {
        true => Ok(()),
        false => Err(Ok((target, "lies outside of the project"))),
    }
}

/// Returns the directory of the project around this one: that of its repository, else of its outermost manifest, else itself.
fn project(dir: &Path) -> PathBuf {
    let repository = dir.ancestors().find(|dir| dir.join(".git").exists());
    let manifest = || dir.ancestors().filter(|dir| dir.join("Cargo.toml").is_file()).last();
    repository.or_else(manifest).unwrap_or(dir).to_owned()
}
