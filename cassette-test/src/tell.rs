//! The one place where the harness prints.

/// Prints a line or more for the person who runs the test; libtest keeps it where the test passes.
#[expect(clippy::print_stderr, reason = "the one place where the harness prints")]
pub(crate) fn tell(text: &str) {
    eprintln!("{text}");
}
