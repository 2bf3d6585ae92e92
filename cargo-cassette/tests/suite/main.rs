//! What the command promises, told by running it: what it prints, on which stream, and how it exits.

#![expect(clippy::unwrap_used, reason = "a test may fail so")]

#[cfg(unix)]
mod advice;
#[cfg(unix)]
mod again;
mod among;
mod archive;
#[cfg(target_os = "linux")]
mod browse;
mod browser;
mod built;
#[cfg(unix)]
mod by_hand;
#[cfg(unix)]
mod closed;
#[cfg(target_os = "linux")]
mod completions;
mod diff;
mod export;
mod finding;
mod fork;
mod given_up;
mod hostile;
mod huge;
#[cfg(unix)]
mod import;
mod init;
#[cfg(unix)]
mod links;
#[cfg(unix)]
mod lint;
mod list;
#[cfg(unix)]
mod mcp;
#[cfg(unix)]
mod names;
mod odd;
mod pages;
mod presentable;
mod project;
mod recordings;
mod review;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod sdks;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod settled;
#[cfg(unix)]
mod runs;
mod settings;
#[cfg(unix)]
mod shim;
mod show;
mod stats;
mod status;
mod story;
mod terminal;
mod trip;
mod unbuilt;
#[cfg(unix)]
mod undecided;
mod upkeep;
mod usage;
