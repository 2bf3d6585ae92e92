//! What the command promises, told by running it: what it prints, on which stream, and how it exits.

#![expect(clippy::unwrap_used, reason = "a test may fail so")]

mod diff;
mod export;
mod finding;
mod init;
#[cfg(unix)]
mod lint;
mod list;
mod project;
mod recordings;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod sdks;
#[cfg(unix)]
mod serve;
mod settings;
mod show;
mod stats;
mod status;
mod terminal;
mod usage;
