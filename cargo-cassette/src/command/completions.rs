//! `cargo cassette completions`: what a shell needs to complete the command.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Found;
use super::failure::Failure;
use crate::cli::Cli;
use crate::output::Output;

/// Print the completions for a shell
#[derive(Debug, Args)]
#[command(
    after_help = "Example: cargo cassette completions bash > ~/.local/share/bash-completion/completions/cargo-cassette"
)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

pub(super) fn run(completions: &Completions, output: &mut Output) -> Result<Found, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        completions.shell,
        &mut Cli::command().bin_name("cargo-cassette"),
        "cargo-cassette",
        &mut script,
    );
    output.bytes(&script)?;
    Ok(Found::Nothing)
}
