//! What a shell completes, typed at real ones.

use std::io::Write as _;
use std::process::Stdio;

use stages::skipped;

use crate::project::Project;

/// Types at a shell on a terminal, and returns what the commands were that it ran: `cargo` and `cargo-cassette` tell what follows them.
/// `None`, and a line that says so, where there is no such shell.
fn typed(shell: &[&str], lines: &str) -> Option<Vec<String>> {
    let project = Project::new();
    for program in ["cargo", "cargo-cassette"] {
        project.write(&format!("bin/{program}"), format!("#!/bin/sh\necho \"typed: {program} $*.\"\n"));
        project.allow(&format!("bin/{program}"), 0o755);
    }
    let script = project.output(&["completions", shell[0]]);
    project.write("completions", script.stdout);
    let there = |program: &str| {
        project.program(program.as_ref()).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    if !there("script") || !there(shell[0]) {
        skipped(&format!("there is no {} on a terminal", shell[0]));
        return None;
    }
    #[expect(clippy::disallowed_methods, reason = "a program is found by its path")]
    let path = std::env::var("PATH").unwrap_or_default();
    let mut terminal = project.program("script".as_ref());
    terminal.env("PATH", format!("{}:{path}", project.path("bin").display())).env("TERM", "dumb");
    terminal.args(["-qec", &shell.join(" "), "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut terminal = terminal.spawn().unwrap();
    terminal.stdin.take().unwrap().write_all(format!("{lines}exit\n").as_bytes()).unwrap();
    let told = terminal.wait_with_output().unwrap().stdout;
    let told = String::from_utf8_lossy(&told).into_owned();
    let ran =
        told.lines().filter_map(|line| Some(line.split_once("typed: ")?.1.split('.').next()?.trim_end().to_owned()));
    Some(ran.collect())
}

/// What is typed, with tabs, and what comes of it.
const LINES: &str = "cargo cassette sho\ttrains --verb\t\ncargo +nightly cassette pru\t\ncargo-cassette sho\ttrains\n";

const RAN: [&str; 3] =
    ["cargo cassette show trains --verbose", "cargo +nightly cassette prune", "cargo-cassette show trains"];

#[test]
fn bash_completes_the_command_as_it_is_typed() {
    let bash = &["bash", "--norc", "--noprofile", "-i"];
    let Some(ran) = typed(bash, &format!("source completions\n{LINES}")) else { return };
    assert_eq!(ran, RAN);
}

#[test]
fn bash_completes_and_lives_on_whatever_is_set() {
    let bash = &["bash", "--norc", "--noprofile", "-i"];
    let nothing = "cargo nothing\t\ncargo cassette nothing\t\ncargo -\t\n";
    let line = format!("set -eu\nsource completions\n{nothing}{LINES}");
    let Some(ran) = typed(bash, &line) else { return };
    let expected = ["cargo nothing", "cargo cassette nothing", "cargo -"];
    assert_eq!(ran, [&expected[..], &RAN].concat());
    let own = "_cargo() { COMPREPLY=(); false; }; complete -F _cargo cargo\n";
    let Some(ran) = typed(bash, &format!("{own}{line}")) else { return };
    assert_eq!(ran, [&expected[..], &RAN].concat(), "where what completes cargo otherwise fails");
}

#[test]
fn what_completes_cargo_in_bash_still_does() {
    let bash = &["bash", "--norc", "--noprofile", "-i"];
    let own = "_cargo() { COMPREPLY=(metadata); }; complete -F _cargo cargo\n";
    let lines = "cargo me\t\ncargo cassette prun\t\ncargo me\t\n";
    let expected = ["cargo metadata", "cargo cassette prune", "cargo metadata"];
    let read = "source completions\n";
    let Some(ran) = typed(bash, &format!("{own}{read}{lines}")) else { return };
    assert_eq!(ran, expected, "it was there before");
    let Some(ran) = typed(bash, &format!("{own}{read}{read}{lines}")) else { return };
    assert_eq!(ran, expected, "read twice");
    let late = format!("_completion_loader() {{ {}; }}\n", own.trim_end());
    let Some(ran) = typed(bash, &format!("{late}{read}{lines}")) else { return };
    assert_eq!(ran, expected, "it is loaded when it is asked for");
}

#[test]
fn zsh_completes_the_command_as_it_is_typed() {
    let zsh = &["zsh", "-f", "-i"];
    let read = "autoload -U compinit; compinit -u -D\nsource ./completions\n";
    let Some(ran) = typed(zsh, &format!("{read}{LINES}")) else { return };
    assert_eq!(ran, RAN);
}

#[test]
fn fish_completes_the_command_as_it_is_typed() {
    let project = Project::new();
    project.write("completions", project.output(&["completions", "fish"]).stdout);
    let completed = |typed: &str| {
        let line = format!("source completions; complete -C '{typed}'");
        let output = project.program("fish".as_ref()).args(["--no-config", "-c", &line]).output().ok()?;
        let told = String::from_utf8(output.stdout).unwrap();
        Some(told.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect::<Vec<_>>())
    };
    let Some(shown) = completed("cargo cassette sho") else {
        return skipped("there is no fish");
    };
    assert_eq!(shown, ["show"]);
    assert_eq!(completed("cargo +nightly cassette pru"), Some(vec!["prune".to_owned()]));
    assert_eq!(completed("cargo cassette show --format h"), Some(vec!["html".to_owned()]));
    assert_eq!(completed("cargo-cassette sho"), Some(vec!["show".to_owned()]));
}

#[test]
fn every_shell_is_told_of_cargo() {
    let project = Project::new();
    for (shell, told) in [
        ("bash", "complete -F _cargo__cassette__of_cargo "),
        ("zsh", "compdef _cargo-cassette-of-cargo cargo\n"),
        ("fish", "complete -c cargo -n "),
        ("elvish", "set edit:completion:arg-completer[cargo] = "),
        ("powershell", "-CommandName 'cargo-cassette', 'cargo' -ScriptBlock"),
    ] {
        let script = project.run(&["completions", shell]);
        assert_eq!(script.matches(told).count(), 1, "{shell}");
    }
}
