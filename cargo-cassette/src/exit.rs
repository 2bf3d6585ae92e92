//! The exit codes of the command, each with one meaning.

use std::process::ExitStatus;

/// It was done, and nothing was found that a person has to look at.
pub const DONE: u8 = 0;

/// It was done, and something was found: two cassettes differ, a file cannot be read.
pub const FOUND: u8 = 1;

/// It could not be done as it was asked for: an option is unknown, a name is nowhere, a directory is not there.
pub const USAGE: u8 = 2;

/// Tests failed, or one with a cassette did not end. It is cargo's own code.
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::ExitStatus;

    use super::{TESTS_FAILED, code};

    #[test]
    fn a_signal_is_told_as_shells_tell_it_and_a_code_as_it_is() {
        let exited = |status: i32| code(ExitStatus::from_raw(status << 8));
        assert_eq!([0, 1, 2, 101, 255].map(exited), [0, 1, 2, TESTS_FAILED, 255]);
        let by_signal = |signal: i32| code(ExitStatus::from_raw(signal));
        assert_eq!([1, 2, 9, 15].map(by_signal), [129, 130, 137, 143]);
        // With a core dumped the signal is the same.
        assert_eq!(by_signal(11 | 0x80), 139);
        // A real one, from the system itself.
        let killed = std::process::Command::new("sh").args(["-c", "kill -KILL $$"]).status().unwrap();
        assert_eq!(code(killed), 137);
    }
}
