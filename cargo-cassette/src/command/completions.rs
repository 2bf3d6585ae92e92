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
    output.bytes(&repaired(completions.shell, script))?;
    Ok(Found::Nothing)
}

/// Returns a script whose verbs are completed: of a program with a hyphen in its name, clap_complete 4.6 calls a verb one thing where bash
/// finds it and another where its options stand.
fn repaired(shell: Shell, script: Vec<u8>) -> Vec<u8> {
    match (shell, String::from_utf8(script)) {
        (Shell::Bash, Ok(text)) => text.replace("cargo__subcmd__cassette", "cargo__cassette").into_bytes(),
        (_, Ok(text)) => text.into_bytes(),
        (_, Err(error)) => error.into_bytes(),
    }
}
