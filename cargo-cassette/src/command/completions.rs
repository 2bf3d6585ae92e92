//! `cargo cassette completions`: what a shell needs to complete the command.

use clap::{Args, Command};
use clap_complete::Shell;

use super::Found;
use super::failure::Failure;
use crate::output::Output;

/// Print the completions for a shell
///
/// They complete `cargo cassette` and `cargo-cassette`. What has completed `cargo` before still completes its other commands: in bash
/// they are to be read after it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  echo 'source <(cargo cassette completions bash)' >> ~/.bashrc\n  echo 'source <(cargo cassette completions zsh)' >> ~/.zshrc\n  cargo cassette completions fish > ~/.config/fish/conf.d/cargo-cassette.fish\n  cargo cassette completions elvish >> ~/.config/elvish/rc.elv\n  cargo cassette completions powershell >> $PROFILE\n\nExit codes: 0 printed, 2 it could not be done as asked."
)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(completions: &Completions, command: Command, output: &mut Output) -> Result<Found, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut command.bin_name("cargo-cassette"), "cargo-cassette", &mut script);
    output.bytes(whole(completions.shell, &String::from_utf8_lossy(&script)).as_bytes())?;
    Ok(Found::Nothing)
}

/// Returns a script that completes the command behind `cargo` too, as it is typed: what clap_complete writes knows the program alone.
fn whole(shell: Shell, script: &str) -> String {
    match shell {
        // Of a program with a hyphen in its name, clap_complete 4.6 calls a verb one thing where bash finds it and another where its
        // options stand.
        Shell::Bash => {
            let script = script.replace("cargo__subcmd__cassette", "cargo__cassette");
            // What nothing completes fails, which ends a shell with `set -e`.
            let script = script.replace("\"${cur}\")", "\"${cur}\" || :)");
            script + include_str!("completions/cargo.bash")
        }
        // Its end is what is run where zsh has loaded the file for the first completion.
        Shell::Zsh => before(script, "if [ \"$funcstack[1]\"", include_str!("completions/cargo.zsh")),
        Shell::Fish => script.to_owned() + include_str!("completions/cargo.fish"),
        Shell::Elvish => script.to_owned() + include_str!("completions/cargo.elv"),
        Shell::PowerShell => {
            let script = script.replace("-CommandName 'cargo-cassette'", "-CommandName 'cargo-cassette', 'cargo'");
            before(&script, "    $completions = @(switch ($command) {", include_str!("completions/cargo.ps1"))
        }
        _ => script.to_owned(),
    }
}

/// Returns a text with this before its last line that begins so.
fn before(text: &str, line: &str, what: &str) -> String {
    let at = text.rfind(&format!("\n{line}")).map_or(text.len(), |at| at + 1);
    format!("{}{what}{}", &text[..at], &text[at..])
}
