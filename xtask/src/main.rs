//! The project's own chores: `cargo xtask ci`, `cargo xtask tidy` and `cargo xtask sdks`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod ci;
mod sdks;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "ci" => ci::run(&root()),
        "tidy" => tidy::run(&root()),
        "sdks" => sdks::run(&root()),
        _ => Err(format!("`{task}` is no task\nhelp: cargo xtask ci, cargo xtask tidy, cargo xtask sdks")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("xtask: {what}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the workspace's folder.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
