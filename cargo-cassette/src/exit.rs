//! The exit codes of the command, each with one meaning.

use std::process::ExitStatus;

/// It was done, and nothing was found that a person has to look at.
pub const DONE: u8 = 0;

/// It was done, and something was found: two cassettes differ, a file cannot be read.
pub const FOUND: u8 = 1;

/// It could not be done as it was asked for: an option is unknown, a name is nowhere, a directory is not there.
pub const USAGE: u8 = 2;

/// Tests failed. It is cargo's own code, handed on.
pub const TESTS_FAILED: u8 = 101;

/// A signal ended what was run: this and its number, as shells have it.
pub const BY_SIGNAL: u8 = 128;

/// Returns the exit code that hands on how a program ended: its own, or what shells make of a signal.
#[must_use]
pub fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(signal).map_or(TESTS_FAILED, |signal| BY_SIGNAL.saturating_add(signal));
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(TESTS_FAILED)
}
