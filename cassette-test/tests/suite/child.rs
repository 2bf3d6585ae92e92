//! Runs ignored tests of this binary in a process of their own.

use std::process::Command;

/// How a child ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Whether libtest was content.
    pub(crate) passed: bool,
    /// What it printed, both streams, without what differs from run to run.
    pub(crate) text: String,
}

/// Runs every ignored test whose path begins like this, in this environment and none of the caller's.
pub(crate) fn run(prefix: &str, environment: &[(&str, &str)]) -> Ended {
    run_on(1, prefix, environment)
}

/// Runs the same tests all at once.
pub(crate) fn run_at_once(prefix: &str, environment: &[(&str, &str)]) -> Ended {
    run_on(8, prefix, environment)
}

fn run_on(threads: usize, prefix: &str, environment: &[(&str, &str)]) -> Ended {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([prefix, "--ignored", "--nocapture", &format!("--test-threads={threads}")]);
    for name in [
        "CI",
        "RUST_BACKTRACE",
        "NEXTEST",
        "CASSETTE_GUARD",
        "CASSETTE_MODE",
        "CASSETTE_DIR",
        "CASSETTE_ORDER",
        "CASSETTE_ALLOW_CI",
        "CASSETTE_BUDGET",
        "CASSETTE_LEDGER",
    ] {
        command.env_remove(name);
    }
    let output = command.envs(environment.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
    Ended { passed: output.status.success(), text }
}

/// Runs these tests with nothing recorded and nothing checked, and expects so many to pass.
#[track_caller]
pub(crate) fn all_pass(prefix: &str, tests: usize) {
    let ended = run(prefix, &[("CASSETTE_MODE", "off")]);
    assert!(ended.passed && ended.text.contains(&format!("{tests} passed; 0 failed")), "{}", ended.text);
}

/// Returns what one ignored test says in this environment, and how it ends, as a snapshot is to hold it.
pub(crate) fn told(test: &str, environment: &[(&str, &str)]) -> String {
    let Ended { passed, text } = run(test, environment);
    assert!(text.contains("running 1 test\n"), "{text}");
    let chatter = ["running 1 test", "test result: ", "failures:", "    ", "note: run with `RUST_BACKTRACE", "---- "];
    let said =
        text.lines().filter(|line| !chatter.iter().any(|start| line.starts_with(start)) || line.contains("  \""));
    let said: Vec<_> = said.map(without_numbers).filter(|line| !line.is_empty()).collect();
    format!("{}\n{}", if passed { "passed" } else { "failed" }, said.join("\n"))
}

/// Returns a line of the panic hook's without the number of the thread and those of line and column.
fn without_numbers(line: &str) -> String {
    let Some((before, after)) = line.split_once("' (").filter(|_| line.starts_with("thread '")) else {
        return line.to_owned();
    };
    let after = after
        .split_once(") ")
        .map_or("", |(_, after)| after)
        .trim_end_matches(|c: char| c == ':' || c.is_ascii_digit());
    format!("{before}' {after}")
}
