//! The clients of other languages that `serve` is tested with, in the target directory, by their registries' own clients.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python packages.
const PYTHON: [&str; 2] = ["openai==3.57.0", "anthropic==2.14.0"];

/// The Node packages.
const NODE: [&str; 2] = ["openai@6.49.0", "@anthropic-ai/sdk@1.14.0"];

/// Installs whatever of them is not there yet.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let dir = target(root).join("sdks");
    let (python, node) = (dir.join("python"), dir.join("node"));
    fs::create_dir_all(&node).map_err(|error| format!("could not make {}: {error}", node.display()))?;
    let bin = python.join("bin/python");
    if !stamped(&python, &PYTHON) {
        sh(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
        sh(Command::new(&bin).args(["-m", "pip", "install", "--quiet"]).args(PYTHON))?;
        stamp(&python, &PYTHON)?;
    }
    if !stamped(&node, &NODE) {
        sh(Command::new("npm").args(["install", "--silent", "--no-save", "--prefix"]).arg(&node).args(NODE))?;
        stamp(&node, &NODE)?;
    }
    Ok(())
}

/// Returns the directory of what is built.
#[expect(clippy::disallowed_methods, reason = "this is no cassette")]
fn target(root: &Path) -> PathBuf {
    let moved = std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
    moved.map_or_else(|| root.join("target"), |dir| root.join(dir))
}

/// The file that says which packages were installed.
fn note(dir: &Path) -> PathBuf {
    dir.join("installed")
}

fn stamped(dir: &Path, packages: &[&str]) -> bool {
    fs::read_to_string(note(dir)).is_ok_and(|known| known == packages.join("\n"))
}

#[expect(clippy::disallowed_methods, reason = "this is no cassette")]
fn stamp(dir: &Path, packages: &[&str]) -> Result<(), String> {
    fs::write(note(dir), packages.join("\n"))
        .map_err(|error| format!("could not write {}: {error}", note(dir).display()))
}

fn sh(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("could not run {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}
