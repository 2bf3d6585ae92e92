//! The exit codes of the command, each with one meaning.

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
