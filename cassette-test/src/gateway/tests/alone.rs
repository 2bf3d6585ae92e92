//! Tests that need an environment of their own, each in a process of its own.

use std::process::Command;

/// The variable that names the upstream to a test run by [`run`].
pub(super) const UPSTREAM: &str = "GATEWAY_TEST_UPSTREAM";

/// Runs an ignored test of this binary with exactly these variables.
#[track_caller]
pub(super) fn run(test: &str, variables: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env_clear().envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// Returns the upstream that [`run`] was given.
pub(super) fn upstream() -> String {
    cassette_core::env::var(UPSTREAM).unwrap()
}
