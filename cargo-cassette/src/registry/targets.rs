//! The words that tell cargo which targets to build.

/// The words that tell cargo which targets to build.
pub const TARGETS: [&str; 11] = [
    "--lib",
    "--bins",
    "--bin",
    "--examples",
    "--example",
    "--tests",
    "--test",
    "--benches",
    "--bench",
    "--all-targets",
    "--doc",
];

/// Returns whether a word is one of them.
pub(super) fn is_one(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    TARGETS.contains(&name)
}
