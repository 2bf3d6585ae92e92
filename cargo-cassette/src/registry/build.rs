//! The cargo that builds the tests which are asked.

use std::process::Command;

use super::{Build, targets};
use crate::tenants::Tenants;

/// Returns the command that builds them and names their binaries.
pub(super) fn cargo(build: &Build) -> Command {
    let program = cassette_core::env::var("CARGO").filter(|program| !program.is_empty());
    let mut command = Command::new(program.unwrap_or_else(|| "cargo".to_owned()));
    let Tenants { here, asked, others } = &build.tenants;
    command.current_dir(here).args(["test", "--no-run"]);
    command.args((!build.arguments.iter().any(|word| targets::is_one(word))).then_some("--all-targets"));
    command.arg("--message-format=json-render-diagnostics");
    match (asked.len() + others.len(), others.is_empty()) {
        // Whoever names packages means these.
        _ if build.arguments.iter().any(|word| targets::is_package(word)) => {}
        (0 | 1, _) => {}
        (_, true) => {
            command.arg("--workspace");
        }
        // Left to itself cargo builds its default members, whichever are asked about.
        (_, false) => {
            command.args(asked.iter().flat_map(|package| ["--package", &package.name]));
        }
    }
    command.args(build.all_features.then_some("--all-features"));
    command.args(build.features.iter().flat_map(|feature| ["--features", feature]));
    command.args(&build.arguments);
    command
}
