//! The one place where the harness prints. What was recorded came from outside, and what tests are called from anywhere, so no control
//! character of it reaches a terminal as such.

use std::io::Write;

use cassette_core::typed::visible;

/// Prints a line or more for the person who runs the test; libtest keeps it where the test passes.
#[expect(clippy::print_stderr, reason = "the one place where the harness prints")]
pub(crate) fn tell(text: &str) {
    eprintln!("{}", visible(text));
}

/// Prints a line or more past libtest, which would keep it: until the end of a test that may have none, or for ever where the
/// test passes.
pub(crate) fn tell_now(text: &str) {
    // A process without a standard error stream has nobody to be told.
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}
