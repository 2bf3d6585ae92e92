//! A terminal, a pipe, and a pipe whose reader goes away.

use std::io::Read as _;
use std::process::Stdio;

use crate::project::Project;
use crate::recordings::{answer, ask, conversation};

fn project() -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    project
}

/// Returns what the command writes to a terminal of so many columns; `None` where no terminal can be had.
fn on_a_terminal(project: &Project, columns: usize, words: &str) -> Option<String> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let command = format!("stty rows 24 cols {columns}; '{}' {words}", env!("CARGO_BIN_EXE_cargo-cassette"));
    let script = project.program("script".as_ref()).args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output();
    script.ok().map(|output| String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n"))
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn a_terminal_has_colours_and_a_width() {
    let project = project().with("TERM", "xterm-256color");
    let Some(told) = on_a_terminal(&project, 60, "show trains") else { return };
    insta::assert_snapshot!(told.replace('\u{1b}', "^"));
    let widest = without_colours(&told).lines().map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|widest| widest <= 60), "{widest:?}");
}

#[test]
fn a_table_that_is_too_wide_is_cut_nowhere() {
    let project = project().with("TERM", "dumb");
    project.record("cassettes/fares/day.json", &[(ask("What does it cost?"), answer("chatcmpl-1", "A lot."))]);
    let told = |columns, words| on_a_terminal(&project, columns, words);
    let Some(wide) = told(80, "status") else { return };
    let told = [wide, told(60, "status").unwrap(), told(60, "stats").unwrap(), told(40, "list").unwrap()];
    insta::assert_snapshot!(told.join("\n---\n"));
}

#[test]
fn no_color_and_a_dumb_terminal_are_heard() {
    let coloured = |project: &Project, words: &str| Some(on_a_terminal(project, 80, words)?.contains('\u{1b}'));
    let terminal = || project().with("TERM", "xterm");
    let Some(plain) = coloured(&terminal(), "list") else { return };
    assert!(plain);
    assert_eq!(coloured(&terminal().with("NO_COLOR", "1"), "list"), Some(false));
    assert_eq!(coloured(&terminal().with("NO_COLOR", "1"), "list --color always"), Some(true));
    assert_eq!(coloured(&terminal(), "list --color never"), Some(false));
    assert_eq!(coloured(&project().with("TERM", "dumb"), "list"), Some(false));
}

#[test]
fn a_pipe_is_plain_and_whole_unless_colours_are_forced() {
    let told = |project: Project, words: &[&str]| String::from_utf8(project.output(words).stdout).unwrap();
    let plain = told(project(), &["show", "trains"]);
    assert!(!plain.contains('\u{1b}'));
    let forced = told(project().with("CLICOLOR_FORCE", "1"), &["show", "trains"]);
    assert!(forced.contains('\u{1b}'));
    assert_eq!(without_colours(&forced), plain);
    assert_eq!(told(project(), &["show", "trains", "--color", "always"]), forced);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let project = Project::new();
    let calls: Vec<_> =
        (0..100).map(|i| (ask(&format!("Question {i}?")), answer("chatcmpl-1", &"word ".repeat(1_000)))).collect();
    project.record("cassettes/trains.json", &calls);
    let mut child =
        project.command(&["show", "trains", "-v"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut head = [0; 6];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut head).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((&head, output.status.code(), output.stderr), (b"trains", Some(0), Vec::new()));
}
