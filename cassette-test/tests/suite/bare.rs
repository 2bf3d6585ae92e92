//! What is left without the feature `replay`.

use std::process::Command;

#[test]
fn without_its_features_the_crate_depends_on_its_macros_alone() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "-p", "cassette-test", "--no-default-features"]);
    cargo.args(["-e", "normal,build", "--prefix", "none", "--no-dedupe", "-f", "{lib}"]);
    cargo.args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut crates: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
    crates.sort_unstable();
    crates.dedup();
    assert_eq!(crates, ["cassette_macros", "cassette_test", "proc_macro2", "quote", "syn", "unicode_ident"]);
}
