//! A package whose tests are built for real, of what this workspace has built already.

use std::path::{Path, PathBuf};

use crate::project::Project;

/// Returns an empty package of this name that depends on `cassette-test` with these features, and on more. What is built of it
/// stands beside what is built of others, by its name.
pub(crate) fn package(name: &str, features: &str, more: &str) -> Project {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    // What the workspace has built is built here too, once.
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned();
    let cargo = Path::new(env!("CARGO"));
    // The compiler beside cargo, not whichever a proxy would choose or fetch.
    let beside = cargo.with_file_name("rustc");
    let rustc = if beside.is_file() { beside } else { "rustc".into() };
    let project = Project::bare()
        .with("CARGO", env!("CARGO"))
        .with("RUSTC", &rustc.display().to_string())
        .with("RUSTUP_AUTO_INSTALL", "0")
        .with("CARGO_HOME", &variable("CARGO_HOME", ".cargo"))
        .with("RUSTUP_HOME", &variable("RUSTUP_HOME", ".rustup"))
        .with("CARGO_NET_OFFLINE", "true")
        .with("CARGO_TARGET_DIR", &target.display().to_string());
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dev-dependencies]\ncassette-test = {{ path = '{}', default-features = false, features = [{features}] }}\n{more}\n[profile.dev]\ndebug = 0\n\n[workspace]\n",
        root.join("cassette-test").display()
    );
    project.write("Cargo.toml", manifest);
    project.write("Cargo.lock", std::fs::read(root.join("Cargo.lock")).unwrap());
    project.write("src/lib.rs", "");
    project
}

/// Returns a variable of the environment in which this test runs, or what stands at a place below the home directory.
#[expect(clippy::disallowed_methods, reason = "cargo is found as it was for this test")]
fn variable(name: &str, below_home: &str) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    std::env::var(name).unwrap_or_else(|_| Path::new(&home).join(below_home).display().to_string())
}
