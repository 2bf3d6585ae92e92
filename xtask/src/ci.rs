//! Everything that has to hold before a change lands.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The steps in their order, each with the variables it is run with.
///
/// `clients`, `adapters` and `mcp` build heavy trees that nothing else needs, and their features are to change nobody else's build:
/// they have steps of their own. One step runs the stories once more with the features that change what serde_json's values are,
/// and one the units of cassette-test without `http2`, which `cargo-cassette` switches on in any build that it is part of.
const STEPS: [(&str, &[(&str, &str)]); 17] = [
    ("cargo fmt --all --check", &[]),
    ("cargo clippy --workspace --exclude adapters --exclude clients --exclude mcp --all-targets -- -D warnings", &[]),
    ("cargo clippy -p cassette-test --no-default-features --features replay -- -D warnings", &[]),
    ("cargo clippy -p cassette-test --no-default-features -- -D warnings", &[]),
    (
        "cargo clippy -p cassette-test --no-default-features --features aws-smithy,reqwest-middleware,rmcp,tower,ureq -- -D warnings",
        &[],
    ),
    (
        "cargo doc --workspace --exclude adapters --exclude clients --exclude mcp --no-deps",
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    ("cargo test", &[]),
    ("cargo test -p cassette-test --doc --features aws-smithy,reqwest-middleware,rmcp,tower,ureq", &[]),
    ("cargo test -p cassette-test --doc --no-default-features -- spawned bare", &[]),
    ("cargo test -p cassette-test --lib", &[]),
    ("cargo clippy -p adapters -p clients -p mcp --all-targets -- -D warnings", &[]),
    ("cargo test -p adapters", &[]),
    ("cargo test -p mcp", &[]),
    ("cargo run --example trains", &[]),
    ("cargo run --example embeddings", &[]),
    ("cargo test -p stories --features any-json", &[]),
    ("cargo test -p clients", &[]),
];

/// Runs every step and stops at the first that fails.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    super::tidy::run(root)?;
    for (step, variables) in STEPS {
        println!("==> {step}");
        let started = Instant::now();
        let mut words = step.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).current_dir(root).envs(variables.iter().copied());
        let status = command.status().map_err(|error| format!("could not run `{step}`: {error}"))?;
        if !status.success() {
            return Err(format!("`{step}` failed"));
        }
        println!("    {:.0} s", started.elapsed().as_secs_f64());
    }
    Ok(())
}
