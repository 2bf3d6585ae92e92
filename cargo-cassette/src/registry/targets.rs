//! The words that tell cargo which targets of which packages to build.

/// The words that tell cargo which targets to build.
const TARGETS: [&str; 11] = [
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

/// Returns whether a word says which packages are meant.
pub(super) fn is_package(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    let is_glued = word.starts_with("-p") && !word.starts_with("--");
    is_glued || ["--package", "--workspace", "--all"].contains(&name)
}
